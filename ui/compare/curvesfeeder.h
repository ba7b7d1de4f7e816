// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/compare/curvesmodel.h"

#include <QHash>
#include <QPointer>
#include <QSet>

#include <memory>

namespace slipway {

/// CurvesFeeder puts runs of the engine into the CurvesModel and keeps them up to date while they
/// run. It holds their feeds, which own the numbers that the model reads. Without an engine it does
/// nothing. Lives on the GUI thread, owned by the CurvesPage.
class CurvesFeeder : public QObject {
    Q_OBJECT

public:
    CurvesFeeder(Engine* engine, CurvesModel* model, QObject* parent);

    /// Replaces the runs in the model with these.
    void setRuns(const QStringList& runIds);
    const QStringList& runIds() const { return m_runs; }
    Engine* engine() const { return m_engine; }

private:
    void hold(QHash<QString, std::shared_ptr<RunFeed>>& feeds);
    void schedule();
    void refresh();

    QPointer<Engine> m_engine;
    CurvesModel* m_model;
    QStringList m_runs;
    QHash<QString, std::shared_ptr<RunFeed>> m_feeds;
    QHash<QString, CurvesRun> m_known; ///< what was launched, read again after a change of the run
    QTimer m_pause; ///< a job prints in bursts; one update after each burst is enough
};

} // namespace slipway
