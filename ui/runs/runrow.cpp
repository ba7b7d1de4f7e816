// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runrow.h"

#include "app/runs/runwords.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// The state of a run that nobody follows at the moment.
StateWord oldState(const StateWord& state, const QDateTime& asOf)
{
    const QString word = asOf.isValid()
        ? tr("%1 as of %2").arg(state.word, clockText(asOf, QDateTime::currentDateTime()))
        : tr("%1 when last seen").arg(state.word);
    return {Sign::Ring, word, Tint::Second};
}

QString secondLine(const Run& run)
{
    const QString failure = failureWords(run);
    if (!failure.isEmpty()) {
        return failure;
    }
    const QString metric = lastMetric(run);
    if (metric.isEmpty()) {
        return run.sentence;
    }
    // The sign says "done" already.
    return run.sentence == tr("Done.") ? metric : QString(metric % u" · "_s % run.sentence);
}

QPolygonF sparkline(const std::vector<double>& points)
{
    QPolygonF curve;
    if (points.size() < 2) {
        return curve;
    }
    const auto [low, high] = std::minmax_element(points.begin(), points.end());
    const double range = *high - *low;
    for (size_t i = 0; i < points.size(); ++i) {
        const double y = range > 0 ? (*high - points[i]) / range : 0.5;
        curve << QPointF(double(i) / double(points.size() - 1), y);
    }
    return curve;
}

} // namespace

RunRow makeRunRow(const Run& run, const QString& siteName, const ConnectionState& connection)
{
    const bool active = !isTerminal(run.phase);
    const bool old = active && connection.phase != ConnectionState::Phase::Connected;
    QDateTime asOf = run.asOf;
    if (connection.lastAsked.isValid() && (!asOf.isValid() || asOf < connection.lastAsked)) {
        asOf = connection.lastAsked;
    }
    RunRow row;
    row.title = runName(run);
    row.settings = runSettings(run);
    for (const QString& tag : run.labels.tags) {
        row.tags += (row.tags.isEmpty() ? u"#"_s : u" #"_s) + tag;
    }
    row.state = old ? oldState(stateWord(run.phase), asOf) : stateWord(run.phase);
    row.text = secondLine(run);
    row.place = run.job.isValid() ? tr("%1 · job %2").arg(siteName, run.job.text) : siteName;
    row.failed = run.phase == RunPhase::Failed;
    row.curve = sparkline(run.digest.points);
    row.created = run.created;
    // A requeued run waits again, although it was started before.
    const bool waits = active && run.phase < RunPhase::Running;
    if (active && !old && !waits) {
        row.since = run.started.addSecs(-run.clockAhead); // by this computer's clock
    } else if (const auto duration = runDuration(run, asOf); duration && !waits) {
        row.duration = durationText(*duration);
    }
    return row;
}

} // namespace slipway
