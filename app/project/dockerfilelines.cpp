// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/dockerfilelines.h"
#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>

namespace slipway {

namespace {

constexpr qsizetype longestDockerfile = 1024 * 1024;
constexpr qsizetype longestDockerLine = 32'768;
constexpr std::size_t mostInstructions = 2000;
constexpr qsizetype mostFlags = 64;

Error invalidLine(int line, const QString& what)
{
    return {ErrorKind::Invalid, tr("Line %1 of the Dockerfile: %2").arg(line).arg(what),
        tr("Correct that line.")};
}

/// The lines of a Dockerfile, read one after the other.
class DockerLineReader {
public:
    explicit DockerLineReader(const QByteArray& text)
    {
        QString whole = QString::fromUtf8(text);
        if (whole.startsWith(QChar(QChar::ByteOrderMark)))
            whole.remove(0, 1);
        m_lines = whole.replace(QStringLiteral("\r\n"), QStringLiteral("\n")).split(u'\n');
    }
    bool atEnd() const { return m_next >= m_lines.size(); }
    int line() const { return int(m_next); } ///< of the last one taken, from 1
    QString peek() const { return m_lines.at(m_next); }
    QString take()
    {
        QString clean;
        for (const QChar c : m_lines.at(m_next++)) {
            if (c == u'\t' || c.category() != QChar::Other_Control)
                clean += c;
            else
                m_hadControls = true;
        }
        return clean;
    }
    bool takeControls() { return std::exchange(m_hadControls, false); }

private:
    QStringList m_lines;
    qsizetype m_next = 0;
    bool m_hadControls = false;
};

bool isDockerComment(const QString& line)
{
    return line.trimmed().startsWith(u'#');
}

/// Parser directives are comments at the very beginning; a line of another kind ends them.
QChar readDirectives(DockerLineReader& reader)
{
    static const QRegularExpression form(QStringLiteral(R"(^\s*#\s*(\w+)\s*=\s*(\S+)\s*$)"));
    QChar escape = u'\\';
    while (!reader.atEnd()) {
        const auto match = form.match(reader.peek());
        if (!match.hasMatch())
            break;
        if (match.captured(1).toLower() == u"escape" && match.captured(2) == u"`")
            escape = u'`';
        reader.take();
    }
    return escape;
}

/// Takes the continued lines of an instruction that begins with `first`.
QStringList continuedLines(DockerLineReader& reader, QString first, QChar escape)
{
    const auto continues = [escape](QString* line) {
        qsizetype end = line->size();
        while (end > 0 && (line->at(end - 1) == u' ' || line->at(end - 1) == u'\t'))
            --end;
        if (end == 0 || line->at(end - 1) != escape)
            return false;
        line->truncate(end - 1);
        return true;
    };
    bool goesOn = continues(&first);
    QStringList pieces{first};
    while (goesOn && !reader.atEnd()) {
        QString line = reader.take();
        if (line.trimmed().isEmpty() || isDockerComment(line))
            continue;
        goesOn = continues(&line);
        pieces << line;
    }
    return pieces;
}

/// Takes the first word off the pieces.
QString takeWord(QStringList* pieces)
{
    while (!pieces->isEmpty()) {
        QString& piece = pieces->first();
        qsizetype begin = 0;
        while (begin < piece.size() && piece.at(begin).isSpace())
            ++begin;
        qsizetype end = begin;
        while (end < piece.size() && !piece.at(end).isSpace())
            ++end;
        const QString word = piece.mid(begin, end - begin);
        piece.remove(0, end);
        if (!word.isEmpty())
            return word;
        pieces->removeFirst();
    }
    return {};
}

/// What continues it needs the blanks at its end.
QString withoutIndent(const QString& piece)
{
    qsizetype begin = 0;
    while (begin < piece.size() && piece.at(begin).isSpace())
        ++begin;
    return piece.mid(begin);
}

void takeFlags(DockerInstruction* one)
{
    static const QSet<QString> withFlags{QStringLiteral("FROM"), QStringLiteral("RUN"),
        QStringLiteral("COPY"), QStringLiteral("ADD"), QStringLiteral("HEALTHCHECK")};
    while (withFlags.contains(one->name) && one->flags.size() < mostFlags) {
        while (!one->pieces.isEmpty() && one->pieces.first().trimmed().isEmpty())
            one->pieces.removeFirst();
        if (one->pieces.isEmpty() || !one->pieces.first().trimmed().startsWith(u"--"))
            break;
        one->flags << takeWord(&one->pieces);
    }
    while (!one->pieces.isEmpty() && one->pieces.first().trimmed().isEmpty())
        one->pieces.removeFirst();
    if (!one->pieces.isEmpty())
        one->pieces.first() = withoutIndent(one->pieces.first());
}

/// The here-documents that an instruction announces: BuildKit takes “<<NAME” as a word for one.
std::vector<DockerHeredoc> announcedHeredocs(const DockerInstruction& one)
{
    static const QRegularExpression form(
        QStringLiteral(R"((?<!\S)\d*(<<(-?)(["']?)([A-Za-z_][\w.]*)\3)(?=[\s;&|>)]|$))"));
    std::vector<DockerHeredoc> heredocs;
    if (one.name != u"RUN" && one.name != u"COPY" && one.name != u"ADD")
        return heredocs;
    for (const auto& match : form.globalMatch(one.text())) {
        DockerHeredoc heredoc;
        heredoc.mark = match.captured(1);
        heredoc.dropsTabs = !match.captured(2).isEmpty();
        heredoc.expands = match.captured(3).isEmpty();
        heredoc.name = match.captured(4);
        heredocs.push_back(heredoc);
    }
    return heredocs;
}

Result<void> readHeredocs(DockerLineReader& reader, DockerInstruction* one)
{
    one->heredocs = announcedHeredocs(*one);
    for (DockerHeredoc& heredoc : one->heredocs) {
        for (bool ended = false; !ended;) {
            if (reader.atEnd())
                return invalidLine(one->firstLine,
                    tr("the here-document %1 does not end.").arg(heredoc.name.left(40)));
            const QString line = reader.take();
            QString plain = line;
            while (heredoc.dropsTabs && plain.startsWith(u'\t'))
                plain.remove(0, 1);
            ended = plain == heredoc.name;
            if (!ended)
                heredoc.lines << line;
        }
    }
    return {};
}

Result<void> checkInstruction(const DockerInstruction& one)
{
    static const QSet<QString> known{QStringLiteral("ADD"), QStringLiteral("ARG"),
        QStringLiteral("CMD"), QStringLiteral("COPY"), QStringLiteral("ENTRYPOINT"),
        QStringLiteral("ENV"), QStringLiteral("EXPOSE"), QStringLiteral("FROM"),
        QStringLiteral("HEALTHCHECK"), QStringLiteral("LABEL"), QStringLiteral("MAINTAINER"),
        QStringLiteral("ONBUILD"), QStringLiteral("RUN"), QStringLiteral("SHELL"),
        QStringLiteral("STOPSIGNAL"), QStringLiteral("USER"), QStringLiteral("VOLUME"),
        QStringLiteral("WORKDIR")};
    if (!known.contains(one.name))
        return invalidLine(
            one.firstLine, tr("“%1” is not a Dockerfile instruction.").arg(one.name.left(40)));
    if (one.pieces.isEmpty())
        return invalidLine(one.firstLine, tr("%1 needs a value.").arg(one.name));
    return {};
}

} // namespace

QString DockerHeredoc::content() const
{
    QString result;
    for (QString line : lines) {
        while (dropsTabs && line.startsWith(u'\t'))
            line.remove(0, 1);
        result += line + u'\n';
    }
    return result;
}

QString DockerInstruction::flag(const QString& wanted) const
{
    const QString prefix = QStringLiteral("--%1=").arg(wanted);
    for (const QString& one : flags)
        if (one.startsWith(prefix))
            return one.mid(prefix.size());
    return {};
}

std::optional<QStringList> DockerInstruction::words() const
{
    const QString whole = text();
    if (!whole.startsWith(u'['))
        return {};
    const QJsonDocument document = QJsonDocument::fromJson(whole.toUtf8());
    if (!document.isArray())
        return {};
    QStringList result;
    for (const QJsonValue& value : document.array()) {
        if (!value.isString())
            return {};
        // JSON can spell the control characters that no line may hold.
        QString word;
        for (const QChar c : value.toString())
            if (c == u'\t' || c == u'\n' || c.category() != QChar::Other_Control)
                word += c;
        result << word;
    }
    return result;
}

Result<DockerSource> readDockerInstructions(const QByteArray& text)
{
    if (text.size() > longestDockerfile)
        return Error{ErrorKind::Invalid, tr("The Dockerfile is larger than 1 MiB."),
            tr("Check that it is a Dockerfile.")};
    DockerLineReader reader(text);
    DockerSource source;
    source.escape = readDirectives(reader);
    while (!reader.atEnd()) {
        const QString line = reader.take();
        if (line.trimmed().isEmpty() || isDockerComment(line))
            continue;
        DockerInstruction one;
        one.firstLine = reader.line();
        one.pieces = continuedLines(reader, line, source.escape);
        if (one.text().size() > longestDockerLine)
            return invalidLine(
                one.firstLine, tr("it is longer than %1 characters.").arg(longestDockerLine));
        one.name = takeWord(&one.pieces).toUpper();
        takeFlags(&one);
        if (const Result<void> checked = checkInstruction(one); !checked.ok())
            return checked.error();
        if (const Result<void> read = readHeredocs(reader, &one); !read.ok())
            return read.error();
        one.lastLine = reader.line();
        one.hadControls = reader.takeControls();
        source.instructions.push_back(std::move(one));
        if (source.instructions.size() > mostInstructions)
            return Error{ErrorKind::Invalid, tr("The Dockerfile has more than 2,000 instructions."),
                tr("Check that it is a Dockerfile.")};
    }
    return source;
}

} // namespace slipway
