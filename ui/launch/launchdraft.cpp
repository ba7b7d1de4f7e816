// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchdraft.h"

#include "app/runs/relaunch.h"

namespace slipway {

namespace {

constexpr auto debounce = std::chrono::milliseconds(40);

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
    m_spec.recipeId = recipeId;
    m_spec.values = m_kept.value(recipeId);
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
        m_spec.values.insert(it.key(), it.value());
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
    m_plan = m_engine->runs()->plan(m_spec);
    emit planned();
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
