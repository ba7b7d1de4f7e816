// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/filefeed.h"
#include "app/runs/runnodes.h"

#include <QHash>

#include <memory>

namespace slipway {

/// RunFeeds keeps the feed of each displayed run, and of the last few that were displayed, which
/// open again at once; the others are dropped, with everything but their row in the list. Lives on
/// the GUI (or main) thread; Runs owns it.
class RunFeeds : public QObject {
    Q_OBJECT

public:
    RunFeeds(RunContext context, RunRegistry* registry, RunNodes* nodes);

    /// Created at first use; null: there is no such run.
    std::shared_ptr<FileFeed> feed(const QString& runId);
    /// More of its log has arrived, or its phase has changed.
    void update(const QString& runId);
    void addSamples(const QString& runId, const std::vector<Sample>& points);
    /// Marks it as used: of the ended runs, the last used are kept.
    void touch(const QString& runId);
    void setShown(const QStringList& runIds) { m_shown = runIds; }
    const QStringList& shown() const { return m_shown; }
    /// Reduces ended runs to rows of the list, except for those used last.
    void dropIdle();

signals:
    void samplesAppended(const QString& runId);

private:
    bool isIdle(const QString& runId) const;

    RunContext m_context;
    RunRegistry* m_registry;
    RunNodes* m_nodes;
    QHash<QString, std::shared_ptr<FileFeed>> m_feeds;
    QStringList m_used; ///< most recently used last
    QStringList m_shown;
};

} // namespace slipway
