#!/usr/bin/env bash
# Answers ssh's prompts for demo-cluster itself: the password, or the current code.
lib=$(dirname -- "${BASH_SOURCE[0]}")
# shellcheck source=paths.sh
. "$lib/paths.sh"
# shellcheck source=emulate.sh
. "$lib/emulate.sh"
# shellcheck source=connection.sh
. "$lib/connection.sh"
case $1 in
    *[Pp]assword*) cat -- "$ssh_dir/password" ;;
    *) token_now ;;
esac
