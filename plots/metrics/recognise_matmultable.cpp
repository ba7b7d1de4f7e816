// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"
#include "plots/metrics/tablerow.h"

#include <array>
#include <cmath>
#include <string>

namespace slipway {

namespace {

/// "2048x2048" → 2048. Both sides must agree: the tutorial multiplies square matrices.
std::optional<double> takeSquare(std::string_view text)
{
    const size_t x = text.find('x');
    if (x == std::string_view::npos || text.substr(0, x) != text.substr(x + 1))
        return {};
    const auto n = wholeNumber(text.substr(0, x));
    return n && *n > 0 && *n < 1e9 && *n == std::floor(*n) ? n : std::nullopt;
}

/// "4.67 TFLOPS" → 4.67e12. The prefixes are decimal.
std::optional<double> takeFlops(std::string_view text)
{
    const auto value = takeNumber(text);
    if (!value || !std::isfinite(*value))
        return {};
    skipSpaces(text);
    double factor = 1;
    if (!text.starts_with("FLOP") && !text.empty()) {
        static constexpr std::string_view prefixes = "KMGTPE";
        const size_t prefix = prefixes.find(text[0]);
        if (prefix == std::string_view::npos)
            return {};
        factor = std::pow(1000.0, static_cast<double>(prefix + 1));
        text.remove_prefix(1);
    }
    if (text != "FLOPS" && text != "FLOP/s")
        return {};
    return *value * factor;
}

/// Reads the output of the tutorial's matrix multiplication: the device, each size as it begins,
/// and the table at the end, drawn with lines or in ASCII, coloured, or wrapped by a narrow
/// terminal. A row yields three samples over x = n: "flops" (FLOP/s), "seconds" (s) and "memory"
/// (GiB; the program divides by 2^30 and calls it GB). Their lane is the device as torch names it,
/// "cuda" or "cpu"; the name of the GPU is an event.
class MatmulTableRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "|\xe2UGPCRENTtS",
            .words = {"0x0", "using device: ", "gpu: ", "version: ", "running test for ",
                "test failed for ", "cuda out of memory", "no successful tests", " saved "},
            .fits = mayBe};
    }
    bool isOpen() const override { return m_row.has_value(); }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress)
            return false;
        const std::string_view text = trimmed(line.text);
        if (!text.empty() && (text[0] == '|' || text[0] == '\xe2') && readRow(text, line, sink))
            return true;
        flush(sink);
        return !text.empty() && readWords(text, line, sink);
    }

    void finish(MetricSink& sink) override { flush(sink); }

