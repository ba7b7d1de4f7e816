// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/tracebacks.h"

#include "plots/metrics/scan.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

constexpr size_t mostThreads = 64, longestPrefix = 160, longestText = 300;
constexpr int mostQuiet = 300; ///< lines of other programs between a heading and its exception
constexpr int mostBehind = 40; ///< lines of a message, before another traceback may be chained

/// An indented line, or one of a box that is drawn around the frames.
bool isFrame(std::string_view text)
{
    return text.starts_with(' ') || text.starts_with('\t') || text.starts_with("\xe2\x94")
        || text.starts_with("\xe2\x95") || text.starts_with('|');
}

/// "train.py", line 12
QString placeOf(std::string_view frame)
{
    const size_t begin = frame.find("File \"");
    if (begin == std::string_view::npos)
        return {};
    const std::string_view rest = frame.substr(begin + 5, longestText);
    const QString text = QString::fromUtf8(rest.data(), qsizetype(rest.size()));
    return text.section(u',', 0, 1).trimmed();
}

QString shortened(std::string_view text)
{
    text = text.substr(0, longestText);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80)
        text.remove_suffix(1); // an incomplete character, or one that can be spared
    return QString::fromUtf8(text.data(), qsizetype(text.size())).trimmed();
}

} // namespace

bool isExceptionLine(std::string_view text, bool afterFrame)
{
    size_t end = 0, last = 0;
    while (end < text.size() && (isWordCharacter(text[end]) || text[end] == '.')) {
        if (text[end] == '.')
            last = end + 1;
        ++end;
    }
    if (end < last + 3 || end > 150)
        return false;
    const char first = text[last];
    if (first < 'A' || first > 'Z')
        return false;
    std::string_view rest = text.substr(end);
    if (rest.starts_with('(')) // "RayTaskError(ValueError):"
        rest = rest.substr(std::min(rest.size(), rest.find(')') + 1));
    if (!rest.empty() && !(rest.starts_with(':') && (rest.size() == 1 || rest[1] == ' ')))
        return false;
    const std::string_view name = text.substr(last, end - last);
    static constexpr std::string_view endings[] = {
        "Error", "Exception", "Exit", "Interrupt", "Warning", "Failed", "Failure", "Timeout"};
    return last > 0 || afterFrame
        || std::any_of(std::begin(endings), std::end(endings),
            [&](std::string_view ending) { return name.ends_with(ending); });
}

bool isWrapper(const QString& exception)
{
    static const QStringList names{QStringLiteral("ProcessRaisedException"),
        QStringLiteral("ProcessExitedException"), QStringLiteral("ChildFailedError"),
        QStringLiteral("RayTaskError"), QStringLiteral("CalledProcessError"),
        QStringLiteral("RemoteTraceback"), QStringLiteral("WorkerCrashedError"),
        QStringLiteral("SystemExit")};
    const QString head = exception.section(u':', 0, 0);
    return std::any_of(
               names.begin(), names.end(), [&](const QString& name) { return head.contains(name); })
        || exception.contains(u" in DataLoader worker process")
        || exception.contains(u" in replica ") || exception.contains(u" in pin memory thread");
}

void TracebackReader::begin(qint64 line, std::string_view label, std::string_view text, size_t at)
{
    auto thread = std::find_if(m_threads.begin(), m_threads.end(),
        [label](const Thread& one) { return one.label == label; });
    if (thread == m_threads.end()) {
        if (m_threads.size() >= mostThreads)
            return;
        thread = m_threads.insert(m_threads.end(), Thread());
        thread->label = label;
    }
    if (thread->open > 0) { // of another process that writes without a label
        ++thread->open;
        return;
    }
    const bool wraps = thread->now.lastLine > 0 && isWrapper(thread->now.last);
    const bool original = at >= 9 && text.substr(at - 9, 9) == "Original ";
    thread->inner = !thread->chained && thread->now.lastLine > 0 && (wraps || original);
    if (!thread->chained && !thread->inner)
        keep(*thread);
    if (thread->now.lastLine == 0)
        thread->now.begin = line;
    thread->chained = false;
    thread->prefix = text.substr(0, std::min(original ? at - 9 : at, longestPrefix));
    thread->prefixed = false;
    thread->fresh = true;
    thread->open = 1;
    thread->quiet = 0;
}

void TracebackReader::read(qint64 line, std::string_view label, std::string_view text)
{
    const auto thread = std::find_if(m_threads.begin(), m_threads.end(),
        [label](const Thread& one) { return one.label == label; });
    if (thread == m_threads.end())
        return;
    const size_t prefix = thread->prefix.size();
    const bool indents = trimmed(thread->prefix).empty();
    const bool mayBePrefixed =
        indents ? text.starts_with(thread->prefix) : !thread->fresh || !text.starts_with(' ');
    if (prefix > 0 && text.size() > prefix && mayBePrefixed) {
        // The times of a logger differ from line to line, their length does not.
        const std::string_view behind = text.substr(prefix);
        if (thread->fresh)
            thread->prefixed = isFrame(behind) && behind.find("File \"") < 8;
        if (thread->prefixed)
            text = behind;
    }
    thread->fresh = false;
    readIn(*thread, line, text);
    if (thread->open == 0 && thread->quiet > mostBehind) {
        keep(*thread);
        m_threads.erase(thread);
    } else if (thread->quiet > mostQuiet) {
        keep(*thread);
        m_threads.erase(thread);
    }
}

void TracebackReader::readIn(Thread& thread, qint64 line, std::string_view text)
{
    Traceback& now = thread.now;
    if (isFrame(text)) {
        if (const QString place = placeOf(text); !place.isEmpty())
            thread.where = place;
        thread.afterFrame = true;
        ++thread.quiet;
        return;
    }
    const bool wrapped = thread.open == 0 && isWrapper(now.last);
    const bool afterFrame = std::exchange(thread.afterFrame, false);
    if ((thread.open > 0 || wrapped) && isExceptionLine(text, afterFrame)) {
        if (now.lastLine == 0 || thread.inner || wrapped) {
            now.rootLine = line;
            now.root = shortened(text);
            now.where = thread.where;
        }
        if (!thread.inner && !wrapped)
            now.last = shortened(text);
        else if (!isWrapper(now.root))
            now.last = now.root; // the wrapper has said what it had to say
        now.lastLine = line;
        thread.open = std::max(0, thread.open - 1);
        thread.inner = false;
        thread.quiet = 0;
        return;
    }
    ++thread.quiet;
    if (thread.open == 0
        && (text.find("During handling of the above exception") != std::string_view::npos
            || text.find("was the direct cause of the following exc") != std::string_view::npos)) {
        thread.chained = true;
        thread.quiet = 0;
    }
}

void TracebackReader::keep(Thread& thread)
{
    if (thread.now.lastLine > 0) {
        if (m_found.size() >= mostTracebacks)
            m_found.erase(
                m_found.begin() + mostTracebacks / 2); // the first and the last ones count
        m_found.push_back(thread.now);
    }
    thread.now = {};
    thread.where.clear();
    thread.inner = thread.chained = false;
}

std::vector<Traceback> TracebackReader::found() const
{
    std::vector<Traceback> all = m_found;
    for (const Thread& thread : m_threads)
        if (thread.now.lastLine > 0)
            all.push_back(thread.now);
    std::stable_sort(all.begin(), all.end(),
        [](const Traceback& a, const Traceback& b) { return a.begin < b.begin; });
    return all;
}

} // namespace slipway
