// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/procfiles.h"

#include "remote/probe/core/text.h"

#include <algorithm>
#include <cmath>

namespace slipway::probe {

namespace {

constexpr int mostCpus = 65536;

/// The word behind the first that is written as a driver's version: three groups of digits, or two.
std::string driverNumber(std::string_view line)
{
    for (const std::string& word : split(line, ' ')) {
        const bool plain =
            word.find_first_not_of("0123456789.") == word.npos && contains(word, ".");
        if (plain && Version::of(word).numbers.size() >= 2)
            return word;
    }
    return {};
}

/// mountinfo writes a space as \040.
std::string unescaped(std::string_view text)
{
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        const auto digit = [&](size_t at) {
            return at < text.size() && text[at] >= '0' && text[at] <= '7' ? text[at] - '0' : -1;
        };
        if (text[i] == '\\' && digit(i + 1) >= 0 && digit(i + 2) >= 0 && digit(i + 3) >= 0) {
            result += char(digit(i + 1) * 64 + digit(i + 2) * 8 + digit(i + 3));
            i += 3;
        } else {
            result += text[i];
        }
    }
    return result;
}

} // namespace

std::optional<KernelDriver> readDriverVersion(std::string_view text)
{
    const std::string line = valueOf(text, "NVRM version");
    const std::string version = driverNumber(line);
    if (version.empty())
        return {};
    return KernelDriver{version, contains(line, "Open Kernel Module")};
}

KernelGpu readKernelGpu(std::string_view text)
{
    KernelGpu gpu{
        valueOf(text, "Model"), valueOf(text, "GPU UUID"), valueOf(text, "Bus Location"), {}};
    if (const auto minor = wholeNumber(valueOf(text, "Device Minor"));
        minor && *minor >= 0 && *minor < 4096)
        gpu.minor = int(*minor);
    return gpu;
}

std::vector<Xid> readXids(std::string_view kernelLog)
{
    std::vector<Xid> xids;
    constexpr std::string_view mark = "NVRM: Xid (PCI:";
    for (const std::string& line : split(kernelLog, '\n')) {
        const size_t at = line.find(mark);
        const size_t close = at == line.npos ? at : line.find("):", at);
        if (close == line.npos)
            continue;
        const std::string_view rest = std::string_view(line).substr(close + 2);
        const size_t comma = std::min(rest.find(','), rest.size());
        const auto code = wholeNumber(rest.substr(0, comma));
        if (!code || *code < 0 || *code > 100000)
            continue;
        const std::string_view said =
            comma < rest.size() ? trimmed(rest.substr(comma + 1)) : std::string_view();
        xids.push_back({line.substr(at + mark.size(), close - at - mark.size()), int(*code),
            std::string(said)});
    }
    return xids;
}

bool CpuInfo::has(std::string_view feature) const
{
    return std::ranges::find(features, feature) != features.end();
}

std::string CpuInfo::instructions() const
{
    if (has("avx512f"))
        return "AVX-512";
    if (has("avx2"))
        return has("fma") ? "AVX2" : "AVX2 without FMA";
    if (has("avx"))
        return "AVX";
    if (has("sve"))
        return "SVE";
    return has("asimd") ? "NEON" : has("sse2") ? "SSE2" : "";
}

CpuInfo readCpuInfo(std::string_view text)
{
    CpuInfo info;
    info.model = valueOf(text, "model name");
    if (info.model.empty() && !valueOf(text, "CPU implementer").empty())
        info.model = "ARM implementer " + valueOf(text, "CPU implementer") + " part "
            + valueOf(text, "CPU part");
    info.features = split(valueOf(text, "flags"), ' ');
    if (info.features.empty())
        info.features = split(valueOf(text, "Features"), ' ');
    return info;
}

std::optional<std::uint64_t> readMemInfo(std::string_view text, std::string_view name)
{
    const std::vector<std::string> words = split(valueOf(text, std::string(name) + ':'), ' ');
    const auto value = words.empty() ? std::nullopt : wholeNumber(words[0]);
    if (!value || *value < 0 || *value > (1ll << 52))
        return {};
    return std::uint64_t(*value) * (words.size() > 1 && words[1] == "kB" ? 1024 : 1);
}

std::vector<CpuTimes> readCpuTimes(std::string_view text)
{
    std::vector<CpuTimes> all;
    for (const std::string& line : split(text, '\n')) {
        const std::vector<std::string> words = split(line, ' ');
        if (words.size() < 5 || !words[0].starts_with("cpu"))
            continue;
        const auto cpu = wholeNumber(std::string_view(words[0]).substr(3));
        if (!cpu || *cpu < 0 || *cpu >= mostCpus)
            continue;
        CpuTimes times{int(*cpu), 0, 0};
        // user nice system idle iowait irq softirq steal; what guests take is in user already
        for (size_t i = 1; i < std::min<size_t>(words.size(), 9); ++i) {
            const auto ticks = wholeNumber(words[i]);
            const std::uint64_t value = ticks && *ticks > 0 ? std::uint64_t(*ticks) : 0;
            times.total += value;
            times.busy += i == 4 || i == 5 ? 0 : value;
        }
        all.push_back(times);
    }
    return all;
}

