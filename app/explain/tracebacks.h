// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// A Python traceback, reduced to its innermost cause: the exception that was raised first, and
/// the last one, which ended the program. A value.
struct Traceback {
    qint64 begin = 0; ///< the line of its heading
    qint64 rootLine = 0;
    QString root; ///< "ValueError: bad shape"
    QString where; ///< the frame that raised it: "train.py", line 12
    qint64 lastLine = 0;
    QString last; ///< the exception that reached the top; the same where nothing wrapped it

    bool holds(qint64 line) const { return line >= begin && line <= lastLine; }
    /// "ValueError"
    QString name() const { return root.section(u':', 0, 0).trimmed().section(u'.', -1); }
};

/// TracebackReader finds tracebacks in a log of one or several ranks, whose lines may alternate,
/// with any prefix that their lines share (a rank, a time, Ray's process). Chained exceptions and
/// what torchrun, Ray, multiprocessing and data loaders wrap around another process's exception
/// become one. A value: it keeps a few lines, however long the log is.
class TracebackReader {
public:
    /// Whether it must see every line; else only those with the heading, begin().
    bool isReading() const { return !m_threads.empty(); }
    /// A line with the heading “Traceback (most recent call last)” at `at`. `text` is what follows
    /// the rank's label.
    void begin(qint64 line, std::string_view label, std::string_view text, size_t at);
    void read(qint64 line, std::string_view label, std::string_view text);

    /// In the order of the log.
    std::vector<Traceback> found() const;

    static constexpr size_t mostTracebacks = 32;

private:
    struct Thread {
        std::string label, prefix;
        bool prefixed = false; ///< all its lines carry the prefix
        bool fresh = true; ///< no line has followed the heading
        bool afterFrame = false; ///< the line before was a frame
        int open = 0; ///< headings whose exception has not come yet
        int quiet = 0; ///< lines that were neither frame nor exception
        bool chained = false; ///< the next traceback belongs to this one
        bool inner = false; ///< the next exception caused this one
        QString where;
        Traceback now;
    };

    void readIn(Thread& thread, qint64 line, std::string_view text);
    void keep(Thread& thread);

    std::vector<Thread> m_threads;
    std::vector<Traceback> m_found;
};

/// Whether a line reads as Python's last line of a traceback: "module.SomeError: text". Any name
/// may be one directly after a frame; elsewhere it must look like an exception's.
bool isExceptionLine(std::string_view text, bool afterFrame);
/// Whether the exception only reports that another process has failed.
bool isWrapper(const QString& exception);

} // namespace slipway
