// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/probedelivery.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace slipway {

namespace {

const QString probeProgram = QStringLiteral("slipway-probe");

/// Which of the files fits, and whether it is installed correctly: "ARCHITECTURE
/// have|need|link|other|open".
QByteArray askForProbe(const std::vector<ProbeFile>& files, const QString& folder)
{
    QByteArray script = "a=$(uname -m)\nd=" + shellQuoted(folder) + "\ncase $a in\n";
    for (const ProbeFile& file : files)
        script += (file.architecture.isEmpty() ? QByteArray("*") : file.architecture.toLatin1())
            + ") s=" + file.sha256 + ";;\n";
    return script + R"SH(*) echo "$a none"; exit 0;;
esac
f=$d/$s/slipway-probe
for p in "${d%/*}" "$d" "$d/$s"; do
  if [ -L "$p" ]; then echo "$a link"; exit 0; fi
  if [ -e "$p" ] && ! [ -O "$p" ]; then echo "$a other"; exit 0; fi
done
if [ -d "${d%/*}" ] && [ -n "$(find "${d%/*}" -prune -perm /022 ! -perm -1000)" ]
then echo "$a open"; exit 0; fi
if [ -d "$d/$s" ] && ! chmod 700 "$d" "$d/$s" 2>/dev/null; then echo "$a other"; exit 0; fi
if [ -f "$f" ] && ! [ -L "$f" ] && [ -O "$f" ] && [ "$(sha256sum <"$f" 2>/dev/null)" = "$s  -" ] &&
  chmod 700 "$f" 2>/dev/null
then echo "$a have"; else echo "$a need"; fi
)SH";
}

/// A path that probe.sha256 can contain unquoted, on one line.
bool isSumFilePath(const QString& path)
{
    return path.startsWith(u'/')
        && std::all_of(path.begin(), path.end(), [](QChar c) { return c.isPrint() && c != u'\\'; });
}

Error refusedFolder(const QString& word, const QString& folder)
{
    if (word == u"link")
        return Error{ErrorKind::Refused,
            tr("%1 is a symbolic link, so slipway-probe is not installed there.").arg(folder),
            tr("Remove the link, or move it out of the way.")};
    if (word == u"open")
        return Error{ErrorKind::Refused,
            tr("Others may write to the folder above %1, so slipway-probe is not started from it.")
                .arg(folder),
            tr("Run on the cluster: chmod go-w %1")
                .arg(QString::fromUtf8(shellQuoted(folder.left(folder.lastIndexOf(u'/')))))};
    return Error{ErrorKind::Refused,
        tr("%1 belongs to someone else, so slipway-probe is not installed there.").arg(folder),
        tr("Set a scratch folder of your own for the site.")};
}

} // namespace

QByteArray missingProbeRow(const Error& why)
{
    QJsonObject row{{QStringLiteral("id"), QStringLiteral("probe.file")},
        {QStringLiteral("state"), QStringLiteral("skip")},
        {QStringLiteral("where"), QStringLiteral("host")},
        {QStringLiteral("value"), tr("not there")}, {QStringLiteral("why"), why.summary}};
    if (!why.remedy.isEmpty())
        row.insert(QStringLiteral("fix"), why.remedy);
    return QJsonDocument(row).toJson(QJsonDocument::Compact) + '\n';
}

QString probeFolder(const QString& scratch)
{
    return scratch + QStringLiteral("/slipway/probe");
}

QCoro::Task<Result<DeliveredProbe>> deliverProbe(std::shared_ptr<Shell> shell, QString scratch)
{
    const std::vector<ProbeFile> files = probeFiles();
    if (files.empty())
        co_return Error{ErrorKind::NotFound,
            tr("slipway-probe is not installed with this program, so the node is checked without "
               "it."),
            tr("Install or build slipway-probe.")};
    const QString folder = probeFolder(scratch);
    if (!isSumFilePath(folder))
        co_return Error{
            ErrorKind::Invalid, tr("slipway-probe cannot be installed in %1.").arg(folder)};
    const auto asked = co_await shell->run(askForProbe(files, folder));
    if (!asked.ok())
        co_return asked.error();
    const QStringList words = QString::fromLatin1(asked->out).simplified().split(u' ');
    const QString architecture = words.value(0).left(40), word = words.value(1);
    const ProbeFile* const file = probeFor(files, architecture);
    if (word == u"none" || !file)
        co_return Error{ErrorKind::Unsupported,
            tr("There is no slipway-probe for %1, so the node is checked without it.")
                .arg(architecture)};
    DeliveredProbe probe;
    probe.path = folder + u'/' + QLatin1String(file->sha256) + u'/' + probeProgram;
    probe.sha256 = file->sha256;
    if (word == u"have")
        co_return probe;
    if (word != u"need")
        co_return refusedFolder(word, folder);
    const RunFolder there(shell, folder + u'/' + QLatin1String(file->sha256));
    const auto made = co_await there.make(scratch);
    if (!made.ok())
        co_return made.error();
    const auto written = co_await shell->writeFile(probe.path, file->content, 0700);
    if (!written.ok())
        co_return written.error();
    co_return probe;
}

} // namespace slipway
