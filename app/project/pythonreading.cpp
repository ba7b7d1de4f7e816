// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/pythonreading.h"

#include <QRegularExpression>

namespace slipway {

namespace {

constexpr std::size_t mostImports = 2000;
constexpr std::size_t mostSecrets = 20;

struct PythonToken {
    enum Kind { Name, Number, Text, Sign, NewLine };
    Kind kind = NewLine;
    QString text;
    int line = 0;
    int indent = 0; ///< of the line that the statement begins on

    bool is(const char* sign) const { return kind == Sign && text == QLatin1String(sign); }
    bool isName(const char* name) const { return kind == Name && text == QLatin1String(name); }
};

/// Takes Python apart: names, numbers, strings, signs and ends of statements. On the stack of
/// readPython().
class PythonLexer {
public:
    explicit PythonLexer(const QString& text)
        : m_text(text)
    {
    }

    std::vector<PythonToken> run()
    {
        while (m_at < m_text.size())
            step();
        add(PythonToken::NewLine, {});
        return std::move(m_tokens);
    }

private:
    QChar peek(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : QChar(u'\0');
    }
    void add(PythonToken::Kind kind, QString text)
    {
        m_tokens.push_back({kind, std::move(text), m_line, m_indent});
        m_isStart = kind == PythonToken::NewLine;
    }
    void step()
    {
        const QChar c = peek();
        if (c == u'\n')
            return newLine();
        if (c == u'\\' && peek(1) == u'\n') {
            m_at += 2;
            ++m_line;
        } else if (c == u'#') {
            while (m_at < m_text.size() && peek() != u'\n')
                ++m_at;
        } else if (c.isSpace()) {
            ++m_at;
            m_column += c == u'\t' ? 8 : 1;
        } else {
            if (m_isStart)
                m_indent = m_column;
            token(c);
        }
    }
    void newLine()
    {
        if (m_depth == 0 && !m_isStart)
            add(PythonToken::NewLine, {});
        ++m_at;
        ++m_line;
        m_column = 0;
    }
    void token(QChar c)
    {
        if (c == u'"' || c == u'\'')
            return string();
        if (c.isLetter() || c == u'_')
            return name();
        if (c.isDigit())
            return number();
        if (c == u'(' || c == u'[' || c == u'{')
            ++m_depth;
        else if ((c == u')' || c == u']' || c == u'}') && m_depth > 0)
            --m_depth;
        add(PythonToken::Sign, QString(c));
        ++m_at;
    }
    void name()
    {
        const qsizetype begin = m_at;
        while (peek().isLetterOrNumber() || peek() == u'_')
            ++m_at;
        const QString word = m_text.mid(begin, m_at - begin);
        const bool prefixes = word.size() <= 2 && (peek() == u'"' || peek() == u'\'');
        if (prefixes && QStringLiteral("rbuftRBUFT").contains(word[0]))
            return string();
        add(PythonToken::Name, word);
    }
    void number()
    {
        const qsizetype begin = m_at;
        while (peek().isLetterOrNumber() || peek() == u'.' || peek() == u'_')
            ++m_at;
        add(PythonToken::Number, m_text.mid(begin, m_at - begin));
    }
    void string()
    {
        const QChar quote = peek();
        const bool isLong = peek(1) == quote && peek(2) == quote;
        m_at += isLong ? 3 : 1;
        const qsizetype begin = m_at;
        const int line = m_line;
        qsizetype end = m_text.size();
        while (m_at < m_text.size()) {
            if (peek() == u'\n' && !isLong) { // never closed
                end = m_at;
                break;
            }
            if (peek() == quote && (!isLong || (peek(1) == quote && peek(2) == quote))) {
                end = m_at;
                m_at += isLong ? 3 : 1;
                break;
            }
            if (peek() == u'\\' && m_at + 1 < m_text.size()) {
                m_line += peek(1) == u'\n';
                ++m_at;
            } else if (peek() == u'\n') {
                ++m_line;
            }
            ++m_at;
        }
        add(PythonToken::Text, m_text.mid(begin, std::min<qsizetype>(end - begin, 200)));
        m_tokens.back().line = line;
    }

