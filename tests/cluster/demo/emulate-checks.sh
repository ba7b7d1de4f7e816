# shellcheck shell=bash disable=SC2016
# The claims about a demo cluster that emulates a site. Sourced after checks.sh. Site files that may not exist are
# written here, as a person would write their own.

# Answers ssh's prompts and records them in a file.
make_askpass() {
    aside=$(mktemp -d "${TMPDIR:-/tmp}/emulate-check.XXXXXX") || return 1
    askpass=$aside/askpass
    asked=$aside/asked
    cat >"$askpass" <<TEXT
#!/bin/sh
echo "\$1" >>"$asked"
case \$1 in
    *assword*) cat "$SLIPWAY_DEMO_DIR/ssh/password" ;;
    *) echo "\${CODE:-\$("$demo_cluster" token)}" ;;
esac
TEXT
    chmod 700 "$askpass"
    : >"$asked"
}

# asked_as USER COMMAND: over ssh, answering prompts; the key is offered as well
asked_as() {
    local user=$1 ssh_dir=$SLIPWAY_DEMO_DIR/ssh
    shift
    SSH_ASKPASS=$askpass SSH_ASKPASS_REQUIRE=force ssh -F none -o ConnectTimeout=10 -o NumberOfPasswordPrompts=1 -o LogLevel=ERROR \
        -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$ssh_dir/known_hosts" -o IdentitiesOnly=yes -i "$ssh_dir/id_ed25519" \
        -p "$(cat "$ssh_dir/port")" "$user@127.0.0.1" "$@" 2>&1
}
demo() { asked_as demo "$@" </dev/null; }

# says TEXT COMMAND...: its output contains TEXT
says() {
    local text=$1 output
    shift
    output=$("$@" 2>&1)
    echo "$output"
    [[ $output == *"$text"* ]]
}
says_not() { ! says "$@"; }

# emulates_as SITE: within 10 s on an idle machine, and without building anything
emulates_as() {
    local begun=${EPOCHREALTIME/./} took load limit output
    read -r load _ </proc/loadavg
    output=$("$demo_cluster" up --as "$1" --json) || { tail -n 3 <<<"$output"; return 1; }
    took=$(((${EPOCHREALTIME/./} - begun) / 1000))
    limit=$((10000 + 10000 * ${load%.*} / $(nproc)))
    echo "      emulating ${1##*/} in $took ms (load $load)" >&3
    echo "$output"
    [[ $output == *'"stage":"base-system","title":"Base system","state":"skipped"'* ]] && [ $took -le $limit ]
}
connection_says() { jq -e "$1" "$SLIPWAY_DEMO_DIR/connection.json"; }
partitions_are() { [ "$(demo 'sinfo --noheader -o "%P %l %D"' | tr '\n' ';')" = "$1" ] || { demo sinfo; return 1; }; }
# job_facts OPTIONS: what scontrol shows of a job with these options
job_facts() { demo "sbatch --wait -o facts.out $1 --wrap 'scontrol show job \$SLURM_JOB_ID; echo runtime \$(command -v apptainer singularity)' >/dev/null; cat facts.out"; }

no_account='Batch job submission failed: Invalid account or account/partition combination specified'
no_gpus='Requested GRES option unsupported by configured SelectType plugin'
not_there='Requested node configuration is not available'

# runs_an_image OPTIONS PROGRAM [MODULE]: pulled and run in a job, as the site's users do
runs_an_image() {
    says "answer 42" demo "sbatch --wait -t 20 -o image.out $1 --wrap '. /etc/profile; ${3:+module load $3;} cd /scratch/demo && $2 pull --disable-cache --force --no-https p.sif docker://login:5000/demo/python:3.13 && $2 exec --nv p.sif python3 -c \"print(\\\"answer\\\", 6*7)\"'; tail -n 5 image.out; rm -f /scratch/demo/p.sif"
}

