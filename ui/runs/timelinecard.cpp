// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/timelinecard.h"

#include "app/runs/runwords.h"
#include "ui/parts/text.h"
#include "ui/parts/timeline.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// Of the layers; how much is to be unpacked and packed is not known.
std::optional<double> pulledShare(const PullState& pull)
{
    return pull.of && *pull.of > 0 ? std::optional(double(pull.bytes) / double(*pull.of))
                                   : std::nullopt;
}

bool isReused(const RunStage& stage)
{
    return stage.state == StageState::Done && stage.id.startsWith(u"image"_s)
        && !stage.detail.isEmpty();
}

} // namespace

TimelineCard::TimelineCard(QWidget* parent)
    : QFrame(parent)
    , m_timeline(new Timeline)
{
    setCardKind(this, "true");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->addWidget(m_timeline);
    connect(m_timeline, &Timeline::partActivated, this, &TimelineCard::checksRequested);
}

void TimelineCard::setRun(const Run& run, const QDateTime& now)
{
    std::vector<TimelinePart> parts = timelineParts(run.stages, clusterTime(run, now));
    for (size_t i = 0; i < parts.size(); ++i) {
        if (run.stages[i].id == u"check"_s) {
            parts[i].link = tr("Show the node checks");
        }
        if (run.pull && run.pull->step == run.stages[i].id) {
            parts[i].share = pulledShare(*run.pull);
        } else if (isReused(run.stages[i])) {
            parts[i].note = tr("reused");
        }
    }
    m_timeline->setParts(std::move(parts));
    setVisible(!run.stages.empty());
}

} // namespace slipway

#include "moc_timelinecard.cpp"
