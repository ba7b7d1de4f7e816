// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/plan/difference.h"

#include <QTimer>

namespace slipway {

/// LaunchDraft is the launch that is being prepared: what the person entered, the plan that follows
/// from it, and what is needed to go back to earlier values. Every change is planned again, after a
/// short pause or at once with planNow(). GUI thread; LaunchPage owns it.
class LaunchDraft : public QObject {
    Q_OBJECT

public:
    explicit LaunchDraft(Engine* engine, QObject* parent = nullptr);

    Engine* engine() const { return m_engine; }
    const LaunchSpec& spec() const { return m_spec; }
    const Plan& plan() const { return m_plan; }
    const Site* site() const { return m_engine->catalogue()->site(m_spec.siteId); }
    ConnectionState::Phase connectionPhase() const;
    std::optional<ClusterInfo> clusterInfo() const;
    /// The plan of another launch, with the same facts of the cluster.
    Plan planOf(const LaunchSpec& spec) const { return m_engine->runs()->plan(spec); }
    /// The runs that keep an allocation at this site, newest first; empty while it is not known.
    std::vector<Run> keptRuns() const;
    /// When the allocation of a run ends at the latest, as far as its launch says.
    std::optional<QDateTime> keptUntil(const Run& run) const;

    /// The fields whose values were entered for another site and differ from this site's own.
    const QStringList& carried() const { return m_carried; }
    /// The site that they were entered for.
    QString carriedFrom() const;
    /// These fields have the values of this site again. Plans nothing by itself.
    void dropCarried();

    // These plan nothing by themselves.
    void setSite(const QString& siteId) { m_spec.siteId = siteId; }
    void setMode(LaunchMode mode) { m_spec.mode = mode; }
    /// Brings back the values that the recipe had before; false: it is the current one.
    bool setRecipe(const QString& recipeId);
    /// What a run was launched with; true when that is another recipe.
    bool load(const LaunchSpec& spec);
    /// The values of an exercise; those that it replaces are kept for undoExercise().
    void applyExercise(const Exercise& exercise);
    void undoExercise(const Exercise& exercise);
    /// The run that this launch repeats with a change; empty: none.
    void setBaseRun(const QString& runId) { m_baseRun = runId; }
    void setValue(const QString& key, const QString& value);
    /// The person's own folder, and the values that were read from it. They replace those of an
    /// earlier proposal, and nothing that the person has entered.
    void setProject(const QString& folder, const QMap<QString, QString>& proposed);
    /// Large files of that folder which are sent nevertheless.
    void setLargeFiles(const QStringList& paths) { m_spec.largeFiles = paths; }

    /// A value that the person entered; planned soon.
    void enter(const QString& key, const QString& value);
    void setEditedScript(const QByteArray& script);
    void planSoon() { m_replan.start(); }
    void planNow();

    /// The run that the script is compared with; empty: none, or it is no longer in the list.
    QString baseRun() const;
    std::vector<DifferenceLine> differenceFromBase() const;

signals:
    void planned();
    /// keptRuns() may be different.
    void keptChanged();

private:
    void findCarried();

    Engine* m_engine;
    LaunchSpec m_spec;
    Plan m_plan;
    QHash<QString, QMap<QString, QString>> m_kept; ///< values by recipe, while the window is open
    QHash<QString, QString> m_keptProjects; ///< the same for the person's own folder
    QHash<QString, QMap<QString, QString>> m_proposed; ///< by recipe: what setProject() has set
    /// What exercises of this recipe have replaced; nullopt: the field had its default.
    QMap<QString, std::optional<QString>> m_beforeExercise;
    QString m_baseRun;
    QHash<QString, QString> m_enteredAt; ///< by recipe and field: the site that a value is for
    QStringList m_carried;
    QTimer m_replan;
    QTimer m_runsChange; ///< many runs may change at once
};

} // namespace slipway
