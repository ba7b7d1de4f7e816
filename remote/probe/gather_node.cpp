// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/gather.h"

#include "remote/probe/node.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <new>

namespace slipway::probe {

namespace {

std::vector<std::string> filesIn(const std::string& folder)
{
    std::vector<std::string> names;
    DIR* open = opendir(folder.c_str());
    while (const dirent* entry = open ? readdir(open) : nullptr) {
        if (entry->d_name[0] != '.' && names.size() < 100'000)
            names.emplace_back(entry->d_name);
    }
    if (open)
        closedir(open);
    std::ranges::sort(names);
    return names;
}

/// NVIDIA cards on the bus, as the kernel numbers makers and kinds.
int cardsOnBus(const std::string& root)
{
    int count = 0;
    for (const std::string& name : filesIn(root + "/sys/bus/pci/devices")) {
        const std::string folder = root + "/sys/bus/pci/devices/" + name;
        count += readFile(folder + "/vendor").starts_with("0x10de")
            && readFile(folder + "/class").starts_with("0x03");
    }
    return count;
}

/// False: not readable.
bool readKernelLog(std::vector<Xid>& xids)
{
    constexpr int readAll = 3, size = 10;
    const int bytes = klogctl(size, nullptr, 0);
    if (bytes <= 0)
        return false;
    std::string text(size_t(std::min(bytes, 16 << 20)), '\0');
    const int length = klogctl(readAll, text.data(), int(text.size()));
    if (length < 0)
        return false;
    xids = readXids(std::string_view(text).substr(0, size_t(length)));
    return true;
}

/// A file below the control groups' folder, looked for in the group and each above it; the least
/// limit counts.
template <typename Read>
auto leastLimit(const std::string& root, const std::string& path, const char* name, Read read)
{
    decltype(read("")) least;
    for (const std::string& folder : withParents(path)) {
        const auto limit = read(readFile(root + folder + '/' + name));
        if (limit && (!least || *limit < *least))
            least = limit;
    }
    return least;
}

/// In a container the group's path is the node's, and what is mounted begins at the group itself.
std::string existing(const std::string& root, const std::string& path, const char* name)
{
    return access((root + path + '/' + name).c_str(), R_OK) == 0 ? path : std::string();
}

} // namespace

void collectDevices(const ChildPipe& pipe)
{
    const std::string root = environment("SLIPWAY_PROBE_ROOT"); // where tests have a driver
    const std::string driver = root + "/proc/driver/nvidia";
    DeviceFacts facts;
    pipe.stage("reading /proc/driver/nvidia");
    facts.driver = readDriverVersion(readFile(driver + "/version"));
    for (const std::string& name : filesIn(driver + "/gpus"))
        facts.gpus.push_back(readKernelGpu(readFile(driver + "/gpus/" + name + "/information")));
    facts.onBus = cardsOnBus(root);
    facts.kernelLogRead = readKernelLog(facts.xids);
    pipe.send(facts.toJson());
    for (const std::string& name : filesIn(root + "/dev")) {
        const bool card =
            name.starts_with("nvidia") && wholeNumber(std::string_view(name).substr(6));
        if (!card && name != "nvidiactl" && name != "nvidia-uvm")
            continue;
        pipe.stage("opening /dev/" + name);
        const int file = open((root + "/dev/" + name).c_str(), O_RDWR | O_CLOEXEC);
        facts.nodes.push_back({"/dev/" + name, file < 0 ? errno : 0});
        if (file >= 0)
            close(file);
        pipe.send(facts.toJson());
    }
}

NodeFacts readNode()
{
    NodeFacts node;
    node.cpu = readCpuInfo(readFile("/proc/cpuinfo", 1 << 16));
    node.online = int(sysconf(_SC_NPROCESSORS_ONLN));
    // From the kernel's list: a set of fixed size ends at 1024 CPUs.
    node.allowed = readCpuList(valueOf(readFile("/proc/self/status"), "Cpus_allowed_list"));
    cpu_set_t set;
    const bool asked = node.allowed.empty()
        && sched_getaffinity(0, sizeof set, &set) == 0; // where there is no /proc
    for (int cpu = 0; asked && cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set))
            node.allowed.push_back(cpu);
    }
    const std::string memory = readFile("/proc/meminfo");
    const auto bytes = [&](const char* name) {
        const auto value = readMemInfo(memory, name);
        return value ? std::optional(double(*value)) : std::nullopt;
    };
    node.memoryTotal = bytes("MemTotal");
    node.memoryAvailable = bytes("MemAvailable");
    const CgroupPaths groups = readCgroups(readFile("/proc/self/cgroup"));
    const std::string root = "/sys/fs/cgroup";
    if (!groups.unified.empty())
        node.quota = leastLimit(
            root, existing(root, groups.unified, "cgroup.controllers"), "cpu.max", readCpuMax);
    if (!node.quota && !groups.cpu.empty()) {
        const std::string folder =
            root + "/cpu" + existing(root + "/cpu", groups.cpu, "cpu.cfs_quota_us");
        node.quota = readCpuMax(std::string(trimmed(readFile(folder + "/cpu.cfs_quota_us"))) + ' '
            + std::string(trimmed(readFile(folder + "/cpu.cfs_period_us"))));
    }
    readCgroupMemory(node);
    if (const char* threads = std::getenv("OMP_NUM_THREADS"))
        node.ompThreads = threads;
    rlimit limit{};
    if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        node.lockable = double(limit.rlim_cur);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        node.openFiles = double(limit.rlim_cur);
    struct statvfs shm { };
    if (statvfs("/dev/shm", &shm) == 0)
        node.shm = double(shm.f_blocks) * double(shm.f_frsize);
    node.infiniband = !filesIn("/sys/class/infiniband").empty();
    for (int i = 0; i < 1024; ++i) {
        const std::string list =
            readFile("/sys/devices/system/node/node" + std::to_string(i) + "/cpulist");
        if (list.empty())
            break;
        node.numa.push_back(readCpuList(list));
    }
    node.load = decimalNumber(split(readFile("/proc/loadavg") + " 0", ' ')[0]).value_or(0);
    return node;
}

