// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/facts.h"

#include <algorithm>
#include <cmath>

namespace slipway::probe {

namespace {

/// CPUs that this process can keep busy at once.
double usableCpus(const NodeFacts& node)
{
    const double allowed = node.allowed.empty() ? node.online : double(node.allowed.size());
    return node.quota ? std::min(allowed, *node.quota) : allowed;
}

/// CPUs of the process according to Slurm; 0: unknown.
int slurmCpus(const SlurmEnv& slurm)
{
    return slurm.cpusPerTask.value_or(slurm.cpusOnNode.value_or(0));
}

} // namespace

Row cpuRow(const Facts& facts)
{
    const NodeFacts& node = facts.node;
    const int allowed = int(node.allowed.size());
    Row row = Row::ok("cpu",
        std::to_string(allowed) + " of " + counted(node.online, "CPU")
            + (node.cpu.model.empty() ? "" : ", " + node.cpu.model));
    row.data.set("model", node.cpu.model)
        .set("instructions", node.cpu.instructions())
        .set("cpus", allowed)
        .set("online", node.online);
    row.data.set("list", cpuListText(node.allowed)).set("quota", node.quota).set("load", node.load);
    row.data.set("slurm_cpus_per_task", facts.slurm.cpusPerTask)
        .set("slurm_cpus_on_node", facts.slurm.cpusOnNode);
    if (!facts.slurm.inJob) {
        if (node.quota && *node.quota < allowed)
            row.why = "Its control group may take the time of " + numberText(*node.quota)
                + " CPUs, as login nodes often limit it.";
        return row;
    }
    const int perTask = facts.slurm.cpusPerTask.value_or(0),
              onNode = facts.slurm.cpusOnNode.value_or(0);
    if (perTask > 0)
        row.expected = counted(perTask, "CPU") + " for a task";
    else if (onNode > 0)
        row.expected = counted(onNode, "CPU");
    if (perTask > allowed) {
        row.state = State::Warn;
        row.why = "The job requested " + counted(perTask, "CPU") + " per task and may run on "
            + std::to_string(allowed)
            + ": since Slurm 22.05 srun does not take --cpus-per-task over from sbatch.";
        row.fix = "Give srun the number as well: srun --cpus-per-task=" + std::to_string(perTask)
            + ", or export SRUN_CPUS_PER_TASK=" + std::to_string(perTask) + ".";
    } else if (node.quota && *node.quota + 0.01 < std::min<double>(allowed, std::max(perTask, 1))) {
        row.state = State::Warn;
        row.why =
            "Its control group may take the time of " + numberText(*node.quota) + " CPUs only.";
        row.fix = "Start no more threads than that (OMP_NUM_THREADS="
            + std::to_string(std::max(1, int(*node.quota))) + ").";
    } else if (allowed == 1 && onNode > 1 && perTask == 0) {
        row.state = State::Warn;
        row.why = "The job has " + counted(onNode, "CPU")
            + " on this node, and this process may run on one: threads would share it.";
        row.fix = "Request CPUs per task (--cpus-per-task=" + std::to_string(onNode)
            + "), or start it with srun --cpu-bind=none.";
    } else if (onNode > 0 && allowed > 2 * onNode) {
        // Twice as many is one core's two threads.
        row.state = State::Warn;
        row.why = "The site does not confine jobs to their CPUs: all " + std::to_string(allowed)
            + " are open to this process, and the job has " + std::to_string(onNode)
            + ". Programs that count for themselves start too many threads.";
        row.fix = "Set OMP_NUM_THREADS=" + std::to_string(std::max(perTask, 1)) + " in the job.";
    }
    return row;
}

Row threadsRow(const Facts& facts)
{
    const double cpus = usableCpus(facts.node);
    const int wanted = facts.slurm.inJob && slurmCpus(facts.slurm) > 0
        ? std::min(slurmCpus(facts.slurm), std::max(1, int(cpus)))
        : std::max(1, int(cpus));
    if (!facts.node.ompThreads) {
        Row row = Row::ok("threads", "OMP_NUM_THREADS is not set");
        row.why = "Programs take all " + counted(std::max(1, int(cpus)), "CPU")
            + " that they may run on.";
        return row;
    }
    const auto threads = readFirstCount(*facts.node.ompThreads);
    Row row = Row::ok("threads", "OMP_NUM_THREADS=" + *facts.node.ompThreads);
    row.data.set("omp_num_threads", threads).set("cpus", cpus);
    if (!threads || *threads == 0) {
        row.state = State::Warn;
        row.why = "OMP_NUM_THREADS is not a number.";
        row.fix = "Set OMP_NUM_THREADS=" + std::to_string(wanted) + ".";
    } else if (facts.slurm.inJob && *threads > cpus) {
        row.state = State::Warn;
        row.why = std::to_string(*threads) + " threads would share "
            + counted(std::max(1, int(cpus)), "CPU") + ".";
        row.fix = "Set OMP_NUM_THREADS=" + std::to_string(wanted) + ".";
    } else if (facts.slurm.inJob && *threads == 1 && wanted > 1) {
        row.state = State::Warn;
        row.why = "Programs start one thread, and this process has " + counted(wanted, "CPU") + ".";
        row.fix =
            "Set OMP_NUM_THREADS=" + std::to_string(wanted) + " where the program is one process.";
    }
    return row;
}

Row memoryRow(const Facts& facts)
{
    const NodeFacts& node = facts.node;
    if (!node.memoryTotal)
        return Row::skip("memory", "/proc/meminfo cannot be read.");
    const bool limited = node.memoryLimit && *node.memoryLimit < *node.memoryTotal;
    const double may = limited ? *node.memoryLimit : *node.memoryTotal;
    Row row = Row::ok(
        "memory", sizeText(may) + (limited ? " of the node's " + sizeText(*node.memoryTotal) : ""));
    row.data.set("limit", node.memoryLimit)
        .set("used", node.memoryUsed)
        .set("total", node.memoryTotal)
        .set("available", node.memoryAvailable)
        .set("slurm", facts.slurm.memory);
    if (facts.slurm.inJob && facts.slurm.memory) {
        row.expected = sizeText(*facts.slurm.memory);
        if (limited && may < 0.9 * *facts.slurm.memory) {
            row.state = State::Warn;
            row.why = "The job requested " + sizeText(*facts.slurm.memory)
                + ", and its control group ends programs at " + sizeText(may) + ".";
            row.fix = "Count on " + sizeText(may) + ", or ask for more (--mem).";
        } else if (!limited && *facts.slurm.memory < *node.memoryTotal * 0.95) {
            row.why = "The site does not confine jobs to their memory: nothing stops a program at "
                + sizeText(*facts.slurm.memory) + ", and a full node may end any of its jobs.";
        }
    }
    if (node.memoryAvailable && *node.memoryAvailable < 0.05 * *node.memoryTotal
        && row.state == State::Ok) {
        row.state = State::Warn;
        row.why = "Only " + sizeText(*node.memoryAvailable) + " of the node's memory is free.";
        row.fix = facts.slurm.inJob ? "Request another node (sbatch --exclude=" + facts.nodeName
                + "), or for the whole node (--exclusive)."
                                    : "Avoid large tasks on this login node now.";
    }
    return row;
}

Row limitsRow(const Facts& facts)
{
    const NodeFacts& node = facts.node;
    Row row = Row::ok("limits",
        (node.lockable ? sizeText(*node.lockable) + " may be locked"
                       : std::string("memory may be locked"))
            + ", " + numberText(node.openFiles.value_or(0)) + " open files");
    row.data.set("lockable", node.lockable).set("open_files", node.openFiles);
    if (!facts.slurm.inJob)
        return row;
    if (node.infiniband && node.lockable && *node.lockable < 64.0 * (1 << 20)) {
        row.state = State::Warn;
        row.why = "Only " + sizeText(*node.lockable)
            + " of memory may be locked: InfiniBand (NCCL, MPI) fails to register its buffers.";
        row.fix = "Ask the site for PropagateResourceLimitsExcept=MEMLOCK and an unlimited memlock "
                  "of slurmd, or log in with ulimit -l unlimited.";
    } else if (node.openFiles && *node.openFiles < 1024) {
        row.state = State::Warn;
        row.why = "Only " + numberText(*node.openFiles)
            + " files may be open at once: data loaders with many workers fail.";
        row.fix = "Put ulimit -n 65536 into the job.";
    }
    return row;
}

Row shmRow(const Facts& facts)
{
    const std::optional<double>& shm = facts.node.shm;
    if (!shm)
        return Row::skip("shm", "/dev/shm cannot be checked.");
    Row row = Row::ok("shm", sizeText(*shm));
    row.data.set("bytes", *shm);
    if (*shm < 128.0 * (1 << 20)) {
        row.state = State::Warn;
        row.expected = "1 GiB or more";
        row.why = "Shared memory of " + sizeText(*shm)
            + " is too little for PyTorch's data loaders with workers, and for NCCL: they die with "
              "a bus error.";
        row.fix = facts.runtime == "docker" || facts.runtime == "podman"
            ? "Start the container with --shm-size=8g or --ipc=host."
            : "Start data loaders with num_workers=0, or ask the site for a larger /dev/shm.";
    }
    return row;
}

Row numaRow(const Facts& facts)
{
    const NodeFacts& node = facts.node;
    if (node.numa.size() < 2)
        return Row::skip("numa", "The node has one memory domain.");
    Row row = Row::ok("numa", counted(int(node.numa.size()), "memory domain"));
    Json::Array domains;
    for (const std::vector<int>& cpus : node.numa)
        domains.push_back(cpuListText(cpus));
    row.data.set("domains", domains);
    Json::Array near;
    for (const CudaGpu& gpu : facts.cuda.gpus) {
        const auto it = std::ranges::find_if(facts.nvml.gpus,
            [&](const NvmlGpu& one) { return one.uuid == gpu.card || one.uuid == gpu.uuid; });
        const std::vector<int> cpus =
            it == facts.nvml.gpus.end() ? std::vector<int>() : readCpuList(it->cpus);
        if (cpus.empty())
            continue;
        near.push_back(Json().set("index", gpu.ordinal).set("cpus", it->cpus));
        const bool shared = std::ranges::any_of(cpus,
            [&](int cpu) { return std::ranges::find(node.allowed, cpu) != node.allowed.end(); });
        if (!shared && facts.slurm.inJob) {
            row.state = State::Warn;
            row.why = "None of the job's CPUs (" + cpuListText(node.allowed) + ") is near to GPU "
                + std::to_string(gpu.ordinal) + " (" + it->cpus + "): copies cross the node.";
            row.fix = "Ask Slurm to choose them together: --gres-flags=enforce-binding.";
        }
    }
    row.data.set("gpus", near);
    return row;
}

Row diskRow(const Facts& facts, const DiskFacts& disk)
{
    const std::string id = "disk." + disk.label;
    // A check that was never started says nothing about the disk, and must not end a job.
    if (!disk.trouble.empty() && !disk.begun)
        return Row::warn(id, disk.path,
            "Looking at " + disk.path + " " + disk.trouble + ": the check did not start in time.",
            "Check again when the node is less busy.");
    if (!disk.trouble.empty() && !disk.free)
        return Row::fail(id, disk.path,
            "Looking at " + disk.path + " " + disk.trouble + ": its file server may be down.",
            "Ask the site, and keep the job's files elsewhere until then.");
    if (!disk.free && disk.error == "No such file or directory")
        return Row::skip(id, "There is no folder " + disk.path + " here.");
    // Apptainer creates the parent folders of binds, which are not writable.
    const bool imageType =
        disk.type == "tmpfs" || disk.type == "overlay" || disk.type == "squashfs";
    const bool ofTheImage = contains(disk.error, "Read-only")
        || (imageType && contains(disk.error, "Permission denied"));
    const bool container = facts.place == Place::Container;
    if (container && disk.label != "tmp" && ofTheImage)
        return Row::skip(id, disk.path + " is not bound into the container.");
    Row row = Row::ok(id,
        sizeText(disk.free.value_or(0)) + " free at " + disk.path
            + (disk.type.empty() ? "" : " (" + disk.type + ")"));
    row.data.set("path", disk.path)
        .set("type", disk.type)
        .set("free", disk.free)
        .set("total", disk.total)
        .set("files_free", disk.inodesFree)
        .set("write", disk.writeRate)
        .set("noexec", disk.noexec);
    if (disk.writeRate)
        row.value += ", writes " + sizeText(*disk.writeRate) + "/s";
    const auto warn = [&](State state, const std::string& why, const std::string& fix) {
        row.state = state;
        row.why = why;
        row.fix = fix;
    };
    if (!disk.error.empty())
        warn(disk.label == "home" || disk.label == "scratch" || (disk.label == "here" && container)
                ? State::Warn
                : State::Fail,
            "Nothing can be written to " + disk.path + ": " + disk.error + ".",
            contains(disk.error, "quota") || contains(disk.error, "space")
                ? "Remove what is no longer needed there, or use another folder."
                : "Use another folder, or ask the site.");
    else if (!disk.trouble.empty())
        warn(State::Warn, "Writing to " + disk.path + " " + disk.trouble + ".",
            "Keep checkpoints and data elsewhere while it is this slow.");
    else if (disk.free && *disk.free < 1e9)
        warn(State::Warn, "Only " + sizeText(*disk.free) + " is free at " + disk.path + ".",
            "Remove what is no longer needed there, or use another folder.");
    else if (disk.inodesFree && disk.total.value_or(0) > 0 && *disk.inodesFree < 1000)
        warn(State::Warn,
            "Only " + counted(int(*disk.inodesFree), "more file") + " can be made at " + disk.path
                + ".",
            "Remove folders of many small files (conda, pip) there.");
    else if (disk.noexec && disk.label != "home")
        warn(State::Warn,
            "Programs may not be started from " + disk.path
                + " (noexec): what compiles as it goes (Triton, torch.compile) fails there.",
            "Point TMPDIR and TRITON_CACHE_DIR elsewhere.");
    else if (disk.writeRate && *disk.writeRate < 20e6)
        warn(State::Warn, "It takes " + sizeText(*disk.writeRate) + "/s only.",
            "Keep checkpoints and data elsewhere while it is this slow.");
    return row;
}

Row runtimeRow(const Facts& facts)
{
    if (facts.place == Place::Container) {
        Row row = Row::ok("container", facts.runtime.empty() ? "unknown" : facts.runtime);
        row.data.set("runtime", facts.runtime);
        return row;
    }
    Row row = Row::ok("runtime", {});
    std::vector<std::string> words;
    for (const ProgramFacts& program : facts.runtimes) {
        words.push_back(program.name + (program.version.empty() ? "" : " " + program.version));
        if (program.late) {
            row.state = State::Warn;
            row.why = program.name + " does not respond to a query of its version.";
            row.fix = "Try " + program.name + " --version by hand; its file system may be slow.";
        }
        row.data.set(program.name, program.version);
    }
    if (facts.pyxis) {
        words.push_back("pyxis");
        row.data.set("pyxis", true);
    }
    row.value = joined(words);
    if (words.empty())
        return Row::skip("runtime", "No container runtime is on the PATH here.",
            "Load one (module load apptainer), or ask the site which one it has.");
    return row;
}

Row mpiRow(const Facts& facts)
{
    std::vector<std::string> words;
    Row row = Row::ok("mpi", {});
    if (!facts.mpirun.name.empty())
        words.push_back(facts.mpirun.version.empty() ? facts.mpirun.name : facts.mpirun.version);
    if (!facts.mpiKinds.empty())
        words.push_back("srun offers " + joined(facts.mpiKinds, ", "));
    row.value = joined(words, "; ");
    row.data.set("kinds", Json::list(facts.mpiKinds))
        .set("versions", Json::list(facts.mpiVersions))
        .set("mpirun", facts.mpirun.version)
        .set("default", facts.slurm.mpiType);
    if (facts.srun.late) {
        row.state = State::Warn;
        row.why = "srun --mpi=list does not answer in time.";
        row.fix = "Try it by hand: Slurm's controller may be busy.";
    }
    if (words.empty() && !facts.srun.late)
        return Row::skip("mpi",
            facts.place == Place::Container ? "There is no mpirun in the image."
                                            : "There is neither srun nor mpirun on the PATH here.");
    const auto offers = [&](std::string_view kind) {
        return std::ranges::any_of(
            facts.mpiKinds, [&](const std::string& one) { return one.starts_with(kind); });
    };
    if (!facts.mpiKinds.empty() && !offers("pmix") && !offers("pmi2") && !offers("cray")) {
        row.state = State::Warn;
        row.why = "srun offers no PMI that a current MPI supports: each rank of a program would "
                  "believe that it is alone.";
        row.fix = "Start MPI programs with mpirun inside one allocation, or ask the site for "
                  "Slurm's PMIx.";
    } else if (!facts.mpiKinds.empty() && !offers("pmix")
        && contains(facts.mpirun.version, "Open MPI")
        && Version::of(facts.mpirun.version.substr(facts.mpirun.version.find("Open MPI") + 8))
                .major()
            >= 5) {
        row.state = State::Warn;
        row.why = "Open MPI 5 supports only PMIx, which srun does not offer.";
        row.fix = "Start the program with mpirun, or use an Open MPI 4 with PMI2.";
    }
    return row;
}

} // namespace slipway::probe
