// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logsource.h"

#include <QStringList>

#include <vector>

namespace slipway {

/// FeedLines holds the last lines of a log that a feed shows, with their numbers in the log.
/// Between them may be dividers, which have none. A value; its feed owns it.
class FeedLines {
public:
    const QStringList& list() const { return m_lines; }
    /// How many lines were dropped from the front, plus one.
    qint64 first() const { return m_first; }
    /// `number`: of the line in the log, counted from 1; increasing.
    void append(QString text, qint64 number);
    /// After the line with that number.
    void appendDivider(QString text, qint64 number) { add(std::move(text), 2 * number + 1); }
    /// The lines that may begin a stage, also those that were dropped; of very many the first.
    const std::vector<LogHeader>& headers() const { return m_headers; }
    /// Keeps the last `most`, or somewhat more, and gives how many of the kept are new since the
    /// last call.
    int trim(qsizetype most);
    /// -1: there is no such line any more, or not yet.
    qsizetype indexOf(qint64 number) const;
    /// Of a divider the number of the line before it.
    qint64 numberAt(qsizetype index) const { return m_places[size_t(index)] / 2; }

private:
    void add(QString text, qint64 place);

    QStringList m_lines;
    std::vector<qint64> m_places; ///< twice the number in the log, plus one for a divider
    std::vector<LogHeader> m_headers;
    qint64 m_first = 1;
    qsizetype m_new = 0;
};

} // namespace slipway
