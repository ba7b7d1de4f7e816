// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/dockerwords.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestValue = 32'768;
constexpr int deepestDefault = 8;

/// Puts an empty pair of quotes where the text inside those quotes would mean something to
/// Apptainer, which looks at lines and braces before any shell sees them.
QString guarded(const QString& quoted, const QString& pair)
{
    QString result;
    for (qsizetype i = 0; i < quoted.size(); ++i) {
        const QChar c = quoted.at(i);
        result += c;
        if (c == u'{' && i + 1 < quoted.size() && quoted.at(i + 1) == u'{')
            result += pair;
        if (c != u'\n')
            continue;
        const qsizetype end = quoted.indexOf(u'\n', i + 1);
        if (beginsSection(quoted.mid(i + 1, end < 0 ? -1 : end - i - 1)))
            result += pair;
    }
    return result;
}

QString inDoubleQuotes(const QString& text)
{
    QString result;
    for (const QChar c : text) {
        if (c == u'\\' || c == u'"' || c == u'$' || c == u'`')
            result += u'\\';
        result += c;
    }
    return result;
}

/// The default in "${NAME:-default}", where quotes cannot be closed and opened again.
QString inBraces(const QString& text)
{
    QString result = inDoubleQuotes(text).replace(u'\n', u' ');
    while (result.contains(u"{{"))
        result.replace(QStringLiteral("{{"), QStringLiteral("{ {"));
    return result.replace(u'}', QStringLiteral("\\}"));
}

bool isNameStart(QChar c)
{
    return c == u'_' || (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
}

bool isNameChar(QChar c)
{
    return isNameStart(c) || (c >= u'0' && c <= u'9');
}

/// Reads one word from left to right. Lives for one call of DockerScope::expand().
class Expansion {
public:
    Expansion(DockerScope* scope, const QString& word, int depth)
        : m_scope(scope)
        , m_word(word)
        , m_depth(depth)
    {
    }

    DockerValue read()
    {
        QChar quote;
        while (m_at < m_word.size() && !m_scope->isTooLong) {
            const QChar c = m_word.at(m_at);
            if (c == m_scope->escape && quote != u'\'')
                readEscape(quote);
            else if ((c == u'\'' || c == u'"') && (quote.isNull() || quote == c))
                quote = quote.isNull() ? c : QChar(), ++m_at;
            else if (c == u'$' && quote != u'\'')
                readVariable();
            else
                m_literal += c, ++m_at;
        }
        flush();
        return m_value;
    }

private:
    void flush()
    {
        m_value.add(m_literal);
        m_literal.clear();
    }

    void readEscape(QChar quote)
    {
        const QChar c = m_word.at(m_at++);
        if (m_at >= m_word.size()) {
            m_literal += c;
            return;
        }
        const QChar next = m_word.at(m_at++);
        if (quote == u'"' && next != u'"' && next != u'$' && next != m_scope->escape)
            m_literal += c;
        m_literal += next;
    }

    void readVariable()
    {
        const qsizetype begin = m_at++;
        if (m_at < m_word.size() && m_word.at(m_at) == u'{') {
            readBraces(begin);
            return;
        }
        qsizetype end = m_at;
        while (end < m_word.size() && isNameChar(m_word.at(end)) && isNameStart(m_word.at(m_at)))
            ++end;
        if (end == m_at) {
            m_literal += u'$';
            return;
        }
        const QString name = m_word.mid(m_at, end - m_at);
        m_at = end;
        replace(name, {}, {});
    }

    void readBraces(qsizetype begin)
    {
        static const QRegularExpression head(QStringLiteral(R"(\{([A-Za-z_]\w*)(?:\}|(:?[-+?])))"));
        const auto match = head.match(m_word, begin + 1, QRegularExpression::NormalMatch,
            QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch()) { // a form that only BuildKit's newest syntax knows
            m_literal += u'$';
            return;
        }
        m_at = match.capturedEnd();
        QString rest;
        if (!match.captured(2).isEmpty()) {
            int open = 1;
            for (; m_at < m_word.size() && open > 0; ++m_at) {
                const QChar c = m_word.at(m_at);
                open += c == u'{' ? 1 : c == u'}' ? -1 : 0;
                if (open > 0)
                    rest += c;
            }
        }
        replace(match.captured(1), match.captured(2), rest);
    }

    void replace(const QString& name, const QString& sign, const QString& rest)
    {
        flush();
        const auto it = m_scope->values.constFind(name);
        const bool isSet = it != m_scope->values.constEnd();
        const bool counts = isSet && !(sign.startsWith(u':') && it->size() == 0);
        m_replaced += isSet ? it->size() : 0;
        m_scope->isTooLong = m_scope->isTooLong || m_replaced > longestValue;
        const DockerValue other =
            m_depth < deepestDefault ? Expansion(m_scope, rest, m_depth + 1).read() : DockerValue();
        if (isSet && sign.endsWith(u'+'))
            m_value.add(counts ? other : DockerValue());
        else if (isSet && sign.endsWith(u'-') && !counts)
            m_value.add(other);
        else if (isSet && (it->isLiteral() || !m_scope->environment.contains(name)))
            m_value.add(*it);
        else
            addShell(name, isSet || sign.endsWith(u'?') ? QString() : sign, other);
    }

    void addShell(const QString& name, const QString& sign, const DockerValue& other)
    {
        if (!m_scope->values.contains(name))
            m_scope->unknown << name;
        QString inner;
        for (const DockerValue::Part& part : other.parts)
            inner += part.isShell ? part.text : inBraces(part.text);
        m_value.parts.push_back(
            {QStringLiteral("${%1%2%3}").arg(name, sign, sign.isEmpty() ? QString() : inner),
                true});
    }

    DockerScope* m_scope;
    const QString m_word;
    const int m_depth;
    qsizetype m_at = 0;
    DockerValue m_value;
    QString m_literal;
    qsizetype m_replaced = 0; ///< characters that came out of variables
};

} // namespace

