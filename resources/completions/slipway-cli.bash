# shellcheck shell=bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of slipway-cli for bash. The program itself answers what a word can be.

_slipway_cli() {
    local word typed=${COMP_WORDS[COMP_CWORD]}
    # bash takes these two signs for words.
    [[ $typed != [=:] ]] || typed=
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        case $word in
            :files)
                compopt -o filenames
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$typed")
                ;;
            :folders)
                compopt -o filenames
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$typed")
                ;;
            *)
                [[ $word != *= ]] || compopt -o nospace
                COMPREPLY+=("$word")
                ;;
        esac
    done < <(slipway-cli completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
} &&
    complete -F _slipway_cli slipway-cli
