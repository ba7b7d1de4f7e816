// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/folderlist.h"

#include "app/catalogue/names.h"
#include "remote/base/shellquoting.h"

#include <QStringDecoder>

#include <algorithm>

namespace slipway {

namespace {

constexpr auto patienceForNames = std::chrono::seconds(10);
constexpr qint64 largestNameList = 256 * 1024;
constexpr qsizetype longestName = 255;

/// An empty name, as no folder has, is where the list begins: what start-up files print is before
/// it.
constexpr char printNames[] = R"SH(
t=; command -v timeout >/dev/null 2>&1 && t='timeout 5'
cd -- "$d" 2>/dev/null || exit 0
printf '\0\0'
$t find -L . -mindepth 1 -maxdepth 1 -type d -print0 2>/dev/null | head -z -n 500 | head -c 200000
)SH";

bool isUsableName(const QString& name)
{
    if (name.isEmpty() || name.size() > longestName || name == u"." || name == u"..")
        return false;
    return std::none_of(name.begin(), name.end(), [](QChar c) {
        const bool isSeen = c.isPrint() || c.isSurrogate();
        return !isSeen || c.category() == QChar::Other_Format
            || QStringView(u"\"'`$\\:,/").contains(c);
    });
}

} // namespace

QString folderPart(const QString& path)
{
    const QString folder = path.left(path.lastIndexOf(u'/') + 1);
    return isPathExpression(folder) ? folder : QString();
}

QByteArray folderListScript(const QString& folder)
{
    if (!isPathExpression(folder))
        return {};
    // isPathExpression(): in double quotes only its variables are replaced. One that is not set
    // would make another path of it.
    const QByteArray script =
        "set -u; d=\"" + folder.toUtf8() + "\" || exit 0; set +u" + printNames;
    return "bash -l -c " + shellQuoted(script) + " </dev/null 2>/dev/null\nexit 0\n";
}

QStringList readFolderNames(const QByteArray& answer)
{
    QStringList names;
    const qsizetype begin = answer.indexOf(QByteArray(2, '\0'));
    if (begin < 0)
        return names;
    const QByteArray list = answer.mid(begin + 2);
    const qsizetype end = list.lastIndexOf('\0'); // after it, a name may be cut off
    for (const QByteArray& bytes : list.left(std::max<qsizetype>(end, 0)).split('\0')) {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        const QString name = decoder.decode(bytes.startsWith("./") ? bytes.mid(2) : bytes);
        if (!decoder.hasError() && isUsableName(name) && names.size() < mostFolderNames)
            names << name;
    }
    names.sort();
    return names;
}

QCoro::Task<QStringList> listFolders(std::shared_ptr<Shell> shell, QString folder)
{
    const QByteArray script = folderListScript(folder);
    if (script.isEmpty())
        co_return QStringList();
    RunOptions options;
    options.timeout = patienceForNames;
    options.outputLimit = largestNameList;
    const Result<CommandOutput> answer = co_await shell->run(script, options);
    if (!answer.ok())
        co_return QStringList();
    co_return readFolderNames(answer->out);
}

} // namespace slipway
