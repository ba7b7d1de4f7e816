// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/outputname.h"

namespace slipway {

namespace {

QString padded(const QString& number, int width)
{
    return number.rightJustified(std::min(width, 10), QLatin1Char('0'));
}

} // namespace

QString expandedOutput(const QString& pattern, const Job& job, const QString& user)
{
    // sbatch(1), FILENAME PATTERN: a backslash anywhere switches all of it off.
    if (pattern.contains(QLatin1Char('\\')))
        return QString(pattern).remove(QLatin1Char('\\'));
    const QString master = job.id.text.section(QLatin1Char('_'), 0, 0);
    const QString task = job.id.text.section(QLatin1Char('_'), 1);
    QString result;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != QLatin1Char('%')) {
            result += pattern[i];
            continue;
        }
        auto letterAt = i + 1;
        while (letterAt < pattern.size() && letterAt < i + 4 && pattern[letterAt].isDigit())
            ++letterAt;
        const int width = pattern.mid(i + 1, letterAt - i - 1).toInt();
        const QChar letter = letterAt < pattern.size() ? pattern[letterAt] : QChar();
        if (letter == u'%')
            result += u'%';
        else if ((letter == u'j' && task.isEmpty()) || letter == u'A')
            result += padded(master, width);
        else if (letter == u'a' && !task.isEmpty())
            result += padded(task, width);
        else if (letter == u'N' && !job.batchHost.isEmpty())
            result += job.batchHost.section(QLatin1Char('.'), 0, 0);
        else if (letter == u'u' && !user.isEmpty())
            result += user;
        else
            result += pattern.mid(i, letterAt - i + 1); // not known, or %x: left unchanged
        i = letterAt;
    }
    return result;
}

} // namespace slipway