    const QString& m_text;
    std::vector<PythonToken> m_tokens;
    qsizetype m_at = 0;
    int m_line = 1, m_column = 0, m_indent = 0, m_depth = 0;
    bool m_isStart = true;
};

/// Goes over the tokens once. On the stack of readPython().
class PythonReader {
public:
    explicit PythonReader(std::vector<PythonToken> tokens)
        : m_tokens(std::move(tokens))
    {
    }

    PythonReading run()
    {
        for (m_at = 0; m_at < m_tokens.size(); ++m_at) {
            const PythonToken& token = now();
            if (token.kind == PythonToken::Name && startsStatement())
                statement();
            if (token.kind == PythonToken::Name)
                name();
            else if (token.kind == PythonToken::Text)
                string();
        }
        return std::move(m_reading);
    }

private:
    const PythonToken& now(std::ptrdiff_t ahead = 0) const
    {
        static const PythonToken none;
        const std::ptrdiff_t at = std::ptrdiff_t(m_at) + ahead;
        return at >= 0 && at < std::ptrdiff_t(m_tokens.size()) ? m_tokens[std::size_t(at)] : none;
    }
    bool startsStatement() const
    {
        const PythonToken& before = now(-1);
        return before.kind == PythonToken::NewLine || before.is(";") || before.is(":");
    }
    static void note(Found* found, const QString& what, int line)
    {
        if (!found->isKnown())
            *found = {plainText(what, 100), {}, line};
    }

    void statement()
    {
        const PythonToken first = now();
        while (!m_tries.empty() && first.indent <= m_tries.back()
            && !(first.indent == m_tries.back() && isHandler(first))
            && now(-1).kind != PythonToken::Sign)
            m_tries.pop_back();
        if (first.isName("try") && now(1).is(":"))
            m_tries.push_back(first.indent);
        else if (first.isName("if"))
            guard();
        else if (first.isName("import"))
            import();
        else if (first.isName("from"))
            fromImport();
    }
    static bool isHandler(const PythonToken& token)
    {
        return token.isName("except") || token.isName("else") || token.isName("finally");
    }
    void guard()
    {
        bool named = false, main = false;
        for (int i = 1; i <= 6 && now(i).kind != PythonToken::NewLine; ++i) {
            named |= now(i).isName("__name__");
            main |= now(i).kind == PythonToken::Text && now(i).text == u"__main__";
        }
        if (named && main)
            note(&m_reading.guard, QStringLiteral("__main__"), now().line);
    }

    QString dotted(std::ptrdiff_t* ahead) const
    {
        QString path;
        while (now(*ahead).kind == PythonToken::Name && path.size() < 200) {
            path += now((*ahead)++).text;
            if (!now(*ahead).is("."))
                break;
            path += u'.';
            ++*ahead;
        }
        return path;
    }
    void add(PythonImport one)
    {
        one.isOptional = !m_tries.empty();
        if (m_reading.imports.size() < mostImports)
            m_reading.imports.push_back(std::move(one));
    }
    void import()
    {
        const int line = now().line;
        for (std::ptrdiff_t i = 1;;) {
            const QString module = dotted(&i);
            if (module.isEmpty())
                return;
            add({module, {}, 0, line});
            if (now(i).isName("as"))
                i += 2;
            if (!now(i).is(","))
                return;
            ++i;
        }
    }
    void fromImport()
    {
        PythonImport one{{}, {}, 0, now().line};
        std::ptrdiff_t i = 1;
        for (; now(i).is("."); ++i)
            ++one.level;
        if (!now(i).isName("import"))
            one.module = dotted(&i);
        if (!now(i).isName("import") || (one.module.isEmpty() && one.level == 0))
            return;
        for (++i; now(i).kind != PythonToken::NewLine && one.names.size() < 200; ++i) {
            if (now(i).isName("as"))
                ++i;
            else if (now(i).kind == PythonToken::Name)
                one.names << now(i).text;
            else if (now(i).is(")") || now(i).is(";"))
                break;
        }
        add(one);
    }

