// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineassembler.h"

#include "plots/metrics/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace slipway {

namespace {

bool isPlain(unsigned char byte)
{
    return (byte >= 0x20 && byte != 0x7f) || byte == '\t';
}

constexpr uint64_t ones = 0x0101010101010101u;
constexpr uint64_t top = ones * 0x80; ///< of each of eight bytes

/// Whether one of eight bytes may be a control character. Tabs and what follows a control character
/// may be taken for one as well.
bool mayHaveControl(uint64_t word)
{
    const uint64_t isDelete = word ^ (ones * 0x7f);
    const uint64_t found = ((word - ones * 0x20) & ~word) | ((isDelete - ones) & ~isDelete);
    return (found & top) != 0;
}

/// The first byte that is not plain, or the end. `isAscii`: set to false when a byte before it is
/// beyond ASCII.
const char* plainEnd(const char* at, const char* end, bool& isAscii)
{
    uint64_t seen = 0;
    for (;;) {
        const bool whole = end - at >= 8;
        uint64_t word = 0;
        if (whole)
            std::memcpy(&word, at, sizeof word);
        if (whole && !mayHaveControl(word)) {
            seen |= word;
            at += 8;
            continue;
        }
        const char* const stop = whole ? at + 8 : end;
        for (; at < stop && isPlain(static_cast<unsigned char>(*at)); ++at)
            seen |= static_cast<unsigned char>(*at);
        if (at < stop || at == end) {
            isAscii = isAscii && (seen & top) == 0;
            return at;
        }
    }
}

} // namespace

void LineAssembler::feed(QByteArrayView bytes, const Sink& sink)
{
    const char* const begin = bytes.data();
    const char* at = begin;
    const char* const end = at + bytes.size();
    while (at < end) {
        if (m_state != State::Text) {
            m_end = m_taken + (at + 1 - begin);
            sequence(static_cast<unsigned char>(*at++), sink);
            continue;
        }
        bool isAscii = true;
        const char* const stop = plainEnd(at, end, isAscii);
        if (stop < end && *stop == '\n' && isFresh()) { // a whole line: most need no copy
            m_end = m_taken + (stop + 1 - begin);
            give({at, std::min(static_cast<size_t>(stop - at), maxLine)}, isAscii, false, sink);
            ++m_lines;
            m_sinceProgress = progressInterval;
            at = stop + 1;
            continue;
        }
        if (stop > at)
            append(at, static_cast<size_t>(stop - at), isAscii, sink);
        at = stop;
        m_end = m_taken + (at + 1 - begin);
        if (at < end)
            control(static_cast<unsigned char>(*at++), sink);
    }
    m_taken += bytes.size();
}

void LineAssembler::finish(const Sink& sink)
{
    m_state = State::Text;
    m_end = m_taken;
    if (!m_text.empty())
        endLine(sink);
    m_carriageReturn = false;
}

void LineAssembler::control(unsigned char byte, const Sink& sink)
{
    switch (byte) {
    case '\n':
        endLine(sink);
        break;
    case '\r':
        m_carriageReturn = true;
        break;
    case '\b':
        // A bar that is redrawn with backspaces is erased before the next frame.
        if (!m_backing && m_sinceProgress >= progressInterval && m_text.size() <= longestFrame)
            m_frame = m_text;
        m_backing = true;
        takeBack();
        break;
    case 0x1b:
        m_state = State::Escape;
        break;
    default: // NUL, bell and the rest print nothing
        break;
    }
}

/// ECMA-48: CSI is ESC [ … final byte; OSC, DCS, SOS, PM and APC are strings that end with BEL or
/// ESC \. A line end, CAN or SUB ends any of them, so that a truncated sequence affects only one
/// line.
void LineAssembler::sequence(unsigned char byte, const Sink& sink)
{
    if (byte == '\n' || byte == '\r' || byte == 0x18 || byte == 0x1a) {
        m_state = State::Text;
        control(byte, sink);
        return;
    }
    switch (m_state) {
    case State::Escape:
        if (byte == '[')
            m_state = State::Csi;
        else if (byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_')
            m_state = State::String;
        else if (byte >= 0x20 && byte <= 0x2f)
            m_state = State::EscapeIntermediate;
        else if (byte != 0x1b)
            m_state = State::Text;
        break;
    case State::EscapeIntermediate:
        if (byte >= 0x30)
            m_state = State::Text;
        break;
    case State::Csi:
        if (byte >= 0x40)
            m_state = byte < 0x80 ? State::Text : State::Csi;
        else if (byte == 0x1b)
            m_state = State::Escape;
        break;
    case State::String:
        if (byte == 0x07)
            m_state = State::Text;
        else if (byte == 0x1b)
            m_state = State::StringEscape;
        break;
    case State::StringEscape:
        if (byte != 0x1b)
            m_state = byte == '\\' || byte == 0x07 ? State::Text : State::String;
        break;
    case State::Text:
        break;
    }
}

void LineAssembler::append(const char* text, size_t size, bool isAscii, const Sink& sink)
{
    if (m_backing) {
        m_backing = false;
        if (!m_frame.empty() && (m_carriageReturn || m_text.empty())) {
            m_sinceProgress = 0;
            m_text.swap(m_frame);
            give(m_text, m_isAscii, true, sink);
            m_text.clear();
        }
        m_frame.clear();
    }
    if (m_carriageReturn) {
        m_carriageReturn = false;
        if (m_sinceProgress >= progressInterval && !m_text.empty()) {
            m_sinceProgress = 0;
            give(m_text, m_isAscii, true, sink);
        }
        m_text.clear();
    }
    m_isAscii = m_isAscii && isAscii;
    m_sinceProgress = std::min(m_sinceProgress + size, progressInterval);
    m_text.append(text, std::min(size, maxLine - m_text.size()));
}

/// A backspace erases one character, which may be several bytes.
void LineAssembler::takeBack()
{
    for (int i = 0; i < 4 && !m_text.empty(); ++i) {
        const auto byte = static_cast<unsigned char>(m_text.back());
        m_text.pop_back();
        if ((byte & 0xc0) != 0x80)
            break;
    }
}

void LineAssembler::endLine(const Sink& sink)
{
    give(m_text, m_isAscii, false, sink);
    ++m_lines;
    m_isAscii = true;
    m_text.clear();
    m_frame.clear();
    m_carriageReturn = false;
    m_backing = false;
    m_sinceProgress = progressInterval;
}

void LineAssembler::give(std::string_view text, bool isAscii, bool progress, const Sink& sink)
{
    LogLine line;
    line.text = text;
    line.number = m_lines + 1;
    line.end = m_end;
    line.progress = progress;
    if (!isAscii && !isCleanUtf8(text)) {
        repairUtf8(text, m_repaired);
        line.text = m_repaired;
    }
    sink(line);
}

} // namespace slipway
