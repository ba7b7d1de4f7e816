// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/logscan.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace slipway {

namespace {

constexpr std::string_view machinePrefix = "@slipway ";
constexpr int lane = 64; ///< bytes per step of the loops that the compiler makes vectors of

bool isAscii(QStringView text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x80; });
}

Qt::CaseSensitivity sensitivity(const LogQuery& query)
{
    return query.matchCase ? Qt::CaseSensitive : Qt::CaseInsensitive;
}

char lowerAscii(char c)
{
    return char(c | ((c >= 'A' && c <= 'Z') ? 0x20 : 0));
}

qint64 newlinesIn(const char* at, const char* end)
{
    qint64 count = 0;
    for (; end - at >= lane; at += lane) {
        unsigned char some = 0;
        for (int i = 0; i < lane; ++i)
            some = static_cast<unsigned char>(some + (at[i] == '\n'));
        count += some;
    }
    return count + std::count(at, end, '\n');
}

const char* lineEnd(const char* at, const char* end)
{
    return static_cast<const char*>(std::memchr(at, '\n', size_t(end - at)));
}

bool beginsAsMachineLine(const char* at, const char* end)
{
    return std::string_view(at, size_t(end - at)).substr(0, machinePrefix.size()) == machinePrefix;
}

} // namespace

bool isMachineLine(QStringView line)
{
    return line.startsWith(QLatin1String(machinePrefix.data(), int(machinePrefix.size())));
}

qsizetype nextHit(QStringView line, const LogQuery& query, qsizetype from)
{
    if (query.text.isEmpty() || (!query.machineLines && isMachineLine(line)))
        return -1;
    return line.indexOf(query.text, from, sensitivity(query));
}

LogScan::LogScan(LogQuery query)
    : m_query(std::move(query))
    , m_needle(m_query.text.toUtf8())
    , m_possible(!m_needle.isEmpty() && !m_needle.contains('\n'))
    , m_wide(!m_query.matchCase && !isAscii(m_query.text))
{
    if (!m_query.matchCase)
        std::transform(m_needle.cbegin(), m_needle.cend(), m_needle.begin(), lowerAscii);
}

void LogScan::feed(QByteArrayView bytes)
{
    if (m_long)
        bytes = bytes.sliced(feedLong(bytes));
    if (bytes.isEmpty())
        return;
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    if (!m_carry.isEmpty()) {
        const char* const stop = lineEnd(at, end);
        hold(QByteArrayView(at, stop ? stop + 1 : end));
        if (!stop)
            return;
        const QByteArray line = std::exchange(m_carry, {});
        readLines(line.cbegin(), line.cend());
        at = stop + 1;
    }
    const qsizetype whole = QByteArrayView(at, end).lastIndexOf('\n') + 1;
    readLines(at, at + whole);
    hold(QByteArrayView(at + whole, end));
}

/// Reads on in a line that is too long to be held; returns how many bytes belong to it.
qsizetype LogScan::feedLong(QByteArrayView bytes)
{
    const qsizetype stop = bytes.indexOf('\n');
    const qsizetype size = stop < 0 ? bytes.size() : stop + 1;
    m_long->feed(bytes.first(size), [this](const LogLine& line) { take(line); });
    if (stop >= 0)
        m_long.reset();
    return size;
}

void LogScan::hold(QByteArrayView bytes)
{
    m_carry.append(bytes);
    if (m_carry.size() <= longestHeld)
        return;
    m_long.emplace();
    const QByteArray begun = std::exchange(m_carry, {});
    feedLong(begun);
}

void LogScan::endLine()
{
    const auto sink = [this](const LogLine& line) { take(line); };
    LineAssembler held;
    LineAssembler& assembler = m_long ? *m_long : held;
    assembler.feed(std::exchange(m_carry, {}), sink);
    assembler.finish(sink);
    m_long.reset();
}

std::vector<LogHit> LogScan::takeHits()
{
    return std::exchange(m_hits, {});
}

/// Complete lines. Those with control characters are assembled as they are for the view.
void LogScan::readLines(const char* at, const char* end)
{
    if (!m_possible) {
        // Lines are all that can be counted, and each newline ends one.
        m_lines += newlinesIn(at, end);
        return;
    }
    while (at < end) {
        const char* const special = firstSpecial(at, end);
        const char* begin = special;
        while (begin > at && begin[-1] != '\n' && begin < end)
            --begin;
        readPlain(at, begin);
        at = begin;
        if (special < end) {
            at = lineEnd(special, end) + 1;
            readAssembled(begin, at);
        }
    }
}

/// The first byte for which a line cannot be searched as it is; `end`: there is none.
const char* LogScan::firstSpecial(const char* at, const char* end) const
{
    const auto wide = static_cast<unsigned char>(m_wide ? 0x80 : 0);
    const auto isSpecial = [wide](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return ((byte < 0x20) & (byte != '\t') & (byte != '\n')) | (byte == 0x7f)
            | ((byte & wide) != 0);
    };
    for (; end - at >= lane; at += lane) {
        unsigned char any = 0;
        for (int i = 0; i < lane; ++i)
            any = static_cast<unsigned char>(any | isSpecial(at[i]));
        if (any)
            break;
    }
    return std::find_if(at, end, isSpecial);
}

void LogScan::readPlain(const char* at, const char* end)
{
    if (at == end)
        return;
    if (m_wide) { // these lines are ASCII only, and the text is not
        m_lines += newlinesIn(at, end);
        return;
    }
    const char* const written = at;
    const char* const writtenEnd = end;
    if (!m_query.matchCase) {
        m_folded.resize(end - at);
        std::transform(at, end, m_folded.data(), lowerAscii);
        at = m_folded.cbegin();
        end = m_folded.cend();
    }
    const char* const begin = at;
    const char* counted = at; // the lines before it are in m_lines
    const char* lineAt = nullptr; // the line of the last hit
    int nth = 0;
    while (const void* found =
               memmem(at, size_t(end - at), m_needle.constData(), size_t(m_needle.size()))) {
        const char* const hit = static_cast<const char*>(found);
        const void* const before = memrchr(counted, '\n', size_t(hit - counted));
        if (before || !lineAt) {
            lineAt = before ? static_cast<const char*>(before) + 1 : counted;
            m_lines += newlinesIn(counted, lineAt);
            counted = lineAt;
            nth = 0;
        }
        if (!m_query.machineLines && beginsAsMachineLine(written + (lineAt - begin), writtenEnd)) {
            at = lineEnd(hit, end);
            continue;
        }
        countHit(m_lines + 1, nth++);
        at = hit + m_needle.size();
    }
    m_lines += newlinesIn(counted, end);
}

void LogScan::readAssembled(const char* at, const char* end)
{
    LineAssembler assembler;
    assembler.feed(QByteArrayView(at, end), [this](const LogLine& line) { take(line); });
}

/// A line as it is shown.
void LogScan::take(const LogLine& line)
{
    if (line.progress)
        return;
    const QString text = QString::fromUtf8(line.text.data(), qsizetype(line.text.size()));
    int nth = 0;
    for (qsizetype at = nextHit(text, m_query, 0); at >= 0;
         at = nextHit(text, m_query, at + m_query.text.size()))
        countHit(m_lines + 1, nth++);
    ++m_lines;
}

void LogScan::countHit(qint64 line, int nth)
{
    ++m_count;
    if (m_kept < mostHits) {
        ++m_kept;
        m_hits.push_back({line, nth});
    }
}

} // namespace slipway
