// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QFrame>

namespace slipway {

class Timeline;

/// TimelineCard frames the timeline of a run; the stage that checks the node links to the checks.
/// Without stages it is hidden. Lives on the GUI thread, owned by the run page.
class TimelineCard : public QFrame {
    Q_OBJECT

public:
    explicit TimelineCard(QWidget* parent = nullptr);
    /// A stage that is running has lasted until `now`; invalid: for an unknown time.
    void setRun(const Run& run, const QDateTime& now);

signals:
    void checksRequested();

private:
    Timeline* m_timeline;
};

} // namespace slipway
