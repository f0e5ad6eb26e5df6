#!/bin/bash
# make-secrets.sh [DIRECTORY]
# Makes the secrets that compose.yaml reads and kubernetes/ is given, each in a file of its own (default: secrets/ beside
# this script, which Git ignores). What is there already stays. One token is made; add others, a line each.
set -euo pipefail
directory=${1:-$(dirname "$(readlink -f "$0")")/secrets}
install -d -m 700 "$directory"
cd "$directory"

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
# Readable for the servers' own users in their containers; the directory is closed to everybody else's here.
keep() { [ -e "$1" ] || { printf '%s' "$2" > "$1" && chmod 444 "$1"; }; }

keep postgres_password "$(random)"
keep redis_password "$(random)"
keep postgres_url "postgresql://outrigger:$(< postgres_password)@postgres:5432/outrigger"
keep redis_url "redis://:$(< redis_password)@redis:6379/0"
keep tokens "$(random)"
keep webhook_secret "$(random)"
echo "the secrets are in $directory; a client's token: $directory/tokens" >&2
