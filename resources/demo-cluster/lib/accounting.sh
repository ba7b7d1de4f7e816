# shellcheck shell=bash
# On login, with "up --accounting": the database, slurmdbd, and what is registered there. Sourced by node-init.

accounting_store=/var/lib/slipway-accounting

# wait_for SECONDS COMMAND...
wait_for() {
    local limit=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $limit ] || return 1
        sleep 0.1
    done
}

# as_slurm COMMAND...: in its place, so that a signal reaches it
as_slurm() { exec setpriv --reuid slurm --regid slurm --init-groups -- "$@"; }

# make_database: for the user slurm, who logs in through the socket by being that user
make_database() {
    rm -rf -- "$accounting_store/new"
    install -d -m 700 -o slurm -g slurm "$accounting_store/new"
    (as_slurm mariadb-install-db --no-defaults --datadir="$accounting_store/new" --skip-test-db \
        --auth-root-authentication-method=socket --auth-root-socket-user=slurm) >/var/log/demo/mariadb-install-db.log 2>&1 &&
        mv "$accounting_store/new" "$accounting_store/database"
}

# start_database: on a socket file only. What a crash of the machine could lose is not worth waiting for the disk.
start_database() {
    [ -d "$accounting_store/database" ] || make_database || return 1
    start mariadbd as_slurm mariadbd --no-defaults --datadir="$accounting_store/database" --socket=/run/mysqld/mysqld.sock \
        --pid-file=/run/mysqld/pid --skip-networking --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=64M \
        --innodb-lock-wait-timeout=900
    wait_for 60 test -S /run/mysqld/mysqld.sock
}

slurmdbd_answers() { sacctmgr -n -P show cluster format=cluster; }

knows_gpus() { sacctmgr -n -P show tres format=type,name | grep -qx 'gres|gpu'; }

# register: two accounts, each with a limit, so that there are hours to be seen. slurmctld must have been there first: it
# registers the cluster, and brings the GPUs that the limit is on.
register() {
    [ ! -e "$accounting_store/registered" ] || return 0
    local user
    wait_for 60 knows_gpus || { echo "slurmctld has not registered"; return 1; }
    sacctmgr -i add account physics Description=demo Organization=demo Fairshare=3 GrpTRESMins=gres/gpu=300000
    sacctmgr -i add account teaching Description=demo Organization=demo Fairshare=1 GrpTRESMins=cpu=2400
    for user in demo demo-csh demo-fish; do
        sacctmgr -i add user "$user" Account=physics,teaching DefaultAccount=physics
    done
    [ "$(sacctmgr -n -P show assoc user=demo format=account | sort | tr '\n' ' ')" = "physics teaching " ] &&
        : >"$accounting_store/registered"
}

# start_slurmdbd: what failed, in a sentence and the name of a log, on standard output
start_slurmdbd() {
    chmod 755 "$accounting_store"
    install -d -m 755 -o slurm -g slurm /run/mysqld
    chown slurm:slurm /etc/slurm/slurmdbd.conf
    start_database || { echo "MariaDB did not start. $([ -d "$accounting_store/database" ] && echo mariadbd-login || echo mariadb-install-db)"; return 1; }
    start slurmdbd as_slurm slurmdbd -D
    wait_for 60 slurmdbd_answers || { echo "slurmdbd did not respond. slurmdbd-login"; return 1; }
}

# register_accounts: the same
register_accounts() {
    register >>/var/log/demo/accounting.log 2>&1 || { echo "The accounts could not be registered. accounting"; return 1; }
}
