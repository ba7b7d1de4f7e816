# shellcheck shell=bash disable=SC2034,SC2154
# Which release of Slurm the cluster runs. The base system has the default one; another one has a root tree of its own:
# a copy of the base system in which the packages of another Debian release have replaced Slurm's.

default_release=24.11
# The word for "up --slurm", and the Debian release that has it. In sid it changes: "newest" is whatever is there.
declare -A release_suite=([20.11]=bullseye [22.05]=bookworm [24.11]=trixie [26.05]=sid [newest]=sid)
# With slurmdbd and a database, for "up --accounting". Not the default release: the client library of trixie's MariaDB
# (11.8.9) refuses each answer to slurmdbd ("exceeds maxmimum allowed number of columns (=0)").
accounting_release=22.05
accounting_word=$accounting_release-accounting
release_suite[$accounting_word]=${release_suite[$accounting_release]}
release_words="20.11, 22.05, 24.11, 26.05, newest"
release_packages=(slurm-wlm slurmctld slurmd slurm-client slurm-wlm-basic-plugins)
# What else must come from that Debian release, and what gives way to it ("-").
declare -A release_more=([20.11]="libpmix2 libpmix2t64-" [22.05]="libpmix2 libpmix2t64-" [26.05]="libhwloc15 libhwloc-plugins libze1" [newest]="libhwloc15 libhwloc-plugins libze1")
release_more[$accounting_word]="${release_more[$accounting_release]} slurmdbd slurm-wlm-mysql-plugin mariadb-server-core mariadb-client-core mariadb-common libmariadb3"

release_file=$state_dir/slurm.release   # the word of the last start; no file: the default
slurm_word=$default_release
slurmctld_dir=$state_dir/slurmctld

# use_release WORD: the tree and Slurm's state of that release. Slurm cannot read the state of a newer one.
use_release() {
    slurm_word=$1
    base_dir=$plain_base_dir slurmctld_dir=$state_dir/slurmctld
    [ "$1" = $default_release ] || base_dir=$state_dir/releases/$1 slurmctld_dir=$state_dir/slurmctld-$1
}

# has_pmix: Debian builds the newest release without that plug-in
has_pmix() { compgen -G "$base_dir/usr/lib/*/slurm-wlm/mpi_pmix.so" >/dev/null; }

# read_release: the release of the last start
read_release() {
    local word=
    [ ! -r "$release_file" ] || read -r word <"$release_file"
    [ -n "${release_suite[${word:-none}]:-}" ] || word=$default_release
    use_release "$word"
}

# keep_release: its folders, and its word for the programs inside the namespaces and the next command
keep_release() {
    mkdir -p -- "$slurmctld_dir" && echo "$slurm_word" >"$release_file.new" && mv -- "$release_file.new" "$release_file"
}

# release_part WORD: the part that has to be built for it; nothing for the default
release_part() { [ "$1" = $default_release ] || echo "slurm-$1"; }

# has_accounting: whether this start has slurmdbd and its database
has_accounting() { [ "$slurm_word" = "$accounting_word" ]; }

# release_title WORD: "Slurm 22.05"
release_title() { case $1 in *-accounting) echo "Slurm ${1%-accounting} with accounting" ;; *) echo "Slurm $1" ;; esac; }

# slurm_title: ", Slurm 22.05", where it is not the default
slurm_title() { [ "$slurm_word" = $default_release ] || echo ", $(release_title "$slurm_word")"; }
