// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/sourcereading.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestSourceLine = 1000; // characters
constexpr qsizetype mostPrograms = 20;
constexpr int mostNames = 500;

struct SourceLine {
    QString text;
    int number = 0;
};

/// The lines, with those joined that end in a backslash.
std::vector<SourceLine> joinedSourceLines(const QString& text)
{
    std::vector<SourceLine> lines;
    int number = 0;
    bool continues = false;
    for (const QString& one : text.split(u'\n')) {
        ++number;
        QString part = one.left(longestSourceLine);
        const bool more = part.endsWith(u'\\');
        if (more)
            part.chop(1);
        if (!continues || lines.back().text.size() > longestSourceLine)
            lines.push_back({part, number});
        else
            lines.back().text += u' ' + part;
        continues = more;
    }
    return lines;
}

void noteFirst(Found* found, const QString& what, int line)
{
    if (!found->isKnown())
        *found = {plainText(what, 100), {}, line};
}

/// $(NAME), ${NAME}: what the file sets them to, a few times over.
QString expanded(QString text, const QMap<QString, QString>& variables)
{
    static const QRegularExpression form(QStringLiteral(R"(\$[({]([A-Za-z0-9_]+)[)}])"));
    for (int i = 0; i < 10; ++i) {
        const auto match = form.match(text);
        if (!match.hasMatch() || text.size() > longestSourceLine)
            break;
        text.replace(match.capturedStart(), match.capturedLength(),
            variables.value(match.captured(1)).left(500));
    }
    return text;
}

/// A file name that a Makefile builds and that a shell takes as it is.
bool isProgramName(const QString& name)
{
    static const QRegularExpression form(QStringLiteral("^[A-Za-z0-9_][A-Za-z0-9_./+-]{0,99}$"));
    return form.match(name).hasMatch() && !name.contains(u"..");
}

/// mpirun -np 4, mpiexec -n 4, srun -n 4
void noteRanks(const QString& line, int number, Found* ranks)
{
    static const QRegularExpression form(QStringLiteral(
        R"(\b(?:mpirun|mpiexec|srun)\b[^#|;&]*?\s(?:-np|-n|--ntasks)[\s=]+(\d{1,5})\b)"));
    if (const auto match = form.match(line); match.hasMatch() && match.captured(1).toInt() > 0)
        noteFirst(ranks, match.captured(1), number);
}

/// The rules of a Makefile. On the stack of readMakefile().
class MakefileReader {
public:
    BuildReading read(const QString& text)
    {
        for (const SourceLine& line : joinedSourceLines(text)) {
            if (line.text.startsWith(u'\t'))
                recipe(line);
            else
                declaration(line);
        }
        programs();
        return std::move(m_reading);
    }

private:
    void tools(const QString& text, int line)
    {
        static const QRegularExpression mpi(QStringLiteral(
            R"(\b(mpicc|mpicxx|mpic\+\+|mpiCC|mpifort|mpif90|mpif77|mpif08)(?!\w))"));
        static const QRegularExpression cuda(QStringLiteral(R"(\bnvcc\b|-lcudart\b|-lcublas\b)"));
        static const QRegularExpression fortran(
            QStringLiteral(R"(\b(gfortran|mpifort|mpif90|ifort)\b)"));
        const QString code = text.section(u'#', 0, 0);
        if (const auto match = mpi.match(code); match.hasMatch())
            noteFirst(&m_reading.mpi, match.captured(), line);
        if (const auto match = cuda.match(code); match.hasMatch())
            noteFirst(&m_reading.cuda, match.captured(), line);
        if (const auto match = fortran.match(code); match.hasMatch())
            noteFirst(&m_reading.fortran, match.captured(), line);
    }
    void recipe(const SourceLine& line)
    {
        tools(line.text, line.number);
        noteRanks(expanded(line.text, m_variables), line.number, &m_reading.ranks);
    }
    void declaration(const SourceLine& line)
    {
        static const QRegularExpression set(QStringLiteral(
            R"(^(?:export\s+|override\s+)?([A-Za-z0-9_]+)\s*(?:[:?+]?|::)=\s*(.*)$)"));
        static const QRegularExpression rule(
            QStringLiteral(R"(^([^:=#\t]+?)\s*::?(?!=)\s*([^#;]*))"));
        if (const auto match = set.match(line.text); match.hasMatch()) {
            tools(line.text, line.number);
            if (m_variables.size() < mostNames)
                m_variables.insert(
                    match.captured(1), match.captured(2).section(u'#', 0, 0).trimmed());
        } else if (const auto found = rule.match(line.text); found.hasMatch()) {
            const QString targets = expanded(found.captured(1), m_variables);
            const QString needs = expanded(found.captured(2), m_variables);
            for (const QString& target : targets.split(u' ', Qt::SkipEmptyParts))
                this->target(target, needs.split(u' ', Qt::SkipEmptyParts), line.number);
        }
    }
    void target(const QString& name, const QStringList& needs, int line)
    {
        if (name == u".PHONY") {
            m_phony += needs;
            return;
        }
        if (name.startsWith(u'.') || name.contains(u'%') || m_rules.size() >= mostNames)
            return;
        if (m_first.isEmpty())
            m_first = name;
        if (!m_rules.contains(name))
            m_rules.insert(name, {needs, line});
    }
    bool isProgram(const QString& name) const
    {
        static const QRegularExpression made(QStringLiteral(R"(\.(o|a|so|d|mod|pdf|txt)$)"));
        return isProgramName(name) && !m_phony.contains(name) && !made.match(name).hasMatch();
    }
    /// The first rule is what `make` makes; what has no file of its name leads further.
    void programs()
    {
        if (m_first.isEmpty())
            return;
        const auto first = m_rules.value(m_first);
        const bool isName = m_first == u"all" || m_first == u"default" || m_phony.contains(m_first);
        const QStringList names = isName ? first.first : QStringList{m_first};
        for (const QString& name : names)
            if (isProgram(name) && m_reading.programs.size() < mostPrograms) {
                noteFirst(&m_reading.program, name, m_rules.value(name, first).second);
                m_reading.programs << name;
            }
        m_reading.programs.removeDuplicates();
    }

