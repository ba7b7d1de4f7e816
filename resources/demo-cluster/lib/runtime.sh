# shellcheck shell=bash disable=SC2154
# Which node has the container runtime, under which name, and whether on its PATH or in a module. Apptainer is in
# /usr/slipway/bin; the links in /usr/bin lead into /run/slipway/bin, which is each node's own.

# lay_out_runtime: Apptainer runs itself by its full name, which it takes from the folder above the one it lies in. That
# folder leads to the files that it expects there.
lay_out_runtime() {
    local home=$base_dir/usr/slipway
    mkdir -p "$home/bin"
    ln -f "$home/apptainer" "$home/bin/apptainer"
    ln -sfn /etc "$home/etc"
    ln -sfn /var "$home/var"
    ln -sfn /usr/lib "$home/lib"
}

# put_runtime_into NODE ROOT
put_runtime_into() {
    local node=$1 run=$2/run/slipway name
    mkdir -p "$run/bin" "$run/runtime" "$run/modules"
    if [ -z "$emulate_program" ]; then
        for name in apptainer singularity; do ln -s /usr/slipway/bin/apptainer "$run/bin/$name"; done
        return
    fi
    for name in "${emulate_other_modules[@]}"; do put_module "$run/modules" "$name" "$name on an emulated site: sets nothing"; done
    [ "$node" != login ] || [ "$emulate_runtime_on_login" = true ] || return 0
    if [ ${#emulate_runtime_modules[@]} -eq 0 ]; then
        ln -s /usr/slipway/bin/apptainer "$run/bin/$emulate_program"
        return
    fi
    ln -s /usr/slipway/bin/apptainer "$run/runtime/$emulate_program"
    for name in "${emulate_runtime_modules[@]}"; do
        put_module "$run/modules" "$name" "$emulate_program" 'prepend_path("PATH", "/run/slipway/runtime")'
    done
}

# put_module FOLDER NAME WHAT [LINE]: a module file; a name without a version gets Apptainer's
put_module() {
    local file=$1/$2
    [[ $2 == */* ]] || file+=/$(sed -n '/^Package: apptainer$/,/^$/s/^Version: \([0-9.]*\).*/\1/p' "$base_dir/var/lib/dpkg/status")
    mkdir -p "${file%/*}"
    printf 'whatis("%s")\n%s\n' "$3" "${4:-}" >"$file.lua"
}

# configure_modules: defines "module" in login shells when a site is emulated; without it they start faster
configure_modules() {
    echo /run/slipway/modules | put /etc/lmod/modulespath
    rm -f -- "$base_dir/etc/profile.d/lmod.sh" "$base_dir/etc/csh/login.d/lmod" "$base_dir/etc/fish/conf.d/lmod.fish"
    [ -n "$emulate_id" ] || return 0
    echo '. /usr/slipway/lmod.sh' | put /etc/profile.d/lmod.sh
    printf 'setenv MODULEPATH /run/slipway/modules\nsource /usr/share/lmod/lmod/init/csh\n' | put /etc/csh/login.d/lmod
    printf 'set -gx MODULEPATH /run/slipway/modules\nsource /usr/share/lmod/lmod/init/fish\n' | put /etc/fish/conf.d/lmod.fish
}
