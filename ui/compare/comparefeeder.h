// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/compare/comparemodel.h"

#include <QHash>
#include <QPointer>

#include <memory>

namespace slipway {

/// CompareFeeder puts runs of the engine into the model and keeps them up to date while they
/// measure. It holds the feeds of the runs in the model, so that their logs stay open, and removes
/// a run again if its complete log contains nothing to compare. Without an engine it does nothing.
/// Lives on the GUI thread, owned by the Compare page.
class CompareFeeder : public QObject {
    Q_OBJECT

public:
    CompareFeeder(Engine* engine, CompareModel* model, QObject* parent);

    /// Replaces the runs in the model with these.
    void setRuns(const QStringList& runIds);
    void addRuns(const QStringList& runIds);
    /// Adds the newest run that measured several lanes; does nothing if the model has a run.
    void showNewest();

signals:
    /// Which runs were not added and why; empty: the last note no longer applies.
    void noted(const QString& text);

private:
    std::optional<ComparedRun> comparedRun(const QString& runId) const;
    void scheduleUpdate(const QString& runId);
    void updateStale();
    void readCandidate();
    void removeEmpty();
    void holdFeeds();

    QPointer<Engine> m_engine;
    CompareModel* m_model;
    QSet<QString> m_stale; ///< runs with new points, read again after a short delay
    QHash<QString, std::shared_ptr<RunFeed>> m_feeds; ///< of the runs in the model
    QStringList m_candidates; ///< of showNewest()
    QStringList m_unread; ///< added runs whose log may not be fully read yet
    int m_reads = 0;
};

} // namespace slipway
