// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/verdict.h"

#include "remote/base/tr.h"

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QString remedyFor(const FairnessRule& rule)
{
    if (rule.state == FairnessRule::State::Unknown) {
        return tr("Launch the race: it records what a fair comparison needs.");
    }
    static const std::pair<const char*, const char*> remedies[] = {
        {"synchronised",
            QT_TRANSLATE_NOOP(
                "Slipway", "Synchronise with the GPU before each clock reading, and race again.")},
        {"repeats", QT_TRANSLATE_NOOP("Slipway", "Race again with more repeats.")},
        {"verified",
            QT_TRANSLATE_NOOP(
                "Slipway", "Check the node first: a fast result is useless if it is wrong.")},
        {"threads",
            QT_TRANSLATE_NOOP("Slipway",
                "Choose the lane that uses all CPUs of the job, or race again with it.")},
        {"throttle",
            QT_TRANSLATE_NOOP(
                "Slipway", "Race again when the GPU has cooled down, or on another node.")},
        {"same-work",
            QT_TRANSLATE_NOOP(
                "Slipway", "Choose two lanes that did the same work at the same sizes.")},
        {"warm-up",
            QT_TRANSLATE_NOOP("Slipway", "Race again with a warm-up before the clock starts.")},
        {"library", QT_TRANSLATE_NOOP("Slipway", "Race again with the faster library.")},
        {"precision", QT_TRANSLATE_NOOP("Slipway", "Choose two lanes of the same precision.")},
    };
    for (const auto& [id, text] : remedies) {
        if (rule.id == QLatin1StringView(id)) {
            return tr(text);
        }
    }
    return {};
}

QString remedyOf(const Comparison& pair)
{
    for (const auto state : {FairnessRule::State::Broken, FairnessRule::State::Unknown}) {
        for (const FairnessRule& rule : pair.rules) {
            if (rule.state == state) {
                return remedyFor(rule);
            }
        }
    }
    return {};
}

/// Keeps a number on one line with its sign.
QString tied(QString text)
{
    for (const char16_t sign : {u'×', u'%', u'·'}) {
        text.replace(u' ' + QString(QChar(sign)), QChar(0xa0) + QString(QChar(sign)));
    }
    return text;
}

RaceVerdict aloneVerdict(const CompareModel& model)
{
    RaceVerdict verdict;
    if (model.lanes().empty()) {
        verdict.headline = model.isLive() ? tr("The race is running") : tr("No results yet");
        verdict.detail = model.isLive() ? tr("The chart fills as results arrive.")
                                        : tr("The runs on this page contain no measurements.");
    } else {
        verdict.headline = tr("Nothing to compare with");
        verdict.detail = tr("%1 is the only lane.").arg(model.lanes().front().label);
    }
    for (const AbsentLane& lane : model.absent()) {
        verdict.detail += u' ' % absentWords(lane);
    }
    verdict.remedy = tr("Add a run with another lane.");
    return verdict;
}

} // namespace

RaceVerdict verdictOf(const CompareModel& model)
{
    const auto& pair = model.comparison();
    if (!pair) {
        return aloneVerdict(model);
    }
    RaceVerdict verdict;
    verdict.fair = pair->fair() && !pair->headline.isEmpty();
    if (!verdict.fair) {
        verdict.headline = tr("No speed-up is stated");
        verdict.detail = pair->reason;
        verdict.remedy = remedyOf(*pair);
        return verdict;
    }
    verdict.where = model.isLive() ? tr("%1 · so far").arg(pair->where) : pair->where;
    verdict.headline = pair->headline;
    verdict.detail = tied(pair->detail);
    verdict.crossover = pair->crossoverText;
    return verdict;
}

QString absentWords(const AbsentLane& lane)
{
    QString why = lane.why;
    while (why.endsWith(u'.')) {
        why.chop(1);
    }
    const QString label = lane.label.isEmpty() ? lane.lane : lane.label;
    const QString words =
        why.isEmpty() ? tr("No %1 lane.").arg(label) : tr("No %1 lane: %2.").arg(label, why);
    return lane.fix.isEmpty() ? words : words % u' ' % lane.fix;
}

} // namespace slipway
