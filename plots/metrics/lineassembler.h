// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArrayView>

#include <functional>
#include <string>
#include <string_view>

namespace slipway {

struct LineShape;

/// One line of a log as displayed by a terminal. The text lives until the sink returns.
struct LogLine {
    std::string_view text; ///< valid UTF-8 without control characters except tab
    qint64 number = 0; ///< 1-based
    qint64 end = 0; ///< bytes of the log up to its end
    int rank = -1; ///< from a prefix "3: " or "[1,3]<stdout>:", -1 without one
    bool mayCount = false; ///< that prefix may be a counter: "[3] "
    bool progress = false; ///< overwritten later by a carriage return: one frame of a progress bar
    const LineShape* shape = nullptr; ///< of `text`, from a MetricsPipeline; null: not known
};

/// LineAssembler converts a stream of bytes into lines: of text that a carriage return overwrites
/// it keeps the last version, backspaces erase, escape sequences are removed, invalid UTF-8 becomes
/// U+FFFD. The result never depends on where the chunks end. Passive; buffers at most one line.
class LineAssembler {
public:
    using Sink = std::function<void(const LogLine&)>;

    /// A longer line is cut here; its rest is dropped up to the next newline or carriage return.
    static constexpr size_t maxLine = 1024 * 1024;
    /// One frame of a progress bar is emitted per this many bytes: a bar is redrawn ten times per
    /// second, and a malicious one at each byte.
    static constexpr size_t progressInterval = 256;
    /// A longer text that backspaces erase is not a frame of a bar.
    static constexpr size_t longestFrame = 4096;

    void feed(QByteArrayView bytes, const Sink& sink);
    /// A last line without a newline is processed.
    void finish(const Sink& sink);
    qint64 linesSeen() const { return m_lines; }

private:
    enum class State { Text, Escape, EscapeIntermediate, Csi, String, StringEscape };

    void control(unsigned char byte, const Sink& sink);
    void sequence(unsigned char byte, const Sink& sink);
    void append(const char* text, size_t size, bool isAscii, const Sink& sink);
    void takeBack();
    void endLine(const Sink& sink);
    void give(std::string_view text, bool isAscii, bool progress, const Sink& sink);
    /// Whether nothing of the line has been received.
    bool isFresh() const
    {
        return m_text.empty() && m_frame.empty() && !m_carriageReturn && !m_backing;
    }

    std::string m_text;
    bool m_isAscii = true; ///< all of the line so far, also what was overwritten
    std::string m_repaired;
    std::string m_frame; ///< the text before backspaces began to erase it; empty: not needed
    State m_state = State::Text;
    bool m_carriageReturn = false; ///< received; the next byte decides whether it overwrites
    bool m_backing = false; ///< the last byte was a backspace
    size_t m_sinceProgress = progressInterval;
    qint64 m_lines = 0;
    qint64 m_taken = 0; ///< bytes of earlier chunks
    qint64 m_end = 0; ///< bytes up to the one that is being read
};

} // namespace slipway
