#!/bin/sh
# The startup probe of a PHP site: succeeds if a page responds without a server error. The argument
# is the file of the page; WordPress's file installs or updates the site first. If it does not
# exist, the probe requests the site's index.php.
file=$1
[ -e "$file" ] || file=/app/public/index.php
response=$(
  REQUEST_METHOD=GET REDIRECT_STATUS=200 SCRIPT_FILENAME="$file" SCRIPT_NAME=/index.php \
    REQUEST_URI=/ QUERY_STRING='' CONTENT_LENGTH='' SERVER_PROTOCOL=HTTP/1.1 \
    HTTP_HOST="$SLIPWAY_HOST" SERVER_NAME="$SLIPWAY_HOST" REMOTE_ADDR=127.0.0.1 \
    cgi-fcgi -bind -connect 127.0.0.1:9000
) || exit 1
[ -n "$response" ] || exit 1
status=$(printf '%s\n' "$response" | sed -n 's/^Status: \([0-9]*\).*/\1/p;/^\r*$/q')
[ "${status:-200}" -lt 500 ]
