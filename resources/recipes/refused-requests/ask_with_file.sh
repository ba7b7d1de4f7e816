#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# ask_with_file.sh no-shebang|dos: asks Slurm for a job with an invalid file, and submits nothing.

file=$(mktemp) || exit
trap 'rm -f "$file"' EXIT
case ${1:-} in
    no-shebang) printf 'echo hello\n' >"$file" ;;
    dos) printf '#!/bin/bash\r\necho hello\r\n' >"$file" ;;
    *)
        echo "usage: ask_with_file.sh no-shebang|dos" >&2
        exit 2
        ;;
esac
if ! command -v sbatch >/dev/null 2>&1; then
    echo "Error: there is no sbatch on this node; run this on a login node." >&2
    exit 1
fi
echo "\$ sbatch --test-only job.sh   # its first line:"
head -n 1 "$file" | cat -v
sbatch --test-only "$file" 2>&1