private:
    static bool mayBe(std::string_view text)
    {
        return startsWithOneOf(text,
                   {"|", "\xe2", "Using device: ", "GPU: ", "PyTorch version: ", "CUDA version: ",
                       "Running test for ", "Test failed for ", "No successful tests", "S"})
            || text.find("CUDA out of memory") != std::string_view::npos;
    }
    struct Row {
        std::array<std::string, 4> cells;
        qint64 line = 0;
    };

    bool readWords(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readFailure(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    void give(const Row& row, MetricSink& sink) const;
    void flush(MetricSink& sink);

    QString m_lane;
    std::optional<Row> m_row; ///< an incomplete row: its cells continue in the next line
};

bool MatmulTableRecogniser::readWords(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const auto event = [&](const char* word, const QString& words,
                           QMap<QString, QString> values = {}) {
        sink.add(MetricEvent{QLatin1String(word), words, std::move(values), line.number});
        return true;
    };
    const auto library = [&](const char* name) {
        const QString version = labelText(text);
        return event("library", QLatin1String(name) + u' ' + version,
            {{QStringLiteral("version"), version}});
    };
    switch (text[0]) {
    case 'U':
        if (!skip(text, "Using device: ") || text.size() > 32
            || text.find(' ') != std::string_view::npos)
            return false;
        m_lane = labelText(text);
        return event("device", m_lane, {{QStringLiteral("device"), m_lane}});
    case 'G':
        if (m_lane.isEmpty() || !skip(text, "GPU: "))
            return false;
        return event("device", labelText(text),
            {{QStringLiteral("device"), m_lane}, {QStringLiteral("name"), labelText(text)}});
    case 'P':
        return skip(text, "PyTorch version: ") && library("PyTorch");
    case 'C':
        return skip(text, "CUDA version: ") ? library("CUDA") : readFailure(text, line, sink);
    case 'R':
        if (skip(text, "Running test for matrix size: ")) {
            const auto n = takeSquare(text);
            return n
                && event("running", QStringLiteral("n = %1").arg(*n, 0, 'f', 0),
                    {{QStringLiteral("n"), QString::number(*n, 'f', 0)}});
        }
        return readFailure(text, line, sink);
    case 'E':
    case 'N':
    case 'T':
    case 't':
        return readFailure(text, line, sink);
    case 'S':
        if (const auto artifact = readArtifact(line)) {
            sink.add(*artifact);
            return true;
        }
        return false;
    default:
        return false;
    }
}

bool MatmulTableRecogniser::readFailure(
    std::string_view text, const LogLine& line, MetricSink& sink)
{
    const bool ofSize = text.starts_with("Test failed for size ");
    if (!ofSize && text.substr(0, 200).find("CUDA out of memory") == std::string_view::npos
        && !text.starts_with("No successful tests to plot"))
        return false;
    MetricEvent event{QStringLiteral("failed"), labelText(text, 1000), {}, line.number};
    if (ofSize) {
        std::string_view size = text.substr(21);
        if (const auto n = takeSquare(size.substr(0, size.find('.'))))
            event.values.insert(QStringLiteral("n"), QString::number(*n, 'f', 0));
    }
    sink.add(std::move(event));
    return true;
}

/// A row with complete cells is emitted at once. An incomplete one waits for the next line: on a
/// narrow terminal, its first cell is empty there and the others continue ("4.67", "TFLOPS").
bool MatmulTableRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const auto cells = tableCells(text);
    if (cells.size() != 4)
        return false;
    if (cells[0].empty() && m_row) {
        for (size_t i = 1; i < 4; ++i) {
            if (!cells[i].empty() && m_row->cells[i].size() < 256) {
                m_row->cells[i] += ' ';
                m_row->cells[i] += cells[i];
            }
        }
    } else {
        flush(sink);
        if (!takeSquare(cells[0]))
            return false;
        m_row = Row{{}, line.number};
        for (size_t i = 0; i < 4; ++i)
            m_row->cells[i] = cells[i].substr(0, 256);
    }
    const Row& row = *m_row;
    if (wholeNumber(row.cells[1]) && wholeNumber(row.cells[2]) && takeFlops(row.cells[3]))
        flush(sink);
    return true;
}

void MatmulTableRecogniser::give(const Row& row, MetricSink& sink) const
{
    const auto n = takeSquare(row.cells[0]);
    const auto add = [&](const char* series, std::optional<double> y, const char* unit) {
        if (!y)
            return; // a truncated cell ("0.00…") is dropped, because half a number would be wrong
        Sample sample;
        sample.series = QLatin1String(series);
        sample.lane = m_lane;
        sample.x = *n;
        sample.xName = QStringLiteral("n");
        sample.y = *y;
        sample.unit = QLatin1String(unit);
        sample.line = row.line;
        sink.add(std::move(sample));
    };
    const auto flops = takeFlops(row.cells[3]);
    const auto seconds = wholeNumber(row.cells[2]);
    if (!n || (!flops && !seconds))
        return;
    add("flops", flops, "FLOP/s");
    add("seconds", seconds, "s");
    add("memory", wholeNumber(row.cells[1]), "GiB");
}

void MatmulTableRecogniser::flush(MetricSink& sink)
{
    if (m_row)
        give(*m_row, sink);
    m_row.reset();
}

} // namespace

std::unique_ptr<Recogniser> makeMatmulTableRecogniser()
{
    return std::make_unique<MatmulTableRecogniser>();
}

} // namespace slipway
