// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/gitstate.h"

#include <QDeadlineTimer>
#include <QProcess>
#include <QProcessEnvironment>

#include <algorithm>
#include <csignal>
#include <optional>
#include <unistd.h>

namespace slipway {

namespace {

constexpr qint64 longestDifference = 1024 * 1024;
constexpr qint64 longestStatus = 16 * 1024 * 1024;
constexpr int mostFilters = 200;

/// What the person's own environment may say of git would lead it elsewhere; only their
/// configuration counts.
QProcessEnvironment gitEnvironment()
{
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto& name : environment.keys())
        if (name.startsWith(u"GIT_") && !name.startsWith(u"GIT_CONFIG_GLOBAL")
            && !name.startsWith(u"GIT_CONFIG_SYSTEM") && !name.startsWith(u"GIT_CONFIG_NOSYSTEM"))
            environment.remove(name);
    environment.insert(QStringLiteral("GIT_OPTIONAL_LOCKS"), QStringLiteral("0"));
    environment.insert(QStringLiteral("GIT_TERMINAL_PROMPT"), QStringLiteral("0"));
    // A repository may lack objects and name a command that brings them.
    environment.insert(QStringLiteral("GIT_ALLOW_PROTOCOL"), QStringLiteral("none"));
    environment.insert(QStringLiteral("GIT_NO_LAZY_FETCH"), QStringLiteral("1"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    return environment;
}

QStringList safeOptions()
{
    return {QStringLiteral("--no-pager"), QStringLiteral("-c"),
        QStringLiteral("core.fsmonitor=false"), QStringLiteral("-c"),
        QStringLiteral("core.hooksPath=/dev/null"), QStringLiteral("-c"),
        QStringLiteral("safe.bareRepository=explicit")};
}

/// One git. Empty: it failed, or took too long. Output is cut off after `limit` bytes.
std::optional<QByteArray> gitOutput(const QString& folder, const QStringList& arguments,
    qint64 limit, const QDeadlineTimer& deadline)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessEnvironment(gitEnvironment());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.setStandardInputFile(QProcess::nullDevice());
    process.setChildProcessModifier([] { ::setsid(); }); // so that its children end with it
    process.start(QStringLiteral("git"), arguments);
    if (!process.waitForStarted(int(std::max<qint64>(1, deadline.remainingTime()))))
        return {};
    const auto group = process.processId();
    QByteArray output;
    while (output.size() < limit && !deadline.hasExpired()) {
        const bool more =
            process.waitForReadyRead(int(std::max<qint64>(1, deadline.remainingTime())));
        output += process.readAllStandardOutput();
        if (!more && process.state() == QProcess::NotRunning)
            break;
    }
    output += process.readAllStandardOutput();
    const bool ended = process.state() == QProcess::NotRunning;
    if (!ended) {
        ::kill(-pid_t(group), SIGKILL);
        process.waitForFinished(1000);
    }
    if (output.size() >= limit)
        return output.left(limit);
    const bool good =
        ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    return good ? std::optional<QByteArray>(output) : std::nullopt;
}

/// Options that switch off the filters of attributes, which are commands (Git LFS has some too).
/// Empty: they cannot all be named.
std::optional<QStringList> filterOptions(const QString& folder, const QDeadlineTimer& deadline)
{
    const auto listed = gitOutput(folder,
        safeOptions()
            + QStringList{QStringLiteral("config"), QStringLiteral("--null"),
                QStringLiteral("--list"), QStringLiteral("--name-only")},
        longestDifference, deadline);
    if (!listed || listed->size() >= longestDifference)
        return {};
    QStringList names;
    for (const auto& key : listed->split('\0')) {
        const QString text = QString::fromUtf8(key);
        if (!text.startsWith(u"filter.") || text.count(u'.') < 2)
            continue;
        const QString name = text.left(text.lastIndexOf(u'.'));
        if (name.contains(u'=') || name.contains(QChar::ReplacementCharacter))
            return {}; // cannot be written as an option
        if (!names.contains(name))
            names << name;
    }
    if (names.size() > mostFilters)
        return {};
    QStringList options;
    for (const auto& name : names)
        for (const auto* what : {".clean=", ".smudge=", ".process=", ".required=false"})
            options << QStringLiteral("-c") << QString(name + QLatin1String(what));
    return options;
}

/// `git status --porcelain=v2 --branch -z`: what begins with '#' is of the branch; a renamed file
/// has a second part, its former name.
void readStatus(const QByteArray& text, GitState* state)
{
    const auto parts = text.split('\0');
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const auto& part = parts[i];
        if (part.startsWith("# branch.oid ") && part != "# branch.oid (initial)")
            state->commit = QString::fromLatin1(part.mid(13));
        else if (part.startsWith("# branch.head ") && part != "# branch.head (detached)")
            state->branch = QString::fromUtf8(part.mid(14)).left(200);
        else if (!part.isEmpty() && !part.startsWith('#'))
            ++state->changedFiles;
        if (part.startsWith("2 "))
            ++i;
    }
}

} // namespace

GitState readGitState(const QString& folder)
{
    const QDeadlineTimer deadline(5000);
    const auto filters = filterOptions(folder, deadline);
    if (!filters)
        return {};
    const QStringList options = safeOptions() + *filters;
    const QString submodules = QStringLiteral("--ignore-submodules=dirty");
    const auto status = gitOutput(folder,
        options
            + QStringList{QStringLiteral("status"), QStringLiteral("--porcelain=v2"),
                QStringLiteral("--branch"), QStringLiteral("-z"),
                QStringLiteral("--untracked-files=normal"), submodules, QStringLiteral("--"),
                QStringLiteral(".")},
        longestStatus, deadline);
    if (!status)
        return {};
    GitState state;
    readStatus(*status, &state);
    if (state.commit.isEmpty())
        return state;
    const auto difference = gitOutput(folder,
        options
            + QStringList{QStringLiteral("diff"), QStringLiteral("--no-color"),
                QStringLiteral("--no-ext-diff"), QStringLiteral("--no-textconv"),
                QStringLiteral("--submodule=short"), submodules, QStringLiteral("HEAD"),
                QStringLiteral("--"), QStringLiteral(".")},
        longestDifference, deadline);
    state.difference = difference.value_or(QByteArray());
    return state;
}

} // namespace slipway
