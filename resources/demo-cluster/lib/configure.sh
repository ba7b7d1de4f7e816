# shellcheck shell=bash
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
    printf 'Slipway demo cluster: a real Slurm on one machine. Try sinfo, or srun -N2 hostname.\n' | put /etc/motd
    # As on a real cluster, only a login shell knows $SCRATCH.
    # shellcheck disable=SC2016
    echo 'export SCRATCH=/scratch/$USER' | put /etc/profile.d/scratch.sh
    # shellcheck disable=SC2016
    echo 'setenv SCRATCH /scratch/$USER' | put /etc/csh/login.d/scratch
    # shellcheck disable=SC2016
    echo 'set -gx SCRATCH /scratch/$USER' | put /etc/fish/conf.d/scratch.fish
    # A real GPU's driver is bound below /run/slipway/nvidia in each node. Without one, path and link lead nowhere.
    echo /run/slipway/nvidia/lib | put /etc/ld.so.conf.d/slipway-nvidia.conf
    ln -sfn /run/slipway/nvidia/bin/nvidia-smi "$base_dir/usr/local/bin/nvidia-smi"
    configure_sshd
    configure_registry
    configure_slurm
}

configure_sshd() {
    put /etc/ssh/sshd_config <<'TEXT'
HostKey /run/slipway/ssh/host_ed25519
PidFile /run/sshd.pid
PermitRootLogin no
AllowUsers demo demo-csh demo-fish
PubkeyAuthentication yes
PasswordAuthentication yes
KbdInteractiveAuthentication yes
UsePAM yes
UseDNS no
PrintMotd no
AcceptEnv LANG LC_*
Subsystem sftp /usr/lib/openssh/sftp-server
# All connections come from one address, the relay's: limits by address would hit everyone at once.
MaxStartups 100:30:200
PerSourcePenalties no
TEXT
}

configure_registry() {
    put /etc/docker/registry/config.yml <<'TEXT'
version: 0.1
log: {level: info, accesslog: {disabled: false}}
storage: {filesystem: {rootdirectory: /var/lib/docker-registry}, delete: {enabled: true}}
http: {addr: ":5000"}
TEXT
}

# memory_of_node: MiB. Two nodes share one machine, and each may be given three quarters of it: jobs of a demonstration
# are small, and a node that refuses half of the machine's memory would surprise more.
memory_of_node() {
    awk '/^MemTotal:/ { m = int($2 / 1024 * 3 / 4); print m < 512 ? 512 : m }' /proc/meminfo
}

configure_slurm() {
    local cpus memory per_cpu type node count
    cpus=$(nproc) memory=$(memory_of_node) type=$(gpu_facts type)
    per_cpu=$((memory / cpus))
    {
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
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=$per_cpu
GresTypes=gpu
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
        for node in "${compute_names[@]}"; do
            count=$(gpu_devices_of "$node" | wc -l)
            echo "NodeName=$node NodeAddr=$(node_address "$node") CPUs=$cpus RealMemory=$memory Gres=gpu:$type:$count State=UNKNOWN"
        done
        cat <<'TEXT'
PartitionName=gpu Nodes=gpu01,gpu02 Default=YES DefaultTime=30:00 MaxTime=4:00:00 State=UP
PartitionName=debug Nodes=gpu01 DefaultTime=10:00 MaxTime=30:00 State=UP
PartitionName=cpu Nodes=gpu01,gpu02 DefaultTime=30:00 MaxTime=8:00:00 State=UP
TEXT
    } | put /etc/slurm/slurm.conf
    {
        echo "AutoDetect=off"
        for node in "${compute_names[@]}"; do
            gpu_devices_of "$node" | sed "s|.*|NodeName=$node Name=gpu Type=$type File=&|"
        done
    } | put /etc/slurm/gres.conf
    echo "CgroupPlugin=disabled" | put /etc/slurm/cgroup.conf
}
