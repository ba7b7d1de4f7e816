# shellcheck shell=bash disable=SC2034
# The images: their names, packages and variables.

# The images, in build order; SLIPWAY_DEMO_IMAGES selects some of them.
all_images=(python base devel mpi pytorch)
declare -A image_name=(
    [python]=demo/python:3.13 [base]=demo/base:13 [devel]=demo/devel:13 [mpi]=demo/mpi:5 [pytorch]=demo/pytorch:2.6
)
declare -A image_title=(
    [python]="Python 3.13 and pip" [base]="Debian 13, nothing added" [devel]="C compiler and make"
    [mpi]="Open MPI 5, its C compiler and mpi4py" [pytorch]="PyTorch 2.6 for CPUs"
)
declare -A image_packages=(
    [python]="python3 python3-pip"
    [base]=""
    [devel]="gcc libc6-dev make"
    [mpi]="openmpi-bin libopenmpi-dev gcc libc6-dev make python3-mpi4py python3-numpy"
    [pytorch]="python3-torch libopenblas0-pthread python3-rich python3-pip python3-setuptools dataset-fashion-mnist"
)
# Files of packages that are not needed here. Open MPI's plugins for AMD GPUs depend on a compiler and its libraries, a
# third of the image; gcc contains sanitizers and the link-time optimiser.
compiler_excludes="/usr/lib/*/lib?san.so* /usr/lib/*/libhwasan.so* /usr/lib/gcc/*/lib*san* /usr/libexec/gcc/*/lto1 /usr/lib/*/gprofng/*"
amd_excludes="/usr/lib/*/libLLVM* /usr/lib/llvm-* /usr/lib/*/libamd_comgr.so* /usr/lib/*/libamdhip64.so*"
declare -A image_excludes=(
    [mpi]="$amd_excludes /usr/lib/*/libz3.so* $compiler_excludes /usr/libexec/gcc/*/f951"
    [pytorch]="/usr/lib/python3*/EXTERNALLY-MANAGED $amd_excludes /usr/lib/libtorch-test/* /usr/lib/python3/dist-packages/torch/bin/test_*"
    [devel]="$compiler_excludes"
    # As in most images with pip: allow it to install over Debian's packages.
    [python]="/usr/lib/python3*/EXTERNALLY-MANAGED"
)
# Variables that the image sets.
declare -A image_environment=(
    # The two nodes share this machine's CPUs, so a waiting rank yields its CPU (7 s instead of 25).
    # Messages go through UCX: in Open MPI 5 the default (ob1) crashes if a rank's first message arrives while another is
    # still in MPI_Init (open-mpi/ompi issue 12495), 6 of 180 job steps on a busy machine; with UCX none of 160.
    # mpirun inside a container: more ranks than CPUs are fine, and it must not look for srun, which is not in the image.
    [mpi]="OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ucx OMPI_MCA_pml_ucx_tls=any OMPI_MCA_pml_ucx_devices=any UCX_TLS=tcp,self,sm PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_ras=^slurm PRTE_MCA_plm=^slurm"
    # Debian builds PyTorch without libuv, which its rendezvous uses by default.
    [pytorch]="USE_LIBUV=0"
)

# complete_NAME TREE: what is added to an image after its packages.
complete_python() {
    local tree=$1 wheels=/usr/share/slipway-wheels
    cp -- "$lib/make-wheels.py" "$tree/tmp/"
    chroot "$tree" python3 /tmp/make-wheels.py "$wheels"
    # The package that a later installation would replace.
    chroot "$tree" python3 -m pip install --quiet --root-user-action ignore --no-cache-dir --no-index --find-links "$wheels" slipway-tensor==1.0+local
    rm -f -- "$tree/tmp/make-wheels.py"
}

complete_pytorch() {
    local file folder=/usr/lib/python3/dist-packages/torch/distributed
    # torchrun's rendezvous and its workers use libuv even if USE_LIBUV is 0.
    for file in elastic/rendezvous/c10d_rendezvous_backend.py elastic/rendezvous/dynamic_rendezvous.py rendezvous.py; do
        case $file in
            rendezvous.py) sed -i 's/^\( *\)is_master=False,$/&\n\1use_libuv=use_libuv,/' "$1$folder/$file" ;;
            *) sed -i 's/^\( *\)multi_tenant=True,$/&\n\1use_libuv=False,/' "$1$folder/$file" ;;
        esac
        grep -q 'use_libuv=\(False\|use_libuv\),$' "$1$folder/$file"
        chroot "$1" python3 -m py_compile "$folder/$file"
    done
    # Only here, because the packages compile these files when they are configured.
    find "$1"/usr/lib/python3/dist-packages/{networkx,sympy} -depth -type d -name tests -exec rm -rf {} +
}

# image_parts: the requested images
image_parts() {
    local name
    for name in ${SLIPWAY_DEMO_IMAGES:-${all_images[*]}}; do
        [ -n "${image_name[$name]:-}" ] || return 1
        echo "$name-image"
    done
}

# image_of PART: its name and tag in the registry
image_of() { echo "${image_name[${1%-image}]}"; }
