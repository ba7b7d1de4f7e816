#!/bin/bash
# The first process of a node, inside the cluster's root: starts the node's services and reaps their processes.
#   node-init NAME
set -uo pipefail
export LC_ALL=C.UTF-8
umask 022
name=$1
declare -A service=()

# start SERVICE COMMAND...: in the foreground, with its output in the log folder
start() {
    local label=$1
    local log=/var/log/demo/$label-$name.log
    shift
    [ ! -s "$log" ] || mv "$log" "$log.old"
    "$@" >"$log" 2>&1 </dev/null &
    service[$label]=$!
    echo $! >"/run/slipway/$label.pid"
}

start_munge() {
    install -d -m 755 -o munge -g munge /run/munge
    start munged runuser -u munge -- munged --foreground --pid-file=/run/munge/munged.pid --seed-file=/run/munge/seed
    for _ in {1..100}; do
        munge --no-input >/dev/null 2>&1 && return
        sleep 0.05
    done
    echo "munged does not respond" >&2
}

# start_private_registry: bcrypt is the only hash that it takes. A cheap one, because it is compared at each request.
start_private_registry() {
    install -d -m 700 /run/slipway/registry
    # shellcheck disable=SC2016
    perl -e 'chomp(my $password = <STDIN>); my @letters = (".", "/", "A" .. "Z", "a" .. "z", 0 .. 9);
        open(my $random, "<", "/dev/urandom") or die;
        read($random, my $bytes, 22) == 22 or die;
        print "demo:", crypt($password, q($2y$04$) . join("", map { $letters[ord($_) & 63] } split //, $bytes)), "\n"' \
        </run/slipway/ssh/registry_password >/run/slipway/registry/htpasswd
    rm -f /run/slipway/ssh/registry_password
    start private-registry docker-registry serve /etc/docker/registry/private.yml
}

# The users' folders survive rebuilds of the root, so they are completed at each start.
prepare_users() {
    local user home
    # Password hashing is slow by design, so it is done once per password.
    if ! cmp -s /run/slipway/ssh/password /etc/slipway/password; then
        for user in demo demo-csh demo-fish; do
            echo "$user:$(cat /run/slipway/ssh/password)"
        done | chpasswd && install -m 600 /run/slipway/ssh/password /etc/slipway/password
    fi
    for user in demo demo-csh demo-fish; do
        home=/home/$user
        if ! [ -d "$home" ]; then
            cp -r /etc/skel "$home.new"
            # Some login shells print text at start-up; programs that read their output must handle it.
            case $user in
                demo-csh) printf 'echo "Welcome to csh"\necho "csh start-up noise" > /dev/stderr\nalias ls ls -F\n' >"$home.new/.cshrc" ;;
                demo-fish)
                    mkdir -p "$home.new/.config/fish"
                    printf 'echo "Welcome to fish"\necho "fish start-up noise" >&2\n' >"$home.new/.config/fish/config.fish" ;;
            esac
            chown -R "$user:$user" "$home.new"
            chmod 700 "$home.new"
            mv "$home.new" "$home"
        fi
        install -d -m 700 -o "$user" -g "$user" "$home/.ssh"
        grep -qxF -f /run/slipway/ssh/id_ed25519.pub "$home/.ssh/authorized_keys" 2>/dev/null ||
            cat /run/slipway/ssh/id_ed25519.pub >>"$home/.ssh/authorized_keys"
        chown "$user:$user" "$home/.ssh/authorized_keys"
        prepare_folders "$user"
    done
    rm -f /run/slipway/ssh/password
}

# prepare_folders USER: the folders in the site's paths. A folder with the user's name in it belongs to the user, any other
# one is open to everyone.
prepare_folders() {
    local USER=$1 HOME=/home/$1 word path parent
    # shellcheck source=/dev/null
    . /etc/profile.d/scratch.sh
    while read -r word; do
        # emulate.jq has checked these: variables, letters, digits and a few signs.
        eval "path=$word"
        [[ $path == /* ]] && ! [ -d "$path" ] || continue
        parent=${path%/*}
        mkdir -p "$parent"
        if [[ $path == *"$USER"* ]]; then install -d -m 700 -o "$USER" -g "$USER" "$path"; else install -d -m 1777 "$path"; fi
    done </etc/slipway/folders
}

finish() {
    local label
    trap '' TERM
    for label in slurmctld slurmd docker-registry private-registry sshd munged; do
        [ -n "${service[$label]:-}" ] && kill -TERM "${service[$label]}" 2>/dev/null
    done
    for _ in {1..30}; do
        kill -0 "${service[slurmctld]:-${service[slurmd]}}" 2>/dev/null || break
        sleep 0.1
    done
    # After slurmctld, whose last records they still take.
    for label in slurmdbd mariadbd; do
        [ -n "${service[$label]:-}" ] && kill -TERM "${service[$label]}" 2>/dev/null && wait "${service[$label]}"
    done
    exit 0
}
trap finish TERM

start_munge
case $name in
    login)
        start docker-registry docker-registry serve /etc/docker/registry/config.yml
        start_private_registry
        chown slurm:slurm /var/spool/slurmctld
        chmod 755 /var/spool/slurmctld
        install -d -m 755 -o slurm -g slurm /run/slurmctld
        if [ -e /run/slipway/accounting.sh ]; then
            # shellcheck source=accounting.sh
            . /run/slipway/accounting.sh
            start_slurmdbd >/var/log/demo/accounting.failed
        fi
        start slurmctld slurmctld -D
        [ ! -e /run/slipway/accounting.sh ] || [ -s /var/log/demo/accounting.failed ] ||
            register_accounts >/var/log/demo/accounting.failed
        prepare_users
        install -d -m 755 /run/sshd
        start sshd /usr/sbin/sshd -D -e ;;
    *)
        # On one node only: the loader's cache is in the shared root.
        [ "$name" != gpu01 ] || ldconfig
        install -d -m 755 /run/slurmd
        start slurmd slurmd -D -N "$name" ;;
esac
while :; do wait -n || sleep 1; done
