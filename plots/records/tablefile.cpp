// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/linesplitter.h"
#include "plots/records/recordreader.h"
#include "plots/records/recordrow.h"

#include <QList>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype mostColumns = 512;

/// The cells of a line (RFC 4180, but each row is one line), without the spaces around them.
QList<QByteArray> cellsOf(QByteArrayView line, char separator)
{
    QList<QByteArray> cells;
    QByteArray cell;
    bool quoted = false;
    for (qsizetype i = 0; i < line.size() && cells.size() < mostColumns; ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            cell.append(c);
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == separator && !quoted) {
            cells.append(cell.trimmed());
            cell.clear();
        } else {
            cell.append(c);
        }
    }
    cells.append(cell.trimmed());
    return cells;
}

/// The separator that divides a header into most cells.
char separatorOf(QByteArrayView header)
{
    constexpr char separators[] = {',', ';', '\t'};
    return *std::max_element(
        std::begin(separators), std::end(separators), [&header](char one, char other) {
            return std::count(header.begin(), header.end(), one)
                < std::count(header.begin(), header.end(), other);
        });
}

/// Reads the tables of CSV loggers: Lightning's metrics.csv, in which most cells of a row are
/// empty, Keras' CSVLogger, Ultralytics' results.csv, and any other with a header. A header line
/// later in the file begins another table. Without a counter or a time in the header nothing is
/// drawn.
class TableReader : public RecordReader {
public:
    explicit TableReader(QString lane)
        : m_lane(std::move(lane))
    {
    }

    void feed(QByteArrayView bytes) override
    {
        m_lines.feed(bytes, [this](QByteArrayView line) { takeLine(line); });
    }

    void finish() override
    {
        m_lines.finish([this](QByteArrayView line) { takeLine(line); });
    }

private:
    void takeLine(QByteArrayView line)
    {
        if (line.startsWith("\xef\xbb\xbf"))
            line = line.sliced(3);
        if (line.trimmed().isEmpty())
            return;
        if (m_separator == '\0')
            m_separator = separatorOf(line);
        const QList<QByteArray> cells = cellsOf(line, m_separator);
        const bool named = std::none_of(cells.begin(), cells.end(),
            [](const QByteArray& cell) { return recordNumber(cell).has_value(); });
        const bool isFirst = m_header.isEmpty();
        if (isFirst || (named && isHeader(cells))) {
            m_header = named && isHeader(cells) ? cells : QList<QByteArray>{""};
            return;
        }
        if (m_header.size() < 2) // no table of a logger
            return;
        if (cells.size() != m_header.size())
            return noteBroken();
        takeRow(cells);
    }

    static bool isHeader(const QList<QByteArray>& cells)
    {
        const bool whole = cells.size() > 1 && cells.size() < mostColumns;
        return whole && std::any_of(cells.begin(), cells.end(), [](const QByteArray& cell) {
            const QByteArray lower = cell.toLower();
            return counterRank(cell) || lower == "time" || lower == "t" || lower == "seconds"
                || lower == "elapsed";
        });
    }

    void takeRow(const QList<QByteArray>& cells)
    {
        RecordRow row;
        for (qsizetype i = 0; i < cells.size() && row.cells.size() < RecordRow::mostCells; ++i) {
            if (const auto value = recordNumber(cells[i]))
                row.cells.push_back({m_header[i], *value});
        }
        for (Sample& sample : samplesOf(row, m_lane, TimeAxis::Seconds))
            add(std::move(sample));
    }

    QString m_lane;
    LineSplitter m_lines;
    QList<QByteArray> m_header; ///< one empty name: the file is no table of a logger
    char m_separator = '\0';
};

} // namespace

std::unique_ptr<RecordReader> makeTableReader(const QString& lane)
{
    return std::make_unique<TableReader>(lane);
}

} // namespace slipway
