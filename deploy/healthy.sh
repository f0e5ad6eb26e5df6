#!/bin/bash
# healthy.sh [PORT]   Exit status 0 where the daemon of this container says that jobs would run, else 1.
# 200 is "ok" or "degraded", 503 "unready". Needs no token and no HTTP client.
set -euo pipefail
exec 3<> "/dev/tcp/127.0.0.1/${1:-8080}"
printf 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 5 _ status _ <&3
[ "$status" = 200 ]
