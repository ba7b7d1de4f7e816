# shellcheck shell=bash disable=SC2154
# The configuration of the cluster, written into the shared root before the nodes start.

# put FILE: standard input becomes that file of the root
put() {
    mkdir -p -- "$base_dir${1%/*}"
    cat >"$base_dir$1.new" && chmod 644 "$base_dir$1.new" && mv -- "$base_dir$1.new" "$base_dir$1"
}

configure_root() {
    local node
    {
        echo "127.0.0.1 localhost"
        for node in "${node_names[@]}"; do echo "$(node_address "$node") $node"; done
    } | put /etc/hosts
    : | put /etc/resolv.conf
    echo slipway-demo | put /etc/hostname
    printf 'Slipway demo cluster%s: a real Slurm on one machine. Try sinfo, or srun -N2 hostname.\n' "$emulate_title" | put /etc/motd
    # A real GPU's driver is bound below /run/slipway/nvidia in each node. Without a GPU, path and link point to nothing.
    echo /run/slipway/nvidia/lib | put /etc/ld.so.conf.d/slipway-nvidia.conf
    ln -sfn /run/slipway/nvidia/bin/nvidia-smi "$base_dir/usr/local/bin/nvidia-smi"
    lay_out_runtime
    configure_emulation
    configure_modules
    configure_sshd
    configure_registry
    configure_slurm
    configure_apptainer
}

# login_methods: the sshd settings for the login methods of the emulated site
login_methods() {
    case $emulate_login in
        key) printf '%s\n' "PasswordAuthentication no" "KbdInteractiveAuthentication no" "AuthenticationMethods publickey" ;;
        password) printf '%s\n' "PubkeyAuthentication no" "PasswordAuthentication yes" "KbdInteractiveAuthentication yes" ;;
        password-and-token) printf '%s\n' "PubkeyAuthentication no" "PasswordAuthentication no" "KbdInteractiveAuthentication yes" \
            "AuthenticationMethods keyboard-interactive:pam" "PAMServiceName slipway-token" ;;
        *) printf '%s\n' "PubkeyAuthentication yes" "PasswordAuthentication yes" "KbdInteractiveAuthentication yes" ;;
    esac
}

configure_sshd() {
    echo "$emulate_login_banner" | put /etc/ssh/banner
    { login_methods && { [ -z "$emulate_id" ] || echo "Banner /etc/ssh/banner"; } && cat <<'TEXT'; } | put /etc/ssh/sshd_config
HostKey /run/slipway/ssh/host_ed25519
PidFile /run/sshd.pid
PermitRootLogin no
AllowUsers demo demo-csh demo-fish
UsePAM yes
UseDNS no
PrintMotd no
AcceptEnv LANG LC_*
Subsystem sftp /usr/lib/openssh/sftp-server
# All connections come from the relay's address, so a limit per address would affect all users at once.
MaxStartups 100:30:200
PerSourcePenalties no
TEXT
    # The password first, then the code; both are asked for even if the password is wrong. There is no rate limit, and a
    # code may be used again while it is valid.
    put /etc/pam.d/slipway-token <<TEXT
auth required pam_unix.so nodelay
auth required pam_google_authenticator.so secret=/run/slipway/ssh/totp user=root [authtok_prompt=$emulate_token_prompt]
account required pam_nologin.so
@include common-account
@include common-session
session optional pam_motd.so noupdate
session required pam_limits.so
TEXT
}

configure_registry() {
    put /etc/docker/registry/config.yml <<'TEXT'
version: 0.1
log: {level: info, accesslog: {disabled: false}}
storage: {filesystem: {rootdirectory: /var/lib/docker-registry}, delete: {enabled: true}}
http: {addr: ":5000"}
TEXT
    # The same images for those who log in. Nothing is pushed there: two registries must not write to one storage.
    put /etc/docker/registry/private.yml <<'TEXT'
version: 0.1
log: {level: info, accesslog: {disabled: false}}
storage: {filesystem: {rootdirectory: /var/lib/docker-registry}, maintenance: {readonly: {enabled: true}, uploadpurging: {enabled: false}}}
auth: {htpasswd: {realm: demo, path: /run/slipway/registry/htpasswd}}
http: {addr: ":5001"}
TEXT
}

# configure_apptainer: the kernel's overlay, mounted by Apptainer for an ordinary user, cannot remove a folder of the image
# ("Input/output error", as when pip uninstalls); fuse-overlayfs can. It needs /dev/fuse; bind mounts need neither.
configure_apptainer() {
    local overlay=yes file=$base_dir/etc/apptainer/apptainer.conf
    users_have_fuse && overlay=driver
    sed -i "s/^enable overlay = .*/enable overlay = $overlay/; s/^enable underlay = .*/enable underlay = preferred/; /^binary path = /d" "$file"
    # Apptainer takes its helper programs from the first of these folders that has them.
    echo "binary path = /usr/slipway/tools:\$PATH:" >>"$file"
    # By default Apptainer calls mksquashfs with gzip at its highest level: 81 s of one CPU for the PyTorch image. This takes
    # 3 s and 8 % more space.
    put /usr/slipway/tools/mksquashfs <<'TEXT'
#!/bin/sh
previous= packs=
for word in "$@"; do
    shift
    if [ "$previous $word" = "-comp gzip" ]; then
        set -- "$@" zstd
        packs=1
    else
        set -- "$@" "$word"
    fi
    previous=$word
done
exec /usr/bin/mksquashfs "$@" ${packs:+-Xcompression-level 1}
TEXT
    chmod 755 "$base_dir/usr/slipway/tools/mksquashfs"
}