    BuildReading m_reading;
    QMap<QString, QString> m_variables;
    QMap<QString, std::pair<QStringList, int>> m_rules;
    QStringList m_phony;
    QString m_first;
};

/// The text without comments; their places keep their line ends.
QString withoutCComments(QString text)
{
    for (qsizetype i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == u'"') {
            for (++i; i < text.size() && text[i] != u'"' && text[i] != u'\n'; ++i)
                i += text[i] == u'\\';
            continue;
        }
        if (text[i] != u'/' || (text[i + 1] != u'/' && text[i + 1] != u'*'))
            continue;
        const bool isLine = text[i + 1] == u'/';
        const qsizetype end = isLine ? text.indexOf(u'\n', i) : text.indexOf(u"*/", i + 2);
        const qsizetype stop = end < 0 ? text.size() : isLine ? end : end + 2;
        for (; i < stop; ++i)
            if (text[i] != u'\n')
                text[i] = u' ';
        --i;
    }
    return text;
}

/// sbatch's option as a field of the form, or as a total of all nodes ("all-gpus", "ranks"); empty:
/// of no interest.
QString requestKey(const QString& option)
{
    static const QMap<QString, QString> keys{{QStringLiteral("--gres"), QStringLiteral("gpus")},
        {QStringLiteral("--gpus"), QStringLiteral("all-gpus")},
        {QStringLiteral("--gpus-per-node"), QStringLiteral("gpus")},
        {QStringLiteral("-G"), QStringLiteral("all-gpus")},
        {QStringLiteral("--cpus-per-task"), QStringLiteral("cpus")},
        {QStringLiteral("-c"), QStringLiteral("cpus")},
        {QStringLiteral("--mem"), QStringLiteral("memory")},
        {QStringLiteral("--time"), QStringLiteral("time")},
        {QStringLiteral("-t"), QStringLiteral("time")},
        {QStringLiteral("--nodes"), QStringLiteral("nodes")},
        {QStringLiteral("-N"), QStringLiteral("nodes")},
        {QStringLiteral("--ntasks-per-node"), QStringLiteral("tasks")},
        {QStringLiteral("--ntasks"), QStringLiteral("ranks")},
        {QStringLiteral("-n"), QStringLiteral("ranks")}};
    return keys.value(option);
}

