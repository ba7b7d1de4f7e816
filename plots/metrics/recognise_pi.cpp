// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace slipway {

namespace {

std::optional<double> takeFinite(std::string_view& rest)
{
    const auto value = takeNumber(rest);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

/// The program spells the word "secnods".
bool isSeconds(std::string_view word)
{
    return word == "seconds" || word == "secnods" || word == "second";
}

/// Reads the output of the estimate of pi, over MPI (x = ranks: "seconds", "pi_estimate",
/// "pi_error"; where the ranks ran is the event "placement") and alone (x = samples). If each rank
/// reports that it is the only one, they are not connected: "mpi-not-connected".
class PiRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "C[F", .fits = mayBe}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress)
            return false;
        const std::string_view text = trimmed(line.text);
        if (text.empty())
            return false;
        switch (text[0]) {
        case 'C':
            return readStart(text, line, sink);
        case '[':
            return readRank(text, line);
        case 'F':
            return readSeconds(text, line, sink) || readEstimate(text, line, sink)
                || readSerial(text, line, sink);
        default:
            return false;
        }
    }

    void finish(MetricSink& sink) override
    {
        for (auto& [rank, run] : m_runs)
            givePlacement(run, sink);
    }

private:
    static bool mayBe(std::string_view text)
    {
        return startsWithOneOf(text, {"Computing ", "Finished computing ", "Final "})
            || text.find("] Local Estimate: ") != std::string_view::npos;
    }
    struct Run {
        double ranks = 0; ///< 0: unknown
        std::map<std::string, std::vector<int>> hosts;
        qint64 hostLine = 0;
    };

    Run* run(int rank);
    bool readStart(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readRank(std::string_view text, const LogLine& line);
    bool readSeconds(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readEstimate(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readSerial(std::string_view text, const LogLine& line, MetricSink& sink);
    static void givePlacement(Run& run, MetricSink& sink);

    std::map<int, Run> m_runs; ///< by the label before the line: without MPI, each rank is a run
    int m_alone = 0; ///< number of ranks that report to be the only one
    bool m_together = false; ///< several ranks are connected
    bool m_reported = false;
};

PiRecogniser::Run* PiRecogniser::run(int rank)
{
    constexpr size_t most = 4096;
    if (m_runs.size() >= most && !m_runs.contains(rank))
        return nullptr;
    return &m_runs[rank];
}

/// "Computing 1250000 samples on each of the 8 ranks"
bool PiRecogniser::readStart(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!skip(text, "Computing "))
        return false;
    const auto samples = wholeCount(takeWord(text));
    if (!samples || !skip(text, " samples on each of the "))
        return false;
    const auto ranks = wholeCount(takeWord(text));
    Run* const state = run(line.rank);
    if (!ranks || *ranks < 1 || (text != " ranks" && text != " rank") || !state)
        return false;
    givePlacement(*state, sink);
    state->ranks = *ranks;
    sink.add(
        MetricEvent{QStringLiteral("running"), QStringLiteral("ranks = %1").arg(*ranks, 0, 'f', 0),
            {{QStringLiteral("ranks"), QString::number(*ranks, 'f', 0)},
                {QStringLiteral("samples_per_rank"), QString::number(*samples, 'f', 0)}},
            line.number});
    m_together = m_together || *ranks > 1;
    m_alone += *ranks == 1;
    if (m_alone > 1 && !m_together && !m_reported) {
        m_reported = true;
        sink.add(MetricEvent{QStringLiteral("mpi-not-connected"),
            tr("Each rank computes alone: MPI in the container did not connect to the launcher."),
            {}, line.number});
    }
    return true;
}

/// "[c196-011.frontera-03] Local Estimate: 3.14133   Error: 0.00026"
bool PiRecogniser::readRank(std::string_view text, const LogLine& line)
{
    const size_t close = text.substr(0, 300).find("] Local Estimate: ");
    if (close == std::string_view::npos)
        return false;
    const std::string_view label = text.substr(1, close - 1);
    const size_t dash = label.rfind('-');
    if (dash == std::string_view::npos || dash == 0)
        return false;
    const auto rank = wholeCount(label.substr(dash + 1));
    Run* const state = run(line.rank);
    constexpr double mostRanks = 1e6;
    constexpr size_t mostHosts = 64;
    if (!rank || *rank >= mostRanks || !state)
        return false;
    const std::string host(label.substr(0, dash));
    if (state->hosts.size() < mostHosts || state->hosts.contains(host)) {
        auto& ranks = state->hosts[host];
        if (ranks.size() < 4096)
            ranks.push_back(int(*rank));
        state->hostLine = line.number;
    }
    return true;
}

void PiRecogniser::givePlacement(Run& run, MetricSink& sink)
{
    if (run.hosts.empty())
        return;
    QMap<QString, QString> values;
    qsizetype count = 0;
    for (auto& [host, ranks] : run.hosts) {
        std::sort(ranks.begin(), ranks.end());
        QStringList list;
        for (int rank : ranks)
            list.append(QString::number(rank));
        count += list.size();
        values.insert(labelText(host), list.join(u' '));
    }
    sink.add(MetricEvent{QStringLiteral("placement"),
        tr("Ranks: %1, hosts: %2").arg(count).arg(values.size()), values, run.hostLine});
    run.hosts.clear();
}

/// "Finished computing 10000000 samples in 1.034 secnods"
bool PiRecogniser::readSeconds(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!skip(text, "Finished computing "))
        return false;
    const auto samples = wholeCount(takeWord(text));
    if (!samples || !skip(text, " samples in "))
        return false;
    const auto seconds = takeFinite(text);
    Run* const state = run(line.rank);
    if (!seconds || *seconds < 0 || !isSeconds(trimmed(text)) || !state)
        return false;
    givePlacement(*state, sink);
    const bool ranksKnown = state->ranks > 0;
    sink.add(Sample{.series = QStringLiteral("seconds"),
        .lane = rankLane(line.rank),
        .x = ranksKnown ? state->ranks : *samples,
        .xName = ranksKnown ? QStringLiteral("ranks") : QStringLiteral("samples"),
        .y = *seconds,
        .unit = QStringLiteral("s"),
        .line = line.number});
    return true;
}

