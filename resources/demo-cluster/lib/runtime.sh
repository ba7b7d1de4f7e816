# shellcheck shell=bash
# Which node has the container runtime, under which name, and whether on its PATH or by a module. Apptainer lies in
# /usr/slipway; the links in /usr/bin lead into /run/slipway/bin, which is each node's own.

# put_runtime_into NODE ROOT
put_runtime_into() {
    local node=$1 run=$2/run/slipway program name
    mkdir -p "$run/bin" "$run/runtime" "$run/modules"
    program=$(dress .program)
    if [ -z "$program" ]; then
        for name in apptainer singularity; do ln -s /usr/slipway/apptainer "$run/bin/$name"; done
        return
    fi
    while read -r name; do put_module "$run/modules" "$name" "$name of a cluster in rehearsal: it sets nothing"; done < <(dress '.other_modules[]')
    [ "$node" != login ] || [ "$(dress .runtime_on_login)" = true ] || return 0
    if [ "$(dress '.runtime_modules | length')" -eq 0 ]; then
        ln -s /usr/slipway/apptainer "$run/bin/$program"
        return
    fi
    ln -s /usr/slipway/apptainer "$run/runtime/$program"
    while read -r name; do
        put_module "$run/modules" "$name" "$program" 'prepend_path("PATH", "/run/slipway/runtime")'
    done < <(dress '.runtime_modules[]')
}

# put_module FOLDER NAME WHAT [LINE]: a module file; a name without a version gets Apptainer's
put_module() {
    local file=$1/$2
    [[ $2 == */* ]] || file+=/$(sed -n '/^Package: apptainer$/,/^$/s/^Version: \([0-9.]*\).*/\1/p' "$base_dir/var/lib/dpkg/status")
    mkdir -p "${file%/*}"
    printf 'whatis("%s")\n%s\n' "$3" "${4:-}" >"$file.lua"
}

# configure_modules: a dressed cluster's login shells know "module"; undressed they start faster without
configure_modules() {
    echo /run/slipway/modules | put /etc/lmod/modulespath
    rm -f -- "$base_dir/etc/profile.d/lmod.sh" "$base_dir/etc/csh/login.d/lmod" "$base_dir/etc/fish/conf.d/lmod.fish"
    [ -n "$(dressed_as)" ] || return 0
    echo '. /usr/slipway/lmod.sh' | put /etc/profile.d/lmod.sh
    printf 'setenv MODULEPATH /run/slipway/modules\nsource /usr/share/lmod/lmod/init/csh\n' | put /etc/csh/login.d/lmod
    printf 'set -gx MODULEPATH /run/slipway/modules\nsource /usr/share/lmod/lmod/init/fish\n' | put /etc/fish/conf.d/lmod.fish
}