/// The value as the form has it; empty: it does not fit there.
QString requestValue(const QString& key, QString value, const QString& option)
{
    static const QRegularExpression count(QStringLiteral("^[1-9]\\d{0,4}$"));
    static const QRegularExpression memory(QStringLiteral("^[1-9]\\d{0,9}[KMGT]?$"));
    static const QRegularExpression time(QStringLiteral("^\\d{1,5}(-\\d{1,2})?(:\\d{1,2}){0,2}$"));
    if (key.endsWith(u"gpus")) { // gpu:a100:2, a100:2, 2
        if (option == u"--gres" && value != u"gpu" && !value.startsWith(u"gpu:"))
            return {};
        const QString last = value.section(u':', -1).section(u'(', 0, 0);
        value = !last.isEmpty() && last[0].isDigit() ? last : QStringLiteral("1");
    }
    const QRegularExpression& form = key == u"memory" ? memory : key == u"time" ? time : count;
    return form.match(value).hasMatch() ? value : QString();
}

} // namespace

BuildReading readMakefile(const QString& text)
{
    return MakefileReader().read(text);
}

BuildReading readCMake(const QString& text)
{
    static const QRegularExpression command(QStringLiteral(R"(\b([A-Za-z_]+)\s*\(([^()]*)\))"));
    static const QRegularExpression comment(QStringLiteral("#[^\n]*"));
    static const QRegularExpression blank(QStringLiteral("[\\s;]+"));
    QString code;
    for (const QString& line : text.split(u'\n'))
        code += QString(line).remove(comment).left(longestSourceLine) + u'\n';
    BuildReading reading;
    QMap<QString, QString> variables;
    qsizetype counted = 0;
    int line = 1;
    for (const auto& match : command.globalMatch(code)) {
        line += int(code.mid(counted, match.capturedStart() - counted).count(u'\n'));
        counted = match.capturedStart();
        const QString name = match.captured(1).toLower();
        const QStringList words = expanded(match.captured(2).left(longestSourceLine), variables)
                                      .split(blank, Qt::SkipEmptyParts);
        const QString first = QString(words.value(0)).remove(u'"');
        const bool speaks = name == u"project" || name == u"enable_language";
        if (name == u"project")
            variables.insert(QStringLiteral("PROJECT_NAME"), first);
        else if (name == u"set" && words.size() > 1 && variables.size() < mostNames)
            variables.insert(first, QString(words[1]).remove(u'"'));
        else if (name == u"add_executable" && isProgramName(first)
            && !words.contains(QStringLiteral("IMPORTED"))
            && reading.programs.size() < mostPrograms) {
            noteFirst(&reading.program, first, line);
            reading.programs << first;
        }
        if (name == u"find_package" && first == u"MPI")
            noteFirst(&reading.mpi, QStringLiteral("find_package(MPI)"), line);
        if (name == u"find_package" && (first == u"CUDAToolkit" || first == u"CUDA"))
            noteFirst(&reading.cuda, QStringLiteral("find_package(%1)").arg(first), line);
        if (speaks && words.contains(QStringLiteral("CUDA")))
            noteFirst(&reading.cuda, QStringLiteral("the language CUDA"), line);
        if (speaks && words.contains(QStringLiteral("Fortran")))
            noteFirst(&reading.fortran, QStringLiteral("the language Fortran"), line);
    }
    return reading;
}

