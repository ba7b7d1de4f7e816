// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/recordfile.h"

#include <QHash>

namespace slipway {

namespace {

constexpr qsizetype longestLane = 120;

QString within(const QStringList& parts, qsizetype count)
{
    QStringList kept = parts.first(count);
    if (kept.value(0) == u"code") // the copy of a person's own folder is where it runs
        kept.removeFirst();
    return kept.join(u'/').right(longestLane);
}

/// mlruns/EXPERIMENT/RUN/metrics/NAME, whose name may have slashes.
std::optional<RecordFile> mlflowFile(const QStringList& parts)
{
    const qsizetype root = parts.indexOf(QStringLiteral("mlruns"));
    if (root < 0 || parts.size() < root + 5 || parts[root + 3] != u"metrics")
        return {};
    QStringList shown = parts.first(root + 3);
    shown.last() = shown.last().left(8); // 32 digits
    return RecordFile{
        RecordKind::MlflowMetric, within(shown, shown.size()), parts.mid(root + 4).join(u'/')};
}

bool isJsonOfMetrics(const QString& base, const QStringList& parts)
{
    if (base.endsWith(u".jsonl") || base.endsWith(u".ndjson") || base.endsWith(u".json.log")
        || base.endsWith(u".log.json"))
        return true;
    if (!base.endsWith(u".json"))
        return false;
    if (parts.size() > 1 && parts[parts.size() - 2] == u"vis_data")
        return true;
    static const QStringList words{QStringLiteral("metrics"), QStringLiteral("history"),
        QStringLiteral("trainer_state"), QStringLiteral("scalars"), QStringLiteral("dllogger"),
        QStringLiteral("raport"), QStringLiteral("train_log"), QStringLiteral("training_log")};
    const QString stem = base.chopped(5);
    return stem == u"log" || stem == u"logs"
        || std::any_of(words.begin(), words.end(),
            [&stem](const QString& word) { return stem.contains(word); });
}

/// The number of "checkpoint-500"; -1: it is none.
qint64 checkpointNumber(const QString& folder)
{
    bool isNumber = false;
    const qint64 number =
        folder.startsWith(u"checkpoint-") ? folder.mid(11).toLongLong(&isNumber) : -1;
    return isNumber ? number : -1;
}

} // namespace

std::optional<RecordFile> recordFileOf(const QString& name)
{
    const QStringList parts = name.split(u'/');
    if (const auto mlflow = mlflowFile(parts))
        return mlflow;
    const QString base = parts.last().toLower();
    const qsizetype folders = parts.size() - 1;
    if (base.contains(u".tfevents.") || base.endsWith(u".tfevents")) {
        if (base.endsWith(u".profile-empty"))
            return {};
        const QString folder = within(parts, folders);
        return RecordFile{
            RecordKind::EventFile, folder.isEmpty() ? QStringLiteral("events") : folder};
    }
    if (base.endsWith(u".wandb")) {
        const QString folder = within(parts, folders);
        return RecordFile{RecordKind::WandbRun, folder.isEmpty() ? parts.last() : folder};
    }
    if (base.endsWith(u".csv") || base.endsWith(u".tsv"))
        return RecordFile{RecordKind::Table, within(parts, parts.size())};
    if (isJsonOfMetrics(base, parts))
        return RecordFile{RecordKind::Json, within(parts, parts.size())};
    return {};
}

QStringList chooseRecordFiles(const QStringList& names, qsizetype most)
{
    const auto checkpointOf = [](const QString& name) {
        const QStringList parts = name.split(u'/');
        const qint64 number =
            parts.size() > 1 ? checkpointNumber(parts[parts.size() - 2]) : qint64(-1);
        const QString training =
            number < 0 ? QString() : parts.first(parts.size() - 2).join(u'/') + u'/' + parts.last();
        return std::pair(training, number);
    };
    QHash<QString, qint64> latest;
    for (const QString& name : names) {
        const auto [training, number] = checkpointOf(name);
        if (number >= 0)
            latest[training] = std::max(latest.value(training, -1), number);
    }
    QStringList chosen;
    for (const QString& name : names) {
        const auto [training, number] = checkpointOf(name);
        const bool repeats = number >= 0
            && (number < latest.value(training)
                || names.contains(training.startsWith(u'/') ? training.mid(1) : training));
        if (chosen.size() < most && recordFileOf(name) && !repeats)
            chosen.append(name);
    }
    return chosen;
}

} // namespace slipway
