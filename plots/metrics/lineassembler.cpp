// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineassembler.h"

#include "plots/metrics/utf8.h"

#include <algorithm>

namespace slipway {

namespace {

bool isPlain(unsigned char byte)
{
    return (byte >= 0x20 && byte != 0x7f) || byte == '\t';
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
        const char* stop = at;
        while (stop < end && isPlain(static_cast<unsigned char>(*stop)))
            ++stop;
        if (stop > at)
            append(at, static_cast<size_t>(stop - at), sink);
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

void LineAssembler::append(const char* text, size_t size, const Sink& sink)
{
    if (m_backing) {
        m_backing = false;
        if (!m_frame.empty() && (m_carriageReturn || m_text.empty())) {
            m_sinceProgress = 0;
            m_text.swap(m_frame);
            give(true, sink);
            m_text.clear();
        }
        m_frame.clear();
    }
    if (m_carriageReturn) {
        m_carriageReturn = false;
        if (m_sinceProgress >= progressInterval && !m_text.empty()) {
            m_sinceProgress = 0;
            give(true, sink);
        }
        m_text.clear();
    }
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
    give(false, sink);
    ++m_lines;
    m_text.clear();
    m_frame.clear();
    m_carriageReturn = false;
    m_backing = false;
    m_sinceProgress = progressInterval;
}

void LineAssembler::give(bool progress, const Sink& sink)
{
    LogLine line;
    line.text = m_text;
    line.number = m_lines + 1;
    line.end = m_end;
    line.progress = progress;
    if (!isCleanUtf8(m_text)) {
        repairUtf8(m_text, m_repaired);
        line.text = m_repaired;
    }
    sink(line);
}

} // namespace slipway
