// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/ignorerules.h"

#include <QByteArrayView>
#include <QStringBuilder> // without it, “text + character” would be an address

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestIgnoreFile = 1024 * 1024;
constexpr std::size_t mostIgnoreRules = 10'000;

/// Spaces at the end do not belong to the pattern, unless there is a backslash before them.
QByteArray withoutTrailingSpaces(const QByteArray& line)
{
    qsizetype end = 0;
    for (qsizetype i = 0; i < line.size(); ++i) {
        if (line[i] == '\\') {
            if (++i == line.size())
                return line;
            end = i + 1;
        } else if (line[i] != ' ') {
            end = i + 1;
        }
    }
    return line.left(end);
}

qsizetype firstSpecial(const QByteArray& glob)
{
    qsizetype at = 0;
    while (at < glob.size() && !QByteArrayView("*?[\\").contains(glob[at]))
        ++at;
    return at;
}

/// [:alpha:] and the like, for ASCII as in Git. False: no such class.
bool isInClass(const QByteArray& name, int c, bool* isKnown)
{
    const bool lower = c >= 'a' && c <= 'z';
    const bool upper = c >= 'A' && c <= 'Z';
    const bool digit = c >= '0' && c <= '9';
    const bool print = c >= 32 && c < 127;
    const bool alnum = lower || upper || digit;
    *isKnown = true;
    if (name == "alnum")
        return alnum;
    if (name == "alpha")
        return lower || upper;
    if (name == "blank")
        return c == ' ' || c == '\t';
    if (name == "cntrl")
        return c < 32 || c == 127;
    if (name == "digit")
        return digit;
    if (name == "graph")
        return print && c != ' ';
    if (name == "lower")
        return lower;
    if (name == "print")
        return print;
    if (name == "punct")
        return print && c != ' ' && !alnum;
    if (name == "space")
        return c == ' ' || (c >= '\t' && c <= '\r');
    if (name == "upper")
        return upper;
    if (name == "xdigit")
        return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    *isKnown = false;
    return false;
}

} // namespace

GlobPattern::GlobPattern(const QByteArray& glob)
{
    for (qsizetype at = 0; at < glob.size() && !m_neverMatches;) {
        const char c = glob[at];
        if (c == '*') {
            at = addStars(glob, at);
        } else if (c == '[') {
            at = addSet(glob, at + 1);
        } else if (c == '?') {
            add(Kind::NotSlash);
            ++at;
        } else if (c == '\\') {
            m_neverMatches = at + 1 == glob.size();
            if (!m_neverMatches)
                add(Kind::Byte, glob[at + 1]);
            at += 2;
        } else {
            add(Kind::Byte, c);
            ++at;
        }
    }
}

/// Two or more stars that are a whole part of the path stand for any number of folders; elsewhere
/// they are one star.
qsizetype GlobPattern::addStars(const QByteArray& glob, qsizetype at)
{
    const qsizetype begin = at;
    while (at < glob.size() && glob[at] == '*')
        ++at;
    const bool opens = begin == 0 || glob[begin - 1] == '/';
    const bool slash = at < glob.size() && glob[at] == '/';
    const bool closes = at == glob.size() || slash || glob.mid(at, 2) == "\\/";
    if (at - begin < 2 || !opens || !closes) {
        add(Kind::Star);
    } else if (slash) {
        add(Kind::Jump); // over the next two: no folder at all
        add(Kind::Deep);
        add(Kind::Byte, '/');
        ++at;
    } else {
        add(Kind::Deep);
    }
    return at;
}

/// A set of characters whose '[' lies before `at`. The first character may be ']'.
qsizetype GlobPattern::addSet(const QByteArray& glob, qsizetype at)
{
    const auto byteAt = [&glob](
                            qsizetype i) { return i < glob.size() ? uchar(glob[i]) : uchar(0); };
    const bool negated = byteAt(at) == '!' || byteAt(at) == '^';
    at += negated;
    std::bitset<256> set;
    int previous = 0; // 0: nothing that a range may begin with
    for (bool first = true; first || byteAt(at) != ']'; first = false, ++at) {
        int c = byteAt(at);
        if (c == '-' && previous && byteAt(at + 1) && byteAt(at + 1) != ']') {
            c = byteAt(++at);
            if (c == '\\')
                c = byteAt(++at);
            for (int i = previous; i <= c; ++i)
                set.set(std::size_t(i));
            previous = 0;
        } else if (c == '[' && byteAt(at + 1) == ':') {
            const auto end = glob.indexOf(']', at + 2);
            if (end > at + 2 && glob[end - 1] == ':') {
                bool known = true;
                for (int i = 0; i < 256; ++i)
                    if (isInClass(glob.mid(at + 2, end - at - 3), i, &known))
                        set.set(std::size_t(i));
                m_neverMatches = m_neverMatches || !known;
                at = end;
                previous = 0;
            } else {
                m_neverMatches = m_neverMatches || end < 0;
                set.set('[');
                previous = '[';
            }
        } else {
            if (c == '\\')
                c = byteAt(++at);
            set.set(std::size_t(c));
            previous = c;
        }
        if (at >= glob.size()) { // the bracket is not closed
            m_neverMatches = true;
            return glob.size();
        }
    }
    m_tokens.push_back({Kind::Set, 0, int(m_sets.size())});
    m_sets.push_back(negated ? ~set : set);
    return at + 1;
}