kestrel_claims() {
    check "emulating Kestrel in seconds" emulates_as kestrel
    check "connection.json says so" connection_says '.emulates == "kestrel" and .emulated_name == "Kestrel" and .accounts == ["rehearsal"] and .partitions[0].name == "gpu-h100"'
    check "status says so" says "emulating Kestrel" "$demo_cluster" status
    check "the partitions are Kestrel's" says "gpu-h100* 2-00:00:00 2" demo 'sinfo --noheader -o "%P %l %D"'
    check "a job without an account is refused" says "$no_account" demo 'sbatch -t 1 --wrap true'
    check "a job on an unknown account is refused" says "$no_account" demo 'sbatch -A nobody -t 1 --wrap true'
    check "a job without a time limit is refused" says "Time limit specification required" demo 'sbatch -A rehearsal --wrap true'
    check "a job gets 1 GB per CPU unless it requests more" says "mem=2G," job_facts '-A rehearsal -t 1 -c 2'
    check "a GPU of the site's type is allocated" says "gpu:h100:1" demo 'srun -A rehearsal -t 1 --gres=gpu:h100:1 sh -c "scontrol show job \$SLURM_JOB_ID"'
    check "four GPUs per node" says "0,1,2,3" demo 'srun -A rehearsal -t 1 --gres=gpu:4 printenv CUDA_VISIBLE_DEVICES'
    check "more GPUs than the partition has are refused" says "$not_there" demo 'sbatch -A rehearsal -t 1 -p debug --gres=gpu:3 --wrap true'
    check "without its module there is no runtime" says_not apptainer demo 'srun -A rehearsal -t 1 bash -lc "command -v apptainer"'
    check "with its module there is one" says /apptainer demo 'srun -A rehearsal -t 1 bash -lc "module load apptainer && command -v apptainer"'
    check "\$LOCAL_SCRATCH is set" says /scratch/demo demo 'bash -lc "echo \$LOCAL_SCRATCH && ls -d /projects/rehearsal"'
}

key_alone_is_refused() { ! as demo true; }
wrong_code_is_refused() { ! CODE=000000 demo true; }
prompts_are() {
    : >"$asked"
    demo true || return 1
    cat "$asked"
    [ "$(sed 's/^([^)]*) //' "$asked" | tr '\n' ';')" = "Password: ;TACC Token Code:;" ]
}
logs_in_often() { for _ in 1 2 3 4 5 6; do demo true || return 1; done; }
banner_is_before_the_id() {
    local output
    output=$(demo 'sbatch -t 1 --wrap true')
    echo "$output"
    [[ $output == *"--> "*"OK"*"Submitted batch job "* ]] && [[ $(tail -n 1 <<<"$output") =~ ^Submitted\ batch\ job\ [0-9]+$ ]]
}
parsable_is_last() {
    local output
    output=$(demo 'sbatch --parsable -t 1 --wrap true')
    [[ $(tail -n 1 <<<"$output") =~ ^[0-9]+$ ]]
}
# ibrun_in_a_job OPTIONS IBRUN_WORDS: the hosts that the tasks said, then the lines of ibrun
ibrun_in_a_job() { demo "sbatch --wait -t 1 -o ibrun.out $1 --wrap 'ibrun $2' >/dev/null; cat ibrun.out"; }
ibrun_runs_everywhere() {
    local output
    output=$(ibrun_in_a_job '-N 2 -n 2' 'hostname')
    echo "$output"
    [ "$(grep -x 'gpu0.' <<<"$output" | sort | tr '\n' ' ')" = "gpu01 gpu02 " ] &&
        [[ $output == "TACC:  Starting up job "*"TACC:  Starting parallel tasks..."*"TACC:  Shutdown complete. Exiting." ]]
}
ibrun_takes_some() {
    local output
    output=$(ibrun_in_a_job '-N 2 -n 4' '-n 1 -o 3 hostname')
    echo "$output"
    [ "$(grep -x 'gpu0.' <<<"$output" | tr '\n' ' ')" = "gpu02 " ]
}
ibrun_has_mpi() { says "PMIX_RANK=1" ibrun_in_a_job '-N 2 -n 2' 'env'; }
idev_gives_a_shell() {
    local output
    output=$(printf '%s\n' 'echo "$(hostname) has $SLURM_NTASKS tasks"' 'module load tacc-apptainer && apptainer --version' 'ibrun hostname' | asked_as demo 'idev -m 2 -p rtx-dev -N 2 -n 4; squeue --noheader')
    echo "$output"
    [[ $output == *"-> Job is now running on masternode= gpu01...OK"*"gpu01 has 4 tasks"*"apptainer version"*"gpu02"*"Shutdown complete. Exiting."* ]] &&
        [[ $output != *" idev "*" R "* ]]
}

