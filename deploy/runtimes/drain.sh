#!/bin/sh
# Runs in a pod that ends, before Kubernetes stops the program of its site. Returns once the site
# has no connection, so that requests that wait for a busy site get their responses: the gateways
# send new ones to the next pod. Other connections, such as WebSockets, have 25 seconds.
port=$(printf '%04X' "$PORT")
# The local address, the remote one, and 01 for an established connection.
open="^ *[0-9]*: [0-9A-F]*:$port [0-9A-F]*:[0-9A-F]* 01 "
for _ in $(seq 25); do
  sleep 1
  grep -qs "$open" /proc/net/tcp /proc/net/tcp6 || exit 0
done
