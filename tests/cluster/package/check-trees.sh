#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check-trees.sh BUILD: packs the programs that are built there as a Debian package and installs it into fresh systems of
# Debian 12 and 13. The trees are kept for check-demo.sh.
set -uo pipefail
build=$1
# shellcheck source=trees.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/trees.sh"
version=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")$/\1/p' "$build/CPackConfig.cmake")

is_installed() { prints "install ok installed" "$1" dpkg-query -W -f '${Status}\n' slipway; }
# As a user who owns nothing, so that every file has to be readable.
as_nobody() { prints "$1" "$2" setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/tmp XDG_RUNTIME_DIR=/tmp "${@:3}"; }
window_is_drawn() {
    inside "$1" env QT_QPA_PLATFORM=offscreen timeout 120 slipway --page sites --screenshot /tmp/sites.png &&
        [ "$(head -c 4 "$trees/$1/tmp/sites.png" | tail -c 3)" = PNG ]
}
bash_completes() {
    # shellcheck disable=SC2016 # expanded there
    prints --site "$1" bash -c '. /usr/share/bash-completion/completions/slipway-cli; compopt() { :; }
        COMP_WORDS=(slipway-cli run --si) COMP_CWORD=2; _slipway_cli; echo "${COMPREPLY[@]}"'
}
# By the name under which zsh finds it; what it would offer goes to a function of ours instead of the line editor.
zsh_completes() {
    # shellcheck disable=SC2016 # expanded there
    prints "--site:the site to run on" "$1" zsh -fc 'autoload -Uz compinit && compinit -u -D
        _describe() { print -rl -- ${(P)2}; }
        words=(slipway-cli run --si) CURRENT=3; $_comps[slipway-cli]'
}
zsh_completes_values() {
    # shellcheck disable=SC2016 # expanded there
    prints "--site=demo:" "$1" zsh -fc 'autoload -Uz compinit && compinit -u -D
        _describe() { print -rl -- ${(P)2}; }
        words=(slipway-cli run --site=de) CURRENT=3; $_comps[slipway-cli]'
}
fish_completes() { prints "--site" "$1" fish -c 'complete -C "slipway-cli run --si"'; }
is_unchanged() {
    local output
    output=$(inside "$1" dpkg --verify slipway) && echo "$output" && [ -z "$output" ]
}
removal_leaves_nothing() {
    chroot "$trees/$1" dpkg --purge slipway && ! find "$trees/$1/usr" "$trees/$1/etc" -name '*slipway*' | grep .
}
returns() { chroot "$trees/$1" dpkg --install /var/tmp/slipway.deb && is_installed "$1"; }

installed_claims() {
    local suite=$1
    check "$suite: the package is installed" is_installed "$suite"
    check "$suite: slipway says its version" prints "slipway $version" "$suite" slipway --version
    check "$suite: slipway --help needs no display" prints "--demo RECIPE" "$suite" slipway --help
    check "$suite: slipway-cli says its version" prints "slipway-cli $version" "$suite" slipway-cli --version
    check "$suite: an ordinary user sees the recipes" as_nobody "matmul-scaling" "$suite" slipway-cli recipes
    check "$suite: an ordinary user sees the workflows" as_nobody "pull-image" "$suite" slipway-cli workflows
    check "$suite: the window is drawn" window_is_drawn "$suite"
    check "$suite: man slipway" prints "--benchmark-startup" "$suite" man slipway
    check "$suite: man slipway-cli" prints "--relaunch RUN" "$suite" man slipway-cli
    check "$suite: bash completes" bash_completes "$suite"
    check "$suite: zsh completes" zsh_completes "$suite"
    check "$suite: zsh completes a value after its sign" zsh_completes_values "$suite"
    check "$suite: the programs changed none of the package's files" is_unchanged "$suite"
}

mkdir -p "$trees"
check "cpack makes a package" make_package
# The tools that judge the package are newer in Debian 13.
check "trixie: apt installs the package" make_tree trixie man-db,zsh,fish,desktop-file-utils,appstream Recommends
installed_claims trixie
check "trixie: fish completes" fish_completes trixie
check "trixie: the desktop entry is valid" inside trixie desktop-file-validate /usr/share/applications/slipway.desktop
# Slipway has no page of its own that a catalogue could name.
check "trixie: the metainfo is valid" inside trixie appstreamcli validate --no-net --override=url-homepage-missing=info /usr/share/metainfo/org.slipway.Slipway.metainfo.xml
check "trixie: a removal leaves nothing" removal_leaves_nothing trixie
check "trixie: the package is installed again" returns trixie
check "bookworm: apt installs the package" make_tree bookworm man-db,zsh Recommends
installed_claims bookworm
conclude