frontera_claims() {
    check "emulating Frontera in seconds" emulates_as frontera-rtx
    check "the partitions are Frontera's" partitions_are "rtx* 2-00:00:00 2;rtx-dev 2:00:00 2;"
    check "a key alone is refused" key_alone_is_refused
    check "password, then code, with the site's prompts" prompts_are
    check "a wrong code is refused" wrong_code_is_refused
    check "there is no login rate limit" logs_in_often
    check "--gpus is refused with Slurm's text" says "$no_gpus" demo 'sbatch -t 1 --gpus=1 --wrap true'
    check "--gres is refused with Slurm's text" says "$no_gpus" demo 'sbatch -t 1 --gres=gpu:1 --wrap true'
    check "srun with GPUs is refused too" says "Unable to allocate resources: $no_gpus" demo 'srun -t 1 --gpus-per-node=1 true'
    check "a job gets whole nodes" says "NumCPUs=16 " job_facts '-t 1 -N 1 -n 1'
    check "the only account may be left out, another one is refused" says "$no_account" demo 'sbatch -t 1 -A nobody --wrap true'
    check "the banner comes before the job id" banner_is_before_the_id
    check "with --parsable too" parsable_is_last
    check "no runtime and no module of it on the login node" says_not /apptainer demo 'bash -lc "module load tacc-apptainer; command -v apptainer"'
    check "no runtime on a compute node without the module" says_not /apptainer demo 'srun -t 1 bash -lc "command -v apptainer"'
    check "with the module there is one" says /apptainer demo 'srun -t 1 bash -lc "module load tacc-apptainer; command -v apptainer"'
    check "an image is pulled and run with it" runs_an_image '' apptainer tacc-apptainer
    check "\$SCRATCH and \$WORK are set, and exist" says "/scratch/demo /work/demo" demo 'bash -lc "cd \$SCRATCH && cd \$WORK && touch here && echo \$SCRATCH \$WORK"'
    check "a file in \$WORK is on the other nodes" says /work/demo/here demo 'srun -t 1 ls /work/demo/here'
    check "ibrun runs two tasks over two nodes" ibrun_runs_everywhere
    check "ibrun -n 1 -o 3 takes the fourth slot" ibrun_takes_some
    check "ibrun's tasks form one MPI world" ibrun_has_mpi
    check "idev gives a shell on the first node, and the job ends with it" idev_gives_a_shell
    check "idev refuses an unknown queue" says "FAILED" demo 'idev -p nowhere'
}

own_sites() {
    own=$aside/own
    mkdir -p "$own/emulate"
    cat >"$own/questlike.json" <<'JSON'
{"id": "questlike", "name": "Questlike", "logins": [{"host": "q.example.org", "methods": ["password"]}],
 "partitions": [{"name": "short", "gpus_per_node": 0, "time_limit": "4:00:00"},
                {"name": "gengpu", "default": true, "nodes": 1, "gpus_per_node": 2, "gpu_type": "a100", "time_limit": "2-00:00:00"}],
 "gpu_request": "gres", "runtime": "singularity", "modules": ["singularity/3.8.1"], "scratch": "/projects/p1/$USER", "account": "required"}
JSON
    echo '{"accounts": ["p1", "b2"], "cpus_per_node": 8, "memory_per_node": "64G", "folders": ["/projects/p1"]}' >"$own/emulate/questlike.json"
    cat >"$own/zihlike.json" <<'JSON'
{"id": "zihlike", "name": "Zihlike", "logins": [{"host": "z.example.org", "methods": ["ssh key"]}],
 "partitions": [{"name": "gpu2", "nodes": 60, "gpus_per_node": 4, "cpus_per_gpu": 6, "cpus_per_node": 24, "memory_per_node": "62G", "time_limit": "7-00:00:00"}],
 "runtime": "singularity", "scratch": "/scratch/ws/0/$USER-slipway", "account": "if-several", "default_memory_per_cpu": "300M"}
JSON
    echo '{"accounts": ["p_one"], "folders": ["/scratch/ws/0"], "tools": ["ws_allocate"]}' >"$own/emulate/zihlike.json"
    echo '{"id": "broken", "name": "Broken", "partitions": [{"name": "two words"}]}' >"$own/broken.json"
}

