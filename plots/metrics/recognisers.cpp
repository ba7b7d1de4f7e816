// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <array>
#include <utility>

namespace slipway {

namespace {

struct Entry {
    QLatin1String name;
    std::unique_ptr<Recogniser> (*make)();
};

/// In the order in which they are tried: the most specific first, the general one last.
constexpr Entry entries[] = {
    {QLatin1String("slipway"), makeSlipwayRecogniser},
    {QLatin1String("matmul-table"), makeMatmulTableRecogniser},
    {QLatin1String("torch-ddp"), makeTorchDdpRecogniser},
    {QLatin1String("classification-report"), makeReportRecogniser},
    {QLatin1String("nccl-tests"), makeNcclTestsRecogniser},
    {QLatin1String("mllog"), makeMLLogRecogniser},
    {QLatin1String("nvbandwidth"), makeNvbandwidthRecogniser},
    {QLatin1String("nvbench"), makeNvbenchRecogniser},
    {QLatin1String("jmh"), makeJmhRecogniser},
    {QLatin1String("microbenchmark"), makeMicrobenchmarkRecogniser},
    {QLatin1String("llama-cpp"), makeLlamaCppRecogniser},
    {QLatin1String("nbody"), makeNbodyRecogniser},
    {QLatin1String("pi"), makePiRecogniser},
    {QLatin1String("ibrun"), makeIbrunRecogniser},
    {QLatin1String("pt-bench"), makePtBenchRecogniser},
    {QLatin1String("nvidia-smi"), makeNvidiaSmiRecogniser},
    {QLatin1String("nvidia-csv"), makeNvidiaCsvRecogniser},
    {QLatin1String("system-monitor"), makeSystemMonitorRecogniser},
    {QLatin1String("top"), makeTopRecogniser},
    {QLatin1String("gpu-burn"), makeGpuBurnRecogniser},
    {QLatin1String("iperf"), makeIperfRecogniser},
    {QLatin1String("jacobi"), makeJacobiRecogniser},
    {QLatin1String("coco"), makeCocoRecogniser},
    {QLatin1String("fio"), makeFioRecogniser},
    {QLatin1String("device-query"), makeDeviceQueryRecogniser},
    {QLatin1String("tensorflow"), makeTensorflowRecogniser},
    {QLatin1String("dllogger"), makeDLLoggerRecogniser},
    {QLatin1String("keras"), makeKerasRecogniser},
    {QLatin1String("hf-trainer"), makeHFTrainerRecogniser},
    {QLatin1String("tqdm"), makeTqdmRecogniser},
    {QLatin1String("lightning"), makeLightningRecogniser},
    {QLatin1String("apptainer"), makeApptainerRecogniser},
    {QLatin1String("enroot"), makeEnrootRecogniser},
    {QLatin1String("ngc"), makeNgcRecogniser},
    {QLatin1String("slurm"), makeSlurmRecogniser},
    {QLatin1String("timing"), makeTimingRecogniser},
    {QLatin1String("history"), makeHistoryRecogniser},
    {QLatin1String("cross-table"), makeCrossTableRecogniser},
    {QLatin1String("value-table"), makeValueTableRecogniser},
    {QLatin1String("records"), makeRecordRecogniser},
    {QLatin1String("convergence"), makeConvergenceRecogniser},
    {QLatin1String("branch-and-bound"), makeBranchAndBoundRecogniser},
    {QLatin1String("scaling"), makeScalingRecogniser},
    {QLatin1String("epochs"), makeEpochsRecogniser},
    {QLatin1String("name-value"), makeNameValueRecogniser},
};

} // namespace

QStringList recogniserNames()
{
    QStringList names;
    for (const Entry& entry : entries)
        names.append(entry.name);
    return names;
}

QStringList noRecognisers()
{
    return {QStringLiteral("none")};
}

std::unique_ptr<Recogniser> makeRecogniser(const QString& name)
{
    for (const Entry& entry : entries) {
        if (name == entry.name)
            return entry.make();
    }
    return nullptr;
}

QString rankLane(int rank)
{
    if (rank <= 0)
        return {};
    // Ranks take turns in a log; the name of each is made once.
    thread_local std::array<std::pair<int, QString>, 64> known;
    auto& [number, name] = known[static_cast<size_t>(rank) % known.size()];
    if (number != rank) {
        number = rank;
        name = QStringLiteral("rank %1").arg(rank);
    }
    return name;
}

void addToLane(QString& lane, const QString& part)
{
    if (!lane.isEmpty() && !part.isEmpty())
        lane += QStringLiteral(", ");
    lane += part;
}

std::optional<MetricEvent> readArtifact(const LogLine& line)
{
    const std::string_view text = trimmed(line.text);
    constexpr std::string_view saved = " saved ";
    if (text.size() > 4096)
        return {};
    size_t at = text.find('v'); // rarer than a space
    while (at != std::string_view::npos && (at < 3 || text.substr(at - 3, saved.size()) != saved))
        at = text.find('v', at + 1);
    if (at == std::string_view::npos)
        return {};
    at -= 3;
    std::string_view path = text.substr(at + 7);
    if (!skip(path, "as ") && !skip(path, "to ==> ") && !skip(path, "to ") && !skip(path, "at "))
        return {};
    path = trimmed(path);
    if (path.size() > 2 && (path.front() == '\'' || path.front() == '"')
        && path.front() == path.back())
        path = path.substr(1, path.size() - 2);
    // A path is one word with a dot or a slash in it; "saved to disk in 3 s" is prose.
    if (path.empty() || path.find(' ') != std::string_view::npos
        || path.find_first_of("./") == std::string_view::npos)
        return {};
    const QString name = labelText(path, 1024);
    return MetricEvent{
        QStringLiteral("artifact"), labelText(text), {{QStringLiteral("path"), name}}, line.number};
}

void MetricSink::add(Sample&& sample)
{
    constexpr int manySeries = 256; // a malicious log must not grow the set
    ++m_findings;
    const uint64_t size = uint64_t(1) << (sample.series.size() % 64);
    if (m_source == SampleSource::Program && m_ownSeries.size() < manySeries) {
        m_ownSizes |= size;
        m_ownSeries.insert(sample.series);
    } else if (m_source == SampleSource::Output && (m_ownSizes & size) != 0
        && m_ownSeries.contains(sample.series)) {
        return;
    }
    if (!std::exchange(sample.isSwept, false) && m_source == SampleSource::Output)
        setPlace(sample.x, sample.xName);
    sample.source = m_source;
    assignText(sample.group, m_titles.groupOf(sample.line));
    sample.isGroupCounted = m_titles.counts();
    if (std::exchange(sample.isOwnName, false))
        m_varying.add(std::move(sample), samples);
    else
        samples.push_back(std::move(sample));
}

void MetricSink::add(MetricEvent event)
{
    constexpr int manyKinds = 64; // a malicious log must not grow the set
    ++m_findings;
    if (m_source == SampleSource::Program && m_ownEvents.size() < manyKinds)
        m_ownEvents.insert(event.event);
    else if (m_source == SampleSource::Output && m_ownEvents.contains(event.event))
        return;
    events.push_back(std::move(event));
}

void MetricSink::setPlace(double x, const QString& name)
{
    ++m_findings;
    if (!name.isEmpty() && name.constData() == m_placeName.constData()) {
        m_placeX = x;
        return;
    }
    const auto known = std::find_if(m_placeNames.begin(), m_placeNames.end(),
        [&name](const QString& each) { return each.constData() == name.constData(); });
    if (known != m_placeNames.end() && !name.isEmpty()) {
        m_placeX = x;
        m_placeName = name;
        return;
    }
    if (!m_noPlaceName.isEmpty() && name.constData() == m_noPlaceName.constData())
        return;
    if (name.size() < 4 || name == QLatin1String("line") || isSizeName(name)
        || name == QLatin1String("seconds") || name == QLatin1String("optimization")) {
        m_noPlaceName = name; // "n", "threads": no place in a training; "seconds": of what runs
                              // beside it
        return;
    }
    m_placeX = x;
    m_placeName = name;
    m_placeNames[m_oldestName++ % m_placeNames.size()] = name;
}

void MetricSink::setProgress(const QString& name, double done, double total)
{
    ++m_findings;
    if (!(total > 0 && done >= 0 && done <= total))
        return;
    if (!progress)
        progress.emplace();
    if (progress->name.constData() != name.constData())
        progress->name = name;
    progress->done = done;
    progress->total = total;
}

} // namespace slipway
