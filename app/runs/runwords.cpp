// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runwords.h"

#include <QSet>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestValue = 60;

/// Fields of every job: they tell runs apart less than what the recipe itself takes.
bool isResource(const QString& key)
{
    static const QSet<QString> resources{QStringLiteral("account"), QStringLiteral("constraint"),
        QStringLiteral("cpus"), QStringLiteral("gpu_type"), QStringLiteral("gpus"),
        QStringLiteral("memory"), QStringLiteral("nodes"), QStringLiteral("partition"),
        QStringLiteral("qos"), QStringLiteral("reservation"), QStringLiteral("time")};
    return resources.contains(key);
}

/// "lr 3e-4"; of a path or an image only its end.
QString settingText(const QString& key, const QString& value)
{
    const QString line = value.simplified();
    const bool path = line.contains(u'/') && !line.contains(u' ');
    const QString shown = path ? line.section(u'/', -1) : line;
    const QString name = QString(key).replace(u'_', u' ');
    if (shown.isEmpty())
        return name + QStringLiteral(" –");
    return name + u' '
        + (shown.size() > longestValue ? QString(shown.left(longestValue) + u'…') : shown);
}

} // namespace

QString runName(const Run& run)
{
    if (!run.labels.name.isEmpty())
        return run.labels.name;
    return run.title.isEmpty() ? run.spec.recipeId : run.title;
}

QString runSettings(const Run& run)
{
    QStringList own, resources;
    for (auto it = run.spec.values.begin(); it != run.spec.values.end(); ++it) {
        if (it.key() == u"command" && !it.value().isEmpty())
            own.prepend(it.value().simplified());
        else
            (isResource(it.key()) ? resources : own).append(settingText(it.key(), it.value()));
    }
    return (own + resources).join(QStringLiteral(", "));
}

QString failureWords(const Run& run)
{
    if (run.phase != RunPhase::Failed)
        return {};
    const auto fault =
        std::find_if(run.explanations.begin(), run.explanations.end(), [](const Explanation& one) {
            return one.severity == Explanation::Severity::Fault && !one.title.isEmpty();
        });
    if (fault != run.explanations.end())
        return fault->title;
    return run.error ? run.error->summary : run.sentence;
}

QString lastMetric(const Run& run)
{
    return run.digest.last.empty() ? QString() : metricText(run.digest.last.front());
}

QDateTime clusterTime(const Run& run, const QDateTime& here)
{
    return here.isValid() ? here.addSecs(run.clockAhead) : here;
}

std::optional<std::chrono::seconds> runDuration(const Run& run, const QDateTime& now)
{
    if (!run.started.isValid())
        return std::nullopt;
    const QDateTime end = isTerminal(run.phase) ? run.ended : clusterTime(run, now);
    if (!end.isValid())
        return std::nullopt;
    // A node's clock may be behind the one of the scheduler.
    return std::chrono::seconds(std::max<qint64>(0, run.started.secsTo(end)));
}

} // namespace slipway
