# shellcheck shell=bash disable=SC2154
# Slurm's files, for the nodes, the GPUs and the partitions that the cluster's shape asks for.

# memory_of_machine: MiB. Two nodes share one machine, and each offers three quarters of it: the jobs of a demonstration are
# small, and a node that refused half of the machine's memory would be more surprising.
memory_of_machine() {
    awk '/^MemTotal:/ { m = int($2 / 1024 * 3 / 4); print m < 512 ? 512 : m }' /proc/meminfo
}

# When a site is emulated, a node has as many CPUs and as much memory as the site's, so that the site's own requests are
# accepted. Slurm only counts them; the machine does not have them.
cpus_of_node() { echo "${emulate_cpus:-$(nproc)}"; }
memory_of_node() { echo "${emulate_memory_mib:-$(memory_of_machine)}"; }

configure_slurm() {
    local cpus memory
    cpus=$(cpus_of_node) memory=$(memory_of_node)
    { slurm_settings && slurm_memory "$cpus" "$memory" && slurm_nodes "$cpus" "$memory" && echo "$emulate_partitions"; } | put /etc/slurm/slurm.conf
    {
        echo "AutoDetect=off"
        [ "$emulate_whole_node" = true ] || gres_lines
    } | put /etc/slurm/gres.conf
    ! has_accounting || configure_slurmdbd
    cgroup_lines | put /etc/slurm/cgroup.conf
    # What the site refuses at submission: slurmctld answers with its own text for the error number that this returns.
    { echo "$emulate_job_submit" && cat "$lib/job_submit.lua"; } | put /etc/slurm/job_submit.lua
    { echo "$emulate_cli_filter" && cat "$lib/cli_filter.lua"; } | put /etc/slurm/cli_filter.lua
}

# slurm_release: 2411 for Slurm 24.11.5 in the root tree; prints nothing where it is unknown
slurm_release() {
    sed -n '/^Package: slurmctld$/,/^$/s/^Version: \([0-9]*\)\.\([0-9][0-9]\).*/\1\2/p' "$base_dir/var/lib/dpkg/status"
}

# cgroup_lines: memory limits by cgroups where the machine gives them; otherwise turns cgroups off for the installed Slurm. 20.11 does not know the setting, and up to 22.05 the
# cgroup/v1 plugin is the only one that starts where cgroups are not writable.
cgroup_lines() {
    local release
    if has_memory_cgroups; then
        printf '%s\n' CgroupPlugin=cgroup/v1 CgroupMountpoint=/sys/fs/cgroup ConstrainRAMSpace=yes
        return
    fi
    release=$(slurm_release)
    if [ "${release:-9999}" -ge 2302 ]; then
        echo "CgroupPlugin=disabled"
    elif [ "$release" -ge 2108 ]; then
        echo "CgroupPlugin=cgroup/v1"
    fi
}

# first_job_number: 2205000 for Slurm 22.05, 1 for the default release
first_job_number() {
    local release
    [ "$slurm_word" = "$default_release" ] && { echo 1; return; }
    release=$(slurm_release)
    echo "$(has_accounting && echo 1)${release:-9999}000"
}

slurm_settings() {
    cat <<TEXT
ClusterName=slipway-demo
SlurmctldHost=login($(node_address login))
SlurmUser=slurm
AuthType=auth/munge
StateSaveLocation=/var/spool/slurmctld
# A node's own: PMIx of two nodes cannot share a folder.
SlurmdSpoolDir=/run/slurmd
SlurmctldPidFile=/run/slurmctld/pid
SlurmdPidFile=/run/slurmd/pid
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
# On emulated sites a plain srun starts MPI, because most site files name no plugin.
MpiDefault=$([ -n "$emulate_id" ] && has_pmix && echo pmix || echo none)
# No job of one release has the number of another release's job: a run must never be taken for another.
FirstJobId=$(first_job_number)
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=5
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=300
KillWait=5
# A job that is requeued waits as long as its credential lives, two minutes by default.
AuthInfo=cred_expire=30
UnkillableStepTimeout=60
SlurmdTimeout=30
JobRequeue=1
EnforcePartLimits=ALL
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2,sched_min_interval=0,batch_sched_delay=0
SlurmctldDebug=info
SlurmdDebug=info
TEXT
    memory_settings
    if has_accounting; then accounting_settings; else echo "PriorityType=priority/basic"; fi
    if [ -n "$emulate_id" ]; then
        # The site's own rules for refusing jobs, and what its sbatch prints before the job id.
        echo "JobSubmitPlugins=lua"
        [ -z "$emulate_submit_banner" ] || echo "CliFilterPlugins=lua"
    fi
}

# memory_settings: not every machine gives cgroups to an ordinary user. Without them memory is sampled every few seconds, and a job over its
# limit is ended.
memory_settings() {
    if has_memory_cgroups; then
        printf '%s\n' TaskPlugin=task/cgroup JobAcctGatherParams=UsePss
    else
        printf '%s\n' TaskPlugin=task/none JobAcctGatherParams=UsePss,OverMemoryKill
    fi
}

# accounting_settings: usage does not decay, so that a limit in minutes is one on all that was used in the year; it is added up every
# minute
accounting_settings() {
    cat <<'TEXT'
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=login
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits
PriorityType=priority/multifactor
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=YEARLY
PriorityCalcPeriod=1
PriorityWeightFairshare=1000
TEXT
}

# configure_slurmdbd: the database is reached through a socket file only. slurmdbd refuses a file that others can read.
configure_slurmdbd() {
    put /etc/slurm/slurmdbd.conf <<'TEXT'
AuthType=auth/munge
DbdHost=login
SlurmUser=slurm
PidFile=/run/slurmctld/slurmdbd.pid
DebugLevel=info
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StorageLoc=slurm_acct_db
TEXT
    chmod 600 "$base_dir/etc/slurm/slurmdbd.conf"
}

# slurm_memory CPUS MEMORY: how nodes are allocated, and the memory of a job that requests none
slurm_memory() {
    if [ "$emulate_whole_node" = true ]; then
        # Jobs get whole nodes. GRES has the name gpu, but no node has one that can be requested.
        printf '%s\n' "SelectType=select/linear" "GresTypes=gpu"
        [ -z "$emulate_default_memory_mib" ] || echo "DefMemPerCPU=$emulate_default_memory_mib"
        return
    fi
    printf '%s\n' "SelectType=select/cons_tres" "SelectTypeParameters=CR_Core_Memory" "DefMemPerCPU=${emulate_default_memory_mib:-$(($2 / $1))}" "GresTypes=gpu"
}

slurm_nodes() {
    local node gres=
    for node in "${compute_names[@]}"; do
        [ "$emulate_whole_node" = true ] || gres=$(gres_of "$node")
        echo "NodeName=$node NodeAddr=$(node_address "$node") CPUs=$1 RealMemory=$2 ${gres:+Gres=$gres }State=UNKNOWN"
    done
}

# gres_of NODE: gpu:h100:4
gres_of() { gpu_types_of "$1" | awk '{ count[$1]++ } END { for (type in count) { printf "%sgpu:%s:%d", sep, type, count[type]; sep = "," } }'; }

gres_lines() {
    local node type device
    for node in "${compute_names[@]}"; do
        while read -r type device; do echo "NodeName=$node Name=gpu Type=$type File=$device"; done < <(gpu_types_of "$node")
    done
}
