// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/cpus.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

namespace slipway::probe {
namespace {

std::string firstLine(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// The cgroup of this process: its path in version 2, or in the cpu controller of version 1.
std::string cgroupPath(bool second)
{
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const auto first = line.find(':'), last = line.find(':', first + 1);
        if (last == std::string::npos)
            continue;
        const std::string controllers = "," + line.substr(first + 1, last - first - 1) + ",";
        if (second ? controllers == ",," : controllers.find(",cpu,") != std::string::npos)
            return line.substr(last + 1);
    }
    return "/";
}

/// The least of a group and the groups above it; a limit may stand in any of them.
double groupQuota()
{
    double least = 0;
    const auto take = [&](double quota) {
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    };
    for (std::string path = cgroupPath(true); !path.empty(); path.resize(path.rfind('/')))
        take(quotaOf(firstLine("/sys/fs/cgroup" + (path == "/" ? "" : path) + "/cpu.max")));
    take(quotaOf(firstLine("/sys/fs/cgroup/cpu.max")));
    for (std::string path = cgroupPath(false); !path.empty(); path.resize(path.rfind('/'))) {
        const std::string folder = "/sys/fs/cgroup/cpu" + (path == "/" ? "" : path);
        take(quotaOf(firstLine(folder + "/cpu.cfs_quota_us") + " " + firstLine(folder + "/cpu.cfs_period_us")));
    }
    return least;
}

long sizeOf(const std::string& text)
{
    char* unit = nullptr;
    const long number = std::strtol(text.c_str(), &unit, 10);
    return *unit == 'K' ? number * 1024 : *unit == 'M' ? number * 1024 * 1024 : number;
}

} // namespace

int AllowedCpus::threads() const
{
    const int count = std::max<int>(1, int(numbers.size()));
    return quota > 0 ? std::clamp(int(std::ceil(quota - 0.01)), 1, count) : count;
}

double quotaOf(const std::string& cpuMax)
{
    std::istringstream in(cpuMax);
    double quota = 0, period = 0;
    in >> quota >> period; // "max" is no number
    return in && quota > 0 && period > 0 ? quota / period : 0;
}

AllowedCpus allowedCpus()
{
    AllowedCpus cpus;
    // The kernel refuses a mask that is shorter than its own.
    for (int count = 1024; count <= 65536; count *= 4) {
        const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(size_t(count)), [](cpu_set_t* s) { CPU_FREE(s); });
        const size_t bytes = CPU_ALLOC_SIZE(size_t(count));
        if (!set || sched_getaffinity(0, bytes, set.get()) != 0)
            continue;
        for (int cpu = 0; cpu < count; ++cpu) {
            if (CPU_ISSET_S(size_t(cpu), bytes, set.get()))
                cpus.numbers.push_back(cpu);
        }
        break;
    }
    if (cpus.numbers.empty()) {
        for (int cpu = 0; cpu < std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)); ++cpu)
            cpus.numbers.push_back(cpu);
    }
    cpus.quota = groupQuota();
    return cpus;
}

CacheSizes cacheSizes(const std::string& folder)
{
    CacheSizes sizes;
    for (int index = 0; index < 8; ++index) {
        const std::string base = folder + "/index" + std::to_string(index) + "/";
        const std::string level = firstLine(base + "level"), type = firstLine(base + "type");
        const long size = sizeOf(firstLine(base + "size"));
        if (size <= 0 || type == "Instruction")
            continue;
        (level == "1" ? sizes.first : level == "2" ? sizes.second : sizes.third) = size;
    }
    return sizes;
}

std::string processorName()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(':');
        if (colon != std::string::npos && colon + 2 < line.size() && (line.rfind("model name", 0) == 0 || line.rfind("Processor", 0) == 0))
            return line.substr(colon + 2);
    }
    return {};
}

} // namespace slipway::probe
