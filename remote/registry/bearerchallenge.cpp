// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/bearerchallenge.h"

#include "remote/base/tr.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cstring>
#include <optional>

namespace slipway {

namespace {

constexpr qsizetype longestHeader = 16 * 1024;
constexpr qsizetype longestToken = 64 * 1024;
constexpr size_t mostChallenges = 16;
constexpr qsizetype mostParameters = 32;

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool isTokenChar(char c)
{
    return isLetterOrDigit(c) || (c != '\0' && std::strchr("!#$%&'*+-.^_`|~", c));
}

bool isToken68Char(char c)
{
    return isLetterOrDigit(c) || (c != '\0' && std::strchr("-._~+/", c));
}

/// HeaderCursor walks over one header field. A value, for one call.
class HeaderCursor {
public:
    explicit HeaderCursor(QByteArrayView text)
        : m_text(text)
    {
    }

    bool atEnd() const { return m_at >= m_text.size(); }
    bool skip(char c)
    {
        const bool isThere = !atEnd() && m_text[m_at] == c;
        m_at += isThere;
        return isThere;
    }
    void skipSpace()
    {
        while (skip(' ') || skip('\t')) { }
    }
    template <typename Fits> QByteArray take(Fits fits)
    {
        const qsizetype begin = m_at;
        while (!atEnd() && fits(m_text[m_at]))
            ++m_at;
        return m_text.sliced(begin, m_at - begin).toByteArray();
    }
    /// Nothing where the closing quote is missing.
    std::optional<QByteArray> quoted()
    {
        QByteArray value;
        for (++m_at; !atEnd(); ++m_at) {
            if (skip('"'))
                return value;
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size())
                ++m_at;
            value += m_text[m_at];
        }
        return {};
    }
    /// "abc==" in place of parameters, as Negotiate has it.
    bool skipToken68()
    {
        const qsizetype begin = m_at;
        take(isToken68Char);
        while (skip('=')) { }
        skipSpace();
        if (m_at > begin && (atEnd() || m_text[m_at] == ','))
            return true;
        m_at = begin;
        return false;
    }
    bool isAtQuote() const { return !atEnd() && m_text[m_at] == '"'; }

private:
    QByteArrayView m_text;
    qsizetype m_at = 0;
};

} // namespace

std::vector<AuthChallenge> parseChallenges(const QByteArray& header)
{
    std::vector<AuthChallenge> challenges;
    HeaderCursor cursor(QByteArrayView(header).first(std::min(header.size(), longestHeader)));
    while (!cursor.atEnd()) {
        cursor.skipSpace();
        if (cursor.skip(','))
            continue;
        const QByteArray name = cursor.take(isTokenChar).toLower();
        if (name.isEmpty())
            break; // not a header of this form; what was read before it counts
        cursor.skipSpace();
        if (!cursor.skip('=')) {
            if (challenges.size() == mostChallenges)
                break;
            challenges.push_back({name, {}});
            cursor.skipToken68();
            continue;
        }
        cursor.skipSpace();
        const std::optional<QByteArray> value =
            cursor.isAtQuote() ? cursor.quoted() : cursor.take(isTokenChar);
        if (challenges.empty() || !value)
            break;
        auto& parameters = challenges.back().parameters;
        if (parameters.size() < mostParameters && !parameters.contains(name))
            parameters.insert(name, *value);
    }
    return challenges;
}

Result<QByteArray> parseToken(const QByteArray& json)
{
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    QString text = root[u"token"].toString();
    if (text.isEmpty())
        text = root[u"access_token"].toString();
    const bool isWord = !text.isEmpty() && text.size() <= longestToken
        && std::all_of(text.begin(), text.end(), [](QChar c) { return c > u' ' && c < u'\x7f'; });
    if (!isWord)
        return Error{ErrorKind::Protocol,
            tr("The registry's token server answered without a token that can be used."),
            tr("Try again; if it stays so, tell those who run the registry.")};
    return text.toLatin1();
}

} // namespace slipway