bool GlobPattern::accepts(const Token& token, char c) const
{
    switch (token.kind) {
    case Kind::Byte:
        return c == token.byte;
    case Kind::NotSlash:
    case Kind::Star:
        return c != '/';
    case Kind::Set:
        return c != '/' && m_sets[std::size_t(token.set)].test(uchar(c));
    case Kind::Deep:
        return true;
    case Kind::Jump:
        break;
    }
    return false;
}

/// Adds the states that are reached without a character; they only lie ahead.
void GlobPattern::follow(std::vector<char>* states) const
{
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        const auto kind = m_tokens[i].kind;
        if (!(*states)[i] || (kind != Kind::Star && kind != Kind::Deep && kind != Kind::Jump))
            continue;
        (*states)[i + 1] = 1;
        if (kind == Kind::Jump)
            (*states)[i + 3] = 1;
    }
}

bool GlobPattern::matches(const QByteArray& text, qint64* steps) const
{
    if (m_neverMatches)
        return false;
    std::vector<char> now(m_tokens.size() + 1, 0), next;
    now[0] = 1;
    follow(&now);
    for (const char c : text) {
        *steps += qint64(m_tokens.size());
        next.assign(now.size(), 0);
        bool alive = false;
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            if (!now[i] || !accepts(m_tokens[i], c))
                continue;
            const bool stays = m_tokens[i].kind == Kind::Star || m_tokens[i].kind == Kind::Deep;
            next[stays ? i : i + 1] = 1;
            alive = true;
        }
        if (!alive)
            return false;
        follow(&next);
        now.swap(next);
    }
    return now.back() != 0;
}

bool IgnoreRules::add(const QByteArray& folder, const QByteArray& text)
{
    if (text.size() > longestIgnoreFile)
        return false;
    const QByteArray base = folder.isEmpty() ? folder : QByteArray(folder + '/');
    qsizetype at = text.startsWith("\xef\xbb\xbf") ? 3 : 0;
    while (at < text.size()) {
        auto end = text.indexOf('\n', at);
        if (end < 0)
            end = text.size();
        QByteArray line = text.mid(at, end - at);
        at = end + 1;
        if (line.endsWith('\r'))
            line.chop(1);
        line = line.left(
            std::max<qsizetype>(0, line.indexOf('\0') < 0 ? line.size() : line.indexOf('\0')));
        if (!line.isEmpty() && !line.startsWith('#'))
            addLine(base, withoutTrailingSpaces(line));
        if (m_rules.size() > mostIgnoreRules)
            return false;
    }
    return true;
}

void IgnoreRules::addLine(const QByteArray& folder, QByteArray line)
{
    Rule rule;
    rule.folder = folder;
    rule.isNegated = line.startsWith('!');
    if (rule.isNegated)
        line.remove(0, 1);
    rule.isForFolders = line.endsWith('/');
    if (rule.isForFolders)
        line.chop(1);
    rule.isForNames = !line.contains('/');
    if (line.startsWith('/'))
        line.remove(0, 1);
    if (line.isEmpty())
        return;
    // As in Git, the pattern begins anew after what needs no matching: a leading “**” of the rest
    // counts as a whole part.
    const auto special = firstSpecial(line);
    if (special == line.size() || !rule.isForNames)
        rule.literal = line.left(special);
    if (special < line.size())
        rule.glob.emplace(line.mid(rule.literal.size()));
    m_rules.push_back(std::move(rule));
}

void IgnoreRules::cut(std::size_t size)
{
    m_rules.erase(m_rules.begin() + std::ptrdiff_t(std::min(size, m_rules.size())), m_rules.end());
}

bool IgnoreRules::matches(const Rule& rule, const QByteArray& path) const
{
    ++m_steps;
    const auto begin = rule.isForNames ? path.lastIndexOf('/') + 1 : rule.folder.size();
    const QByteArrayView text = QByteArrayView(path).sliced(begin);
    if (!rule.glob)
        return text == rule.literal;
    if (!text.startsWith(rule.literal))
        return false;
    return rule.glob->matches(text.sliced(rule.literal.size()).toByteArray(), &m_steps);
}

bool IgnoreRules::isIgnored(const QByteArray& path, bool isFolder) const
{
    for (auto rule = m_rules.rbegin(); rule != m_rules.rend(); ++rule) {
        if ((rule->isForFolders && !isFolder) || !path.startsWith(rule->folder)
            || path.size() == rule->folder.size())
            continue;
        if (matches(*rule, path))
            return !rule->isNegated;
    }
    return false;
}

} // namespace slipway
