# shellcheck shell=bash disable=SC2034,SC2154
# The GPUs that the nodes offer: this machine's own, or emulated ones, which Slurm counts but nothing can compute on.

gpu_file=$run_dir/gpu             # one item per line: "real yes", "type h200", "gpu /dev/nvidia0", "control …", "library …", "program …"

# gpu_type NAME: Slurm's word for it: "NVIDIA A100-SXM4-40GB" is a100, "NVIDIA GeForce RTX 4090" is rtx4090
gpu_type() {
    local name=${1,,}
    name=${name//nvidia/} name=${name//geforce/} name=${name//tesla/} name=${name//quadro/} name=${name%%-*}
    name=${name//[^a-z0-9]/}
    echo "${name:-nvidia}"
}

# driver_libraries: the driver's libraries of this machine's own kind, from the loader's cache
driver_libraries() {
    ldconfig -p | awk '/=> / && !/libc6\)|i386|libx32/ { print $NF }' |
        grep -E '/lib(cuda|cudadebugger|nvcuvid|nvoptix|nvidia-(ml|ptxjitcompiler|nvvm|opencl|encode|fbc|opticalflow|gpucomp|cfg|allocator|tls|rtcore|glcore|eglcore|glsi|glvkspirv|api)[0-9]*|GLX_nvidia|EGL_nvidia)\.so' |
        sort -u
}

# describe_gpus: writes $gpu_file
describe_gpus() {
    local root=${SLIPWAY_DEMO_SYSROOT:-} devices=() device reason='' name=''
    for device in "$root"/dev/nvidia[0-9] "$root"/dev/nvidia[0-9][0-9]; do
        [ -e "$device" ] && devices+=("$device")
    done
    if ! [ -e "$root/proc/driver/nvidia/version" ]; then
        reason="this machine has no NVIDIA driver: the GPUs are emulated; Slurm counts them, but nothing can compute on them"
    elif [ ${#devices[@]} -eq 0 ]; then
        reason="the NVIDIA driver is loaded but there is no /dev/nvidia0: the GPUs are emulated; Slurm counts them, but nothing can compute on them"
    elif ! command -v nvidia-smi >/dev/null || ! driver_libraries | grep -q /libcuda.so; then
        reason="the NVIDIA driver is loaded but its programs or libraries are not installed: the GPUs are emulated; Slurm counts them, but nothing can compute on them"
    fi
    if [ -n "$reason" ]; then
        printf 'real no\ntype demo\nreason %s\n' "$reason"
    else
        name=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)
        printf 'real yes\ntype %s\n' "$(gpu_type "$name")"
        if [ ${#devices[@]} -eq 1 ]; then
            reason="$name of this machine, which both nodes share"
        else
            reason="${#devices[@]} GPUs of this machine ($name), divided between the nodes"
        fi
        printf 'reason %s\n' "$reason"
        printf 'gpu %s\n' "${devices[@]}"
        for device in "$root"/dev/nvidiactl "$root"/dev/nvidia-uvm "$root"/dev/nvidia-uvm-tools "$root"/dev/nvidia-modeset; do
            [ -e "$device" ] && printf 'control %s\n' "$device"
        done
        driver_libraries | sed 's/^/library /'
        printf 'program %s\n' "$(command -v nvidia-smi)"
    fi >"$gpu_file"
}

gpu_facts() { sed -n "s/^$1 //p" "$gpu_file"; }
gpus_are_real() { [ "$(gpu_facts real)" = yes ]; }

# gpu_types_of NODE: "TYPE DEVICE", one line per GPU that Slurm counts on it. Number and types of emulated GPUs come from
# the cluster's configuration; a machine's own GPUs keep their number.
gpu_types_of() {
    local type devices half i
    type=$(gpu_facts type)
    if ! gpus_are_real; then
        for ((i = 0; i < ${#emulate_gpus[@]}; i++)); do echo "${emulate_gpus[i]:-$type} /dev/demo-gpu$i"; done
        return
    fi
    type=${emulate_gpus[0]:-$type}
    mapfile -t devices < <(gpu_facts gpu)
    half=$(((${#devices[@]} + 1) / 2))
    if [ ${#devices[@]} -eq 1 ] || [ "$1" = gpu01 ]; then
        printf "$type %s\n" "${devices[@]:0:half}"
    else
        printf "$type %s\n" "${devices[@]:half}"
    fi
}

# gpu_devices_of NODE: their device files alone
gpu_devices_of() { gpu_types_of "$1" | cut -d ' ' -f 2; }

# put_gpus_into NODE ROOT: device files, and the driver's files below /run/slipway/nvidia, bound from this machine
put_gpus_into() {
    local node=$1 root=$2 file target
    if ! gpus_are_real; then
        while read -r file; do
            # Without the right to create a character device: the null device under another name.
            touch "$root$file" && mount --bind /dev/null "$root$file"
        done < <(gpu_devices_of "$node")
        return
    fi
    while read -r file; do
        touch "$root$file" && mount --bind "$file" "$root$file"
    done < <(gpu_devices_of "$node"; gpu_facts control)
    mkdir -p "$root/run/slipway/nvidia/lib" "$root/run/slipway/nvidia/bin"
    while read -r file; do
        target=$root/run/slipway/nvidia/lib/${file##*/}
        touch "$target" && mount --bind "$(readlink -f -- "$file")" "$target"
    done < <(gpu_facts library)
    while read -r file; do
        target=$root/run/slipway/nvidia/bin/${file##*/}
        touch "$target" && mount --bind "$(readlink -f -- "$file")" "$target"
    done < <(gpu_facts program)
}
