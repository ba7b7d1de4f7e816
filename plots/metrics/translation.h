// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace slipway {

/// Translation replaces words of other languages by those of metric-names.json, and the punctuation
/// that belongs to their scripts: "第3轮：验证损失 0.5" becomes "epoch 3: valid loss 0.5".
/// Immutable; the words are those of resources/translations.json.
class Translation {
public:
    static const Translation& builtIn();

    /// Whether the text, UTF-8, has letters or punctuation that may be replaced.
    static bool mayApply(std::string_view text);
    /// False: nothing was replaced, and `out` is of no use.
    bool apply(std::string_view text, std::string& out) const;

private:
    class Writer;

    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const
        {
            return std::hash<std::string_view>()(text);
        }
    };

    const std::string* wordAt(std::string_view text, size_t& size) const;
    bool takeOrdinal(std::string_view& text, Writer& writer) const;
    void takeIdeograph(std::string_view& text, Writer& writer) const;
    void takeAlphabetic(std::string_view& text, Writer& writer) const;

    std::unordered_map<std::string, std::string, Hash, std::equal_to<>> m_words; ///< to English
    /// The longest word that begins with a character, in bytes.
    std::unordered_map<std::string, size_t, Hash, std::equal_to<>> m_longest;
};

} // namespace slipway
