# shellcheck shell=bash disable=SC2034
# Where the files of one demo cluster are: in one folder, with nothing outside it.

state_dir=${SLIPWAY_DEMO_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}/slipway/demo-cluster}
state_dir=$(realpath -m -- "$state_dir")
export SLIPWAY_DEMO_DIR=$state_dir  # the programs inside the namespaces use the same folder

plain_base_dir=$state_dir/base    # the base system: the root tree with the default release of Slurm
base_dir=$plain_base_dir          # the root tree that all nodes share; releases.sh may choose another
registry_dir=$state_dir/registry  # the registry's storage
stamp_dir=$state_dir/stamps       # one file per finished part: the hash of its inputs
work_dir=$state_dir/work          # half-built parts; may be deleted at any time
log_dir=$state_dir/log
run_dir=$state_dir/run            # of the running cluster: process ids, the socket, the port
ssh_dir=$state_dir/ssh            # keys, password, known_hosts: kept over restarts
accounting_dir=$state_dir/accounting  # of "up --accounting": the database
connection_file=$state_dir/connection.json
lock_file=$state_dir/lock

# Every user's temporary files of a build go to the state folder's disk: /tmp may be small, or a memory disk.
# A package cache that several instances may share; each instance works on its own copy.
cache_dir=${SLIPWAY_DEMO_CACHE:-$state_dir/cache}

node_names=(login gpu01 gpu02)
compute_names=(gpu01 gpu02)
network=10.77.0                   # inside the cluster's own network namespace, so it cannot conflict with the host's networks

node_address() {
    case $1 in
        login) echo "$network.1" ;;
        gpu01) echo "$network.11" ;;
        gpu02) echo "$network.12" ;;
        gateway) echo "$network.254" ;;
    esac
}

make_state_dirs() {
    mkdir -p -- "$state_dir" && chmod 700 -- "$state_dir" &&
        mkdir -p -- "$stamp_dir" "$work_dir" "$log_dir" "$run_dir" "$ssh_dir" "$registry_dir" "$cache_dir" \
            "$state_dir/home" "$state_dir/scratch" "$state_dir/slurmctld" "$state_dir/nodes" "$accounting_dir"
}