/// "Final Estimate: 3.1416872   Error: 0.0000945"
bool PiRecogniser::readEstimate(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!skip(text, "Final Estimate:"))
        return false;
    skipSpaces(text);
    const auto estimate = takeFinite(text);
    skipSpaces(text);
    if (!estimate || !skip(text, "Error:"))
        return false;
    const auto error = wholeNumber(text);
    const Run* const state = run(line.rank);
    if (!error || !std::isfinite(*error) || !state || state->ranks == 0)
        return false;
    const auto give = [&](const char* series, double y) {
        sink.add(Sample{.series = QLatin1String(series),
            .lane = rankLane(line.rank),
            .x = state->ranks,
            .xName = QStringLiteral("ranks"),
            .y = y,
            .line = line.number});
    };
    give("pi_estimate", *estimate);
    give("pi_error", std::abs(*error));
    return true;
}

/// "Final pi estimate from 1000000 attempts = 3.141"
bool PiRecogniser::readSerial(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!skip(text, "Final pi estimate from "))
        return false;
    const auto attempts = wholeCount(takeWord(text));
    if (!attempts || !skip(text, " attempts = "))
        return false;
    const auto estimate = wholeNumber(text);
    if (!estimate || !std::isfinite(*estimate))
        return false;
    sink.add(Sample{.series = QStringLiteral("pi_estimate"),
        .lane = rankLane(line.rank),
        .x = *attempts,
        .xName = QStringLiteral("samples"),
        .y = *estimate,
        .line = line.number});
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makePiRecogniser()
{
    return std::make_unique<PiRecogniser>();
}

} // namespace slipway
