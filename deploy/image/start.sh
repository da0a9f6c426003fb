#!/bin/sh
# The command of the image. Postgres refuses to run as a user without an entry in /etc/passwd, and platforms choose such users, so one is
# given to it.
set -e
if ! getent passwd "$(id -u)" > /dev/null; then
  entries=$(mktemp)
  printf 'postrider:x:%s:%s::/data:/usr/sbin/nologin\n' "$(id -u)" "$(id -g)" > "$entries"
  export LD_PRELOAD=libnss_wrapper.so NSS_WRAPPER_PASSWD="$entries" NSS_WRAPPER_GROUP=/etc/group
fi
exec node /app/node_modules/@postrider/server/bin/postrider-server.mjs "$@"
