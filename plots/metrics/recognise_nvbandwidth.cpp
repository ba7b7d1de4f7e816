// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/baseunit.h"
#include "plots/metrics/scan.h"

#include <array>
#include <optional>
#include <utility>

namespace slipway {

namespace {

/// Reads the matrices of nvbandwidth and of p2pBandwidthLatencyTest: a title with its unit in
/// parentheses ("memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)"), a row of column numbers, a
/// line for each row. x is the column; the lane is the test and the row. Of bandwidthTest it reads
/// the rows below "Transfer Size (Bytes)  Bandwidth(GB/s)": x is the size, the lane the direction.
class NvbandwidthRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "R", .last = ")"}; }
    bool isOpen() const override { return !m_unit.unit.isEmpty(); }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        const std::string_view text = trimmed(line.text);
        if (text.empty() || text.size() > 1000) {
            m_columns = 0;
            if (std::exchange(m_isTransfer, false))
                m_unit = {};
            return false;
        }
        if (skipTitle(text) || skipTransferTitle(text))
            return true;
        if (m_unit.unit.isEmpty())
            return false;
        if (m_isTransfer)
            return readTransfer(text, line, sink);
        if (!isDigit(text[0])) {
            m_columns = 0;
            if (!text.starts_with("D\\D"))
                return false;
        }
        return m_columns > 0 ? readRow(text, line, sink) : readColumns(text);
    }

private:
    static constexpr size_t mostColumns = 64;

    /// "Running host_to_device_memcpy_ce." and the title of a matrix.
    bool skipTitle(std::string_view text)
    {
        if (text.starts_with("Running ") && text.ends_with('.')
            && text.find('_') != std::string_view::npos
            && text.find(' ', 8) == std::string_view::npos) {
            m_test = labelText(text.substr(8, text.size() - 9), 60);
            m_unit = {};
            return true;
        }
        if (!text.ends_with(')'))
            return false;
        const size_t open = text.rfind('(');
        if (open == std::string_view::npos)
            return false;
        const bool matrix = text.find("(row)") != std::string_view::npos
            && text.find("(column)") != std::string_view::npos;
        if (!matrix)
            return false;
        m_unit = baseUnit(text.substr(open + 1, text.size() - open - 2));
        m_isLatency = text.find("latency") != std::string_view::npos;
        m_columns = 0;
        return !m_unit.unit.isEmpty();
    }

    /// "Host to Device Bandwidth, 1 Device(s)", and the heading of its rows.
    bool skipTransferTitle(std::string_view text)
    {
        constexpr std::string_view title = " Bandwidth, ", heading = "Transfer Size (Bytes)";
        if (text.ends_with("Device(s)")) {
            const size_t at = text.find(title);
            m_direction = labelText(text.substr(0, at), 60).toLower();
            return at != std::string_view::npos;
        }
        const size_t open = text.starts_with(heading) ? text.rfind("Bandwidth(") : 0;
        if (open == 0 || open == std::string_view::npos)
            return false;
        m_unit = baseUnit(text.substr(open + 10, text.size() - open - 11));
        m_isTransfer = !m_unit.unit.isEmpty();
        return m_isTransfer;
    }

    /// "32000000			25.1"
    bool readTransfer(std::string_view text, const LogLine& line, MetricSink& sink) const
    {
        const auto size = wholeCount(takeWord(text));
        const auto value = wholeNumber(takeWord(text));
        if (!size || !value || !trimmed(text).empty())
            return false;
        sink.add(Sample{.series = QStringLiteral("bandwidth"),
            .lane = m_direction,
            .x = *size,
            .xName = QStringLiteral("size"),
            .y = *value * m_unit.factor,
            .unit = m_unit.unit,
            .line = line.number});
        return true;
    }

    bool readColumns(std::string_view text)
    {
        size_t count = 0;
        for (std::string_view word = takeWord(text); !word.empty(); word = takeWord(text)) {
            if (wholeCount(word) != double(count) || ++count > mostColumns)
                return false;
        }
        m_columns = count;
        return count > 0;
    }

    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        const auto row = wholeCount(takeWord(text));
        std::array<std::optional<double>, mostColumns> values;
        size_t count = 0;
        for (std::string_view word = takeWord(text); !word.empty(); word = takeWord(text)) {
            if (count >= m_columns)
                return false;
            values[count] = wholeNumber(word);
            if (!values[count] && word != "N/A")
                return false;
            ++count;
        }
        if (!row || count != m_columns)
            return false;
        for (size_t i = 0; i < count; ++i) {
            if (!values[i])
                continue;
            sink.add(Sample{
                .series = m_isLatency ? QStringLiteral("latency") : QStringLiteral("bandwidth"),
                .lane = (m_test.isEmpty() ? QString() : m_test + QStringLiteral(", "))
                    + QStringLiteral("row %1").arg(*row),
                .x = double(i),
                .xName = QStringLiteral("column"),
                .y = *values[i] * m_unit.factor,
                .unit = m_unit.unit,
                .line = line.number});
        }
        return true;
    }

    QString m_test;
    BaseUnit m_unit{1, {}}; ///< of the matrix that is being read; empty: none is
    bool m_isLatency = false;
    size_t m_columns = 0;
    QString m_direction; ///< "host to device", of bandwidthTest
    bool m_isTransfer = false; ///< its rows are to come
};

} // namespace

std::unique_ptr<Recogniser> makeNvbandwidthRecogniser()
{
    return std::make_unique<NvbandwidthRecogniser>();
}

} // namespace slipway
