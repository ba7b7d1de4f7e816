// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/lineassembler.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>
#include <string_view>
#include <vector>

namespace slipway {

/// What to look for in a log. A value.
struct LogQuery {
    QString text; ///< empty: nothing is found
    bool matchCase = false;
    bool machineLines = false; ///< also in the "@slipway …" lines
};

/// One place where the text was found: the number of the line, and which of the hits in it.
struct LogHit {
    qint64 line = 0; ///< counted from 1
    int nth = 0; ///< counted from 0; hits do not overlap

    bool operator==(const LogHit&) const = default;
};

/// "@slipway {…}": written by the job for programs to read.
bool isMachineLine(QStringView line);
/// The position of the next hit in a line as it is shown; -1: none.
qsizetype nextHit(QStringView line, const LogQuery& query, qsizetype from);

/// LogScan searches the bytes of a log as they are read. Lines are what LineAssembler makes of the
/// bytes, so a hit is always text that is shown: colours do not divide it, and an overwritten
/// progress bar does not count. Lines without control characters, which is nearly all, are searched
/// as they are. The result never depends on where the pieces end, and what it holds is bounded.
/// Passive: no thread, no disk; the owner feeds it.
class LogScan {
public:
    explicit LogScan(LogQuery query);

    void feed(QByteArrayView bytes);
    /// A line that was cut off ends here: the log was restarted, or has ended.
    void endLine();

    /// Complete lines so far.
    qint64 lines() const { return m_lines; }
    /// All hits so far.
    qint64 count() const { return m_count; }
    /// The hits since the last call, in order. Only the first `mostHits` of a scan are kept.
    std::vector<LogHit> takeHits();
    static constexpr qint64 mostHits = 100'000;

    /// Bytes of an incomplete line that are held between two calls.
    qsizetype held() const { return m_carry.size(); }
    /// A longer line is assembled as it comes instead of being held.
    static constexpr qsizetype longestHeld = 1024 * 1024;

private:
    qsizetype feedLong(QByteArrayView bytes);
    void hold(QByteArrayView bytes);
    void readLines(const char* at, const char* end);
    void readPlain(const char* at, const char* end);
    void readAssembled(const char* at, const char* end);
    void take(const LogLine& line);
    void countHit(qint64 line, int nth);
    const char* firstSpecial(const char* at, const char* end) const;

    LogQuery m_query;
    QByteArray m_needle; ///< in lower case unless the case matters
    bool m_possible; ///< whether a line can contain the text at all
    bool m_wide; ///< characters beyond ASCII have to be compared without case
    QByteArray m_carry; ///< an incomplete line
    QByteArray m_folded; ///< the searched bytes in lower case
    std::optional<LineAssembler> m_long; ///< reads a line that is too long to be held
    std::vector<LogHit> m_hits;
    qint64 m_kept = 0; ///< hits that were put into m_hits, taken or not
    qint64 m_count = 0;
    qint64 m_lines = 0;
};

} // namespace slipway
