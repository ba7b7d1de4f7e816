# shellcheck shell=bash disable=SC2034,SC2016
# Which site the cluster emulates: read from the site's file and its emulation file, stored in the state folder.

emulate_file=$state_dir/emulate.json  # the configuration of this start; made by lib/emulate.jq
sites_dir=$(realpath -m -- "$lib/../../sites")

emulate_vars=$state_dir/emulate.vars  # the same as variables; lib/emulate-vars.jq makes them
# Their names in earlier versions.
old_emulation_files=("$state_dir"/dress.{json,vars}{,.new})

emulate_id='' emulate_name='' emulate_title='' emulate_login=all emulate_token_prompt=''

# read_emulation: reads the configuration of the last start into variables
read_emulation() {
    # shellcheck source=/dev/null disable=SC2154
    if [ -r "$emulate_vars" ]; then
        . "$emulate_vars"
    elif [ -r "$state_dir/dress.vars" ]; then # started by an earlier version
        emulate_id=$(. "$state_dir/dress.vars" && echo "$dress_id")
        emulate_name=$(. "$state_dir/dress.vars" && echo "$dress_name")
        emulate_title=${emulate_id:+, emulating $emulate_name}
    fi
}

# site_file_of SITE: the path of its file; a path is returned as it is
site_file_of() {
    if [[ $1 == */* || $1 == *.json ]]; then
        realpath -e -- "$1" 2>/dev/null
        return
    fi
    local own=${XDG_CONFIG_HOME:-$HOME/.config}/slipway/sites/$1.json
    if [ -r "$own" ]; then echo "$own"; elif [ -r "$sites_dir/$1.json" ]; then echo "$sites_dir/$1.json"; else return 1; fi
}

# beside_of SITE_FILE: its emulation file, FOLDER/emulate/NAME.json, which holds what a site file does not; /dev/null if there is none.
# Earlier versions looked in FOLDER/dress.
beside_of() {
    local file=${1%/*}/emulate/${1##*/}
    [ -r "$file" ] || file=${1%/*}/dress/${1##*/}
    [ -r "$file" ] && echo "$file" || echo /dev/null
}

# choose_emulation [SITE]: writes the configuration to $emulate_file.new; prints the reason if it cannot
choose_emulation() {
    local site=/dev/null beside=/dev/null said
    if [ -n "${1:-}" ]; then
        site=$(site_file_of "$1") || { echo "There is no site $1. Known sites are the files in $sites_dir; the path of a site file of your own works as well."; return 1; }
        beside=$(beside_of "$site")
    fi
    if ! said=$(jq -n --arg file "${1:+$site}" --slurpfile site "$site" --slurpfile emulate "$beside" -f "$lib/emulate.jq" 2>&1 >"$emulate_file.new"); then
        echo "The demo cluster cannot emulate ${1:-}: ${said#jq: error (at <unknown>): }"
        return 1
    fi
}

# emulate_changes: does the new configuration differ from that of the last start?
emulate_changes() { ! cmp -s -- "$emulate_file.new" "$emulate_file"; }

take_emulation() {
    jq -r -f "$lib/emulate-vars.jq" "$emulate_file.new" >"$emulate_vars.new" && mv -- "$emulate_vars.new" "$emulate_vars" &&
        mv -- "$emulate_file.new" "$emulate_file" && read_emulation
}

# configure_emulation: what the site adds to login shells: variables, modules, its own programs
configure_emulation() {
    local name tool
    # As on a real cluster, $SCRATCH is set in login shells only.
    echo "$emulate_profile_sh" | put /etc/profile.d/scratch.sh
    echo "$emulate_profile_csh" | put /etc/csh/login.d/scratch
    echo "$emulate_profile_fish" | put /etc/fish/conf.d/scratch.fish
    echo "$emulate_folders" | put /etc/slipway/folders
    echo "$emulate_ibrun_mpi" | put /etc/slipway/ibrun-mpi
    for tool in "$lib"/../emulate/*; do
        name=${tool##*/}
        rm -f -- "$base_dir/usr/local/bin/$name"
        if [[ " ${emulate_tools[*]} " == *" $name "* ]]; then install -m 755 "$tool" "$base_dir/usr/local/bin/$name"; fi
    done
}
