#!/bin/sh
# PHP's mail() runs this with an email as its input, and reads the exit status: 69 is
# EX_UNAVAILABLE (sysexits.h). PHP 8.5 takes EX_TEMPFAIL (75) for a success.
fail() {
  echo "An email was not sent: $1" >&2
  exit 69
}

reply=$(
  curl --silent --fail-with-body --max-time 30 --data-binary @- \
    --header 'Content-Type: message/rfc822' --header "Authorization: Bearer $SLIPWAY_EMAIL_TOKEN" \
    "$SLIPWAY_EMAIL_URL"
)
case $? in
  0) [ "$reply" = sent ] || fail "$reply" ;;
  # An HTTP status of 400 or higher.
  22) fail "$reply" ;;
  *) fail 'the service did not respond' ;;
esac
