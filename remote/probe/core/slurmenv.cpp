// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/slurmenv.h"

#include "remote/probe/core/text.h"

#include <algorithm>

namespace slipway::probe {

namespace {

std::optional<int> smallNumber(std::string_view text)
{
    const auto value = wholeNumber(text);
    return value && *value >= 0 && *value <= 1'000'000 ? std::optional(int(*value)) : std::nullopt;
}

} // namespace

std::optional<int> readGpuCount(const std::string& text)
{
    if (const auto plain = smallNumber(text))
        return plain;
    int sum = 0;
    bool any = false;
    for (const std::string& part : split(text, ',')) {
        const std::vector<std::string> words = split(part, ':');
        const auto count = words.empty() ? std::nullopt : smallNumber(words.back());
        if (words.size() < 2 || words[0] == "shard" || words[0] == "mps" || !count)
            continue;
        sum += *count;
        any = true;
    }
    return any ? std::optional(sum) : std::nullopt;
}

std::optional<int> readFirstCount(const std::string& text)
{
    return smallNumber(text.substr(0, text.find_first_not_of("0123456789")));
}

SlurmEnv SlurmEnv::of(const Environment& environment)
{
    SlurmEnv slurm;
    const auto text = [&](const char* name) { return environment(name).value_or(""); };
    slurm.inJob = !text("SLURM_JOB_ID").empty() || !text("SLURM_JOBID").empty();
    if (!slurm.inJob)
        return slurm;
    slurm.gpusOnNode = readGpuCount(text("SLURM_GPUS_ON_NODE"));
    for (const char* name : {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS"}) {
        if (slurm.hostIndexes.empty()) {
            slurm.hostIndexes = split(text(name), ',');
            // "0-3" is a range as well
            if (slurm.hostIndexes.size() == 1 && contains(slurm.hostIndexes[0], "-")
                && smallNumber(slurm.hostIndexes[0].substr(0, 1))) {
                const auto first =
                    smallNumber(slurm.hostIndexes[0].substr(0, slurm.hostIndexes[0].find('-')));
                const auto last =
                    smallNumber(slurm.hostIndexes[0].substr(slurm.hostIndexes[0].find('-') + 1));
                slurm.hostIndexes.clear();
                for (int i = first.value_or(0); last && i <= std::min(*last, 1023); ++i)
                    slurm.hostIndexes.push_back(std::to_string(i));
            }
        }
    }
    if (!slurm.gpusOnNode && !slurm.hostIndexes.empty())
        slurm.gpusOnNode = int(slurm.hostIndexes.size());
    slurm.gpusPerTask = readGpuCount(text("SLURM_GPUS_PER_TASK"));
    slurm.asksGpu = slurm.gpusOnNode.value_or(0) > 0;
    for (const char* name :
        {"SLURM_GPUS", "SLURM_GPUS_PER_NODE", "SLURM_GPUS_PER_TASK", "SLURM_GPUS_PER_SOCKET"})
        slurm.asksGpu = slurm.asksGpu || readGpuCount(text(name)).value_or(0) > 0;
    slurm.cpusPerTask = readFirstCount(text("SLURM_CPUS_PER_TASK"));
    slurm.cpusOnNode = readFirstCount(text("SLURM_CPUS_ON_NODE"));
    if (const auto mebibytes = decimalNumber(text("SLURM_MEM_PER_NODE"));
        mebibytes && *mebibytes > 0)
        slurm.memory = *mebibytes * 1048576;
    else if (const auto each = decimalNumber(text("SLURM_MEM_PER_CPU"));
             each && *each > 0 && slurm.cpusOnNode)
        slurm.memory = *each * 1048576 * *slurm.cpusOnNode;
    slurm.nodeName = text("SLURMD_NODENAME");
    slurm.mpiType = text("SLURM_MPI_TYPE");
    return slurm;
}

GpuMask GpuMask::of(const std::optional<std::string>& value)
{
    GpuMask mask;
    mask.set = value.has_value();
    mask.text = value.value_or("");
    mask.entries = split(mask.text, ',');
    return mask;
}

bool GpuMask::hidesAll() const
{
    return set
        && (entries.empty() || entries[0].starts_with('-') || lower(entries[0]) == "nodevfiles"
            || lower(entries[0]) == "none" || lower(entries[0]) == "void");
}

bool GpuMask::byUuid() const
{
    return !entries.empty() && (entries[0].starts_with("GPU-") || entries[0].starts_with("MIG-"));
}

std::vector<int> GpuMask::indexesOf(int count) const
{
    std::vector<int> indexes;
    for (const std::string& entry : entries) {
        const auto index = smallNumber(entry);
        if (!index || *index >= count || std::ranges::find(indexes, *index) != indexes.end())
            break;
        indexes.push_back(*index);
    }
    return indexes;
}

} // namespace slipway::probe
