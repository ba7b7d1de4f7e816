#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check-aarch64.sh PROBE: holds the probe for Arm nodes to what the other one is held to: its size, the symbols
# that it needs, and that it runs, here in QEMU's user mode with Debian's glibc for that architecture.
set -euo pipefail
probe=$1
failures=0

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

for program in qemu-aarch64-static aarch64-linux-gnu-objdump; do
    command -v "$program" >/dev/null || { echo "$program is missing: Debian has it in qemu-user-static and binutils-aarch64-linux-gnu" >&2; exit 1; }
done
[ -x "$probe" ] || { echo "there is no $probe: g++-aarch64-linux-gnu makes it" >&2; exit 1; }
run() { qemu-aarch64-static -L /usr/aarch64-linux-gnu "$probe" "$@"; }

size=$(stat -c %s "$probe")
[ "$size" -le 1000000 ] || fail "it has $size bytes"
aarch64-linux-gnu-objdump -f "$probe" | grep -q 'architecture: aarch64' || fail "it is of another architecture"
newest=$(aarch64-linux-gnu-objdump -T "$probe" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
[ "$newest" = GLIBC_2.17 ] || fail "it needs $newest"

rows=$(run check) || fail "check ended with $?"
grep -q '"id":"probe".*"arch":"aarch64"' <<<"$rows" || fail "the first row names another architecture: ${rows%%$'\n'*}"
grep -q '{"id":"cpu","state":"ok"' <<<"$rows" || fail "no row of the processors"
grep -q '{"id":"end","state":"ok"' <<<"$rows" || fail "the last row is no good end: ${rows##*$'\n'}"

rows=$(run race --work gemm-fp32 --lane cpu --sizes 48,96 --repeats 3 --warmup 1) || fail "race ended with $?"
[ "$(grep -c '"id":"race.point".*"verified":true' <<<"$rows")" = 2 ] || fail "the products are not those: $rows"
grep -q '"library":"own, NEON' <<<"$rows" || fail "they were not made with NEON: $rows"

rows=$(sleep 2.5 | run agent --every 1)
grep -q '"id":"sample"' <<<"$rows" || fail "the agent gave no sample: $rows"

[ "$failures" = 0 ] || exit 1
echo "$size bytes, newest symbol $newest: it runs"
