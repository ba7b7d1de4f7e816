// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/sections.h"

namespace slipway {

Sections::Sections(QByteArray nonce)
    : m_nonce(std::move(nonce))
{
}

QByteArray Sections::section(const QByteArray& name, const QByteArray& command) const
{
    return "printf '\\036SLPS %s %s\\n' " + m_nonce + ' ' + name + "\n(\n" + command
        + "\n) </dev/null 2>/dev/null\nprintf '\\n\\036SLPT %s %s %d\\n' " + m_nonce + ' ' + name
        + " $?\n";
}

QMap<QByteArray, Sections::Answer> Sections::parse(const QByteArray& output) const
{
    QMap<QByteArray, Answer> answers;
    const QByteArray begin = "\036SLPS " + m_nonce + ' ';
    qsizetype from = 0;
    while (true) {
        const auto at = output.indexOf(begin, from);
        if (at < 0)
            return answers;
        const auto nameAt = at + begin.size();
        const auto lineEnd = output.indexOf('\n', nameAt);
        if (lineEnd < 0)
            return answers;
        const QByteArray name = output.mid(nameAt, lineEnd - nameAt);
        const QByteArray end = "\n\036SLPT " + m_nonce + ' ' + name + ' ';
        const auto endAt = output.indexOf(end, lineEnd);
        from = lineEnd;
        if (endAt < 0)
            continue;
        const auto codeAt = endAt + end.size();
        const int code = output.mid(codeAt, output.indexOf('\n', codeAt) - codeAt).toInt();
        answers.insert(
            name, {output.mid(lineEnd + 1, std::max<qsizetype>(0, endAt - lineEnd - 1)), code});
        from = codeAt;
    }
}

} // namespace slipway
