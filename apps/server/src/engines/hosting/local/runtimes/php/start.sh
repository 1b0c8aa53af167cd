# Runs php-fpm. The sandbox has no network but loopback: beside php-fpm, socat carries connections
# from 127.0.0.1:3128 to the socket of the engine's proxy. It ends with the sandbox.
socat TCP4-LISTEN:3128,bind=127.0.0.1,fork,max-children=24,backlog=64 \
  UNIX-CONNECT:/runtime/egress/s </dev/null >/dev/null 2>&1 3<&- &
relay=$!
# 0C38 is 3128. The first request may need it.
until grep -q ':0C38 ' /proc/net/tcp || ! kill -0 "$relay" 2>/dev/null; do :; done
exec "$@"
