// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/baseunit.h"
#include "plots/metrics/scan.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <cmath>

namespace slipway {

namespace {

/// Longer lines are skipped: an expression may need quadratic time.
constexpr size_t longestAsked = 4096;
/// The limit of steps per line, and the number of lines that may reach it before the pattern is
/// disabled. Both limit the cost of a careless expression ("(a+)+$") in a log of a million lines.
constexpr auto limits = "(*LIMIT_MATCH=20000)(*LIMIT_DEPTH=2000)";
constexpr int mostCostlyLines = 50;

/// Reads the matches of a recipe's own pattern; see PatternSpec. A capture that is not a number is
/// not plotted, nor is a line whose x is not a number.
class PatternRecogniser : public Recogniser {
public:
    explicit PatternRecogniser(const PatternSpec& spec);
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    struct Capture {
        int index;
        QString series;
        BaseUnit unit;
    };

    void countCost(const LogLine& line, MetricSink& sink);

    QRegularExpression m_expression;
    QString m_pattern; ///< as written in the recipe
    QString m_xName;
    std::vector<Capture> m_captures;
    int m_x = -1;
    int m_lane = -1;
    int m_costly = 0;
};

PatternRecogniser::PatternRecogniser(const PatternSpec& spec)
    : m_expression(QLatin1String(limits) + spec.match)
    , m_pattern(spec.match)
    , m_xName(spec.x.isEmpty() ? QStringLiteral("line") : spec.x)
{
    const QStringList names = m_expression.namedCaptureGroups();
    for (int i = 1; i < int(names.size()); ++i) {
        const QString& name = names[i];
        if (name.isEmpty())
            continue;
        if (name == spec.x)
            m_x = i;
        else if (name == spec.lane)
            m_lane = i;
        else
            m_captures.push_back({i, name, baseUnit(spec.units.value(name).toStdString())});
    }
}

void PatternRecogniser::countCost(const LogLine& line, MetricSink& sink)
{
    if (++m_costly < mostCostlyLines)
        return;
    sink.add(MetricEvent{QStringLiteral("warning"),
        tr("the pattern “%1” is too slow and is not used any more").arg(m_pattern.left(80)),
        {{QStringLiteral("pattern"), m_pattern}}, line.number});
}

bool PatternRecogniser::read(const LogLine& line, MetricSink& sink)
{
    if (line.text.size() > longestAsked || m_costly >= mostCostlyLines)
        return false;
    const QString text =
        QString::fromUtf8(line.text.data(), static_cast<qsizetype>(line.text.size()));
    const QRegularExpressionMatch match = m_expression.match(text);
    if (!match.isValid())
        countCost(line, sink);
    if (!match.hasMatch())
        return false;
    if (line.progress)
        return true; // only the line that overwrites it is read
    const auto number = [&](int capture) -> std::optional<double> {
        return wholeNumber(match.captured(capture).toStdString());
    };
    double x = static_cast<double>(line.number);
    if (m_x >= 0) {
        const auto read = number(m_x);
        if (!read || !std::isfinite(*read))
            return true;
        x = *read;
    }
    QString lane = m_lane >= 0 ? match.captured(m_lane).trimmed().left(100) : QString();
    if (lane.isEmpty())
        lane = rankLane(line.rank);
    for (const Capture& capture : m_captures) {
        if (const auto y = number(capture.index))
            sink.add(Sample{capture.series, lane, x, m_xName, *y * capture.unit.factor,
                capture.unit.unit, {}, {}, line.number});
    }
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makePatternRecogniser(const PatternSpec& spec)
{
    if (!patternProblem(spec).isEmpty())
        return nullptr;
    return std::make_unique<PatternRecogniser>(spec);
}

} // namespace slipway
