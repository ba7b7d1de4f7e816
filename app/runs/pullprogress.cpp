// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/pullprogress.h"

#include "remote/base/tr.h"

#include <QDate>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

constexpr double rateWindow = 10; // s
constexpr double shortestMeasure = 1; // s: below it, a burst would count as speed
constexpr double longestRest = 1e6; // s: beyond, an estimate means nothing
constexpr double mostPullBytes = 1e15;
constexpr qsizetype longestRowLine = 2000;
constexpr qsizetype longestStepId = 60;
constexpr qsizetype mostPulls = 100;

std::optional<qint64> bytesValue(const QJsonValue& value)
{
    const double number = value.toDouble(-1);
    return number >= 0 && number <= mostPullBytes ? std::optional(qint64(number)) : std::nullopt;
}

std::optional<PullRow> pullRow(const QJsonObject& json)
{
    PullRow row;
    row.time = json.value(u"t").toDouble(-1);
    row.step = json.value(u"step").toString();
    row.phase = json.value(u"phase").toString();
    const auto bytes = bytesValue(json.value(u"bytes"));
    if (!bytes || !(row.time > 0 && row.time < 1e11) || pullPhaseTitle(row.phase).isEmpty())
        return {};
    row.bytes = *bytes;
    row.of = bytesValue(json.value(u"of"));
    return row;
}

QString reusedText(const QString& date)
{
    return date.isEmpty() ? tr("Image reused") : tr("Image reused, pulled on %1").arg(date);
}

} // namespace

void PullProgress::note(const PullRow& row)
{
    const bool goesOn = !m_rows.empty() && m_rows.back().phase == row.phase
        && row.time > m_rows.back().time && row.bytes >= m_rows.back().bytes;
    if (!goesOn)
        m_rows.clear();
    m_rows.push_back(row);
    // At least the last two are kept: rows may come less often than the window is long.
    const auto inside = std::find_if(m_rows.begin(), m_rows.end(),
        [&](const PullRow& one) { return row.time - one.time <= rateWindow; });
    const auto previous = m_rows.end() - std::ptrdiff_t(std::min<size_t>(2, m_rows.size()));
    m_rows.erase(m_rows.begin(), std::min(inside, previous));
}

std::optional<double> PullProgress::rate() const
{
    const double span = m_rows.back().time - m_rows.front().time;
    if (span < shortestMeasure)
        return {};
    return double(m_rows.back().bytes - m_rows.front().bytes) / span;
}

std::optional<PullState> PullProgress::state() const
{
    if (m_rows.empty())
        return {};
    const PullRow& last = m_rows.back();
    PullState state{last.step, last.phase, last.bytes, last.of, rate(), {}};
    if (state.of && *state.of < last.bytes)
        state.of.reset(); // more than there is: the whole is not known
    if (state.of && state.rate && *state.rate > 0) {
        const double rest = double(*state.of - last.bytes) / *state.rate;
        if (rest > 0 && rest < longestRest)
            state.left = std::chrono::seconds(qint64(std::ceil(rest)));
    }
    return state;
}

RunPulls readPulls(const QByteArray& ndjson)
{
    RunPulls pulls;
    for (qsizetype begin = 0, end; (end = ndjson.indexOf('\n', begin)) >= 0; begin = end + 1) {
        const QByteArray line = ndjson.mid(begin, end - begin);
        if (line.size() > longestRowLine)
            continue;
        const QJsonObject json = QJsonDocument::fromJson(line).object();
        const QString state = json.value(u"state").toString();
        const QString step = json.value(u"step").toString();
        if (json.value(u"stage").toString() == QLatin1String("node"))
            pulls = {}; // another attempt of a requeued job
        const qsizetype known = pulls.running.size() + pulls.reused.size();
        if (json.value(u"stage").toString() != QLatin1String("image") || known > mostPulls
            || step.isEmpty() || step.size() > longestStepId)
            continue;
        if (state == QLatin1String("begin")) {
            pulls.running.remove(step);
            pulls.reused.remove(step);
        } else if (state == QLatin1String("progress")) {
            if (const auto row = pullRow(json))
                pulls.running[step].note(*row);
        } else if (state == QLatin1String("reused")) {
            const QDate date = QDate::fromString(json.value(u"text").toString(), Qt::ISODate);
            pulls.reused[step] = date.toString(Qt::ISODate);
        }
    }
    return pulls;
}

std::optional<PullState> applyPulls(std::vector<RunStage>& stages, const RunPulls& pulls)
{
    std::optional<PullState> running;
    for (RunStage& stage : stages) {
        const auto pull = pulls.running.find(stage.id);
        const auto reused = pulls.reused.find(stage.id);
        if (stage.state == StageState::Running && pull != pulls.running.end()) {
            running = pull->state();
            if (running)
                stage.detail = pullText(*running);
        } else if (stage.state == StageState::Done && reused != pulls.reused.end()) {
            stage.detail = reusedText(*reused);
        }
    }
    return running;
}

} // namespace slipway