own_claims() {
    own_sites
    check "emulating a site file of one's own in seconds" emulates_as "$own/questlike.json"
    check "a partition of one node has one node" partitions_are "short 4:00:00 2;gengpu* 2-00:00:00 1;"
    check "a password is accepted there, a key is not" key_alone_is_refused
    check "the second account is known as well" says "Submitted" demo 'sbatch -A b2 -t 1 --wrap true'
    check "a partition without GPUs gives none" says "$not_there" demo 'sbatch -A p1 -t 1 -p short --gres=gpu:1 --wrap true'
    check "the program is singularity, from a module with a version" says /singularity demo 'srun -A p1 -t 1 bash -lc "module load singularity/3.8.1 && command -v singularity && ! command -v apptainer"'
    check "an image is pulled and run with it" runs_an_image '-A p1' singularity singularity/3.8.1
    check "its scratch folder exists, for its owner only" says "700 demo" demo 'stat -c "%a %U" /projects/p1/demo'
    check "emulating a site with workspaces" emulates_as "$own/zihlike.json"
    check "300 MB per CPU" says "mem=600M," job_facts '-t 1 -c 2'
    check "more CPUs than a GPU's share are refused" says "$not_there" demo 'sbatch -t 1 --gres=gpu:1 -c 7 --wrap true'
    check "as many as its share are accepted" says "Submitted" demo 'sbatch -t 1 --gres=gpu:1 -c 6 --wrap true'
    check "a workspace is created" says "/scratch/ws/0/demo-images" demo 'ws_allocate -F scratch images 90'
    check "singularity needs no module there" says "/usr/bin/singularity" demo 'srun -t 1 bash -c "command -v singularity"'
    check "a key logs in" as demo true
    check "a password does not" says "Permission denied" env PATH="$PATH" bash -c "mv '$SLIPWAY_DEMO_DIR/ssh/id_ed25519' '$SLIPWAY_DEMO_DIR/ssh/aside'; $(declare -f asked_as); askpass='$askpass' asked_as demo true; mv '$SLIPWAY_DEMO_DIR/ssh/aside' '$SLIPWAY_DEMO_DIR/ssh/id_ed25519'"
    check "a broken site file is refused, and the error names its field" says 'partitions: "two words"' "$demo_cluster" up --as "$own/broken.json"
    check "an unknown site is refused" says "There is no site atlantis" "$demo_cluster" up --as atlantis
    check "the cluster keeps running unchanged" says "emulating Zihlike" "$demo_cluster" status
}

plain_claims() {
    check "up alone stops the emulation" comes_up
    check "its own partitions are back" partitions_are "gpu* 4:00:00 2;debug 30:00 1;cpu 8:00:00 2;"
    check "the key logs in again" logs_in demo
    check "the runtime is on every PATH again" says /usr/bin/apptainer as demo 'command -v apptainer && srun bash -c "command -v apptainer"'
    check "a GPU may be requested without an account" gres_is_given
    check "nothing of the emulated sites is left" says_not idev as demo 'command -v idev ibrun ws_allocate'
    check "jobs of other partitions are gone" says_not rtx as demo 'squeue --noheader'
}

emulate_claims() {
    check "up builds and starts the cluster" comes_up
    make_askpass
    kestrel_claims
    frontera_claims
    own_claims
    plain_claims
    rm -rf -- "$aside"
}
