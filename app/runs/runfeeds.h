// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/filefeed.h"
#include "app/runs/runnodes.h"

#include <QHash>

#include <memory>

namespace slipway {

/// RunFeeds keeps the feed of each run that somebody looks at, and of the last few that were looked
/// at, which open at once again; the others are dropped with all that is known of them beside their
/// row in the list. Lives on the GUI (or main) thread; Runs owns it.
class RunFeeds : public QObject {
    Q_OBJECT

public:
    RunFeeds(RunContext context, RunRegistry* registry, RunNodes* nodes);

    /// Made at first use; null: there is no such run.
    std::shared_ptr<FileFeed> feed(const QString& runId);
    /// More of its log is here, or the run has another phase.
    void update(const QString& runId);
    void addSamples(const QString& runId, const std::vector<Sample>& points);
    /// It was used: of the runs that have ended, the last used are kept.
    void touch(const QString& runId);
    void setShown(const QStringList& runIds) { m_shown = runIds; }
    const QStringList& shown() const { return m_shown; }
    /// Ended runs become rows of the list again, but for those that were used last.
    void dropIdle();

signals:
    void samplesAppended(const QString& runId);

private:
    bool isIdle(const QString& runId) const;

    RunContext m_context;
    RunRegistry* m_registry;
    RunNodes* m_nodes;
    QHash<QString, std::shared_ptr<FileFeed>> m_feeds;
    QStringList m_used; ///< the last used last
    QStringList m_shown;
};

} // namespace slipway
