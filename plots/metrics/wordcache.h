// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// WordCache remembers what was found out about a word: a program repeats a few of them on each
/// line. A malicious one does not, hence the limit: a later word takes the place of an earlier one.
template <typename Value> class WordCache {
public:
    /// What `make` gave for this word. Valid until the next call.
    template <typename Make> const Value& find(std::string_view word, Make make)
    {
        if (m_entries.empty())
            m_entries.resize(mostWords);
        const size_t hash = std::hash<std::string_view>()(word);
        Entry& entry =
            m_entries[word.size() > longestWord ? mostWords - 1 : hash % (mostWords - 1)];
        if (!entry.isSet || entry.word != word) {
            entry.value = make(word);
            entry.word.assign(word.substr(0, longestWord + 1)); // a longer one is never found again
            entry.isSet = true;
        }
        return entry.value;
    }

private:
    static constexpr size_t mostWords = 1024;
    static constexpr size_t longestWord = 128;

    struct Entry {
        std::string word;
        Value value{};
        bool isSet = false;
    };
    std::vector<Entry> m_entries;
};

} // namespace slipway
