# PHP's mail() runs this with an email as its input, and reads the exit status (sysexits.h).
reply=$(socat -t 30 - UNIX-CONNECT:/runtime/egress/m) || exit 75
[ "$reply" = sent ] && exit 0
echo "An email was not sent: $reply" >&2
exit 69
