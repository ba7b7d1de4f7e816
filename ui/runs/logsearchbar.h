// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logsearch.h"
#include "app/runs/runfeed.h"

#include <QPointer>
#include <QWidget>

class QCheckBox;
class QLineEdit;

namespace slipway {

class ElidedText;

/// LogSearchBar takes the text to find in a log, searches all of its local copy, counts the hits
/// and walks through them. Lives on the GUI thread, owned by the log card.
class LogSearchBar : public QWidget {
    Q_OBJECT

public:
    explicit LogSearchBar(QWidget* parent = nullptr);
    /// The search starts again in another log.
    void setFeed(RunFeed* feed);
    /// Whether the "@slipway …" lines are searched as well: they are if they are shown.
    void setMachineLines(bool search);

    void open();
    void leave();
    /// Goes to the next or previous hit; to the first one as soon as there is one.
    void step(bool forward);

signals:
    void queryChanged(const slipway::LogQuery& query);
    void hitRequested(const slipway::LogHit& hit);
    void closed();

private:
    void restart();
    void showCount();
    QString words() const;

    QPointer<RunFeed> m_feed;
    LogSearch* m_search;
    QLineEdit* m_text;
    QCheckBox* m_case;
    ElidedText* m_count;
    bool m_machineLines = false;
    qsizetype m_at = -1; ///< the hit that is shown; -1: none
    bool m_wanted = false; ///< the next hit that comes is to be shown
    bool m_told = false; ///< the number of hits was announced
};

} // namespace slipway