void readCgroupMemory(NodeFacts& node)
{
    const CgroupPaths groups = readCgroups(readFile("/proc/self/cgroup"));
    const auto take = [&](const std::string& root, const std::string& group, const char* limit,
                          const char* usage) {
        const std::string path = existing(root, group, usage);
        const auto bytes = leastLimit(root, path, limit, readMemoryLimit);
        const auto used = wholeNumber(readFile(root + path + '/' + usage));
        // Caches are released when memory is needed.
        const auto cached =
            wholeNumber(valueOf(readFile(root + path + "/memory.stat"), "inactive_file "));
        if (bytes) {
            node.memoryLimit = double(*bytes);
            if (used)
                node.memoryUsed = std::max(0.0, double(*used) - double(cached.value_or(0)));
        }
    };
    if (!groups.memory.empty())
        take("/sys/fs/cgroup/memory", groups.memory, "memory.limit_in_bytes",
            "memory.usage_in_bytes");
    else if (!groups.unified.empty())
        take("/sys/fs/cgroup", groups.unified, "memory.max", "memory.current");
}

void collectImage(const ChildPipe& pipe)
{
    const auto tell = [&](const Version& version, const std::string& source) {
        if (version)
            pipe.send(Json().set("version", version.text()).set("source", source));
        return bool(version);
    };
    for (const char* path : {"/usr/local/cuda/version.json", "/usr/local/cuda/version.txt"}) {
        if (tell(cudaOfVersionFile(readFile(path)), path))
            return;
    }
    std::vector<std::string> folders;
    for (const char* base :
        {"/usr/lib/python3", "/usr/local/lib", "/usr/lib", "/opt/conda/lib", "/opt/venv/lib"}) {
        for (const std::string& name : filesIn(base)) {
            if (name.starts_with("python3"))
                folders.insert(folders.end(),
                    {std::string(base) + '/' + name + "/site-packages",
                        std::string(base) + '/' + name + "/dist-packages"});
        }
    }
    for (const std::string& folder : folders) {
        for (const std::string& name : filesIn(folder)) {
            if (tell(cudaOfPackageName(name), folder + '/' + name))
                return;
        }
        if (tell(cudaOfTorch(readFile(folder + "/torch/version.py")), folder + "/torch/version.py"))
            return;
    }
    for (const std::string& name : filesIn("/opt/conda/conda-meta")) {
        if (tell(cudaOfPackageName(name), "/opt/conda/conda-meta/" + name))
            return;
    }
    for (const char* folder : {"/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu",
             "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/lib"}) {
        for (const std::string& name : filesIn(folder)) {
            if (tell(cudaOfLibraryName(name), std::string(folder) + '/' + name))
                return;
        }
    }
}

