// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fieldsamples.h"
#include "plots/metrics/scan.h"

#include <cmath>

namespace slipway {

namespace {

/// "[GPU3] " and "[RANK 3] ": returns the number and removes the label; -1 when there is none.
int takeLabel(std::string_view& text)
{
    std::string_view rest = text;
    if (!skip(rest, "[GPU") && !skip(rest, "[RANK ") && !skip(rest, "[Rank "))
        return -1;
    const size_t close = rest.find("] ");
    const auto rank =
        close == std::string_view::npos ? std::nullopt : wholeCount(rest.substr(0, close));
    if (!rank || *rank > 1e6)
        return -1;
    text = rest.substr(close + 2);
    return int(*rank);
}

/// Reads the output of the DDP examples of PyTorch: "[GPU3] Epoch 0 | Batchsize: 512 | Steps: 64"
/// ("steps" with the GPU as the lane, and the losses that some print after it), "Finished epoch 0
/// in 5.12 seconds" ("epoch_seconds", and "items_per_second" when the text contains the size of the
/// data set), the number of processes, and how torchrun ends when one fails. x = epoch.
class TorchDdpRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "[FELUTDRte",
            .words = {"epoch ", "finished ", " nodes", " tasks ", " gpus ", " items", "exitcode",
                "watchdog caught", "eaddrinuse", "childfailederror"},
            .fits = mayBe};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress)
            return false;
        const std::string_view text = trimmed(line.text);
        if (text.empty())
            return false;
        switch (text[0]) {
        case '[':
            return readEpoch(text, line, sink) || readFailure(text, line, sink);
        case 'F':
            return readFinished(text, line, sink);
        case 'E':
            return readSnapshot(text, line, sink);
        case 'L':
        case 'U':
        case 'T':
        case 'D':
            return readWorld(text, line, sink);
        case 'R':
        case 't':
        case 'e':
            return readFailure(text, line, sink);
        default:
            return false;
        }
    }

private:
    static bool mayBe(std::string_view text)
    {
        return startsWithOneOf(text,
                   {"[", "Finished ", "Launching ", "Using ", "Training on ", "Dataset has ",
                       "RuntimeError: ", "torch.distributed.", "exitcode"})
            || (text.starts_with("Epoch ") && text.find("| Training ") != std::string_view::npos);
    }
    bool readEpoch(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readFinished(std::string_view text, const LogLine& line, MetricSink& sink) const;
    bool readSnapshot(std::string_view text, const LogLine& line, MetricSink& sink) const;
    bool readWorld(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readFailure(std::string_view text, const LogLine& line, MetricSink& sink);

    LineFields m_fields;
    StepClock m_clock;
    double m_items = 0; ///< in the data set; 0: unknown
    int m_failures = 0;
};

bool TorchDdpRecogniser::readEpoch(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const int rank = takeLabel(text);
    if (rank < 0 || !text.starts_with("Epoch "))
        return false;
    std::string_view rest = text.substr(6);
    const auto epoch = wholeCount(takeWord(rest));
    if (!epoch || !rest.starts_with(" | "))
        return false;
    // For the general recogniser "Steps" is not a measurement: it counts the remaining steps.
    const size_t at = rest.find("| Steps: ");
    std::string_view steps =
        at == std::string_view::npos ? std::string_view() : rest.substr(at + 9);
    if (const auto count = wholeCount(takeWord(steps)))
        sink.add(Sample{.series = QStringLiteral("steps"),
            .lane = rankLane(rank),
            .x = *epoch,
            .xName = QStringLiteral("epoch"),
            .y = *count,
            .line = line.number});
    if (readFields(text, m_fields) && m_fields.epoch) {
        LogLine labelled = line;
        labelled.rank = rank;
        giveFields(m_fields, m_clock.read(m_fields, rank), labelled, seriesName, sink);
    }
    return true;
}

bool TorchDdpRecogniser::readFinished(
    std::string_view text, const LogLine& line, MetricSink& sink) const
{
    if (text == "Finished DDP setup")
        return true;
    if (!skip(text, "Finished epoch "))
        return false;
    const auto epoch = wholeCount(takeWord(text));
    if (!epoch || !skip(text, " in "))
        return false;
    const auto seconds = takeNumber(text);
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || text != " seconds")
        return false;
    Sample sample{.series = QStringLiteral("epoch_seconds"),
        .lane = rankLane(line.rank),
        .x = *epoch,
        .xName = QStringLiteral("epoch"),
        .y = *seconds,
        .unit = QStringLiteral("s"),
        .line = line.number};
    sink.add(sample);
    if (m_items > 0 && *seconds > 0) {
        sample.series = QStringLiteral("items_per_second");
        sample.y = m_items / *seconds;
        sample.unit = QStringLiteral("items/s");
        sink.add(std::move(sample));
    }
    return true;
}

