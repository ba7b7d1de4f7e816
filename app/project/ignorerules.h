// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

#include <bitset>
#include <optional>
#include <vector>

namespace slipway {

/// GlobPattern is one pattern of gitignore(5), compiled; it matches bytes as Git's wildmatch does.
/// The match follows all possibilities at once instead of trying one after the other, so it takes
/// at most (length of the pattern) × (length of the text) steps. A value; any thread.
class GlobPattern {
public:
    explicit GlobPattern(const QByteArray& glob);
    /// Adds the steps that it took to `steps`.
    bool matches(const QByteArray& text, qint64* steps) const;

private:
    enum class Kind { Byte, NotSlash, Set, Star, Deep, Jump };
    struct Token {
        Kind kind = Kind::Byte;
        char byte = 0;
        int set = 0; ///< index in m_sets
    };
    void add(Kind kind, char byte = 0) { m_tokens.push_back({kind, byte, 0}); }
    qsizetype addStars(const QByteArray& glob, qsizetype at);
    qsizetype addSet(const QByteArray& glob, qsizetype at);
    bool accepts(const Token& token, char c) const;
    void follow(std::vector<char>* states) const;

    std::vector<Token> m_tokens;
    std::vector<std::bitset<256>> m_sets;
    bool m_neverMatches = false; ///< as a pattern with an open bracket
};

/// IgnoreRules are the lines of the ignore files on the way to a folder, in the order of their
/// weight: the last one that matches a path decides. Enter a folder with add(), leave it with
/// cut(). A value without a disk; any thread.
class IgnoreRules {
public:
    /// Adds the lines of an ignore file in `folder` ("" or "src/data"), relative to the top as all
    /// paths are. False: more than 1 MiB of text, or more than 10,000 rules.
    bool add(const QByteArray& folder, const QByteArray& text);
    std::size_t size() const { return m_rules.size(); }
    void cut(std::size_t size);

    /// Whether the path itself is ignored. What lies in an ignored folder is as well, whatever the
    /// rules say of it: do not ask.
    bool isIgnored(const QByteArray& path, bool isFolder) const;
    /// The steps of all matches so far, to give up on rules that were made to take long.
    qint64 steps() const { return m_steps; }

private:
    struct Rule {
        QByteArray folder; ///< with '/' at its end, or empty
        QByteArray literal; ///< what the text begins with, before the first special character
        std::optional<GlobPattern> glob; ///< the rest, if there is one
        bool isNegated = false;
        bool isForFolders = false;
        bool isForNames = false; ///< no '/' in it: compared with the last part of the path
    };
    void addLine(const QByteArray& folder, QByteArray line);
    bool matches(const Rule& rule, const QByteArray& path) const;

    std::vector<Rule> m_rules;
    mutable qint64 m_steps = 0;
};

} // namespace slipway