    void name()
    {
        const PythonToken& token = now();
        const bool isMember = now(-1).is(".");
        if (token.text == u"cuda" && isMember)
            note(&m_reading.cuda, now(-2).text + u".cuda", token.line);
        else if (token.text == u"init_process_group" || token.text == u"DistributedDataParallel"
            || token.text == u"FullyShardedDataParallel")
            note(&m_reading.distributed, token.text, token.line);
        else if (token.text == u"spawn" && isMember && now(1).is("("))
            note(&m_reading.spawn, token.text, token.line);
        else if (token.text == u"num_workers" && now(1).is("=")
            && now(2).kind == PythonToken::Number && (now(3).is(",") || now(3).is(")")))
            note(&m_reading.workers, now(2).text, token.line);
        else if (token.text == u"Trainer" && now(1).is("(") && !m_reading.trainer.isKnown())
            trainer();
        else if (token.text == u"environ" || token.text == u"getenv")
            variable();
    }
    void string()
    {
        const PythonToken& token = now();
        if (token.text == u"cuda" || token.text.startsWith(u"cuda:") || token.text == u"nccl"
            || token.text.startsWith(u"/GPU:") || token.text.startsWith(u"/gpu:"))
            note(&m_reading.cuda, token.text, token.line);
    }
    void trainer()
    {
        note(&m_reading.trainer, QStringLiteral("Trainer"), now().line);
        int depth = 1;
        for (int i = 2; i < 2000 && depth > 0 && std::size_t(i) + m_at < m_tokens.size(); ++i) {
            const PythonToken& token = now(i);
            if (token.is("(") || token.is("[") || token.is("{"))
                ++depth;
            else if (token.is(")") || token.is("]") || token.is("}"))
                --depth;
            const bool isKey = depth == 1 && token.kind == PythonToken::Name && now(i + 1).is("=")
                && (now(i - 1).is("(") || now(i - 1).is(","));
            if (!isKey)
                continue;
            const int value = now(i + 2).is("-") ? i + 3 : i + 2;
            const bool isPlain =
                now(value).kind == PythonToken::Number || now(value).kind == PythonToken::Text;
            const bool ends = now(value + 1).is(",") || now(value + 1).is(")");
            const QString sign = value == i + 3 ? QStringLiteral("-") : QString();
            m_reading.trainerValues.insert(
                token.text.left(50), isPlain && ends ? sign + now(value).text : QString());
        }
    }
    void variable()
    {
        static const QRegularExpression secret(
            QStringLiteral("^[A-Z][A-Z0-9_]{0,60}_(KEY|TOKEN|SECRET|PASSWORD)$"));
        int i = 1;
        if (now(1).is(".") && now(2).isName("get"))
            i = 3;
        if (!now(i).is("[") && !now(i).is("("))
            return;
        const PythonToken& text = now(i + 1);
        const bool isSet = now(i + 2).is("]") && now(i + 3).is("=") && !now(i + 4).is("=");
        if (text.kind == PythonToken::Text && !isSet && secret.match(text.text).hasMatch()
            && m_reading.variables.size() < mostSecrets)
            m_reading.variables.push_back({text.text, {}, text.line});
    }

    std::vector<PythonToken> m_tokens;
    std::size_t m_at = 0;
    std::vector<int> m_tries; ///< indents of the `try` statements that are open
    PythonReading m_reading;
};

} // namespace

PythonReading readPython(const QString& text)
{
    return PythonReader(PythonLexer(text).run()).run();
}

} // namespace slipway
