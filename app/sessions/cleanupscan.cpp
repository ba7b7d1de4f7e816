// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/cleanupscan.h"

#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"
#include "remote/shell/shell.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostItems = 20'000;

/// Rows end with NUL, the one byte that no name contains: "KIND TIME BYTES NAME".
constexpr char cleanupScan[] = R"SH(
printf 'self %s 0 -\0' "$$"
ps -u "$(id -u)" -o pid=,ppid=,etimes=,args= 2>/dev/null | head -n 3000 |
  while read -r p q e a; do printf 'process %s:%s %s %s\0' "$p" "$q" "$e" "$a"; done
set -- /proc/[0-9]*/cwd
[ ! -e /proc/self ] || find "$@" -maxdepth 0 -printf 'cwd %p 0 %l\0' 2>/dev/null
[ -d "$b" ] && [ ! -L "$b" ] && cd -P -- "$b" || exit 0
find . -mindepth 1 -maxdepth 1 -type d -printf 'run %T@ 0 %P\0' 2>/dev/null
[ -L probe ] || find ./probe -mindepth 1 -maxdepth 1 -type d -printf 'probe %T@ 0 probe/%P\0' \
  2>/dev/null
[ -L images ] || find -P ./images -xdev \
  \( -type f -printf 'image %T@ %s images/%P\0' \) \
  -o \( -type d -name '*.lock.d' -printf 'image %T@ 0 images/%P\0' \) 2>/dev/null
[ -L cache ] || find . -mindepth 1 -maxdepth 1 -name cache -type d -printf 'image %T@ 0 cache\0' \
  2>/dev/null
find . -mindepth 1 -maxdepth 1 -name code -type d -printf 'image %T@ 0 code\0' 2>/dev/null
[ -L packages ] || find ./packages -mindepth 1 -maxdepth 1 -printf 'image %T@ 0 packages/%P\0' \
  2>/dev/null
[ -L checkpoints ] || find ./checkpoints -mindepth 1 -maxdepth 1 -type d \
  -printf 'checkpoints %T@ 0 checkpoints/%P\0' 2>/dev/null
t=; command -v timeout >/dev/null && t='timeout 40'
$t du -k -x --max-depth=1 . 2>/dev/null |
  while read -r k n; do printf 'size 0 %s %s\0' "$k" "${n#./}"; done
for f in probe packages checkpoints; do
  [ -L "$f" ] || $t du -k -x --max-depth=1 "./$f" 2>/dev/null |
    while read -r k n; do printf 'size 0 %s %s\0' "$k" "${n#./}"; done
done
exit 0
)SH";

struct CleanupRow {
    QByteArray kind, time;
    qint64 number = 0;
    QString name; ///< of a process its command, of a folder where a process is its path
};

std::vector<CleanupRow> cleanupRows(const QByteArray& answer)
{
    std::vector<CleanupRow> rows;
    for (const QByteArray& text : answer.split('\0')) {
        const QList<QByteArray> words = text.split(' ');
        if (words.size() < 4 || rows.size() >= 3 * mostItems)
            continue;
        const qsizetype begin = words[0].size() + words[1].size() + words[2].size() + 3;
        rows.push_back({words[0].trimmed(), words[1], words[2].toLongLong(),
            QString::fromUtf8(text.mid(begin))});
    }
    return rows;
}

QDateTime cleanupTime(const QByteArray& seconds)
{
    const double t = seconds.toDouble();
    return t > 0 && t < 3.2e10 ? QDateTime::fromMSecsSinceEpoch(qint64(t * 1000)) : QDateTime();
}

bool isRunFolderName(const QString& name)
{
    static const QRegularExpression form(
        QStringLiteral("\\A\\d{8}-\\d{4}-[A-Za-z0-9._-]+-[a-z0-9]{4}\\z"));
    return form.match(name).hasMatch();
}

