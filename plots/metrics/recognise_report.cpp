// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"
#include "remote/base/tr.h"

#include <cmath>
#include <map>
#include <vector>

namespace slipway {

namespace {

/// Characters up to the end of the last word: the column at which a line visibly ends.
size_t endColumn(std::string_view text)
{
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    size_t columns = 0;
    for (char c : text)
        columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return columns;
}

/// Removes the last word and the spaces before it.
std::string_view takeLastWord(std::string_view& rest)
{
    rest = trimmed(rest);
    const size_t space = rest.find_last_of(" \t");
    const std::string_view word = rest.substr(space == std::string_view::npos ? 0 : space + 1);
    rest = trimmed(rest.substr(0, rest.size() - word.size()));
    return word;
}

/// "0.92": a share between 0 and 1.
std::optional<double> takeShare(std::string_view& rest)
{
    const auto value = wholeNumber(takeLastWord(rest));
    return value && *value >= 0 && *value <= 1 ? value : std::nullopt;
}

bool isHeader(std::string_view text)
{
    skipSpaces(text);
    if (!text.starts_with("precision"))
        return false;
    for (const char* word : {"precision", "recall", "f1-score", "support"}) {
        if (takeWord(text) != word)
            return false;
    }
    return trimmed(text).empty();
}

/// Reads the classification report of scikit-learn: one row per label with precision, recall and
/// F1, each a series with the label as its lane, "support" (the number of items), and the row of
/// the accuracy. x counts the reports of the log, so a program that prints one per epoch yields a
/// curve. The columns of a report are right-aligned; a row that ends elsewhere is truncated and is
/// dropped. A printed confusion matrix becomes an event when it has a title, or when its rows add
/// up to the supports of the preceding report.
class ReportRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "[pcC", .fits = mayBe}; }
    bool isOpen() const override { return !m_open.empty() || m_matrixOpen; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress || line.text.size() > 4096)
            return false;
        const std::string_view text = trimmed(line.text);
        if (!m_open.empty() || m_matrixOpen) {
            if (readMatrix(text, line, sink) || readRow(text, line, sink))
                return true;
        }
        if (text.empty())
            return false;
        if (text[0] == '[')
            return readMatrix(text, line, sink);
        if (text[0] == 'p' && isHeader(text)) {
            open(line);
            return true;
        }
        if (startsWithIgnoringCase(text, "confusion matrix") && text.size() < 40)
            m_titleLine = line.number;
        return false;
    }

private:
    static bool mayBe(std::string_view text)
    {
        return text.starts_with("[[") || text.starts_with("precision")
            || startsWithIgnoringCase(text, "confusion matrix");
    }
    struct Report {
        double index = 1;
        size_t end = 0;
        int rows = 0;
    };

    void open(const LogLine& line);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    void give(const char* series, std::string_view label, double x, double y, const LogLine& line,
        MetricSink& sink) const;
    bool readMatrix(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readCells(std::string_view text);
    bool giveMatrix(MetricSink& sink);

    std::map<int, Report> m_open; ///< by rank
    std::map<int, double> m_reports; ///< number of reports so far, by rank
    std::vector<double> m_supports; ///< of the labels of the last report
    qint64 m_titleLine = -10;

    bool m_matrixOpen = false;
    int m_matrixRank = -1;
    qint64 m_matrixLine = 0;
    std::vector<std::vector<double>> m_matrix;
};

void ReportRecogniser::open(const LogLine& line)
{
    if (m_reports.size() >= manyRanks && !m_reports.contains(line.rank))
        return;
    m_open[line.rank] = {++m_reports[line.rank], endColumn(line.text), 0};
    m_supports.clear();
}

