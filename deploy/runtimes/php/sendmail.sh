#!/bin/sh
# PHP's mail() runs this with an email as its input, and reads the exit status (sysexits.h).
reply=$(
  curl --silent --fail-with-body --max-time 30 --data-binary @- \
    --header 'Content-Type: message/rfc822' --header "Authorization: Bearer $SLIPWAY_EMAIL_TOKEN" \
    "$SLIPWAY_EMAIL_URL"
)
case $? in
  0) ;;
  22)
    echo "An email was not sent: $reply" >&2
    exit 69
    ;;
  *) exit 75 ;;
esac
[ "$reply" = sent ] && exit 0
echo "An email was not sent: $reply" >&2
exit 69
