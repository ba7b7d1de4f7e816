// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchdraft.h"

#include "app/runs/relaunch.h"

namespace slipway {

namespace {

constexpr auto debounce = std::chrono::milliseconds(40);
constexpr auto runsPause = std::chrono::milliseconds(300);

QString placeOf(const QString& recipeId, const QString& field)
{
    return recipeId + u'/' + field;
}

} // namespace

LaunchDraft::LaunchDraft(Engine* engine, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
{
    m_replan.setSingleShot(true);
    m_replan.setInterval(debounce);
    connect(&m_replan, &QTimer::timeout, this, &LaunchDraft::planNow);
    connect(engine->sessions(), &Sessions::clusterInfoChanged, this, [this](const QString& siteId) {
        if (siteId == m_spec.siteId) {
            planSoon();
        }
    });
    m_runsChange.setSingleShot(true);
    m_runsChange.setInterval(runsPause);
    connect(&m_runsChange, &QTimer::timeout, this, &LaunchDraft::keptChanged);
    const auto soon = [this] {
        if (!m_runsChange.isActive()) {
            m_runsChange.start();
        }
    };
    connect(engine->runs(), &Runs::runChanged, this, soon);
    connect(engine->runs(), &Runs::runAdded, this, soon);
}

std::vector<Run> LaunchDraft::keptRuns() const
{
    std::vector<Run> kept;
    if (connectionPhase() != ConnectionState::Phase::Connected) {
        return kept;
    }
    for (Run& run : m_engine->runs()->all()) {
        if (run.spec.siteId == m_spec.siteId && run.phase == RunPhase::Allocated
            && m_engine->runs()->isSettled(run.id)) {
            kept.push_back(std::move(run));
        }
    }
    return kept;
}

std::optional<QDateTime> LaunchDraft::keptUntil(const Run& run) const
{
    const std::optional<QString> text = m_engine->runs()->launchFacts(run.id).timeLimit;
    const Result<WallTime> limit = WallTime::parse(text.value_or(QString()));
    if (!run.started.isValid() || !limit.ok() || limit->isUnlimited()
        || limit->seconds().count() == 0) {
        return {};
    }
    return run.started.addSecs(limit->seconds().count());
}

void LaunchDraft::findCarried()
{
    m_carried.clear();
    LaunchSpec bare = m_spec;
    for (const QString& key : m_spec.values.keys()) {
        const QString from = m_enteredAt.value(placeOf(m_spec.recipeId, key));
        if (!from.isEmpty() && from != m_spec.siteId) {
            m_carried << key;
            bare.values.remove(key);
        }
    }
    if (m_carried.isEmpty()) {
        return;
    }
    const QMap<QString, QString> own = planOf(bare).values;
    m_carried.removeIf([&](const QString& key) {
        return own.contains(key) && own.value(key) == m_spec.values.value(key);
    });
}

QString LaunchDraft::carriedFrom() const
{
    return m_carried.isEmpty() ? QString()
                               : m_enteredAt.value(placeOf(m_spec.recipeId, m_carried.first()));
}

void LaunchDraft::dropCarried()
{
    for (const QString& key : std::as_const(m_carried)) {
        m_spec.values.remove(key);
        m_beforeExercise.remove(key);
    }
}

ConnectionState::Phase LaunchDraft::connectionPhase() const
{
    return m_engine->sessions()->connection(m_spec.siteId).phase;
}

std::optional<ClusterInfo> LaunchDraft::clusterInfo() const
{
    return m_engine->sessions()->clusterInfo(m_spec.siteId);
}

bool LaunchDraft::setRecipe(const QString& recipeId)
{
    if (recipeId == m_spec.recipeId) {
        return false;
    }
    m_kept.insert(m_spec.recipeId, m_spec.values);
    m_keptProjects.insert(m_spec.recipeId, m_spec.project);
    m_spec.recipeId = recipeId;
    m_spec.values = m_kept.value(recipeId);
    m_spec.project = m_keptProjects.value(recipeId);
    m_beforeExercise.clear();
    m_baseRun.clear();
    return true;
}

bool LaunchDraft::load(const LaunchSpec& spec)
{
    const bool other = setRecipe(spec.recipeId);
    m_baseRun.clear();
    m_spec = spec;
    m_spec.editedScript.clear();
    m_spec.sweepSlot = 0; // it waits for no other run
    m_proposed.remove(spec.recipeId);
    for (const QString& key : spec.values.keys()) {
        m_enteredAt.insert(placeOf(spec.recipeId, key), spec.siteId);
    }
    return other;
}

void LaunchDraft::applyExercise(const Exercise& exercise)
{
    for (auto it = exercise.values.begin(); it != exercise.values.end(); ++it) {
        if (!m_beforeExercise.contains(it.key())) { // else another exercise has set it
            m_beforeExercise.insert(it.key(),
                m_spec.values.contains(it.key()) ? std::optional(m_spec.values.value(it.key()))
                                                 : std::nullopt);
        }
        setValue(it.key(), it.value());
    }
}

void LaunchDraft::undoExercise(const Exercise& exercise)
{
    for (const QString& key : exercise.values.keys()) {
        m_spec.values.remove(key);
        if (const std::optional<QString> before = m_beforeExercise.take(key)) {
            m_spec.values.insert(key, *before);
        }
    }
}

void LaunchDraft::setValue(const QString& key, const QString& value)
{
    m_spec.values.insert(key, value);
    m_enteredAt.insert(placeOf(m_spec.recipeId, key), m_spec.siteId);
}

void LaunchDraft::setProject(const QString& folder, const QMap<QString, QString>& proposed)
{
    QMap<QString, QString>& last = m_proposed[m_spec.recipeId];
    for (auto it = last.cbegin(); it != last.cend(); ++it) {
        if (m_spec.values.value(it.key()) == it.value()) { // else the person has changed it
            m_spec.values.remove(it.key());
        }
    }
    last.clear();
    for (auto it = proposed.cbegin(); it != proposed.cend(); ++it) {
        if (!m_spec.values.contains(it.key())) {
            m_spec.values.insert(it.key(), it.value());
            m_enteredAt.remove(placeOf(m_spec.recipeId, it.key())); // it is read for every site
            last.insert(it.key(), it.value());
        }
    }
    if (m_spec.project != folder) {
        m_spec.largeFiles.clear();
    }
    m_spec.project = folder;
}

void LaunchDraft::enter(const QString& key, const QString& value)
{
    setValue(key, value);
    m_beforeExercise.remove(key); // it is the person's own value now
    planSoon();
}

void LaunchDraft::setEditedScript(const QByteArray& script)
{
    m_spec.editedScript = script;
    planSoon();
}

void LaunchDraft::planNow()
{
    m_replan.stop();
    m_plan = planOf(m_spec);
    findCarried();
    emit planned();
    m_engine->sessions()->refreshShares(m_spec.siteId); // jobs use up hours meanwhile
}

QString LaunchDraft::baseRun() const
{
    return !m_baseRun.isEmpty() && m_engine->runs()->run(m_baseRun) ? m_baseRun : QString();
}

std::vector<DifferenceLine> LaunchDraft::differenceFromBase() const
{
    const auto run = m_engine->runs()->run(m_baseRun);
    if (!run) {
        return {};
    }
    Plan unedited = m_plan;
    unedited.spec.editedScript.clear();
    const QByteArray& edited = m_spec.editedScript;
    return scriptDifference(m_engine->runs()->submittedScript(m_baseRun),
        edited.isEmpty() ? scriptOf(unedited, run->tag) : edited);
}

} // namespace slipway

#include "moc_launchdraft.cpp"
