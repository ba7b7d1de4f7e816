# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of slipway-cli for fish. The program itself answers what a word can be.

function __slipway_cli_words
    set -l typed (commandline -ct)
    set -l words (commandline -opc)
    for line in (slipway-cli completion words -- $words[2..-1] "$typed" 2>/dev/null)
        switch $line
            case ':files*'
                __fish_complete_path "$typed"
            case ':folders*'
                __fish_complete_directories "$typed"
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c slipway-cli -f -a '(__slipway_cli_words)'
