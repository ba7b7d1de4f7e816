// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/arguments.h"

#include "remote/base/tr.h"

#include <algorithm>
#include <numeric>

namespace slipway {

namespace {

/// How many letters must change to make one word the other.
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

Result<Arguments> parseArguments(const QStringList& words, const std::vector<OptionSpec>& options)
{
    Arguments arguments;
    bool optionsEnded = false;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString& word = words.at(i);
        if (optionsEnded || word == u"-" || !word.startsWith(u'-')) {
            arguments.positional << word;
            continue;
        }
        if (word == u"--") {
            optionsEnded = true;
            continue;
        }
        const QString name = word.section(u'=', 0, 0);
        const auto spec = std::find_if(options.begin(), options.end(),
            [&name](const OptionSpec& one) { return one.name == name || one.formerName == name; });
        if (spec == options.end()) {
            QStringList names;
            for (const OptionSpec& one : options)
                names << one.name;
            const QString near = nearest(name, names);
            return usage(QStringLiteral("There is no option %1 here.").arg(name),
                near.isEmpty() ? QString() : QStringLiteral("Did you mean %1?").arg(near));
        }
        if (arguments.options.contains(spec->name) && !spec->repeatable)
            return usage(QStringLiteral("%1 is given twice.").arg(name));
        if (name == spec->formerName)
            arguments.renamed << renamedText(name, spec->name);
        QStringList& values = arguments.options[spec->name];
        const bool attached = word.contains(u'=');
        if (spec->valueName.isEmpty()) {
            if (attached)
                return usage(QStringLiteral("%1 takes no value.").arg(name));
            continue;
        }
        if (!attached && i + 1 >= words.size())
            return usage(QStringLiteral("%1 needs a value: %1 %2.").arg(name, spec->valueName));
        values << (attached ? word.section(u'=', 1) : words.at(++i));
    }
    return arguments;
}

} // namespace slipway
