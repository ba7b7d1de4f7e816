// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/recordfinder.h"

#include "app/runs/keptrecords.h"
#include "app/runs/runfiles.h"
#include "plots/records/recordfile.h"
#include "remote/base/shellquoting.h"
#include "remote/cluster/runfolder.h"

#include <algorithm>

namespace slipway {

namespace {

struct FoundFile {
    double changed = 0;
    QString name;
};

} // namespace

QByteArray recordFinderScript(const QString& folder)
{
    // The files that were sent as code/ are all of 2001 (StoreScripts::sourceTime). `head` ends a
    // search that finds too much.
    return "cd -- " + shellQuoted(folder) + R"SH( 2>/dev/null || exit 0
limit=
timeout 1 true 2>/dev/null && limit='timeout 15'
$limit find -P . -xdev -maxdepth 8 \
  \( -type d \( -name '.?*' -o -name node_modules -o -name site-packages \
     -o -name __pycache__ \) -prune \) -o \
  \( -type f -newermt @1000000060 \( -name '*.tfevents*' -o -name '*.wandb' -o -name '*.csv' \
     -o -name '*.tsv' -o -name '*.json' -o -name '*.jsonl' -o -name '*.ndjson' \
     -o -name '*.json.log' \
     -o -path '*/mlruns/*/*/metrics/*' \) -printf '%T@ %s %P\0' \) 2>/dev/null | head -c 262144
exit 0
)SH";
}

QStringList foundRecords(const QByteArray& output)
{
    std::vector<FoundFile> found;
    const qsizetype whole = output.lastIndexOf('\0'); // what `head` cut is no name
    const QByteArrayList rows = output.left(std::max<qsizetype>(0, whole)).split('\0');
    for (const QByteArray& row : rows) {
        const qsizetype first = row.indexOf(' ');
        const qsizetype second = first < 0 ? -1 : row.indexOf(' ', first + 1);
        if (second < 0)
            continue;
        const QString name = QString::fromUtf8(row.mid(second + 1));
        const qint64 size = row.mid(first + 1, second - first - 1).toLongLong();
        if (size > 0 && size <= KeptRecords::mostOfOne && isSafeRelativeName(name)
            && !isSecretFile(name) && !isSlipwayFile(name) && recordFileOf(name))
            found.push_back({row.left(first).toDouble(), name});
    }
    std::stable_sort(found.begin(), found.end(),
        [](const FoundFile& one, const FoundFile& other) { return one.changed > other.changed; });
    QStringList names;
    for (const FoundFile& file : found)
        names.append(file.name);
    return chooseRecordFiles(names, KeptRecords::mostFiles);
}

QCoro::Task<QStringList> findRecords(std::shared_ptr<Shell> shell, QString folder)
{
    const auto output = co_await shell->run(recordFinderScript(folder));
    co_return output.ok() && output->exitCode == 0 ? foundRecords(output->out) : QStringList();
}

} // namespace slipway