std::optional<double> cpuPercent(const std::vector<CpuTimes>& before,
    const std::vector<CpuTimes>& after, const std::vector<int>& cpus)
{
    double busy = 0, total = 0;
    for (const CpuTimes& now : after) {
        const auto then = std::ranges::find(before, now.cpu, &CpuTimes::cpu);
        if (then == before.end() || std::ranges::find(cpus, now.cpu) == cpus.end()
            || now.total <= then->total)
            continue;
        busy += now.busy > then->busy ? double(now.busy - then->busy) : 0;
        total += double(now.total - then->total);
    }
    return total > 0 ? std::optional(std::min(100.0, 100 * busy / total)) : std::nullopt;
}

std::vector<int> readCpuList(std::string_view text)
{
    std::vector<int> cpus;
    for (const std::string& part : split(text, ',')) {
        const size_t dash = part.find('-');
        const auto first = wholeNumber(std::string_view(part).substr(0, dash));
        const auto last =
            dash == part.npos ? first : wholeNumber(std::string_view(part).substr(dash + 1));
        if (!first || !last || *first < 0 || *last >= mostCpus)
            continue;
        for (long long cpu = *first; cpu <= *last; ++cpu)
            cpus.push_back(int(cpu));
    }
    std::ranges::sort(cpus);
    cpus.erase(std::ranges::unique(cpus).begin(), cpus.end());
    return cpus;
}

std::string cpuListText(const std::vector<int>& cpus)
{
    std::string text;
    for (size_t i = 0; i < cpus.size();) {
        size_t last = i;
        while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1)
            ++last;
        (text.empty() ? text : text += ',') += std::to_string(cpus[i]);
        if (last > i)
            text += '-' + std::to_string(cpus[last]);
        i = last + 1;
    }
    return text;
}

bool Mount::has(std::string_view option) const
{
    return std::ranges::find(options, option) != options.end();
}

std::vector<Mount> readMounts(std::string_view mountinfo)
{
    std::vector<Mount> mounts;
    for (const std::string& line : split(mountinfo, '\n')) {
        const std::vector<std::string> words = split(line, ' ');
        const auto dash = std::ranges::find(words, "-");
        if (words.size() < 6 || words.end() - dash < 3)
            continue;
        mounts.push_back({unescaped(words[4]), dash[1], unescaped(dash[2]), split(words[5], ',')});
    }
    return mounts;
}

const Mount* mountOf(const std::vector<Mount>& mounts, std::string_view path)
{
    const Mount* best = nullptr;
    for (const Mount& mount : mounts) {
        const std::string& point = mount.point;
        const bool above = point == "/"
            || (path.starts_with(point)
                && (path.size() == point.size() || path[point.size()] == '/'));
        // Of two on one place the later one is seen.
        if (above && (!best || point.size() >= best->point.size()))
            best = &mount;
    }
    return best;
}

CgroupPaths readCgroups(std::string_view text)
{
    CgroupPaths paths;
    for (const std::string& line : split(text, '\n')) {
        const size_t first = line.find(':');
        const size_t second = first == line.npos ? first : line.find(':', first + 1);
        if (second == line.npos)
            continue;
        const std::string path = line.substr(second + 1);
        const std::vector<std::string> controllers =
            split(line.substr(first + 1, second - first - 1), ',');
        if (line.starts_with("0::"))
            paths.unified = path;
        for (const std::string& controller : controllers) {
            if (controller == "memory")
                paths.memory = path;
            else if (controller == "cpu")
                paths.cpu = path;
        }
    }
    return paths;
}

std::vector<std::string> withParents(std::string_view path)
{
    std::vector<std::string> folders;
    while (path.size() > 1) {
        folders.emplace_back(path);
        path = path.substr(0, path.rfind('/') == path.npos ? 0 : path.rfind('/'));
    }
    folders.emplace_back();
    return folders;
}

std::optional<double> readCpuMax(std::string_view text)
{
    const std::vector<std::string> words = split(trimmed(text), ' ');
    const auto quota = words.size() == 2 ? decimalNumber(words[0]) : std::nullopt;
    const auto period = words.size() == 2 ? decimalNumber(words[1]) : std::nullopt;
    return quota && period && *quota > 0 && *period > 0 ? std::optional(*quota / *period)
                                                        : std::nullopt;
}

std::optional<std::uint64_t> readMemoryLimit(std::string_view text)
{
    const auto bytes = wholeNumber(text);
    return bytes && *bytes > 0 && *bytes < (1ll << 60) ? std::optional(std::uint64_t(*bytes))
                                                       : std::nullopt;
}

} // namespace slipway::probe
