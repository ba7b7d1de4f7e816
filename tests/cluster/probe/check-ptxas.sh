#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check-ptxas.sh KERNELS.ptx TENSOR.ptx: NVIDIA's own assembler takes the probe's kernels for every architecture that it
# knows, without spilled registers and with room for two blocks of 256 threads on a multiprocessor. It is the ptxas of
# Debian's package nvidia-cuda-toolkit (component non-free), taken out of the package without installing it and kept in
# the cache of the demo cluster; SLIPWAY_PTXAS names another one. Without it the script ends with 77 and says why; in
# continuous integration (CI is set) only a mirror without that package is a reason.
set -euo pipefail
kernels=$1 tensor=$2
cache=${SLIPWAY_DEMO_CACHE:-$HOME/.cache/slipway/demo-cluster}/ptxas
package=nvidia-cuda-toolkit
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf -- "$work"' EXIT

unproven() {
    echo "NOT PROVEN: the kernels were not assembled by NVIDIA's ptxas: $*" >&2
    exit 77
}
unavailable() {
    [ -z "${CI:-}" ] || { echo "FAILED: $*" >&2; exit 1; }
    unproven "$@"
}

# This machine's own Debian sources with the component non-free, in folders of its own: nothing of the machine's apt changes.
apt_here() {
    "$@" -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
        -o Dir::Cache="$work/cache" -o Acquire::Languages=none -o Acquire::Retries=3 -o Acquire::Check-Valid-Until=false
}
get_ptxas() {
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$cache"
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(COMPONENT) $(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Origin: Debian' |
        sed -n 's/^main /deb [signed-by=\/usr\/share\/keyrings\/debian-archive-keyring.gpg] /; s/$/ non-free/p' |
        sort -u >"$work/sources.list"
    [ -s "$work/sources.list" ] || unproven "apt on this machine names no Debian source"
    apt_here apt-get update >"$work/log" 2>&1 || unavailable "apt could not read the component non-free: $(tail -n 2 "$work/log")"
    apt_here apt-cache show "$package" >/dev/null 2>&1 || unproven "this machine's Debian source has no package $package in non-free"
    (cd "$work" && apt_here apt-get download "$package") >"$work/log" 2>&1 || unavailable "$package could not be downloaded: $(tail -n 2 "$work/log")"
    dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -xO ./usr/bin/ptxas >"$cache/ptxas.new" || unavailable "$package holds no ptxas"
    chmod +x "$cache/ptxas.new"
    mv -- "$cache/ptxas.new" "$cache/ptxas"
}

ptxas=${SLIPWAY_PTXAS:-$cache/ptxas}
[ -x "$ptxas" ] || [ -n "${SLIPWAY_PTXAS:-}" ] || get_ptxas
"$ptxas" --version | tail -n 2 | head -n 1

# As the probe does for cards after Kepler (kernelsFor() in bench/gpu.cpp).
sed 's/^\.version 3\.2$/.version 4.0/; s/^\.target sm_35$/.target sm_50/' "$kernels" >"$work/kernels.ptx"
grep -q '^\.target sm_50$' "$work/kernels.ptx" || { echo "FAILED: $kernels has another head than the probe expects" >&2; exit 1; }

# What `ptxas -v` says on standard input: a line for each kernel, and whether all are within the limits.
# 65536 registers and at least 64 KiB of shared memory on a multiprocessor, for two blocks of 256 threads.
# shellcheck disable=SC2016
judge='
/Compiling entry function/ { split($0, part, "\x27"); name = part[2] }
/bytes stack frame/        { spills = $5 + $9; stack = $1 }
/Used [0-9]+ registers/    {
    registers = $0; sub(/.*Used /, "", registers); registers += 0
    shared = 0
    if (match($0, /[0-9]+ bytes smem/)) shared = substr($0, RSTART) + 0
    bad = spills > 0 || registers > 128 || shared > 32768
    printf "%-7s %-10s %4d registers %6d bytes shared %3d bytes spilled%s\n", arch, name, registers, shared, spills, bad ? "  <- FAILED" : ""
    failures += bad; ++seen
}
END { if (seen != wanted) { printf "%s: FAILED: %d kernels reported, not %d\n", arch, seen, wanted; exit 1 } exit failures > 0 }'

failures=0
assemble() { # ARCH FILE
    if ! "$ptxas" -v -arch="$1" "$2" -o /dev/null >"$work/said" 2>&1; then
        echo "FAILED: ptxas refuses $(basename "$2") for $1:" >&2
        head -n 5 "$work/said" >&2
        failures=$((failures + 1))
        return
    fi
    awk -v arch="$1" -v wanted="$(grep -c '^\.visible \.entry ' "$2")" "$judge" "$work/said" || failures=$((failures + 1))
}

mapfile -t known < <("$ptxas" --help | grep -o "'sm_[0-9]*'" | tr -d "'" | sort -uV)
assembled=0
for arch in "${known[@]}"; do
    number=${arch#sm_}
    if [ "$number" -lt 35 ]; then continue; fi
    if [ "$number" -lt 50 ]; then assemble "$arch" "$kernels"; else assemble "$arch" "$work/kernels.ptx"; fi
    if [ "$number" -ge 80 ]; then assemble "$arch" "$tensor"; fi
    assembled=$((assembled + 1))
done
[ "$assembled" -gt 0 ] || { echo "FAILED: ptxas names no architecture" >&2; exit 1; }
newest=${known[-1]}
echo "Assembled for $assembled architectures, the newest of them $newest."
for arch in sm_100 sm_120; do
    [ "${arch#sm_}" -le "${newest#sm_}" ] || echo "NOT PROVEN: this ptxas does not know $arch (Blackwell); there the driver's own compiler takes the same text."
done
[ "$failures" = 0 ] || exit 1
