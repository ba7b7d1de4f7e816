// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/cudadrivers.h"
#include "remote/probe/core/facts.h"

#include <algorithm>
#include <set>

namespace slipway::probe {

namespace {

/// "2 × NVIDIA H100 80GB HBM3"
std::string namesText(const std::vector<CudaGpu>& gpus)
{
    std::vector<std::pair<std::string, int>> counts;
    for (const CudaGpu& gpu : gpus) {
        const auto same = std::ranges::find(counts, gpu.name, &std::pair<std::string, int>::first);
        if (same == counts.end())
            counts.emplace_back(gpu.name, 1);
        else
            ++same->second;
    }
    std::vector<std::string> parts;
    for (const auto& [name, count] : counts)
        parts.push_back(count == 1 ? name : std::to_string(count) + " × " + name);
    return joined(parts, " and ");
}

std::set<std::string> cardsOf(const std::vector<CudaGpu>& gpus)
{
    std::set<std::string> cards;
    for (const CudaGpu& gpu : gpus)
        cards.insert(gpu.card.empty() ? gpu.uuid : gpu.card);
    return cards;
}

const NvmlGpu* nvmlOf(const Facts& facts, const CudaGpu& gpu)
{
    for (const NvmlGpu& one : facts.nvml.gpus) {
        if (one.uuid == gpu.uuid || one.uuid == gpu.card)
            return &one;
    }
    return nullptr;
}

/// CUDA's values of a GPU compared with NVML's: two libraries of one driver should agree.
std::string disagreement(const Facts& facts)
{
    for (const CudaGpu& gpu : facts.cuda.gpus) {
        if (gpu.memory < 64.0 * (1 << 20) || gpu.memory > 16.0 * (1ll << 40))
            return "CUDA says that " + gpu.name + " has " + sizeText(gpu.memory)
                + " of memory, which no card has";
        const NvmlGpu* other = nvmlOf(facts, gpu);
        if (!gpu.isMig() && other && other->memoryTotal
            && (gpu.memory > *other->memoryTotal * 1.05 || gpu.memory < *other->memoryTotal * 0.8))
            return "CUDA says that " + gpu.name + " has " + sizeText(gpu.memory) + ", NVML says "
                + sizeText(*other->memoryTotal);
    }
    return {};
}

} // namespace

Row gpuListRow(const Facts& facts)
{
    if (!facts.cuda.usable()) {
        if (facts.withoutGpu())
            return Row::skip("gpu.list", facts.whyWithoutGpu());
        Row row = Row::skip("gpu.list",
            "CUDA does not answer, so it shows no card: see lib.libcuda and driver.cuda.");
        if (facts.cuda.init == 0) {
            row.why = "CUDA starts and shows no card.";
            row.state = facts.slurm.asksGpu ? State::Fail : State::Skip;
            row.fix = facts.slurm.asksGpu
                ? "See slurm.count: the mask or the job's device rules leave nothing."
                : std::string();
        }
        return row;
    }
    Row row = Row::ok("gpu.list", namesText(facts.cuda.gpus));
    Json::Array list;
    for (const CudaGpu& gpu : facts.cuda.gpus) {
        Json one;
        one.set("index", gpu.ordinal)
            .set("uuid", gpu.uuid)
            .set("name", gpu.name)
            .set("bus", gpu.busId)
            .set("memory", gpu.memory);
        one.set("capability", gpu.capability()).set("multiprocessors", gpu.multiprocessors);
        list.push_back(one);
    }
    row.data.set("gpus", list);
    if (!facts.cuda.noPeers.empty())
        row.data.set("no_peers", Json::list(facts.cuda.noPeers));
    if (const std::string lie = disagreement(facts); !lie.empty()) {
        row.state = State::Fail;
        row.why = lie + ".";
        row.fix = "Do not trust this node's numbers: ask for another (sbatch --exclude="
            + (facts.nodeName.empty() ? "NODE" : facts.nodeName) + ") and report it to the site.";
    }
    return row;
}

namespace {

/// The meaning of the count, if CUDA shows fewer GPUs than the job has.
void explainFewer(const Facts& facts, int expected, Row& row)
{
    const int seen = int(facts.cuda.gpus.size());
    const int there =
        facts.nvml.usable() && facts.nvml.count ? *facts.nvml.count : facts.devices.cards();
    const GpuMask& mask = facts.cudaMask;
    row.state = State::Fail;
    if (facts.slurm.gpusPerTask && seen >= *facts.slurm.gpusPerTask && seen > 0) {
        row.state = State::Ok;
        row.why = "Each task has its own: " + counted(*facts.slurm.gpusPerTask, "GPU")
            + " of the job's " + std::to_string(expected) + ".";
        return;
    }
    const bool beyond = mask.set && !mask.byUuid() && !mask.hidesAll()
        && int(mask.indexesOf(there).size()) < int(mask.entries.size());
    if (beyond && there > 0) {
        row.why = "CUDA_VISIBLE_DEVICES=" + mask.text
            + " counts the cards as the whole node does, and the job sees its own "
            + std::to_string(there) + " numbered from 0.";
        row.fix = "Unset CUDA_VISIBLE_DEVICES in the job, or name the cards by their UUIDs.";
    } else if (mask.set && int(mask.entries.size()) < expected) {
        row.state = seen > 0 ? State::Warn : State::Fail;
        row.why = "CUDA_VISIBLE_DEVICES=" + mask.text + " hides " + std::to_string(expected - seen)
            + " of the job's " + counted(expected, "GPU") + ".";
        row.fix = "Unset CUDA_VISIBLE_DEVICES in the job if the program is to use all of them.";
    } else if (std::ranges::any_of(facts.cuda.gpus, &CudaGpu::isMig)) {
        row.state = State::Warn;
        row.why = "A process uses one part of a divided card (MIG) only, and the job has "
            + std::to_string(expected) + ".";
        row.fix = "Start one process for each part, each with its own CUDA_VISIBLE_DEVICES=MIG-…";
    } else {
        row.why = "The job has " + counted(expected, "GPU") + " according to Slurm, and CUDA shows "
            + std::to_string(seen) + ".";
        row.fix = facts.place == Place::Container
            ? "Check NVIDIA_VISIBLE_DEVICES and CUDA_VISIBLE_DEVICES in the image and in the job."
            : "Request another node (sbatch --exclude=" + facts.nodeName
                + ") and report it to the site.";
    }
}

void explainMore(const Facts& facts, int expected, Row& row)
{
    const int seen = int(facts.cuda.gpus.size());
    row.state = State::Warn;
    if (facts.place == Place::Container
        && (facts.runtime == "docker" || facts.runtime == "podman")) {
        row.why = "The container was started by a program outside of the job's limits: it sees "
            + std::to_string(seen) + " cards, the job has " + std::to_string(expected) + ".";
        row.fix = "Give the container the job's cards by UUID: --gpus '\"device=GPU-…\"'.";
        return;
    }
    row.why = "The site does not confine jobs to their GPUs (ConstrainDevices): this process sees "
        + std::to_string(seen) + ", the job has " + std::to_string(expected)
        + ". A program may take a card of another job.";
    row.fix = facts.slurm.hostIndexes.empty()
        ? "Set CUDA_VISIBLE_DEVICES to the job's cards."
        : "Set CUDA_VISIBLE_DEVICES=" + joined(facts.slurm.hostIndexes, ",") + " in the job.";
}

} // namespace

Row slurmCountRow(const Facts& facts)
{
    const SlurmEnv& slurm = facts.slurm;
    if (!slurm.inJob)
        return Row::skip("slurm.count", "This is not inside a Slurm job.");
    const int seen = int(facts.cuda.gpus.size());
    const int expected = slurm.gpusOnNode.value_or(0);
    Row row = Row::ok("slurm.count", counted(seen, "GPU"));
    row.expected = slurm.gpusOnNode || !slurm.asksGpu ? counted(expected, "GPU") : std::string();
    row.data.set("slurm", slurm.gpusOnNode)
        .set("cuda", seen)
        .set("nvml", facts.nvml.count)
        .set("host_indexes", Json::list(slurm.hostIndexes));
    if (facts.cudaMask.set)
        row.data.set("mask", facts.cudaMask.text);
    Json::Array uuids;
    for (const CudaGpu& gpu : facts.cuda.gpus)
        uuids.push_back(gpu.uuid);
    row.data.set("uuids", uuids);

    if (expected == 0 && slurm.asksGpu && !slurm.gpusOnNode) {
        row.why = "The job has GPUs, but it is not known here how many are on this node.";
        return row;
    }
    if (expected == 0) {
        if (seen == 0)
            return Row::skip("slurm.count", "The job requested no GPU.");
        row.state = State::Warn;
        row.why = "The job requested no GPU and sees " + std::to_string(seen)
            + ": the site does not confine jobs to their GPUs (ConstrainDevices).";
        row.fix = "Request the GPU before you use it (--gres=gpu:1): it may belong to another job.";
        return row;
    }
    const bool silent = !facts.cuda.usable() && facts.cuda.init != 0 && facts.cuda.init != 100;
    if (silent)
        return Row::skip("slurm.count",
            "CUDA does not answer, so the job's " + counted(expected, "GPU")
                + " cannot be compared: see driver.cuda and lib.libcuda.");
    if (seen < expected) {
        explainFewer(facts, expected, row);
        return row;
    }
    if (seen > expected) {
        explainMore(facts, expected, row);
        return row;
    }
    // An equal number does not mean the same GPUs: UUIDs are compared, never indexes.
    std::set<std::string> known;
    for (const NvmlGpu& gpu : facts.nvml.gpus)
        known.insert(gpu.uuid);
    const std::set<std::string> used = cardsOf(facts.cuda.gpus);
    const bool strange = !known.empty() && !std::ranges::includes(known, used);
    if (strange) {
        row.state = State::Fail;
        row.why = "CUDA and NVML name different cards: a UUID that CUDA shows is not among those "
                  "of NVML.";
        row.fix =
            "Check CUDA_VISIBLE_DEVICES, and report it to the site: the node's libraries may be of "
            "two drivers.";
    } else if (int(known.size()) > int(used.size()) && known.size() > size_t(expected)) {
        row.state = State::Warn;
        row.why = "The site does not confine jobs to their GPUs (ConstrainDevices): all "
            + std::to_string(known.size())
            + " are open to this process, and the mask alone keeps it to the job's.";
        row.fix = "Leave CUDA_VISIBLE_DEVICES as Slurm set it.";
    }
    return row;
}

Row imageCudaRow(const Facts& facts)
{
    if (facts.place == Place::Host)
        return Row::skip("image.cuda", "This is the node itself, not an image.");
    if (!facts.image.version)
        return Row::skip("image.cuda", "The image does not declare a CUDA version.");
    ImageOnNode pair;
    pair.cuda = facts.image.version;
    pair.driver = Version::of(facts.driverVersion());
    const bool compat = facts.cuda.compat();
    const std::optional<int> version = compat ? facts.cuda.ownVersion : facts.cuda.version;
    if (version)
        pair.driverCuda = Version{{*version / 1000, *version % 1000 / 10}};
    if (compat) {
        pair.compatPath = facts.cuda.path;
        pair.compatError = facts.cuda.init;
    }
    for (const NvmlGpu& gpu : facts.nvml.gpus)
        pair.gpuNames.push_back(gpu.name);
    for (const KernelGpu& gpu : facts.devices.gpus)
        pair.gpuNames.push_back(gpu.name);
    if (!pair.driver && facts.withoutGpu())
        return Row::skip("image.cuda", facts.whyWithoutGpu());
    Row row = imageCudaRow(CudaDrivers::own(), pair);
    row.data.set("source", facts.image.source);
    return row;
}

Row gpuArchRow(const Facts& facts)
{
    if (!facts.cuda.usable())
        return facts.withoutGpu() ? Row::skip("gpu.arch", facts.whyWithoutGpu())
                                  : Row::skip("gpu.arch", "CUDA shows no card.");
    Row row = Row::ok("gpu.arch", {});
    std::vector<std::string> words;
    const Version image = facts.place == Place::Container ? facts.image.version : Version();
    for (const CudaGpu& gpu : facts.cuda.gpus) {
        const CudaDrivers::Architecture* known =
            CudaDrivers::own().architecture(gpu.major, gpu.minor);
        const std::string text = gpu.capability() + (known ? " (" + known->name + ")" : "");
        if (std::ranges::find(words, text) == words.end())
            words.push_back(text);
        if (!image || !known)
            continue;
        const Version cuda{{image.major(), image.minor()}};
        if (known->last && known->last < cuda) {
            row.state = State::Fail;
            row.why = gpu.name + " has compute capability " + gpu.capability() + ", which CUDA "
                + cuda.text() + " of the image no longer supports.";
            row.fix = "Choose an image with CUDA " + known->last.text() + " or older.";
        } else if (cuda < known->first && row.state != State::Fail) {
            row.state = State::Warn;
            row.why = gpu.name + " is newer than CUDA " + cuda.text()
                + " of the image: programs run only where they carry PTX, and libraries may say "
                  "\"no kernel image\".";
            row.fix = "Choose an image with CUDA " + known->first.text() + " or newer.";
        }
    }
    row.value = joined(words);
    return row;
}

} // namespace slipway::probe