bool isProbeName(const QString& name)
{
    static const QRegularExpression form(QStringLiteral("\\Aprobe/[0-9a-f]{64}\\z"));
    return form.match(name).hasMatch();
}

/// What is kept between runs besides images: layers, files of own programs, their packages.
bool isKeptName(const QString& name)
{
    static const QRegularExpression form(
        QStringLiteral("\\A(cache|code|packages/[0-9a-f]{32}(\\.lock(\\.d)?)?)\\z"));
    return form.match(name).hasMatch();
}

/// The folder of a chain of runs, named after the first; or one that was not completed.
bool isCheckpointsName(const QString& name)
{
    static const QRegularExpression form(
        QStringLiteral("\\Acheckpoints/[a-z0-9]{1,32}(\\.part)?\\z"));
    return form.match(name).hasMatch();
}

QString imageDetail(const QString& name)
{
    if (name == u"cache")
        return tr("image layers kept by the runtime");
    if (name == u"code")
        return tr("files of your programs, kept so that only changes are sent");
    if (name.startsWith(u"packages/"))
        return name.contains(u".lock") ? tr("lock of an installation of packages")
                                       : tr("installed Python packages");
    if (name.endsWith(u".lock") || name.endsWith(u".lock.d"))
        return tr("lock of an image pull");
    if (name.endsWith(u".slipway-digest"))
        return tr("digest of an image");
    if (name.startsWith(u"images/archives/"))
        return name.endsWith(u".part") ? tr("incomplete upload of an archive")
                                       : tr("archive of an image, for a build");
    return name.endsWith(u".part") ? tr("incomplete image pull") : tr("image");
}

/// One file or folder; none if it is not Slipway's.
std::optional<CleanupItem> cleanupFile(
    const CleanupRow& row, const CleanupContext& context, const QHash<QString, qint64>& sizes)
{
    if (!isSafeRelativeName(row.name))
        return {};
    CleanupItem item;
    item.path = context.base + u'/' + row.name;
    item.modified = cleanupTime(row.time);
    item.bytes = row.number > 0 ? row.number : sizes.value(row.name);
    if (row.kind == "run" && isRunFolderName(row.name)) {
        item.kind = CleanupItem::Kind::RunFolder;
        item.detail = context.runFolders.value(
            item.path, tr("a run that is not in this computer's run list"));
        item.runId = context.runIds.value(item.path);
        item.inUse = std::any_of(context.jobs.begin(), context.jobs.end(),
            [&](const Allocation& job) { return job.folder == item.path; });
    } else if (row.kind == "probe" && isProbeName(row.name)) {
        item.kind = CleanupItem::Kind::Probe;
        item.detail = tr("slipway-probe %1").arg(row.name.mid(6, 12));
        item.inUse = !context.jobs.empty();
    } else if (row.kind == "image" && (isKeptName(row.name) || row.name.startsWith(u"images/"))) {
        item.kind = CleanupItem::Kind::Image;
        item.detail = imageDetail(row.name);
        item.inUse = !context.jobs.empty();
    } else if (row.kind == "checkpoints" && isCheckpointsName(row.name)) {
        const QString run = row.name.section(u'/', 1).section(u'.', 0, 0);
        item.kind = CleanupItem::Kind::Checkpoints;
        item.detail = tr("checkpoints of run %1 and those that continue it").arg(run);
        item.inUse = !context.jobs.empty();
        const QStringList known = context.runIds.values();
        item.runId = known.contains(run) ? run : QString();
    } else {
        return {};
    }
    return item;
}

struct CleanupProcess {
    qint64 pid = 0, parent = 0, seconds = 0;
    QString folder, command;
};

std::optional<CleanupProcess> cleanupProcess(const CleanupRow& row)
{
    const QList<QByteArray> ids = row.time.split(':');
    if (row.kind != "process" || ids.size() != 2)
        return {};
    CleanupProcess process{
        ids[0].toLongLong(), ids[1].toLongLong(), row.number, {}, row.name.trimmed()};
    return process.pid > 1 ? std::optional(process) : std::nullopt;
}

