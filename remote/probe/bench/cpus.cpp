// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/cpus.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>

namespace slipway::probe {
namespace {

/// Passes the lines of a file to `take` until it has enough. No streams here: they would double the
/// size of the program.
void eachLine(const std::string& path, const std::function<bool(const std::string&)>& take)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen(path.c_str(), "re"), std::fclose);
    char text[1024];
    while (file && std::fgets(text, sizeof text, file.get())) {
        std::string line = text;
        if (line.ends_with('\n'))
            line.pop_back();
        if (!take(line))
            return;
    }
}

std::string firstLine(const std::string& path)
{
    std::string first;
    eachLine(path, [&](const std::string& line) {
        first = line;
        return false;
    });
    return first;
}

/// The cgroup of this process: its path in version 2, or in the cpu controller of version 1.
std::string cgroupPath(bool second)
{
    std::string path = "/";
    eachLine("/proc/self/cgroup", [&](const std::string& line) {
        const auto first = line.find(':'), last = line.find(':', first + 1);
        if (last == std::string::npos)
            return true;
        const std::string controllers = "," + line.substr(first + 1, last - first - 1) + ",";
        const bool found =
            second ? controllers == ",," : controllers.find(",cpu,") != std::string::npos;
        if (found)
            path = line.substr(last + 1);
        return !found;
    });
    return path;
}

/// The minimum of a group and the groups above it; any of them may have a limit.
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
        take(quotaOf(firstLine(folder + "/cpu.cfs_quota_us") + " "
            + firstLine(folder + "/cpu.cfs_period_us")));
    }
    return least;
}

double firstNumber(const std::string& path)
{
    const std::string line = firstLine(path);
    char* end = nullptr;
    const double number = std::strtod(line.c_str(), &end);
    return end == line.c_str() ? -1 : number; // "max" is none
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

std::vector<int> AllowedCpus::places(int threads) const
{
    return threads > 1 && threads == int(numbers.size()) ? numbers : std::vector<int>();
}

double quotaOf(const std::string& cpuMax)
{
    double quota = 0, period = 0; // "max" is no number
    return std::sscanf(cpuMax.c_str(), "%lf %lf", &quota, &period) == 2 && quota > 0 && period > 0
        ? quota / period
        : 0;
}

AllowedCpus allowedCpus()
{
    AllowedCpus cpus;
    // The kernel rejects a mask that is shorter than its own.
    for (int count = 1024; count <= 65536; count *= 4) {
        const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(
            CPU_ALLOC(size_t(count)), [](cpu_set_t* s) { CPU_FREE(s); });
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

double availableMemory()
{
    double least = 1e15;
    eachLine("/proc/meminfo", [&](const std::string& line) {
        const bool found = line.starts_with("MemAvailable:");
        if (found)
            least = std::strtod(line.c_str() + 13, nullptr) * 1024;
        return !found;
    });
    for (std::string path = cgroupPath(true); !path.empty(); path.resize(path.rfind('/'))) {
        const std::string folder = "/sys/fs/cgroup" + (path == "/" ? "" : path);
        const double most = firstNumber(folder + "/memory.max"),
                     used = firstNumber(folder + "/memory.current");
        if (most > 0 && used >= 0)
            least = std::min(least, most - used);
    }
    const double most = firstNumber("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
                 used = firstNumber("/sys/fs/cgroup/memory/memory.usage_in_bytes");
    return most > 0 && used >= 0 ? std::min(least, most - used) : least;
}

std::string processorName()
{
    std::string name;
    eachLine("/proc/cpuinfo", [&](const std::string& line) {
        const auto colon = line.find(':');
        if (colon != std::string::npos && colon + 2 < line.size()
            && (line.starts_with("model name") || line.starts_with("Processor")))
            name = line.substr(colon + 2);
        return name.empty();
    });
    return name;
}

} // namespace slipway::probe
