# PHP's mail() runs this with an email as its input, and reads the exit status: 69 is
# EX_UNAVAILABLE (sysexits.h). PHP 8.5 takes EX_TEMPFAIL (75) for a success.
fail() {
  echo "An email was not sent: $1" >&2
  exit 69
}

reply=$(socat -t 30 - UNIX-CONNECT:/runtime/egress/m) || fail 'the service did not respond'
# The service closes the connection without a reply if it fails.
[ "$reply" = sent ] || fail "${reply:-the service did not respond}"
