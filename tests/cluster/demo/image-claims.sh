# shellcheck shell=bash
# The claims about the images. Sourced by checks.sh; the programs that the jobs run are in programs/.

images_dir=/scratch/demo/images-check
programs=$(dirname -- "${BASH_SOURCE[0]}")/programs

# there COMMAND: in the check's folder on the cluster; Apptainer's notes on missing programs are left out
there() {
    local output code
    output=$(as demo "cd $images_dir && { $1; } 2>&1")
    code=$?
    grep -av 'not found, will not' <<<"$output"
    return $code
}
# says PATTERN COMMAND...: whether or not it succeeds
says() {
    local pattern=$1 output
    shift
    output=$("$@")
    echo "$output"
    grep -q -- "$pattern" <<<"$output"
}
# in_container SRUN_OPTIONS IMAGE_AND_COMMAND
in_container() { there "srun $1 apptainer exec $2"; }

files_are_there() {
    local ssh_dir=$SLIPWAY_DEMO_DIR/ssh
    as demo "rm -rf $images_dir; mkdir -p $images_dir" || return 1
    tar -C "$programs" -c . ${SLIPWAY_PROBE:+-C "${SLIPWAY_PROBE%/*}" "${SLIPWAY_PROBE##*/}"} | ssh -F none -o BatchMode=yes -o UserKnownHostsFile="$ssh_dir/known_hosts" -o IdentitiesOnly=yes \
        -i "$ssh_dir/id_ed25519" -p "$(cat "$ssh_dir/port")" demo@127.0.0.1 "tar -C $images_dir -x"
}

# probe_runs_in NAME...: slipway-probe, which SLIPWAY_PROBE names, in every image; each image has its own glibc
probe_runs_in() {
    local image rows
    [ -n "${SLIPWAY_PROBE:-}" ] || { echo "SLIPWAY_PROBE names no program"; return 1; }
    for image in "$@"; do
        rows=$(in_container -n1 "$image.sif ./${SLIPWAY_PROBE##*/} check --where container")
        if ! grep -q '"id":"end","state":"\(ok\|warn\)"' <<<"$rows" || ! grep -q '"id":"container","state":"ok","value":"[Aa]pptainer' <<<"$rows"; then
            echo "in $image: $rows"
            return 1
        fi
    done
}

# images_are_pulled NAME:TAG...: to mpi.sif and so on, one after the other in one job
images_are_pulled() {
    local image pulls=''
    for image in "$@"; do
        pulls+="apptainer pull --disable-cache --force --no-https ${image%%:*}.sif docker://login:5000/demo/$image && "
    done
    there "export APPTAINER_CACHEDIR=$images_dir/.cache; srun -n1 --mem=2G bash -c '$pulls true' && ls -l *.sif"
}

# registry_needs_no_media_type NAME:TAG: enroot's first request names none
registry_needs_no_media_type() {
    says ' 200 ' there "exec 3<>/dev/tcp/login/5000 && printf 'GET /v2/demo/${1%:*}/manifests/${1#*:} HTTP/1.0\r\nHost: login:5000\r\n\r\n' >&3 && head -n 1 <&3"
}

# --- MPI

mpi_is_one_world() {
    local output
    output=$(in_container "--mpi=pmix -N2 -n4 --ntasks-per-node=2" "mpi.sif python3 world.py")
    echo "$output"
    [ "$(grep -c '^rank [0-3] of 4 on gpu0[12]$' <<<"$output")" -eq 4 ] && grep -q '^sum 10.0$' <<<"$output" &&
        grep -q 'on gpu01' <<<"$output" && grep -q 'on gpu02' <<<"$output"
}
mpi_mismatch_is_singletons() {
    local output
    output=$(in_container "--mpi=pmi2 -N2 -n2" "mpi.sif python3 world.py")
    echo "$output"
    [ "$(grep -c '^rank 0 of 1 on gpu0[12]$' <<<"$output")" -eq 2 ] && grep -q 'singletons will be started' <<<"$output"
}
mpirun_in_container() {
    local output
    output=$(in_container "-N1 -n1" "mpi.sif mpirun -n 3 python3 world.py")
    echo "$output"
    [ "$(grep -c '^rank [0-2] of 3 on' <<<"$output")" -eq 3 ] && grep -q '^sum 6.0$' <<<"$output"
}

# --- PyTorch

torch_by_srun() {
    local output
    output=$(there "sbatch --wait -o srun.out torch-srun.sh; cat srun.out")
    echo "$output"
    [ "$(grep -c '^rank [01] of 2 on gpu0[12]: loss [0-9.]*$' <<<"$output")" -eq 2 ]
}
torch_by_torchrun() {
    local output
    output=$(there "sbatch --wait -o torchrun.out torch-torchrun.sh; cat torchrun.out")
    echo "$output"
    # Two workers write to one pipe, so their lines may be joined.
    [ "$(grep -o 'rank [0-3] of 4 on gpu0[12]: loss [0-9.]*' <<<"$output" | sort -u | wc -l)" -eq 4 ]
}
training_learns() {
    local output accuracy
    output=$(in_container "-c2 --mem=2G" "pytorch.sif python3 train.py")
    echo "$output"
    accuracy=$(sed -n 's/^accuracy 0\.\([0-9][0-9]\).*/\1/p' <<<"$output" | tail -n 1)
    [ "${accuracy:-0}" -ge 70 ]
}

# --- Images, overlays and binds

