// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/utf8.h"

#include <cstdint>
#include <cstring>

namespace slipway {

namespace {

/// The length of the valid character at `at`, or minus the number of bytes that one U+FFFD
/// replaces.
int characterAt(std::string_view bytes, size_t at)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return -1;
    const int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    // The second byte decides about overlong forms, surrogates and what lies beyond U+10FFFF.
    unsigned char low = 0x80, high = 0xbf;
    if (lead == 0xe0)
        low = 0xa0;
    else if (lead == 0xed)
        high = 0x9f;
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f;
    for (int i = 1; i < length; ++i) {
        if (at + static_cast<size_t>(i) >= bytes.size())
            return -i;
        const unsigned char next = byte(at + static_cast<size_t>(i));
        if (next < low || next > high)
            return -i;
        low = 0x80;
        high = 0xbf;
    }
    return lead == 0xc2 && byte(at + 1) < 0xa0 ? -2 : length;
}

/// The index of the first byte beyond ASCII, eight bytes at a time: most lines have none.
size_t asciiPrefix(std::string_view bytes, size_t from)
{
    size_t i = from;
    for (; i + 8 <= bytes.size(); i += 8) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, 8);
        if (word & 0x8080808080808080ull)
            break;
    }
    while (i < bytes.size() && static_cast<unsigned char>(bytes[i]) < 0x80)
        ++i;
    return i;
}

} // namespace

bool isCleanUtf8(std::string_view bytes)
{
    for (size_t i = asciiPrefix(bytes, 0); i < bytes.size();) {
        const int length = characterAt(bytes, i);
        if (length < 0)
            return false;
        i += static_cast<size_t>(length);
    }
    return true;
}

void repairUtf8(std::string_view bytes, std::string& out)
{
    out.clear();
    for (size_t i = 0; i < bytes.size();) {
        const int length = characterAt(bytes, i);
        if (length > 0)
            out.append(bytes, i, static_cast<size_t>(length));
        else
            out.append("\xef\xbf\xbd");
        i += static_cast<size_t>(length > 0 ? length : -length);
    }
}

} // namespace slipway