Found readMpiUse(const QString& text, bool isFortran)
{
    static const QRegularExpression c(QStringLiteral(R"(^\s*#\s*include\s*[<"](mpi\.h)[>"])"));
    static const QRegularExpression fortran(
        QStringLiteral(R"(^\s*(?:#\s*)?(use\s*(?:,\s*intrinsic\s*)?(?:::)?\s*mpi(?:_f08)?\b|)"
                       R"(include\s*['"<]mpif?\.h['">]))"),
        QRegularExpression::CaseInsensitiveOption);
    Found found;
    int number = 0;
    for (const QString& line : (isFortran ? text : withoutCComments(text)).split(u'\n')) {
        ++number;
        const auto match = (isFortran ? fortran : c).match(line.left(200));
        if (!match.hasMatch())
            continue;
        noteFirst(&found, isFortran ? match.captured(1).simplified() : match.captured(1), number);
        break;
    }
    return found;
}

ScriptReading readScript(const QString& text)
{
    static const QRegularExpression request(
        QStringLiteral(R"(^#SBATCH\s+(--[a-z-]+|-[A-Za-z])(?:\s*=\s*|\s+)([^\s#]+))"));
    static const QRegularExpression torchrun(
        QStringLiteral(R"((?:^|[\s/])(torchrun|torch\.distributed\.(?:run|launch))\s)"));
    static const QRegularExpression processes(
        QStringLiteral(R"(--nproc[-_]per[-_]node[\s=]+(\d{1,3})\b)"));
    ScriptReading reading;
    for (const SourceLine& line : joinedSourceLines(text)) {
        if (const auto match = request.match(line.text); match.hasMatch()) {
            const QString key = requestKey(match.captured(1));
            const QString value =
                key.isEmpty() ? QString() : requestValue(key, match.captured(2), match.captured(1));
            if (!value.isEmpty())
                noteFirst(&reading.requests[key], value, line.number);
        }
        const QString code = line.text.trimmed();
        if (code.startsWith(u'#'))
            continue;
        noteRanks(code, line.number, &reading.ranks);
        if (!torchrun.match(code).hasMatch())
            continue;
        noteFirst(&reading.torchrun, code, line.number);
        if (const auto match = processes.match(code); match.captured(1).toInt() > 0)
            noteFirst(&reading.processes, match.captured(1), line.number);
    }
    return reading;
}

BaseImage readDockerfileBase(const QString& text)
{
    static const QRegularExpression from(
        QStringLiteral(R"(^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?\s*$)"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression argument(
        QStringLiteral(R"(^\s*ARG\s+([A-Za-z0-9_]+)=["']?([^"'\s]*)["']?)"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression adds(
        QStringLiteral(R"(^\s*(RUN|COPY|ADD)\s)"), QRegularExpression::CaseInsensitiveOption);
    QMap<QString, QString> arguments;
    QMap<QString, BaseImage> stages;
    BaseImage last;
    for (const SourceLine& line : joinedSourceLines(text)) {
        if (const auto match = argument.match(line.text); match.hasMatch()) {
            if (arguments.size() < mostNames)
                arguments.insert(match.captured(1), match.captured(2));
        } else if (const auto found = from.match(line.text); found.hasMatch()) {
            const QString name = expanded(found.captured(1), arguments);
            last = stages.value(name.toLower(), {name, {plainText(name, 200), {}, line.number}});
            if (!found.captured(2).isEmpty() && stages.size() < mostNames)
                stages.insert(found.captured(2).toLower(), last);
        } else if (adds.match(line.text).hasMatch()) {
            last.addsMore = last.place.isKnown();
        }
    }
    static const QRegularExpression form(QStringLiteral("^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,255}$"));
    const bool usable = form.match(last.reference).hasMatch() && last.reference != u"scratch";
    last.reference = usable ? QStringLiteral("docker://") + last.reference : QString();
    return last;
}

std::vector<DefinitionStart> definitionStarts(const QString& text)
{
    static const QRegularExpression header(
        QStringLiteral(R"(\A\s*(Bootstrap|From)\s*:\s*(\{\{[^}]*\}\}\S*|\S*))"),
        QRegularExpression::CaseInsensitiveOption);
    std::vector<DefinitionStart> starts;
    QString agent;
    int number = 0;
    for (const QString& line : text.split(u'\n')) {
        ++number;
        const auto match = header.match(line);
        if (!match.hasMatch() || starts.size() >= mostNames)
            continue;
        if (match.captured(1).compare(u"Bootstrap", Qt::CaseInsensitive) == 0)
            agent = match.captured(2).toLower();
        else
            starts.push_back({agent, match.captured(2), number});
    }
    return starts;
}

bool registryIsWritten(const QString& from)
{
    return !from.section(u'/', 0, 0).contains(u"{{");
}

BaseImage readDefinitionBase(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,255}$"));
    static const QRegularExpression adds(QStringLiteral("^%(post|files|setup)\\b"));
    const std::vector<DefinitionStart> starts = definitionStarts(text);
    if (starts.empty())
        return {};
    const DefinitionStart& last = starts.back();
    BaseImage base;
    base.place = {plainText(last.from, 200), {}, last.line};
    const bool usable =
        (last.agent == u"docker" || last.agent == u"library" || last.agent == u"oras")
        && form.match(last.from).hasMatch();
    base.reference = usable ? last.agent + QStringLiteral("://") + last.from : QString();
    const QStringList lines = text.split(u'\n');
    base.addsMore = std::any_of(lines.begin() + last.line, lines.end(),
        [](const QString& line) { return adds.match(line).hasMatch(); });
    return base;
}

} // namespace slipway
