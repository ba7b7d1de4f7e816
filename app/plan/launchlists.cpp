// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/launchlists.h"

#include "app/catalogue/fields.h"
#include "app/catalogue/names.h"
#include "app/catalogue/placeholders.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

Error invalid(const QString& text)
{
    return {ErrorKind::Invalid, text};
}

Result<Bind> parseBind(const QString& text)
{
    const QStringList parts = text.split(u':');
    if (parts.size() > 3)
        return invalid(tr("“%1” has more than two colons; expected SOURCE, "
                          "SOURCE:DESTINATION or SOURCE:DESTINATION:ro.")
                           .arg(text.left(80)));
    Bind bind{parts[0], parts.value(1), false};
    if (!isPathExpression(bind.source))
        return invalid(tr("“%1” is not a folder on the cluster: expected an absolute "
                          "path, or one that begins with a variable such as $SCRATCH.")
                           .arg(bind.source.left(80)));
    if (!bind.destination.isEmpty() && !isPathExpression(bind.destination))
        return invalid(tr("“%1” is not a path in the container: expected an absolute path.")
                           .arg(bind.destination.left(80)));
    const QString mode = parts.value(2);
    if (!mode.isEmpty() && mode != u"ro" && mode != u"rw")
        return invalid(tr("“%1” is not a bind mode: expected ro or rw.").arg(mode.left(40)));
    bind.readOnly = mode == u"ro";
    return bind;
}

constexpr qsizetype mostDataFolders = 32;

/// The path as it is compared with others: "/data/" is "/data".
QString plainPath(QString path)
{
    while (path.size() > 1 && path.endsWith(u'/'))
        path.chop(1);
    return path;
}

Result<Bind> parseDataFolder(const QString& text)
{
    const auto bind = parseBind(text);
    if (!bind.ok())
        return bind;
    if (text.endsWith(u":rw"))
        return invalid(tr("“%1”: data is only read. Folders that the program writes to belong in "
                          "“Folders in the container”.")
                           .arg(text.left(80)));
    if (plainPath(bind->source) == u"/" || plainPath(bind->destination) == u"/")
        return invalid(tr("“%1”: the root folder cannot be bound; name the folder with the data.")
                           .arg(text.left(80)));
    return Bind{plainPath(bind->source), plainPath(bind->destination), true};
}

/// The text of a shell word that is quoted as a whole, or not at all.
QString unquoted(const QString& word)
{
    const bool quoted = word.size() >= 2 && (word.front() == u'"' || word.front() == u'\'')
        && word.back() == word.front();
    return quoted ? word.mid(1, word.size() - 2) : word;
}

} // namespace

Result<QStringList> parseModules(const QString& text)
{
    static const QRegularExpression blanks(QStringLiteral("[\\s,]+"));
    const QStringList modules = text.split(blanks, Qt::SkipEmptyParts);
    for (const QString& module : modules) {
        if (!isModuleName(module))
            return invalid(
                tr("“%1” is not a module name as “module avail” lists it.").arg(module.left(80)));
    }
    return modules;
}

Result<std::vector<Bind>> parseBinds(const QString& text)
{
    std::vector<Bind> binds;
    for (const QString& item : listItems(text)) {
        Result<Bind> bind = parseBind(item);
        if (!bind.ok())
            return bind.error();
        binds.push_back(*bind);
    }
    return binds;
}

Result<std::vector<Bind>> parseDataFolders(const QString& text)
{
    std::vector<Bind> folders;
    QStringList inside;
    for (const QString& item : listItems(text)) {
        const auto folder = parseDataFolder(item);
        if (!folder.ok())
            return folder.error();
        const QString there = folder->destination.isEmpty() ? folder->source : folder->destination;
        if (inside.contains(there))
            return invalid(tr("Two data folders have the same path in the container: %1.")
                               .arg(there.left(80)));
        inside << there;
        folders.push_back(*folder);
    }
    if (qsizetype(folders.size()) > mostDataFolders)
        return invalid(
            tr("More than %1 data folders; name one that contains them.").arg(mostDataFolders));
    return folders;
}

bool isNodeLocal(const QString& path)
{
    static const QRegularExpression local(QStringLiteral(
        R"(\A(?:/tmp|/var/tmp|/dev/shm|/local|/localscratch|/scratch-local|)"
        R"(\$\{?(?:TMPDIR|LOCAL_SCRATCH|LSCRATCH|JOBFS|SLURM_[A-Z_]+)\}?)(?:/|\z))"));
    return local.match(path).hasMatch();
}

Result<QMap<QString, QString>> parseEnvironment(const QString& text)
{
    QMap<QString, QString> environment;
    for (const QString& word : commandWords(text)) {
        const qsizetype at = word.indexOf(u'=');
        const QString name = word.left(std::max<qsizetype>(at, 0));
        if (at < 0 || !isVariableName(name))
            return invalid(tr("“%1” is not a variable: expected NAME=value.").arg(word.left(80)));
        const QString value = unquoted(word.mid(at + 1));
        // An unbalanced quote would open a quoted string in the script.
        if (value.contains(u'"') || value.contains(u'\'') || value.contains(u'`')
            || value.contains(u'\\'))
            return invalid(
                tr("The value of %1 contains a quote or a backslash, which is not supported here.")
                    .arg(name));
        environment.insert(name, value);
    }
    return environment;
}

QString environmentText(const QMap<QString, QString>& environment)
{
    QStringList words;
    for (auto it = environment.begin(); it != environment.end(); ++it)
        words << it.key() + u'='
                + (it.value().contains(u' ') ? u'"' + it.value() + u'"' : it.value());
    return words.join(u' ');
}

std::optional<QString> appendedList(const QString& key, const QString& text, const QString& more)
{
    if (key == u"environment") {
        auto environment = parseEnvironment(text);
        const auto added = parseEnvironment(more);
        if (!environment.ok() || !added.ok())
            return {};
        environment->insert(*added);
        return environmentText(*environment);
    }
    const QChar between = key == u"binds" ? u',' : u' ';
    QStringList entries = text.split(between, Qt::SkipEmptyParts);
    if (!entries.contains(more))
        entries << more;
    return entries.join(between);
}

} // namespace slipway