# image_claims: those that need demo/python only
image_claims() {
    check "the files of this check are on the cluster" files_are_there
    check "demo/python is pulled" images_are_pulled python:3.13
    check "an image is read-only" image_is_read_only
    check "it is writable with --writable-tmpfs, for one run" tmpfs_is_forgotten
    check "an overlay folder keeps changes, as user and with --fakeroot" overlay_keeps
    check "-c hides the home folder and the working folder, -B binds a folder" contain_and_bind
    check "pip refuses what the constraints exclude" pip_refuses
    check "pip replaces the package without them" pip_replaces
    check "an image is built from a definition file by an ordinary user" definition_is_built
}
image_is_read_only() { says "touch: cannot touch '/opt/x': Read-only file system" in_container "-n1" "python.sif touch /opt/x"; }
tmpfs_is_forgotten() {
    says '^written$' in_container "-n1" "--writable-tmpfs python.sif sh -c 'touch /opt/x && echo written'" &&
        says 'No such file' in_container "-n1" "python.sif ls /opt/x"
}
overlay_keeps() {
    local option
    for option in "" --fakeroot; do
        there "rm -rf overlay; mkdir overlay" || return 1
        in_container "-n1" "$option --overlay overlay python.sif sh -c 'id -un; echo kept > /opt/x; rm /etc/debian_version'"
        says '^kept$' in_container "-n1" "$option --overlay overlay python.sif cat /opt/x /etc/debian_version" || return 1
        says 'No such file' in_container "-n1" "$option --overlay overlay python.sif ls /etc/debian_version" || return 1
    done
}
contain_and_bind() {
    says 'No such file' in_container "-n1" "-c python.sif ls $images_dir" &&
        says '^world.py$' in_container "-n1" "-c -B \$PWD:/data python.sif ls /data" &&
        says 'Read-only file system' in_container "-n1" "-B \$PWD:/data:ro python.sif touch /data/x" &&
        says "mount source /nowhere doesn't exist" in_container "-n1" "-B /nowhere:/data python.sif true"
}
pip_in_overlay() { in_container "-n1" "--fakeroot --overlay pip-overlay python.sif sh -c '$1'"; }
pip_refuses() {
    local output
    there "rm -rf pip-overlay; mkdir pip-overlay" || return 1
    output=$(pip_in_overlay "pip list --format=freeze > /root/constraints.txt; pip install --no-index --find-links /usr/share/slipway-wheels -c /root/constraints.txt slipway-vision")
    echo "$output"
    grep -q 'The user requested (constraint) slipway-tensor==1.0+local' <<<"$output" && grep -q '^ERROR: ResolutionImpossible' <<<"$output"
}
pip_replaces() {
    local output
    output=$(pip_in_overlay "pip install --no-index --find-links /usr/share/slipway-wheels slipway-vision")
    echo "$output"
    grep -q 'Successfully uninstalled slipway-tensor-1.0+local' <<<"$output" && grep -q '^Successfully installed slipway-tensor-2.0 slipway-vision-2.0' <<<"$output"
}

# --- Definition files

build_job() { there "export APPTAINER_CACHEDIR=$images_dir/.cache; srun -n1 --mem=2G apptainer build --force --fakeroot --no-https $1 $2"; }
definition_is_built() {
    says '^INFO:    Build complete: made.sif$' build_job made.sif Definition.python &&
        says '^made by root$' there "srun -n1 apptainer run made.sif"
}
stages_are_smaller() {
    local plain staged
    build_job plain.sif Definition.plain | tail -n 2
    build_job staged.sif Definition.staged | tail -n 2
    says '^3.1416$' there "srun -n1 apptainer run plain.sif" && says '^3.1416$' there "srun -n1 apptainer run staged.sif" || return 1
    plain=$(there "stat -c %s plain.sif") staged=$(there "stat -c %s staged.sif")
    echo "plain $plain, staged $staged"
    [ "$staged" -lt $((plain * 2 / 3)) ]
}

# --- How jobs end

endings_begin() {
    there "sbatch --parsable -o memory.out ending-memory.sh >memory.id && sbatch --parsable -o time.out ending-time.sh >time.id &&
        sbatch --parsable -o requeue.out ending-requeue.sh >requeue.id && cat *.id" | grep -c '^[0-9]*$' | grep -qx 3 || return 1
    there "setsid bash watch.sh >/dev/null 2>&1 </dev/null & true" || return 1
    for _ in {1..60}; do
        [ "$(there "cat requeue.out" | head -n 1)" = "restart 0" ] && break
        sleep 0.5
    done
    there "scontrol requeue \$(cat requeue.id)"
}
# ended NAME: waits for the job, prints its state
ended() {
    local state
    for _ in {1..180}; do
        state=$(there "cat $1.state" | sed -n 's/^ *JobState=\([A-Z_]*\) .*/\1/p')
        case $state in PENDING | RUNNING | COMPLETING | REQUEUED | '') sleep 1 ;; *) break ;; esac
    done
    echo "$state"
    there "cat $1.out"
}
memory_is_limited() {
    local output
    output=$(ended memory)
    echo "$output"
    grep -q '^\(FAILED\|OUT_OF_MEMORY\)$' <<<"$output" && grep -qi 'exceeded memory limit\|oom.kill' <<<"$output" && ! grep -q survived <<<"$output"
}
requeue_starts_again() {
    local output
    output=$(ended requeue)
    echo "$output"
    grep -q '^COMPLETED$' <<<"$output" && grep -q '^restart 0$' <<<"$output" && grep -q '^restart 1$' <<<"$output" && grep -q 'DUE TO JOB REQUEUE' <<<"$output"
}
time_is_limited() {
    local output
    output=$(ended time)
    echo "$output"
    grep -q '^TIMEOUT$' <<<"$output" && grep -q 'CANCELLED AT .* DUE TO TIME LIMIT \*\*\*' <<<"$output"
}
partition_is_refused() { says 'Invalid partition name specified' there "sbatch -p nowhere ending-time.sh"; }
