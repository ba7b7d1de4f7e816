# shellcheck shell=bash disable=SC2034,SC2016
# Which site's shape the cluster takes: read from the site's file and from what lies beside it, kept in the state folder.

dress_file=$state_dir/dress.json  # the shape of this start; lib/dress.jq says what is in it
sites_dir=$(realpath -m -- "$lib/../../sites")

dress_vars=$state_dir/dress.vars  # the same as variables; lib/dress-vars.jq makes them

dress_id='' dress_name='' dress_title='' dress_login=all dress_token_prompt=''

# read_dress: the shape of the last start into variables
read_dress() {
    # shellcheck source=/dev/null
    [ ! -r "$dress_vars" ] || . "$dress_vars"
}

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

take_dress() {
    jq -r -f "$lib/dress-vars.jq" "$dress_file.new" >"$dress_vars.new" && mv -- "$dress_vars.new" "$dress_vars" &&
        mv -- "$dress_file.new" "$dress_file" && read_dress
}

# configure_dress: what a login shell finds: variables, modules, the site's own programs
configure_dress() {
    local name tool
    # As on a real cluster, only a login shell knows $SCRATCH.
    echo "$dress_profile_sh" | put /etc/profile.d/scratch.sh
    echo "$dress_profile_csh" | put /etc/csh/login.d/scratch
    echo "$dress_profile_fish" | put /etc/fish/conf.d/scratch.fish
    echo "$dress_folders" | put /etc/slipway/folders
    echo "$dress_ibrun_mpi" | put /etc/slipway/ibrun-mpi
    for tool in "$lib"/../dress/*; do
        name=${tool##*/}
        rm -f -- "$base_dir/usr/local/bin/$name"
        if [[ " ${dress_tools[*]} " == *" $name "* ]]; then install -m 755 "$tool" "$base_dir/usr/local/bin/$name"; fi
    done
}