bool beginsSection(const QString& line)
{
    const QString text = line.trimmed();
    return text.startsWith(u'%') || text.startsWith(u"bootstrap:", Qt::CaseInsensitive);
}

QString sectionWord(const QString& text)
{
    static const QRegularExpression safe(QStringLiteral("\\A[A-Za-z0-9_./:@+,=-]+\\z"));
    if (safe.match(text).hasMatch() && !beginsSection(text))
        return text;
    QString quoted = text;
    quoted.replace(u'\'', QStringLiteral("'\\''"));
    return u'\'' + guarded(quoted, QStringLiteral("''")) + u'\'';
}

bool DockerValue::isLiteral() const
{
    return std::none_of(parts.begin(), parts.end(), [](const Part& part) { return part.isShell; });
}

QString DockerValue::text() const
{
    QString result;
    for (const Part& part : parts)
        result += part.text;
    return result;
}

QString DockerValue::shellWord() const
{
    if (isLiteral())
        return sectionWord(text());
    QString inner;
    for (const Part& part : parts)
        inner +=
            part.isShell ? part.text : guarded(inDoubleQuotes(part.text), QStringLiteral("\"\""));
    return u'"' + inner + u'"';
}

qsizetype DockerValue::size() const
{
    qsizetype result = 0;
    for (const Part& part : parts)
        result += part.text.size();
    return result;
}

void DockerValue::add(const QString& literal)
{
    if (literal.isEmpty())
        return;
    if (!parts.empty() && !parts.back().isShell)
        parts.back().text += literal;
    else
        parts.push_back({literal, false});
}

void DockerValue::add(const DockerValue& other)
{
    for (const Part& part : other.parts) {
        if (part.isShell)
            parts.push_back(part);
        else
            add(part.text);
    }
}

DockerValue DockerScope::expand(const QString& word)
{
    return Expansion(this, word, 0).read();
}

QStringList dockerWords(const QString& text, QChar escape)
{
    QStringList words;
    QString word;
    QChar quote;
    bool isOpen = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (quote.isNull() && c.isSpace()) {
            if (isOpen)
                words << word;
            word.clear();
            isOpen = false;
            continue;
        }
        isOpen = true;
        word += c;
        if (c == escape && quote != u'\'' && i + 1 < text.size())
            word += text.at(++i);
        else if ((c == u'\'' || c == u'"') && (quote.isNull() || quote == c))
            quote = quote.isNull() ? c : QChar();
    }
    if (isOpen)
        words << word;
    return words;
}

} // namespace slipway
