// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/timelinecard.h"

#include "ui/parts/text.h"
#include "ui/parts/timeline.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

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
    std::vector<TimelinePart> parts = timelineParts(run.stages, now);
    for (size_t i = 0; i < parts.size(); ++i) {
        if (run.stages[i].id == u"check"_s) {
            parts[i].link = tr("Show the node checks");
        }
    }
    m_timeline->setParts(std::move(parts));
    setVisible(!run.stages.empty());
}

} // namespace slipway

#include "moc_timelinecard.cpp"