std::vector<std::pair<std::string, std::string>> diskPlaces()
{
    std::vector<std::pair<std::string, std::string>> places;
    std::vector<std::string> seen;
    const auto add = [&](const char* label, const std::string& path) {
        if (path.empty() || path[0] != '/' || std::ranges::find(seen, path) != seen.end())
            return;
        seen.push_back(path);
        places.emplace_back(label, path);
    };
    char here[PATH_MAX] = "";
    add("here", getcwd(here, sizeof here) ? here : "");
    add("home", environment("HOME"));
    add("tmp", environment("TMPDIR").empty() ? "/tmp" : environment("TMPDIR"));
    for (const char* name : {"SCRATCH", "WORK", "SCRATCHDIR", "SLURM_TMPDIR"}) {
        if (!environment(name).empty() && std::ranges::find(seen, environment(name)) == seen.end())
            add(lower(name).c_str(), environment(name));
    }
    const std::string cache = environment("APPTAINER_CACHEDIR");
    add("cache", cache.empty() ? environment("SINGULARITY_CACHEDIR") : cache);
    if (places.size() > 6)
        places.resize(6);
    return places;
}

DiskClaims& DiskClaims::shared()
{
    void* memory = mmap(
        nullptr, sizeof(DiskClaims), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    static DiskClaims own; // where there is no such memory each child has a copy: both write
    return memory == MAP_FAILED ? own : *new (memory) DiskClaims;
}

bool DiskClaims::claim(unsigned long device)
{
    for (std::atomic<unsigned long>& one : _devices) {
        unsigned long none = 0;
        if (one.compare_exchange_strong(none, device + 1))
            return true;
        if (none == device + 1)
            return false;
    }
    return false;
}

namespace {

/// Up to 64 MiB, synced in growing pieces and ended after a second: a slow disk is measured by
/// less.
void writeAndTime(const ChildPipe& pipe, int file)
{
    const std::vector<char> block(4 << 20, 'x');
    const auto begin = std::chrono::steady_clock::now();
    std::chrono::duration<double> seconds{};
    double written = 0;
    for (int blocks = 1; blocks <= 8 && seconds.count() < 1; blocks *= 2) {
        for (int i = 0; i < blocks; ++i) {
            const ssize_t done = ::write(file, block.data(), block.size());
            if (done != ssize_t(block.size())) {
                pipe.send(Json().set("error",
                    done < 0 ? std::string(std::strerror(errno)) : "no space or quota is left"));
                return;
            }
            written += double(block.size());
        }
        if (fsync(file) != 0) {
            pipe.send(Json().set("error", std::string(std::strerror(errno))));
            return;
        }
        seconds = std::chrono::steady_clock::now() - begin;
    }
    pipe.send(Json().set("write", written / std::max(seconds.count(), 1e-6)));
}

} // namespace

void collectDisk(const ChildPipe& pipe, const std::string& path, DiskClaims& claims)
{
    Json facts;
    pipe.stage("looking at its size");
    struct statvfs disk { };
    struct stat folder { };
    if (statvfs(path.c_str(), &disk) != 0 || stat(path.c_str(), &folder) != 0) {
        pipe.send(facts.set("error", std::string(std::strerror(errno))));
        return;
    }
    facts.set("free", double(disk.f_bavail) * double(disk.f_frsize))
        .set("total", double(disk.f_blocks) * double(disk.f_frsize));
    if (disk.f_files > 0)
        facts.set("files", double(disk.f_favail));
    char real[PATH_MAX];
    const std::vector<Mount> mounts = readMounts(readFile("/proc/self/mountinfo", 1 << 22));
    if (const Mount* mount = mountOf(mounts, realpath(path.c_str(), real) ? real : path))
        facts.set("type", mount->type).set("noexec", mount->has("noexec"));
    pipe.send(facts);
    if (access(path.c_str(), W_OK) != 0) {
        pipe.send(Json().set("error", std::string(std::strerror(errno))));
        return;
    }
    if (double(disk.f_bavail) * double(disk.f_frsize) < 512e6 || !claims.claim(folder.st_dev))
        return;
    // Without a name from the start, or without one at once: a probe that is killed leaves nothing
    // behind.
    pipe.stage("writing");
    int file = open(path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0
        && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT)) {
        std::string name = path + "/.slipway-probe-XXXXXX";
        file = mkostemp(name.data(), O_CLOEXEC);
        if (file >= 0)
            unlink(name.c_str());
    }
    if (file < 0) {
        pipe.send(Json().set("error", std::string(std::strerror(errno))));
        return;
    }
    writeAndTime(pipe, file);
}

Environment processEnvironment()
{
    return [](const char* name) {
        const char* value = std::getenv(name);
        return value ? std::optional<std::string>(value) : std::nullopt;
    };
}

} // namespace slipway::probe
