// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/arguments.h"

#include "remote/base/tr.h"

#include <QCommandLineParser>

#include <algorithm>
#include <numeric>

namespace slipway {

namespace {

/// How many letters must change to turn one word into the other.
int distance(const QString& a, const QString& b)
{
    std::vector<int> row(std::size_t(b.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = int(i);
        for (std::size_t j = 1; j < row.size(); ++j) {
            const int above = row[j];
            const int change = diagonal + (a.at(i - 1) == b.at(qsizetype(j) - 1) ? 0 : 1);
            row[j] = std::min({change, above + 1, row[j - 1] + 1});
            diagonal = above;
        }
    }
    return row.back();
}

Error usage(const QString& summary, const QString& remedy = {})
{
    return {ErrorKind::Usage, summary, remedy};
}

/// QCommandLineOption takes names without their dashes.
QString bare(const QString& name)
{
    return name.mid(2);
}

QStringList bareNames(const OptionSpec& option)
{
    QStringList names{bare(option.name)};
    if (!option.formerName.isEmpty())
        names << bare(option.formerName);
    return names;
}

Error unknownOption(
    const QString& unknown, const QStringList& words, const std::vector<OptionSpec>& options)
{
    // The parser gives the name without dashes, and of "-site" the first letter.
    QString typed = u"--" + unknown;
    for (const QString& word : words) {
        const QString name = word.section(u'=', 0, 0);
        if (name == typed)
            break;
        if (name.startsWith(u'-' + unknown)) {
            typed = name;
            break;
        }
    }
    QStringList names;
    for (const OptionSpec& option : options)
        names << option.name;
    const QString near = nearest(typed, names);
    return usage(tr("Unknown option %1.").arg(typed),
        near.isEmpty() ? QString() : tr("Did you mean %1?").arg(near));
}

/// The first mistake: one that the parser reports, or an option that is given twice.
std::optional<Error> mistake(const QCommandLineParser& parser, bool parsed,
    const QStringList& words, const std::vector<OptionSpec>& options)
{
    if (const QStringList unknown = parser.unknownOptionNames(); !unknown.isEmpty())
        return unknownOption(unknown.first(), words, options);
    const QStringList given = parser.optionNames();
    for (const OptionSpec& option : options) {
        qsizetype times = 0;
        for (const QString& name : bareNames(option))
            times += given.count(name);
        if (times > 1 && !option.repeatable)
            return usage(tr("%1 is given twice.").arg(option.name));
        if (!option.valueName.isEmpty() && parser.values(bare(option.name)).size() < times)
            return usage(tr("%1 requires a value: %1 %2.").arg(option.name, option.valueName));
    }
    if (parsed)
        return {};
    for (const OptionSpec& option : options) {
        const auto attached = [&](const QString& word) {
            return word.startsWith(option.name + u'=');
        };
        if (option.valueName.isEmpty() && std::any_of(words.begin(), words.end(), attached))
            return usage(tr("%1 takes no value.").arg(option.name));
    }
    return usage(parser.errorText());
}

} // namespace

QString renamedText(const QString& formerName, const QString& name)
{
    return tr("“%1” is now called “%2”.").arg(formerName, name);
}

QString nearest(const QString& word, const QStringList& candidates)
{
    QString best;
    int least = int(std::max<qsizetype>(2, word.size() / 3)) + 1;
    for (const QString& candidate : candidates) {
        const int away = candidate.startsWith(word) ? 1 : distance(word.left(64), candidate);
        if (away < least) {
            least = away;
            best = candidate;
        }
    }
    return best;
}

Result<Arguments> parseArguments(
    const QStringList& all, const std::vector<OptionSpec>& options, bool keepsRest)
{
    const qsizetype end = keepsRest ? all.indexOf(QStringLiteral("--")) : -1;
    const QStringList words = end < 0 ? all : all.mid(0, end);
    QCommandLineParser parser;
    for (const OptionSpec& option : options)
        parser.addOption(QCommandLineOption(bareNames(option), option.help, option.valueName));
    const bool parsed = parser.parse(QStringList(QString()) + words); // the first is the program
    if (const auto wrong = mistake(parser, parsed, words, options))
        return *wrong;
    Arguments arguments;
    arguments.rest = end < 0 ? QStringList() : all.mid(end + 1);
    arguments.positional = parser.positionalArguments();
    const QStringList given = parser.optionNames();
    for (const OptionSpec& option : options) {
        if (!parser.isSet(bare(option.name)))
            continue;
        arguments.options.insert(option.name,
            option.valueName.isEmpty() ? QStringList() : parser.values(bare(option.name)));
        if (!option.formerName.isEmpty() && given.contains(bare(option.formerName)))
            arguments.renamed << renamedText(option.formerName, option.name);
    }
    return arguments;
}

} // namespace slipway
