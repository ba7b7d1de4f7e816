// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/packagescan.h"

#include "remote/base/shellquoting.h"
#include "remote/cluster/runfolder.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostSets = 500;
constexpr qsizetype longestFirstLines = 300;
constexpr qint64 mostKibibytes = qint64(1) << 40; ///< 1 PiB

// Each launch that uses a set touches its file "complete", which also says how many files it has.
// The requirements file lies beside it. Rows as those of the images: "KIND A B C D NAME".
constexpr char packageScan[] = R"SH(
(
  case $q in /*/slipway/packages) ;; *) exit 0 ;; esac
  [ -d "$q" ] && [ ! -L "$q" ] && [ ! -L "${q%/*}" ] && [ -O "$q" ] && cd -P -- "$q" || exit 0
  printf 'packages 0 0 0 0 %s\0' "$q"
  n=0
  for p in */; do
    p=${p%/}
    [ "${#p}" -eq 32 ] && [ -d "$p" ] && [ ! -L "$p" ] && [ -O "$p" ] || continue
    n=$((n + 1))
    [ "$n" -le 500 ] || break
    r=$(find -P "$p" -maxdepth 1 -type f \( -name '*.txt' -o -name '*.toml' -o -name '*.in' \
      -o -name '*.lock' \) -size -2000 2>/dev/null | sort | head -n 1)
    f='' w=- a=-
    if [ -f "$p/complete" ] && [ ! -L "$p/complete" ]; then
      f=$(head -c 20 "$p/complete" | tr -dc '0-9')
      a=$(stat -c %Y "$p/complete")
    fi
    w=$(stat -c %Y "${r:-$p}")
    printf 'set %s %s %s 0 %s\0' "${w:--}" "${a:--}" "${f:--}" "$p/${r##*/}"
    [ -z "$r" ] || printf 'lines 0 0 0 0 %s %s\0' "$p" "$(head -c 600 "$r" | head -n 3)"
  done
  $t du -k -x --max-depth=1 . 2>/dev/null |
    while read -r k p; do printf 'setsize %s 0 0 0 %s\0' "$k" "${p#./}"; done
) 2>/dev/null | head -c 2000000
printf '\0'
)SH";

// "d" is the image folder, or what it will be made in.
constexpr char quotaScan[] = R"SH(
(
  cd -P -- "${d:-/}" && command -v timeout >/dev/null || exit 0
  if [ "$(timeout 3 stat -f -c %T .)" = lustre ]; then
    command -v lfs >/dev/null || exit 0
    printf 'quota lustre 0 0 0 - %s\0' "$(timeout 3 lfs quota -q -u "$(id -un)" . | head -c 4000)"
  elif command -v quota >/dev/null; then
    m=$(timeout 3 df -P . | sed -n '2s/ .*//p')
    printf 'quota linux 0 0 0 %s\n%s\0' "$m" "$(timeout 3 quota -w -p | head -c 16000)"
  fi
) 2>/dev/null | head -c 40000
printf '\0'
)SH";

constexpr char packageRemoving[] = R"SH(
gone() { echo "gone $1"; }
kept() { echo "left $1 $2"; }
case $q in */slipway/packages) ;; *) q= ;; esac
[ -n "$q" ] && [ -d "$q" ] && [ ! -L "$q" ] && [ ! -L "${q%/*}" ] && [ -O "$q" ] &&
  cd -P -- "$q" || q=
remove() {
  [ -n "$q" ] || { kept "$1" 'the folder is gone, or is a link'; return; }
  [ -d "./$2" ] && [ ! -L "./$2" ] && [ -O "./$2" ] ||
    { kept "$1" 'it is not a folder of yours'; return; }
  if [ -d "$2.lock.d" ] && [ -z "$(find "$2.lock.d" -maxdepth 0 -mmin +120)" ]; then
    kept "$1" 'a job is installing it'
    return
  fi
  if [ -f "$2.lock" ] && [ ! -L "$2.lock" ] && command -v flock >/dev/null; then
    flock -n "$2.lock" true 2>/dev/null
    [ "$?" -ne 1 ] || { kept "$1" 'a job is installing it'; return; }
  fi
  rm -f -- "./$2/complete"
  e=$(rm -rf -- "./$2" 2>&1)
  if [ -e "./$2" ]; then kept "$1" "$(printf '%s' "$e" | head -n 1)"; return; fi
  rm -f -- "./$2.lock"
  gone "$1"
}
)SH";

bool isSetName(const QString& name)
{
    static const QRegularExpression form(QStringLiteral("\\A[0-9a-f]{32}\\z"));
    return form.match(name).hasMatch();
}

/// A row of the scan: its kind, four words and a name.
struct PackageRow {
    QByteArray kind;
    QList<QByteArray> words;
    QByteArray name;
};

std::optional<PackageRow> packageRow(const QByteArray& text)
{
    PackageRow row;
    qsizetype begin = 0;
    for (int i = 0; i < 5; ++i) {
        const qsizetype end = text.indexOf(' ', begin);
        if (end < 0)
            return std::nullopt;
        const QByteArray word = text.mid(begin, end - begin);
        if (i == 0)
            row.kind = word;
        else
            row.words << word;
        begin = end + 1;
    }
    row.name = text.mid(begin);
    return row;
}

std::optional<qint64> kibibytesIn(QByteArray text)
{
    if (text.endsWith('*')) // over the quota
        text.chop(1);
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    return ok && number >= 0 && number <= mostKibibytes ? std::optional(number * 1024)
                                                        : std::nullopt;
}

