// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/clustersurvey.h"

#include "remote/slurm/records.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype mostModules = 200;
constexpr std::size_t mostQuotas = 50;

const QStringList& runtimeNames()
{
    static const QStringList names{
        QStringLiteral("apptainer"), QStringLiteral("singularity"), QStringLiteral("enroot")};
    return names;
}

bool hasControl(const QString& text)
{
    return std::any_of(
        text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; });
}

/// The part of a module's name that identifies a runtime; -1: none. Versions and folders are other
/// parts: "containers/apptainer/1.4.1".
qsizetype runtimePart(const QStringList& parts, const QString& runtime)
{
    static const QRegularExpression form(
        QStringLiteral(
            "\\A(?:[a-z0-9]+[-_])?(apptainer|singularity|enroot)(?:[-_]?(?:ce|pro|container))?\\z"),
        QRegularExpression::CaseInsensitiveOption);
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const auto match = form.match(parts.at(i));
        if (match.hasMatch() && (runtime.isEmpty() || match.captured(1).toLower() == runtime))
            return i;
    }
    return -1;
}

bool isSize(const QString& text)
{
    static const QRegularExpression form(
        QStringLiteral("\\A[0-9]{1,15}(?:\\.[0-9]{1,3})?[kKMGTPE]?\\*?\\z"));
    return form.match(text).hasMatch();
}

/// "0", "0k", "0K" and "-" mean that there is no limit.
QString limitOf(const QString& text)
{
    static const QRegularExpression none(QStringLiteral("\\A0(?:\\.0+)?[kKMGTPE]?\\z"));
    return text == u"-" || none.match(text).hasMatch() ? QString() : text;
}

} // namespace

QStringList parseArchitectures(const QByteArray& output)
{
    static const QRegularExpression form(
        QStringLiteral("\\A(?:[0-9]+ )?([a-z][a-z0-9_]{2,15})\\z"));
    QStringList found;
    for (const auto& line : output.split('\n')) {
        const auto match = form.match(lenientText(line.simplified()));
        if (match.hasMatch() && !found.contains(match.captured(1)))
            found << match.captured(1);
    }
    return found.mid(0, 8);
}

std::vector<FoundRuntime> parseRuntimes(const QByteArray& output)
{
    std::vector<FoundRuntime> found;
    for (const auto& line : output.split('\n')) {
        const QString text = lenientText(line).trimmed();
        const QString name = text.section(u'|', 0, 0);
        const bool again = std::any_of(
            found.begin(), found.end(), [&](const FoundRuntime& one) { return one.name == name; });
        if (runtimeNames().contains(name) && !again && !hasControl(text))
            found.push_back({name, text.section(u'|', 1).trimmed().left(100)});
    }
    return found;
}

QStringList parseRuntimeModules(const QByteArray& output)
{
    static const QRegularExpression form(
        QStringLiteral("\\A([A-Za-z0-9][A-Za-z0-9._+/-]{0,99}?)/?\\s*(?:\\([A-Za-z:,. ]*\\))?\\z"));
    QStringList found;
    for (const auto& line : output.split('\n')) {
        const auto match = form.match(lenientText(line).trimmed());
        if (!match.hasMatch()) // a folder ("/apps/modules:"), a marker, or noise
            continue;
        const QString name = match.captured(1);
        if (runtimePart(name.split(u'/'), {}) >= 0 && !found.contains(name))
            found << name;
        if (found.size() >= mostModules)
            break;
    }
    return found;
}

QString runtimeModule(const QStringList& modules, const QString& runtime)
{
    QString best;
    for (const QString& name : modules) {
        const QStringList parts = name.split(u'/');
        const qsizetype at = runtimePart(parts, runtime);
        if (at < 0)
            continue;
        const QString module = parts.mid(0, at + 1).join(u'/');
        // The plain name before one of a site's or a vendor's.
        if (best.isEmpty() || module.size() < best.size())
            best = module;
    }
    return best;
}

QStringList scratchExpressions()
{
    static const QStringList expressions{QStringLiteral("$SCRATCH"), QStringLiteral("$PSCRATCH"),
        QStringLiteral("$CSCRATCH"), QStringLiteral("$LOCAL_SCRATCH"),
        QStringLiteral("$SCRATCHDIR"), QStringLiteral("/scratch/$USER"),
        QStringLiteral("/scratch/users/$USER"), QStringLiteral("/scratch1/$USER"),
        QStringLiteral("/lustre/scratch/$USER"), QStringLiteral("/gpfs/scratch/$USER"),
        QStringLiteral("/beegfs/$USER"), QStringLiteral("/fsx/$USER"), QStringLiteral("$WORK"),
        QStringLiteral("/work/$USER"), QStringLiteral("/data/$USER")};
    return expressions;
}

std::vector<ScratchFolder> parseScratch(const QByteArray& output)
{
    std::vector<ScratchFolder> found;
    for (const auto& line : output.split('\n')) {
        const QString text = lenientText(line);
        ScratchFolder folder;
        folder.expression = text.section(u'\t', 0, 0);
        const QString state = text.section(u'\t', 1, 1);
        folder.path = text.section(u'\t', 2);
        const bool again = std::any_of(found.begin(), found.end(),
            [&](const ScratchFolder& one) { return one.expression == folder.expression; });
        if (!scratchExpressions().contains(folder.expression) || again
            || !folder.path.startsWith(u'/') || hasControl(folder.path)
            || folder.path.size() > 4096)
            continue;
        folder.writable = state == u"writable";
        folder.exists = folder.writable || state == u"folder";
        found.push_back(folder);
    }
    return found;
}

std::vector<QuotaLine> parseQuotas(const QByteArray& output)
{
    std::vector<QuotaLine> found;
    bool table = false;
    QString where; // of a line that was too long: its figures are on the next one
    for (const auto& line : output.split('\n')) {
        QStringList words = lenientText(line.simplified()).split(u' ', Qt::SkipEmptyParts);
        if (words.value(0) == u"Filesystem" || words.isEmpty() || words.value(0) == u"Disk") {
            table = words.value(0) == u"Filesystem" || (table && words.isEmpty());
            where.clear();
            continue;
        }
        if (!table || found.size() >= mostQuotas)
            continue;
        if (words.size() == 1 && !isSize(words.first())) {
            where = words.first();
            continue;
        }
        if (!where.isEmpty())
            words.prepend(std::exchange(where, QString()));
        // file system, used, soft limit, hard limit: the soft one applies in the long run
        if (words.size() < 4 || !isSize(words.at(1)) || hasControl(words.first()))
            continue;
        const QString soft = limitOf(words.at(2));
        const QString hard = limitOf(words.at(3));
        const QString limit = soft.isEmpty() ? hard : soft;
        found.push_back({words.first().left(200), words.at(1), isSize(limit) ? limit : QString()});
    }
    return found;
}

} // namespace slipway
