#!/usr/bin/env bash
# The large images at work: MPI and PyTorch on two nodes, a training, multi-stage builds; and how jobs end. Uses the
# instance that SLIPWAY_DEMO_DIR names, which is kept; otherwise one of its own.
set -uo pipefail
export SLIPWAY_DEMO_IMAGES=${SLIPWAY_DEMO_IMAGES:-python base devel mpi pytorch}
. "$(dirname -- "${BASH_SOURCE[0]}")/checks.sh"
need_programs mmdebstrap socat unshare nsenter setpriv flock ip ssh ssh-keygen

if [ -z "${SLIPWAY_DEMO_DIR:-}" ]; then
    SLIPWAY_DEMO_DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/demo-check.XXXXXX")/state
    trap '"$demo_cluster" reset >/dev/null 2>&1; rmdir -- "$(dirname -- "$SLIPWAY_DEMO_DIR")"' EXIT
fi
export SLIPWAY_DEMO_DIR
check "up builds and starts the cluster" comes_up
image_claims
# Started first, checked last: a time limit takes a minute.
check "jobs that end in different ways are started" endings_begin
check "the images are pulled" images_are_pulled base:13 devel:13 mpi:5 pytorch:2.6
check "the registry answers a request without a media type" registry_needs_no_media_type base:13
check "slipway-probe runs in every image" probe_runs_in python base devel mpi pytorch
check "a definition file is built, plain and in stages" stages_are_smaller
check "MPI: four ranks on two nodes form one world" mpi_is_one_world
check "MPI: the wrong plug-in gives worlds of one" mpi_mismatch_is_singletons
check "MPI: mpirun works inside one container" mpirun_in_container
check "PyTorch: two nodes by srun" torch_by_srun
check "PyTorch: two nodes by torchrun" torch_by_torchrun
check "a training on Fashion-MNIST learns" training_learns
check "an unknown partition is refused" partition_is_refused
check "a job over its memory is ended, and the log says so" memory_is_limited
check "a requeued job starts again and appends to its log" requeue_starts_again
check "a job over its time ends, and the log says so" time_is_limited
conclude
