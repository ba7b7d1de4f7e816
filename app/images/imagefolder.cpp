// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagefolder.h"

#include "remote/base/shellquoting.h"

#include <QRegularExpression>

#include <limits>

namespace slipway {

namespace {

// Start-up files print as well.
constexpr char folderMark[] = "slipway-folder:";
constexpr char spaceMark[] = "slipway-space:";
constexpr char keptMark[] = "slipway-kept:";

QByteArray lineAfter(const QByteArray& output, const char* mark)
{
    for (const QByteArray& line : output.split('\n')) {
        if (line.startsWith(mark))
            return line.mid(qsizetype(qstrlen(mark)));
    }
    return {};
}

} // namespace

QByteArray imageFolderScript(const QString& expression, const QStringList& fileWords)
{
    const QByteArray kept = fileWords.isEmpty() ? QByteArray()
                                                : "k=\nfor f in " + fileWords.join(u' ').toUtf8()
            + "; do\n  if [ -s \"$f\" ]; then k=$(date -r \"$f\" +%F); else k=; break; fi\ndone\n"
              "printf '"
            + keptMark + "%s\\n' \"$k\"\n";
    // An unset variable would make another folder of it: -u ends the script instead.
    const QByteArray script = "set -u\nd=\"" + expression.toUtf8() + "\"\nprintf '\\n" + folderMark
        + "%s\\n' \"$d\"\n" + kept
        + "case $d in /*) ;; *) exit 1 ;; esac\n" // of "a" the loop below would have no end
          "while [ -n \"$d\" ] && [ ! -d \"$d\" ]; do d=${d%/*}; done\n"
          "printf '"
        + spaceMark + "%s\\n' \"$(df -Pk \"${d:-/}/.\" | tail -n 1)\"\n";
    return "bash -l -c " + shellQuoted(script) + " </dev/null 2>/dev/null\n";
}

std::optional<ImageFolder> parseImageFolder(const QByteArray& output)
{
    static const QRegularExpression columns(
        QStringLiteral(R"(\s\d+\s+\d+\s+(-?\d{1,18})\s+\d+%\s)"));
    ImageFolder folder;
    folder.path = QString::fromUtf8(lineAfter(output, folderMark));
    if (!folder.path.startsWith(u'/') || folder.path.size() > 4096)
        return {};
    static const QRegularExpression day(QStringLiteral("\\A[0-9]{4}-[0-9]{2}-[0-9]{2}\\z"));
    const QString kept = QString::fromLatin1(lineAfter(output, keptMark).left(20));
    if (day.match(kept).hasMatch())
        folder.keptSince = kept;
    const QString space = QString::fromUtf8(lineAfter(output, spaceMark).left(8192));
    const auto match = columns.match(space);
    bool isNumber = false;
    const qint64 kibibytes = match.captured(1).toLongLong(&isNumber);
    if (isNumber && kibibytes <= std::numeric_limits<qint64>::max() / 1024)
        folder.freeBytes = qMax<qint64>(0, kibibytes) * 1024; // root's reserve counts below zero
    return folder;
}

} // namespace slipway