QDateTime secondsIn(const QByteArray& text)
{
    bool ok = false;
    const qint64 seconds = text.toLongLong(&ok);
    return ok && seconds > 0 && seconds < 32'000'000'000 ? QDateTime::fromSecsSinceEpoch(seconds)
                                                         : QDateTime();
}

PackageSet packageSet(const PackageRow& row, const QString& folder, const ImageScan& scan)
{
    const QString name = QString::fromUtf8(row.name);
    PackageSet set;
    set.path = folder + u'/' + name.section(u'/', 0, 0);
    set.requirements = name.section(u'/', 1).left(200);
    set.modified = secondsIn(row.words[0]);
    set.lastUsed = secondsIn(row.words[1]);
    bool ok = false;
    const int files = row.words[2].toInt(&ok);
    if (ok && files >= 0)
        set.files = files;
    set.isComplete = set.lastUsed.isValid() && set.files;
    set.inUse = scan.packagesInUse || scan.allInUse;
    const bool inScratch =
        !scan.scratch.isEmpty() && set.path.startsWith(QString(scan.scratch + u'/'));
    const QDateTime since = set.lastUsed.isValid() ? set.lastUsed : set.modified;
    if (inScratch && scan.purgeDays > 0 && since.isValid())
        set.deletedOn = since.date().addDays(scan.purgeDays);
    return set;
}

std::optional<StorageQuota> quotaOf(const QList<QByteArray>& words, qsizetype used)
{
    if (words.size() < used + 3)
        return {};
    const auto bytes = kibibytesIn(words[used]);
    const auto soft = kibibytesIn(words[used + 1]);
    const auto hard = kibibytesIn(words[used + 2]);
    if (!bytes || !soft || !hard)
        return {};
    const qint64 limit = *hard > 0 ? *hard : *soft;
    return limit > 0 ? std::optional(StorageQuota{*bytes, limit}) : std::nullopt;
}

/// "quota -w -p": a line for each file system, that of the images among them.
std::optional<StorageQuota> linuxQuota(const QByteArray& text)
{
    const QList<QByteArray> lines = text.split('\n');
    const QByteArray source = lines.value(0).trimmed();
    if (source.isEmpty())
        return {};
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QList<QByteArray> words = lines[i].simplified().split(' ');
        if (words[0] == source)
            return quotaOf(words, 1);
    }
    return {};
}

/// "lfs quota -q": the path, then the numbers, on one line or two.
std::optional<StorageQuota> lustreQuota(const QByteArray& text)
{
    const QByteArray simple = text.mid(1).simplified(); // what is before it is "-"
    return quotaOf(simple.split(' '), 1);
}

} // namespace

QByteArray packageScanPart(const QByteArray& folder)
{
    return "q=" + folder + packageScan;
}

QByteArray quotaScanPart()
{
    return quotaScan;
}

void readPackages(const QByteArray& answer, const ImageScan& scan, ImageList* list)
{
    QHash<QString, QString> lines;
    QHash<QString, qint64> sizes;
    for (const QByteArray& text : answer.split('\0')) {
        const auto row = packageRow(text);
        if (!row)
            continue;
        if (row->kind == "packages" && list->packageFolder.isEmpty()) {
            const QString folder = QString::fromUtf8(row->name);
            if (folder.startsWith(u'/') && isSafeRelativeName(folder.mid(1)))
                list->packageFolder = folder;
        } else if (row->kind == "set" && !list->packageFolder.isEmpty()) {
            if (isSetName(QString::fromUtf8(row->name.left(row->name.indexOf('/'))))
                && list->packages.size() < mostSets)
                list->packages.push_back(packageSet(*row, list->packageFolder, scan));
        } else if (row->kind == "lines" && row->name.size() > 33) {
            lines.insert(QString::fromUtf8(row->name.left(32)),
                QString::fromUtf8(row->name.mid(33)).left(longestFirstLines));
        } else if (row->kind == "setsize") {
            if (const auto bytes = kibibytesIn(row->words[0]))
                sizes.insert(QString::fromUtf8(row->name), *bytes);
        }
    }
    for (PackageSet& set : list->packages) {
        const QString name = set.path.section(u'/', -1);
        set.firstLines = lines.value(name);
        if (sizes.contains(name))
            set.bytes = sizes.value(name);
    }
    std::stable_sort(
        list->packages.begin(), list->packages.end(), [](const PackageSet& a, const PackageSet& b) {
            return a.bytes.value_or(0) > b.bytes.value_or(0);
        });
}

std::optional<StorageQuota> readQuota(const QByteArray& answer)
{
    for (const QByteArray& text : answer.split('\0')) {
        const auto row = packageRow(text);
        if (row && row->kind == "quota" && row->words[0] == "linux")
            return linuxQuota(row->name);
        if (row && row->kind == "quota" && row->words[0] == "lustre")
            return lustreQuota(row->name);
    }
    return {};
}

QByteArray removePackagesScript(const QString& folder, const std::vector<PackageSet>& sets)
{
    QByteArray script = "q=" + shellQuoted(folder) + packageRemoving;
    for (size_t i = 0; i < sets.size(); ++i) {
        const QString name = sets[i].path.mid(folder.size() + 1);
        const QByteArray number = QByteArray::number(qulonglong(i));
        if (sets[i].path.startsWith(QString(folder + u'/')) && isSetName(name))
            script += "remove " + number + ' ' + shellQuoted(name) + '\n';
        else
            script += "kept " + number + " 'it is not a set of packages'\n";
    }
    return script + "exit 0\n";
}

} // namespace slipway