/// Whether a process belongs to this connection: it has the same sshd ancestor as the shell of the
/// scan.
bool isOfConnection(const QHash<qint64, CleanupProcess>& all, qint64 pid, qint64 self)
{
    const auto line = [&all](qint64 one) {
        std::vector<qint64> parents;
        for (int steps = 0; steps < 64 && all.contains(one); ++steps) {
            parents.push_back(one);
            one = all.value(one).parent;
        }
        return parents;
    };
    // The topmost process of this user above the shell: its children are the login's programs.
    const std::vector<qint64> own = line(self);
    if (own.empty())
        return false;
    const bool sshd = all.value(own.back()).command.startsWith(u"sshd");
    const qint64 top = sshd ? own.back() : self;
    const std::vector<qint64> parents = line(pid);
    if (pid != self && std::find(parents.begin(), parents.end(), self) != parents.end())
        return false; // the scan itself
    return std::find(parents.begin(), parents.end(), top) != parents.end();
}

std::optional<CleanupItem> itemOfProcess(
    const CleanupProcess& process, bool ofConnection, const CleanupContext& context)
{
    const bool agent = process.command.contains(u"--job-name=slipway-agent");
    const bool inFolder = process.folder.startsWith(context.base + u'/');
    if (!ofConnection && !agent && !inFolder)
        return {};
    CleanupItem item;
    item.kind = CleanupItem::Kind::Process;
    item.path = process.command.simplified().left(2000);
    item.runId = QString();
    item.detail = ofConnection
        ? tr("process %1 on %2, part of this connection: it ends with the connection")
              .arg(process.pid)
              .arg(context.host)
        : tr("process %1 on %2").arg(process.pid).arg(context.host);
    item.modified = QDateTime::currentDateTime().addSecs(-process.seconds);
    item.inUse = ofConnection
        || std::any_of(context.jobs.begin(), context.jobs.end(), [&](const Allocation& job) {
               return process.folder == job.folder
                   || process.command.contains(u"--jobid=" + job.id.text + u' ');
           });
    return item;
}

CleanupItem cleanupJob(const Allocation& job, const CleanupContext& context)
{
    CleanupItem item;
    item.kind = CleanupItem::Kind::Job;
    item.path = job.id.text;
    item.detail =
        context.runFolders.value(job.folder, tr("a run that is not in this computer's run list"));
    item.runId = context.runIds.value(job.folder);
    item.inUse = true;
    return item;
}

qint64 cleanupPid(const CleanupItem& item)
{
    static const QRegularExpression form(QStringLiteral("\\d+"));
    return form.match(item.detail).captured(0).toLongLong();
}

} // namespace

QByteArray cleanupScript(const QString& base)
{
    return "b=" + shellQuoted(base) + cleanupScan;
}

CleanupList readCleanupList(const QByteArray& answer, const CleanupContext& context)
{
    CleanupList list;
    QHash<QString, qint64> sizes;
    QHash<qint64, CleanupProcess> processes;
    QHash<qint64, QString> folders; ///< where each process is
    qint64 self = 0;
    const std::vector<CleanupRow> rows = cleanupRows(answer);
    for (const CleanupRow& row : rows) {
        if (row.kind == "size")
            sizes.insert(row.name, 1024 * row.number);
        else if (row.kind == "cwd")
            folders.insert(row.time.split('/').value(2).toLongLong(), row.name);
        else if (row.kind == "self")
            self = row.time.toLongLong();
        else if (const auto process = cleanupProcess(row))
            processes.insert(process->pid, *process);
    }
    for (const Allocation& job : context.jobs)
        list.items.push_back(cleanupJob(job, context));
    for (const CleanupRow& row : rows) {
        std::optional<CleanupItem> item;
        if (auto process = cleanupProcess(row)) {
            process->folder = folders.value(process->pid);
            item = itemOfProcess(*process, isOfConnection(processes, process->pid, self), context);
        } else {
            item = cleanupFile(row, context, sizes);
        }
        if (item && list.items.size() < mostItems)
            list.items.push_back(std::move(*item));
    }
    return list;
}