bool ReportRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    const auto found = m_open.find(line.rank);
    if (found == m_open.end())
        return false;
    if (text.empty())
        return true;
    Report& report = found->second;
    constexpr int mostRows = 10'000;
    std::string_view rest = text;
    const auto support = wholeCount(takeLastWord(rest));
    const auto f1 = takeShare(rest);
    if (!support || !f1 || rest.empty() || ++report.rows > mostRows) {
        m_open.erase(found);
        return false;
    }
    if (endColumn(line.text) != report.end)
        return true;
    if (rest == "accuracy") {
        give("accuracy", {}, report.index, *f1, line, sink);
        return true;
    }
    const auto recall = takeShare(rest);
    const auto precision = takeShare(rest);
    if (!recall || !precision || rest.empty())
        return true;
    give("precision", rest, report.index, *precision, line, sink);
    give("recall", rest, report.index, *recall, line, sink);
    give("f1", rest, report.index, *f1, line, sink);
    give("support", rest, report.index, *support, line, sink);
    if (!rest.ends_with(" avg") && m_supports.size() < 64)
        m_supports.push_back(*support);
    return true;
}

void ReportRecogniser::give(const char* series, std::string_view label, double x, double y,
    const LogLine& line, MetricSink& sink) const
{
    QString lane = rankLane(line.rank);
    if (!label.empty())
        lane =
            lane.isEmpty() ? labelText(label, 120) : QString(lane + u", " + labelText(label, 120));
    sink.add(Sample{.series = QLatin1String(series),
        .lane = lane,
        .x = x,
        .xName = QStringLiteral("report"),
        .y = y,
        .line = line.number});
}

/// "[[2481  335]" opens it and " [ 106 2748]]" closes it; a long row continues in the next line.
bool ReportRecogniser::readMatrix(std::string_view text, const LogLine& line, MetricSink& sink)
{
    if (!m_matrixOpen) {
        const bool titled = line.number - m_titleLine <= 2;
        if (!text.starts_with("[[") || (!titled && m_supports.empty()))
            return false;
        m_matrix.clear();
        m_matrixRank = line.rank;
        m_matrixLine = line.number;
        m_matrixOpen = true;
        text.remove_prefix(1);
    } else if (line.rank != m_matrixRank) {
        return false;
    }
    const bool last = text.ends_with("]]");
    if (last)
        text.remove_suffix(1);
    if (!readCells(text)) {
        m_matrixOpen = false;
        return false;
    }
    if (!last)
        return true;
    m_matrixOpen = false;
    return giveMatrix(sink);
}

bool ReportRecogniser::readCells(std::string_view text)
{
    constexpr size_t most = 64;
    if (skip(text, "["))
        m_matrix.emplace_back();
    if (m_matrix.empty() || m_matrix.size() > most)
        return false;
    if (text.ends_with("]"))
        text.remove_suffix(1);
    for (std::string_view word = takeWord(text); !word.empty(); word = takeWord(text)) {
        const auto cell = wholeCount(word);
        if (!cell || m_matrix.back().size() >= most)
            return false;
        m_matrix.back().push_back(*cell);
    }
    return true;
}

bool ReportRecogniser::giveMatrix(MetricSink& sink)
{
    const size_t n = m_matrix.size();
    const bool titled = m_matrixLine - m_titleLine <= 2;
    double total = 0, correct = 0;
    QStringList rows;
    for (size_t i = 0; i < n; ++i) {
        if (m_matrix[i].size() != n)
            return false;
        double sum = 0;
        QStringList cells;
        for (double cell : m_matrix[i]) {
            sum += cell;
            cells.append(QString::number(cell, 'f', 0));
        }
        if (!titled && (m_supports.size() != n || sum != m_supports[i]))
            return false;
        total += sum;
        correct += m_matrix[i][i];
        rows.append(cells.join(u' '));
    }
    sink.add(MetricEvent{QStringLiteral("confusion_matrix"),
        tr("Confusion matrix: %1 of %2 right")
            .arg(QString::number(correct, 'f', 0), QString::number(total, 'f', 0)),
        {{QStringLiteral("rows"), rows.join(QStringLiteral("; "))},
            {QStringLiteral("correct"), QString::number(correct, 'f', 0)},
            {QStringLiteral("total"), QString::number(total, 'f', 0)}},
        m_matrixLine});
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeReportRecogniser()
{
    return std::make_unique<ReportRecogniser>();
}

} // namespace slipway
