# shellcheck shell=bash disable=SC2034,SC2016
# Which site's shape the cluster takes: read from the site's file and from what lies beside it, kept in the state folder.

dress_file=$state_dir/dress.json  # the shape of this start; lib/dress.jq says what is in it
sites_dir=$(realpath -m -- "$lib/../../sites")

# dress [OPTION...] QUERY: what jq makes of the shape, one line each
dress() { jq -r "$@" "$dress_file"; }
dressed_as() { dress .id 2>/dev/null; }
# dress_title: " dressed as Frontera", for the end of a sentence; nothing if undressed
dress_title() { dress 'if .id == "" then "" else ", dressed as \(.name)" end' 2>/dev/null; }

# site_file_of SITE: its file; a path is one already
site_file_of() {
    if [[ $1 == */* || $1 == *.json ]]; then
        realpath -e -- "$1" 2>/dev/null
        return
    fi
    local own=${XDG_CONFIG_HOME:-$HOME/.config}/slipway/sites/$1.json
    if [ -r "$own" ]; then echo "$own"; elif [ -r "$sites_dir/$1.json" ]; then echo "$sites_dir/$1.json"; else return 1; fi
}

# beside_of SITE_FILE: what the dressing needs and a site's file does not say: FOLDER/dress/NAME.json; /dev/null if there is none
beside_of() {
    local file=${1%/*}/dress/${1##*/}
    [ -r "$file" ] && echo "$file" || echo /dev/null
}

# choose_dress [SITE]: writes the shape to $dress_file.new; says why not on standard output
choose_dress() {
    local site=/dev/null beside=/dev/null said
    if [ -n "${1:-}" ]; then
        site=$(site_file_of "$1") || { echo "There is no site $1. The files in $sites_dir name them; a path to a site file of your own works too."; return 1; }
        beside=$(beside_of "$site")
    fi
    if ! said=$(jq -n --arg file "${1:+$site}" --slurpfile site "$site" --slurpfile dress "$beside" -f "$lib/dress.jq" 2>&1 >"$dress_file.new"); then
        echo "The demo cluster cannot be dressed as ${1:-}: ${said#jq: error (at <unknown>): }"
        return 1
    fi
}

# dress_changes: is the chosen shape another one than that of the last start?
dress_changes() { ! cmp -s -- "$dress_file.new" "$dress_file"; }
take_dress() { mv -- "$dress_file.new" "$dress_file"; }

# dress_places: the folders at the top of the root that the site's paths lead into and that the base does not have
dress_places() {
    dress '(.folders + [.variables[]])[] | capture("\\A/(?<top>[^/$]+)").top' | sort -u |
        grep -vxE 'scratch|scratch-tiny|home|tmp|var|usr|etc|run|dev|proc|sys|root|bin|sbin|lib[0-9a-z]*|boot|mnt|media|opt|srv|\.|\.\.' || true
}

# configure_dress: what a login shell finds: variables, modules, the site's own programs
configure_dress() {
    local name tool
    # As on a real cluster, only a login shell knows $SCRATCH.
    dress '.variables | to_entries[] | "export \(.key)=\(.value)"' | put /etc/profile.d/scratch.sh
    dress '.variables | to_entries[] | "setenv \(.key) \(.value)"' | put /etc/csh/login.d/scratch
    dress '.variables | to_entries[] | "set -gx \(.key) \(.value)"' | put /etc/fish/conf.d/scratch.fish
    dress '.folders[]' | put /etc/slipway/folders
    dress '.ibrun_mpi' | put /etc/slipway/ibrun-mpi
    for tool in "$lib"/../dress/*; do
        name=${tool##*/}
        rm -f -- "$base_dir/usr/local/bin/$name"
        if [ "$(dress --arg name "$name" 'any(.tools[]; . == $name)')" = true ]; then
            install -m 755 "$tool" "$base_dir/usr/local/bin/$name"
        fi
    done
}