/// "Epoch 0 | Training snapshot saved at snapshot.pt"
bool TorchDdpRecogniser::readSnapshot(
    std::string_view text, const LogLine& line, MetricSink& sink) const
{
    if (!text.starts_with("Epoch ") || text.find("| Training ") == std::string_view::npos)
        return false;
    const auto artifact = readArtifact(line);
    if (artifact)
        sink.add(*artifact);
    return artifact.has_value();
}

/// "Launching on 2 nodes", "Launching 1 tasks per node", "Using 2 GPUs per task",
/// "Training on 4 GPUs - node01:12345", "Dataset has 131072 items".
bool TorchDdpRecogniser::readWorld(std::string_view text, const LogLine& line, MetricSink& sink)
{
    struct Shape {
        std::string_view before, after;
        const char* key;
    };
    static constexpr Shape shapes[] = {{"Launching on ", " nodes", "nodes"},
        {"Launching ", " tasks per node", "tasks_per_node"},
        {"Using ", " GPUs per task", "gpus_per_task"}, {"Training on ", " GPUs - ", "gpus"},
        {"Dataset has ", " items", "items"}};
    for (const Shape& shape : shapes) {
        std::string_view rest = text;
        if (!skip(rest, shape.before))
            continue;
        const std::string_view number = takeWord(rest);
        const auto count = wholeCount(number);
        if (!count || !skip(rest, shape.after))
            continue;
        QMap<QString, QString> values{{QLatin1String(shape.key), labelText(number)}};
        if (shape.after.ends_with("- "))
            values.insert(QStringLiteral("rendezvous"), labelText(rest));
        else if (!rest.empty())
            return false;
        if (std::string_view(shape.key) == "items")
            m_items = *count;
        sink.add(MetricEvent{QStringLiteral("world"), labelText(text), values, line.number});
        return true;
    }
    return false;
}

bool TorchDdpRecogniser::readFailure(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const std::string_view start = text.substr(0, 300);
    const auto has = [&](std::string_view words) {
        return start.find(words) != std::string_view::npos;
    };
    if (text[0] == 'e') { // "exitcode  : 1 (pid: 4711)"
        std::string_view rest = text;
        if (!skip(rest, "exitcode"))
            return false;
        skipSpaces(rest);
        if (!skip(rest, ":") || rest.find("(pid: ") == std::string_view::npos)
            return false;
    } else if (text[0] == '[') {
        if (!has("Watchdog caught collective operation timeout"))
            return false;
    } else if (text[0] == 'R') {
        if (!text.starts_with("RuntimeError: ") || !has("EADDRINUSE"))
            return false;
    } else if (!text.starts_with(
                   "torch.distributed.elastic.multiprocessing.errors.ChildFailedError")) {
        return false;
    }
    constexpr int most = 64; // each rank fails separately
    if (++m_failures <= most)
        sink.add(MetricEvent{QStringLiteral("failed"), labelText(text, 1000), {}, line.number});
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeTorchDdpRecogniser()
{
    return std::make_unique<TorchDdpRecogniser>();
}

} // namespace slipway
