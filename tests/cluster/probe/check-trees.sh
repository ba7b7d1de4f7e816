#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check-trees.sh PROBE RUNTIME FAKES: runs the probe in root trees of Debian 11 (glibc 2.31), 12 (2.36) and 13, which
# the demo cluster's images are made of. The trees come from the Debian mirror that this machine's apt is configured
# with, or SLIPWAY_DEBIAN_MIRROR, and are kept in the cache of the demo cluster.
set -euo pipefail
probe=$1 runtime=$2 fakes=$3
cache=${SLIPWAY_DEMO_CACHE:-$HOME/.cache/slipway/demo-cluster}/probe-trees
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

mirror=${SLIPWAY_DEBIAN_MIRROR:-}
if [ -z "$mirror" ]; then
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
        awk '$2 == "main" && $1 !~ /-/ { print $3; exit }')
fi

# A release's C library: nothing of it is configured, and the probe needs nothing else.
make_tree() {
    local suite=$1 kept name
    kept=$cache/$suite-$(uname -m).tar
    if [ ! -s "$kept" ]; then
        [ -n "$mirror" ] || { echo "apt on this machine names no Debian mirror to take $suite from; set SLIPWAY_DEBIAN_MIRROR" >&2; return 1; }
        mkdir -p -- "$cache"
        if ! mmdebstrap --variant=extract --include=libc6 --skip=output/dev,output/mknod \
            --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' --aptopt='Acquire::Languages "none"' \
            "$suite" "$kept.new.tar" "deb $mirror $suite main" >"$work/$suite.log" 2>&1 </dev/null; then
            tail -n 5 "$work/$suite.log" >&2
            echo "no root tree of $suite could be made from $mirror" >&2
            rm -f -- "$kept.new.tar"
            return 1
        fi
        mv -- "$kept.new.tar" "$kept"
    fi
    mkdir -p "$work/$suite"
    tar -xf "$kept" -C "$work/$suite" --no-same-owner --exclude='./dev/*'
    mkdir -p "$work/$suite"/{proc,dev,tmp,fakes}
    # Newer releases have all below /usr, and another package makes the links.
    for name in lib lib64; do [ -e "$work/$suite/$name" ] || ln -s "usr/$name" "$work/$suite/$name"; done
    cp -- "$probe" "$work/$suite/slipway-probe"
    cp -- "$runtime" "$work/$suite/runtime"
    cp -L -- "$fakes"/libcuda.so.1 "$fakes"/libnvidia-ml.so.1 "$work/$suite/fakes/"
}

# inside SUITE [NAME=VALUE…] COMMAND…
inside() {
    local tree=$work/$1
    shift
    # shellcheck disable=SC2016
    env -i PATH="$PATH" unshare --map-root-user --mount --fork sh -c '
        mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && tree=$0 || exit 99
        for word; do case $word in *=*) export "$word"; shift ;; *) break ;; esac; done
        export HOME=/tmp PATH=/usr/bin:/bin
        exec /usr/sbin/chroot "$tree" "$@"' "$tree" "$@"
}

# row ROWS ID STATE [TEXT]
row() {
    local line
    line=$(grep -F "{\"id\":\"$2\",\"state\":\"$3\"" <<<"$1") || { fail "$suite: no row $2 $3: $(grep -F "\"id\":\"$2\"" <<<"$1")"; return; }
    [ -z "${4:-}" ] || grep -qF -- "$4" <<<"$line" || fail "$suite: the row $2 does not say \"$4\": $line"
}

check_tree() {
    local rows status=0 begin words
    words=$(inside "$suite" /runtime | tr '\n' ' ') || fail "$suite: the runtime's program ended with an error"
    [ "$words" = "constructor exception thread-local thread wait random stat library-exception destructor " ] || fail "$suite: the runtime says: $words"

    rows=$(inside "$suite" /slipway-probe check) || status=$?
    [ "$status" = 0 ] || fail "$suite: check ended with $status"
    row "$rows" cpu ok
    row "$rows" memory ok
    row "$rows" driver.version skip "login node"
    row "$rows" end ok

    status=0
    rows=$(inside "$suite" LD_LIBRARY_PATH=/fakes SLIPWAY_FAKE_GPU=cards=2 SLURM_JOB_ID=1 SLURM_GPUS_ON_NODE=2 /slipway-probe check) || status=$?
    row "$rows" driver.cuda ok 13.0
    row "$rows" gpu.list ok "2 × NVIDIA H100"
    row "$rows" slurm.count ok
    row "$rows" state ok "41 °C"

    rows=$(inside "$suite" LD_LIBRARY_PATH=/fakes SLIPWAY_FAKE_GPU=segv=nvmlInit SLURM_JOB_ID=1 SLURM_GPUS_ON_NODE=2 /slipway-probe check) || true
    row "$rows" lib.nvml fail "crashed in nvmlInit (SIGSEGV)"
    row "$rows" gpu.list ok

    begin=$SECONDS
    rows=$(inside "$suite" LD_LIBRARY_PATH=/fakes SLIPWAY_FAKE_GPU=hang=cuInit SLURM_JOB_ID=1 SLURM_GPUS_ON_NODE=2 /slipway-probe check --deadline 2) || true
    row "$rows" driver.cuda fail "in cuInit"
    row "$rows" state ok
    [ $((SECONDS - begin)) -le 8 ] || fail "$suite: a hanging driver took $((SECONDS - begin)) s"

    rows=$(sleep 1.5 | inside "$suite" LD_LIBRARY_PATH=/fakes SLIPWAY_FAKE_GPU=cards=2 /slipway-probe agent --every 0.5)
    [ "$(grep -c '"id":"sample"' <<<"$rows")" -ge 1 ] || fail "$suite: the agent gave no sample: $rows"
    grep -q '"utilization":87' <<<"$rows" || fail "$suite: the agent saw no card: $rows"
}

for suite in bullseye bookworm trixie; do
    before=$failures
    make_tree "$suite" || { fail "$suite: there is no tree to run in"; continue; }
    check_tree
    [ "$failures" != "$before" ] || echo "$suite: good in $(grep -a -m 1 -o 'Debian GLIBC [^)]*' "$work/$suite"/lib/*/libc.so.6)"
done
[ "$failures" = 0 ]
