// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/facts.h"

#include <algorithm>
#include <set>

namespace slipway::probe {

namespace {

std::string anotherNode(const Facts& facts)
{
    return "Request another node (sbatch --exclude="
        + (facts.nodeName.empty() ? "NODE" : facts.nodeName) + ") and report it to the site.";
}

/// The result for several GPUs: the worst one determines it, the rest is in the data.
class Finding {
public:
    Finding(const Facts& facts, const char* id)
        : _row(Row::ok(id, {}))
        , _several(facts.nvml.gpus.size() > 1)
    {
    }

    void say(State state, const NvmlGpu& gpu, const std::string& why, const std::string& fix)
    {
        const bool worse = _row.why.empty() || (state == State::Fail && _row.state != State::Fail);
        if (state == State::Fail || (state == State::Warn && _row.state == State::Ok))
            _row.state = state;
        if (!worse)
            return;
        _row.why = (_several ? "GPU " + std::to_string(gpu.index) + ": " : std::string()) + why;
        _row.fix = fix;
    }
    void add(Json one) { _list.push_back(std::move(one)); }
    void value(const std::string& words)
    {
        if (std::ranges::find(_words, words) == _words.end() && !words.empty())
            _words.push_back(words);
    }
    Row take()
    {
        _row.value = joined(_words, "; ");
        _row.data.set("gpus", _list);
        return std::move(_row);
    }

private:
    Row _row;
    bool _several;
    Json::Array _list;
    std::vector<std::string> _words;
};

/// Why there is no result; none if there is one.
std::optional<Row> missing(const Facts& facts, const char* id)
{
    if (facts.nvml.usable() && !facts.nvml.gpus.empty())
        return {};
    if (facts.withoutGpu())
        return Row::skip(id, facts.whyWithoutGpu());
    return Row::skip(id,
        facts.nvml.usable() ? "NVML shows no card."
                            : "Only NVML tells this, and it does not answer: see lib.nvml.");
}

Json start(const NvmlGpu& gpu)
{
    return Json().set("index", gpu.index).set("uuid", gpu.uuid);
}

bool is(const std::optional<double>& value, double wanted)
{
    return value && *value == wanted;
}
double of(const std::optional<double>& value)
{
    return value.value_or(0);
}

} // namespace

Row migRow(const Facts& facts)
{
    if (auto row = missing(facts, "mig"))
        return *row;
    Finding finding(facts, "mig");
    int parts = 0, shown = int(std::ranges::count_if(facts.cuda.gpus, &CudaGpu::isMig));
    bool known = false, any = false;
    for (const NvmlGpu& gpu : facts.nvml.gpus) {
        known = known || gpu.mig;
        any = any || is(gpu.mig, 1);
        parts += int(gpu.migUuids.size());
        finding.add(start(gpu)
                        .set("mig", gpu.mig)
                        .set("pending", gpu.migPending)
                        .set("parts", Json::list(gpu.migUuids)));
        if (gpu.mig && gpu.migPending && *gpu.mig != *gpu.migPending)
            finding.say(State::Warn, gpu, "a change of its mode waits for a reset of the card.",
                "Report it to the site; the job is not affected.");
        if (is(gpu.mig, 1) && gpu.migUuids.empty())
            finding.say(State::Fail, gpu,
                "it is set to be divided (MIG) and has no parts, so CUDA shows nothing of it.",
                anotherNode(facts));
    }
    finding.value(!known ? "not on this kind of card"
            : any        ? counted(parts, "part") + " of divided cards"
                         : "off");
    Row row = finding.take();
    const int wanted = facts.slurm.gpusOnNode.value_or(0);
    if (row.state == State::Ok && any && wanted > 1 && shown == 1) {
        row.state = State::Warn;
        row.why = "The job has " + std::to_string(wanted)
            + " parts of cards (MIG), and CUDA uses one in a process.";
        row.fix = "Start one process for each part, each with its own CUDA_VISIBLE_DEVICES=MIG-…";
    }
    return row;
}

Row eccRow(const Facts& facts)
{
    if (auto row = missing(facts, "ecc"))
        return *row;
    Finding finding(facts, "ecc");
    for (const NvmlGpu& gpu : facts.nvml.gpus) {
        const auto number = [](double value) { return numberText(value); };
        finding.add(start(gpu)
                        .set("on", gpu.ecc)
                        .set("corrected", gpu.correctedNow)
                        .set("uncorrected", gpu.uncorrectedNow)
                        .set("corrected_ever", gpu.correctedEver)
                        .set("uncorrected_ever", gpu.uncorrectedEver)
                        .set("retired_pages", gpu.retiredDouble)
                        .set("remapped_rows", gpu.remappedUncorrected)
                        .set("remap_pending", gpu.remapPending)
                        .set("remap_failed", gpu.remapFailed));
        if (of(gpu.uncorrectedNow) > 0)
            finding.say(State::Fail, gpu,
                "its memory had " + number(*gpu.uncorrectedNow)
                    + " errors since the last start that could not be corrected: results may be "
                      "wrong, and jobs may die.",
                anotherNode(facts));
        if (of(gpu.remapFailed) > 0)
            finding.say(State::Fail, gpu,
                "a bad row of its memory could not be replaced: the card is worn.",
                anotherNode(facts));
        if (of(gpu.remapPending) > 0 || of(gpu.retiredPending) > 0)
            finding.say(State::Warn, gpu,
                "a faulty location of its memory is retired at the next reset.",
                "Report it to the site: the card needs a reset. Save results often until then.");
        if (of(gpu.correctedNow) > 1000)
            finding.say(State::Warn, gpu,
                "its memory had " + number(*gpu.correctedNow)
                    + " errors since the last start that were corrected.",
                "Report it to the site; results are correct.");
        if (is(gpu.ecc, 0))
            finding.value("off");
        else if (!gpu.ecc)
            finding.value("not on this kind of card");
        else
            finding.value(of(gpu.uncorrectedNow) + of(gpu.correctedNow) > 0
                    ? number(of(gpu.correctedNow)) + " corrected, " + number(of(gpu.uncorrectedNow))
                        + " uncorrected errors"
                    : "on, no errors");
    }
    return finding.take();
}

namespace {

/// Faults of the GPU itself; the others are mostly caused by programs: a bad address, a kernel that
/// stops.
const char* hardwareFault(int code)
{
    switch (code) {
    case 48:
        return "an error in memory that could not be corrected";
    case 62:
    case 61:
        return "its inner controller stopped";
    case 63:
    case 64:
        return "a bad place in memory";
    case 74:
        return "an error of NVLink";
    case 79:
        return "the card fell off its bus";
    case 92:
        return "many corrected errors in memory";
    case 94:
    case 95:
        return "an error in memory that could not be corrected";
    case 119:
    case 120:
        return "its system processor did not answer";
    default:
        return nullptr;
    }
}

} // namespace

Row xidRow(const Facts& facts)
{
    const DeviceFacts& devices = facts.devices;
    if (devices.xids.empty() && facts.withoutGpu())
        return Row::skip("xid", facts.whyWithoutGpu());
    if (!devices.kernelLogRead)
        return Row::skip(
            "xid", "The kernel's log may not be read by a user here, as on most clusters.");
    Row row = Row::ok(
        "xid", devices.xids.empty() ? "none" : counted(int(devices.xids.size()), "message"));
    Json::Array list;
    for (const Xid& xid : devices.xids) {
        list.push_back(Json().set("bus", xid.busId).set("code", xid.code).set("text", xid.text));
        if (const char* fault = hardwareFault(xid.code)) {
            row.state = State::Warn;
            row.why = "The driver reported a fault of a card since the node started: "
                + std::string(fault) + " (Xid " + std::to_string(xid.code) + ").";
            row.fix = anotherNode(facts);
        }
    }
    if (list.size() > 20)
        list.erase(list.begin(), list.end() - 20);
    row.data.set("messages", list);
    return row;
}

namespace {

void judgeMode(const Facts& facts, const NvmlGpu& gpu, Finding& finding)
{
    if (is(gpu.computeMode, 2))
        finding.say(State::Fail, gpu,
            "it is set to take no computing at all (compute mode PROHIBITED).", anotherNode(facts));
    if (is(gpu.computeMode, 3) && !gpu.processes.empty())
        finding.say(State::Fail, gpu,
            "it takes one process at a time (EXCLUSIVE_PROCESS), and process "
                + std::to_string(gpu.processes[0].pid) + " has it.",
            "End that process if it is yours, or ask for another node.");
    else if (is(gpu.computeMode, 3) || is(gpu.computeMode, 1))
        finding.say(State::Warn, gpu,
            "it takes one process at a time (EXCLUSIVE_PROCESS): a second rank on it ends with "
            "error 46.",
            "Start one rank for each GPU, or start MPS (nvidia-cuda-mps-control -d) in the job.");
}

void judgeMemory(const NvmlGpu& gpu, Finding& finding)
{
    // The other parts of a divided card are other people's, and take nothing from this one.
    if (gpu.processes.empty() || is(gpu.mig, 1) || !gpu.memoryUsed || !gpu.memoryTotal
        || *gpu.memoryUsed < 0.05 * *gpu.memoryTotal)
        return;
    std::vector<std::string> others;
    for (const GpuProcess& process : gpu.processes)
        others.push_back(std::to_string(process.pid)
            + (process.memory ? " (" + sizeText(*process.memory) + ")" : ""));
    finding.say(State::Warn, gpu,
        sizeText(*gpu.memoryUsed) + " of its " + sizeText(*gpu.memoryTotal) + " is in use, by "
            + (others.size() == 1 ? "process " : "processes ") + joined(others) + ".",
        "End the process if it is yours (an earlier run); else the site shares this card, and "
        "timings are not yours alone.");
}

void judgeClocks(const Facts& facts, const NvmlGpu& gpu, Finding& finding)
{
    const auto bits = std::uint64_t(of(gpu.throttle));
    if (bits & 0xc0)
        finding.say(State::Warn, gpu,
            std::string("its clock is throttled: ")
                + (bits & 0x80 ? "the node's power supply asks for it." : "it is too hot."),
            anotherNode(facts));
    else if (bits & 0x8)
        finding.say(State::Warn, gpu,
            "its clock is throttled by the hardware (too hot, or too little power).",
            anotherNode(facts));
    if (gpu.temperature && gpu.temperatureSlowdown
        && *gpu.temperature >= *gpu.temperatureSlowdown - 3)
        finding.say(State::Warn, gpu,
            "it is at " + numberText(*gpu.temperature) + " °C, and slows down at "
                + numberText(*gpu.temperatureSlowdown) + " °C.",
            anotherNode(facts));
    if (gpu.powerLimit && gpu.powerDefault && *gpu.powerLimit < 0.9 * *gpu.powerDefault)
        finding.say(State::Warn, gpu,
            "its power is limited to " + numberText(*gpu.powerLimit) + " W of "
                + numberText(*gpu.powerDefault)
                + " W: it runs slower than cards of its kind elsewhere.",
            "Mention it when comparing timings; it is a setting of the site.");
}

} // namespace

Row stateRow(const Facts& facts)
{
    if (auto row = missing(facts, "state"))
        return *row;
    Finding finding(facts, "state");
    static const char* const modes[] = {
        "default", "exclusive thread", "prohibited", "exclusive process"};
    for (const NvmlGpu& gpu : facts.nvml.gpus) {
        judgeMode(facts, gpu, finding);
        judgeClocks(facts, gpu, finding);
        judgeMemory(gpu, finding);
        Json one = start(gpu);
        one.set("memory_used", gpu.memoryUsed)
            .set("memory_total", gpu.memoryTotal)
            .set("temperature", gpu.temperature)
            .set("power", gpu.power);
        one.set("power_limit", gpu.powerLimit)
            .set("power_default", gpu.powerDefault)
            .set("clock", gpu.clock)
            .set("clock_max", gpu.clockMax);
        one.set("utilization", gpu.utilization)
            .set("throttle", Json::list(throttleWords(std::uint64_t(of(gpu.throttle)))));
        if (gpu.computeMode && *gpu.computeMode >= 0 && *gpu.computeMode < 4)
            one.set("mode", modes[int(*gpu.computeMode)]);
        if (gpu.persistence)
            one.set("persistence", is(gpu.persistence, 1));
        finding.add(one);
        std::vector<std::string> words;
        if (gpu.temperature)
            words.push_back(numberText(*gpu.temperature) + " °C");
        if (gpu.power)
            words.push_back(numberText(*gpu.power) + " W");
        if (gpu.memoryUsed)
            words.push_back(sizeText(*gpu.memoryUsed) + " in use"
                + (is(gpu.mig, 1) ? " on the whole card" : ""));
        finding.value(joined(words));
    }
    return finding.take();
}

Row pcieRow(const Facts& facts, bool underLoad)
{
    if (auto row = missing(facts, "pcie"))
        return *row;
    Finding finding(facts, "pcie");
    bool idle = false;
    for (const NvmlGpu& gpu : facts.nvml.gpus) {
        finding.add(start(gpu)
                        .set("generation", gpu.pcieGeneration)
                        .set("width", gpu.pcieWidth)
                        .set("max_generation", gpu.pcieMaxGeneration)
                        .set("max_width", gpu.pcieMaxWidth)
                        .set("replays", gpu.pcieReplays));
        if (!gpu.pcieGeneration || !gpu.pcieWidth || !gpu.pcieMaxGeneration || !gpu.pcieMaxWidth)
            continue;
        finding.value("generation " + numberText(*gpu.pcieGeneration) + " of "
            + numberText(*gpu.pcieMaxGeneration) + ", ×" + numberText(*gpu.pcieWidth) + " of ×"
            + numberText(*gpu.pcieMaxWidth));
        if (*gpu.pcieWidth < *gpu.pcieMaxWidth)
            finding.say(State::Warn, gpu,
                "its link to the processor is ×" + numberText(*gpu.pcieWidth) + " of ×"
                    + numberText(*gpu.pcieMaxWidth) + ": copies take longer.",
                "Report it to the site (a riser or a slot); for timings of copies, request another "
                "node.");
        // A card at rest lowers its link: only under load does a low one mean anything.
        if (*gpu.pcieGeneration < *gpu.pcieMaxGeneration && underLoad)
            finding.say(State::Warn, gpu,
                "its link runs at generation " + numberText(*gpu.pcieGeneration) + " of "
                    + numberText(*gpu.pcieMaxGeneration) + " while it copies.",
                "Report it to the site; for timings of copies, request another node.");
        idle = idle || (*gpu.pcieGeneration < *gpu.pcieMaxGeneration && !underLoad);
    }
    Row row = finding.take();
    row.data.set("under_load", underLoad);
    if (row.state == State::Ok && idle)
        row.why = "At rest a card lowers its link; the level bench looks at it under load.";
    if (row.value.empty())
        row.value = "not reported by this card";
    return row;
}

Row nvlinkRow(const Facts& facts)
{
    if (auto row = missing(facts, "nvlink"))
        return *row;
    Finding finding(facts, "nvlink");
    bool any = false;
    for (const NvmlGpu& gpu : facts.nvml.gpus) {
        if (!gpu.nvlinkActive)
            continue;
        any = true;
        finding.add(start(gpu)
                        .set("active", gpu.nvlinkActive)
                        .set("inactive", gpu.nvlinkInactive)
                        .set("recoveries", gpu.nvlinkRecoveries));
        finding.value(counted(int(*gpu.nvlinkActive), "link") + " up"
            + (of(gpu.nvlinkInactive) > 0
                    ? ", " + std::to_string(int(*gpu.nvlinkInactive)) + " down"
                    : ""));
        if (*gpu.nvlinkActive > 0 && of(gpu.nvlinkInactive) > 0)
            finding.say(State::Warn, gpu,
                std::to_string(int(*gpu.nvlinkInactive)) + " of its "
                    + std::to_string(int(*gpu.nvlinkActive + *gpu.nvlinkInactive))
                    + " NVLinks are down: copies between cards are slower.",
                anotherNode(facts));
        if (of(gpu.nvlinkRecoveries) > 0)
            finding.say(State::Warn, gpu,
                "its NVLinks had to start anew " + counted(int(*gpu.nvlinkRecoveries), "time")
                    + ".",
                "Report it to the site; the job continues.");
    }
    if (!any)
        return Row::skip("nvlink", "The cards have no NVLink.");
    Row row = finding.take();
    if (!facts.cuda.noPeers.empty())
        row.data.set("no_peers", Json::list(facts.cuda.noPeers));
    return row;
}

} // namespace slipway::probe