std::vector<CleanupItem> removableItems(
    const CleanupList& wanted, const CleanupList& found, std::vector<CleanupItem>* left)
{
    std::vector<CleanupItem> removable;
    for (const CleanupItem& item : wanted.items) {
        const auto same =
            std::find_if(found.items.begin(), found.items.end(), [&](const CleanupItem& one) {
                return one.kind == item.kind && one.path == item.path
                    && (one.kind != CleanupItem::Kind::Process || one.detail == item.detail);
            });
        if (same == found.items.end())
            continue; // it no longer exists, or never was Slipway's
        if (!same->inUse) {
            removable.push_back(*same);
            continue;
        }
        CleanupItem kept = *same;
        kept.detail = kept.kind == CleanupItem::Kind::Job
            ? tr("the job has not ended: cancel it first")
            : kept.kind == CleanupItem::Kind::Process ? kept.detail
                                                      : tr("a job that has not ended may use it");
        left->push_back(std::move(kept));
    }
    return removable;
}

QByteArray removeScript(const QString& base, const std::vector<CleanupItem>& items)
{
    QByteArray script = "b=" + shellQuoted(base) + R"SH(
gone() { echo "gone $1"; }
kept() { echo "left $1 $2"; }
[ -d "$b" ] && [ ! -L "$b" ] && [ -O "$b" ] && cd -P -- "$b" || b=
remove() {
  [ -n "$b" ] || { kept "$1" "the folder is not yours, or is a link"; return; }
  r=$2 p=.
  while [ -n "$r" ]; do
    p=$p/${r%%/*}
    if [ -L "$p" ]; then kept "$1" "it is a link"; return; fi
    case $r in */*) r=${r#*/};; *) r=;; esac
  done
  if e=$(rm -rf -- "$p" 2>&1) && [ ! -e "$p" ]; then gone "$1"
  else kept "$1" "$(printf '%s' "$e" | head -n 1)"; fi
}
end() { kill -TERM "$2" 2>/dev/null; gone "$1"; }
)SH";
    for (size_t i = 0; i < items.size(); ++i) {
        const CleanupItem& item = items[i];
        const QByteArray number = QByteArray::number(qulonglong(i));
        const QString name = item.path.mid(base.size() + 1);
        if (item.kind == CleanupItem::Kind::Process && cleanupPid(item) > 1)
            script += "end " + number + ' ' + QByteArray::number(cleanupPid(item)) + '\n';
        else if (item.kind != CleanupItem::Kind::Process && item.kind != CleanupItem::Kind::Job
            && item.path.startsWith(base + u'/') && isSafeRelativeName(name))
            script += "remove " + number + ' ' + shellQuoted(name) + '\n';
        else
            script += "kept " + number + " 'it is not below the folder of Slipway'\n";
    }
    return script + "exit 0\n";
}

void readRemoved(
    const QByteArray& answer, const std::vector<CleanupItem>& items, std::vector<CleanupItem>* left)
{
    std::vector<QString> words(items.size(), tr("there was no answer"));
    for (const QByteArray& line : answer.split('\n')) {
        const QList<QByteArray> parts = line.split(' ');
        bool ok = false;
        const size_t i = parts.value(1).toUInt(&ok);
        if (!ok || i >= words.size())
            continue;
        if (parts[0] == "gone")
            words[i].clear();
        else if (parts[0] == "left")
            words[i] = QString::fromUtf8(line.mid(parts[0].size() + parts[1].size() + 2)).left(300);
    }
    for (size_t i = 0; i < items.size(); ++i) {
        if (words[i].isEmpty())
            continue;
        CleanupItem item = items[i];
        item.detail = words[i];
        left->push_back(std::move(item));
    }
}

} // namespace slipway
