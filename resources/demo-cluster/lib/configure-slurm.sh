# shellcheck shell=bash disable=SC2016
# Slurm's files, for the nodes, the GPUs and the partitions that the cluster's shape asks for.

# memory_of_machine: MiB. Two nodes share one machine, and each may be given three quarters of it: jobs of a demonstration
# are small, and a node that refuses half of the machine's memory would surprise more.
memory_of_machine() {
    awk '/^MemTotal:/ { m = int($2 / 1024 * 3 / 4); print m < 512 ? 512 : m }' /proc/meminfo
}

# A dressed node has as many CPUs and as much memory as the site's, so that the site's own requests are accepted: Slurm
# counts them, and the machine is what it is.
cpus_of_node() { dress --arg real "$(nproc)" '.cpus // $real'; }
memory_of_node() { dress --arg real "$(memory_of_machine)" '.memory_mib // $real'; }

configure_slurm() {
    local cpus memory
    cpus=$(cpus_of_node) memory=$(memory_of_node)
    { slurm_settings && slurm_memory "$cpus" "$memory" && slurm_nodes "$cpus" "$memory" && slurm_partitions; } | put /etc/slurm/slurm.conf
    {
        echo "AutoDetect=off"
        [ "$(dress .whole_node)" = true ] || gres_lines
    } | put /etc/slurm/gres.conf
    echo "CgroupPlugin=disabled" | put /etc/slurm/cgroup.conf
    job_submit_script | put /etc/slurm/job_submit.lua
    cli_filter_script | put /etc/slurm/cli_filter.lua
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
TaskPlugin=task/none
MpiDefault=none
# No cgroups: not every machine lets an ordinary user have them. Memory is measured every few seconds instead, and a job
# over its limit is ended.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=5
JobAcctGatherParams=UsePss,OverMemoryKill
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=300
KillWait=5
UnkillableStepTimeout=60
SlurmdTimeout=30
JobRequeue=1
EnforcePartLimits=ALL
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2,sched_min_interval=0,batch_sched_delay=0
PriorityType=priority/basic
SlurmctldDebug=info
SlurmdDebug=info
TEXT
    if [ -n "$(dressed_as)" ]; then
        # What a site's own rules refuse, and what its sbatch prints before the job's number.
        echo "JobSubmitPlugins=lua"
        [ "$(dress '.submit_banner | length')" -eq 0 ] || echo "CliFilterPlugins=lua"
    fi
}

# slurm_memory CPUS MEMORY: how nodes are handed out, and the memory of a job that asks for none
slurm_memory() {
    local default
    default=$(dress .default_memory_mib)
    if [ "$(dress .whole_node)" = true ]; then
        # Jobs get nodes. Slurm knows the word GPU, but no node has any to ask for.
        printf '%s\n' "SelectType=select/linear" "GresTypes=gpu"
        [ "$default" = null ] || echo "DefMemPerCPU=$default"
        return
    fi
    [ "$default" != null ] || default=$(($2 / $1))
    printf '%s\n' "SelectType=select/cons_tres" "SelectTypeParameters=CR_Core_Memory" "DefMemPerCPU=$default" "GresTypes=gpu"
}

slurm_nodes() {
    local node gres=
    for node in "${compute_names[@]}"; do
        [ "$(dress .whole_node)" = true ] || gres=$(gres_of "$node")
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

slurm_partitions() {
    dress '.partitions[] | "PartitionName=\(.name) Nodes=\(if .nodes == 1 then "gpu01" else "gpu01,gpu02" end)\(if .default then " Default=YES" else "" end) DefaultTime=\(.default_time) MaxTime=\(.max_time)\(if .most_nodes == 1 then " MaxNodes=1" else "" end) State=UP"'
}

# What the site refuses when a job is submitted: slurmctld answers with its own text for the number that this returns.
job_submit_script() {
    dress '
        "local accounts = {\(.accounts | map("[\(tojson)] = true") | join(", "))}",
        "local required = \(.account_rule == "required" or (.account_rule == "if-several" and (.accounts | length) > 1))",
        "local free = \(.account_rule == "none")",
        "local whole_node = \(.whole_node)",
        "local time_required = \(.time_required)",
        "local cpus_per_gpu = {\(.partitions | map(select(.cpus_per_gpu > 0) | "[\(.name | tojson)] = \(.cpus_per_gpu)") | join(", "))}",
        "local gpus_per_node = {\(.partitions | map(select(.gpus_known) | "[\(.name | tojson)] = \(.gpus_per_node)") | join(", "))}",
        "local default_account = \(.accounts[0] // "" | tojson)",
        "local default_partition = \([.partitions[] | select(.default)][0].name | tojson)"'
    cat "$lib/job_submit.lua"
}

cli_filter_script() {
    dress '"local banner = {\(.submit_banner | map(tojson) | join(", "))}"'
    cat "$lib/cli_filter.lua"
}
