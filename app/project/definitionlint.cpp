// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/definitionlint.h"

#include "app/project/sourcereading.h"
#include "remote/base/tr.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

constexpr qsizetype longestDefinition = 1024 * 1024; ///< characters
constexpr std::size_t mostDefinitionProblems = 100;

const QStringList& knownSections()
{
    static const QStringList sections{QStringLiteral("help"), QStringLiteral("setup"),
        QStringLiteral("files"), QStringLiteral("labels"), QStringLiteral("environment"),
        QStringLiteral("pre"), QStringLiteral("post"), QStringLiteral("runscript"),
        QStringLiteral("test"), QStringLiteral("startscript"), QStringLiteral("arguments"),
        QStringLiteral("appinstall"), QStringLiteral("apphelp"), QStringLiteral("apprun"),
        QStringLiteral("appenv"), QStringLiteral("applabels"), QStringLiteral("appfiles"),
        QStringLiteral("apptest"), QStringLiteral("appstart")};
    return sections;
}

/// Where the first files of an image come from; those of the second list need no From.
const QStringList& agentsWithFrom()
{
    static const QStringList agents{QStringLiteral("docker"), QStringLiteral("library"),
        QStringLiteral("oras"), QStringLiteral("shub"), QStringLiteral("localimage"),
        QStringLiteral("docker-daemon"), QStringLiteral("docker-archive"), QStringLiteral("oci"),
        QStringLiteral("oci-archive")};
    return agents;
}

const QStringList& agentsWithoutFrom()
{
    static const QStringList agents{QStringLiteral("debootstrap"), QStringLiteral("yum"),
        QStringLiteral("dnf"), QStringLiteral("arch"), QStringLiteral("busybox"),
        QStringLiteral("zypper"), QStringLiteral("scratch")};
    return agents;
}

/// The path at the beginning of a line of %files, which may be in quotes.
QString firstPath(const QString& line)
{
    static const QRegularExpression quoted(QStringLiteral(R"(\A(["'])(.*?)\1)"));
    static const QRegularExpression plain(QStringLiteral(R"(\A(?:\\.|[^\s\\])+)"));
    const QRegularExpressionMatch match = quoted.match(line);
    if (match.hasMatch())
        return match.captured(2);
    return plain.match(line).captured().remove(u'\\');
}

/// Reads a definition file line by line. On the stack of lintDefinition().
class DefinitionReader {
public:
    explicit DefinitionReader(const std::function<bool(const QString&)>& exists)
        : m_exists(exists)
    {
    }

    std::vector<DefinitionProblem> run(const QString& text)
    {
        const QStringList lines = text.split(u'\n');
        for (m_line = 1; m_line <= lines.size(); ++m_line) {
            QString line = lines.at(m_line - 1);
            if (line.endsWith(u'\r')) {
                line.chop(1);
                carriageReturn();
            }
            readLine(line);
        }
        endStage();
        if (m_stages == 0)
            add(0,
                tr("There is no line “Bootstrap: docker” with the image to start from below it: "
                   "From: ubuntu:22.04."));
        std::stable_sort(m_problems.begin(), m_problems.end(),
            [](const DefinitionProblem& a, const DefinitionProblem& b) { return a.line < b.line; });
        if (m_problems.size() > mostDefinitionProblems)
            m_problems.resize(mostDefinitionProblems);
        return std::move(m_problems);
    }

private:
    void add(int line, const QString& text, bool isError = true)
    {
        if (m_problems.size() <= mostDefinitionProblems)
            m_problems.push_back({line, text, isError});
    }

    void carriageReturn()
    {
        if (!std::exchange(m_saidReturn, true))
            add(m_line,
                tr("The file has Windows line endings, which %post would take for a part of its "
                   "commands. Save it with UNIX line endings."));
    }

    void readLine(const QString& line)
    {
        static const QRegularExpression bootstrap(QStringLiteral(R"(\Abootstrap\s*:\s*(\S*))"),
            QRegularExpression::CaseInsensitiveOption);
        const QRegularExpressionMatch stage = bootstrap.match(line);
        if (stage.hasMatch())
            return beginStage(stage.captured(1).toLower());
        const QString section = definitionSection(line);
        if (!section.isEmpty())
            return beginSection(section, line);
        const QString text = line.trimmed();
        if (text.isEmpty() || text.startsWith(u'#'))
            return;
        if (m_section.isEmpty())
            readHeader(text);
        else if (m_section == u"files" && m_copiesFromFolder)
            readSource(text);
    }

    void beginStage(const QString& agent)
    {
        endStage();
        ++m_stages;
        m_agent = agent;
        m_agentLine = m_line;
        m_from.clear();
        m_stage.clear();
        m_section.clear();
        if (!agentsWithFrom().contains(agent) && !agentsWithoutFrom().contains(agent))
            add(m_line,
                tr("“%1” is no source that Apptainer knows. Usual are docker, localimage and oras.")
                    .arg(agent.left(60)));
    }

    void endStage()
    {
        if (m_stages > 0 && m_from.isEmpty() && agentsWithFrom().contains(m_agent))
            add(m_agentLine, tr("The line From: is missing, which names the image to start from."));
        if (!m_stage.isEmpty())
            m_earlierStages << m_stage;
    }

    void readHeader(const QString& text)
    {
        const qsizetype colon = text.indexOf(u':');
        const QString key = text.left(std::max<qsizetype>(colon, 0)).trimmed().toLower();
        const QString value = text.mid(colon + 1).trimmed();
        if (colon < 0)
            add(m_line,
                tr("“%1” belongs to no section. Commands go below %post, and the header has lines "
                   "such as From: ubuntu:22.04.")
                    .arg(text.left(60)));
        else if (key == u"from")
            readFrom(value);
        else if (key == u"stage")
            m_stage = value;
        else if (m_stages == 0)
            add(m_line, tr("The header must begin with Bootstrap:, for example docker."));
    }

    void readFrom(const QString& value)
    {
        m_from = value;
        if ((m_agent == u"docker" || m_agent == u"oras") && !registryIsWritten(value))
            add(m_line,
                tr("The registry of %1 is known only during the build, so no login is sent for "
                   "it. Write the registry here if it needs one: nvcr.io/%2")
                    .arg(value.left(60), QStringLiteral("{{ IMAGE }}")),
                false);
        if (m_stages == 0)
            add(m_line, tr("The header must begin with Bootstrap:, for example docker."));
        else if (value.contains(u"://"))
            add(m_line,
                tr("From: takes the image without %1, which Bootstrap: says.")
                    .arg(value.left(value.indexOf(u"://") + 3).left(40)));
    }

    void beginSection(const QString& section, const QString& line)
    {
        m_section = section;
        if (m_stages == 0 && section != u"arguments")
            add(m_line,
                tr("%%1 comes before the header. Begin with Bootstrap: and From:.")
                    .arg(section.left(40)));
        if (!isDefinitionSection(section))
            add(m_line,
                tr("%%1 is no section of a definition file. In a script, indent a line that begins "
                   "with %.")
                    .arg(section.left(40)));
        if (section == u"setup")
            add(m_line,
                tr("%setup runs on the node itself, outside the image, and without root it can "
                   "change nothing there. Use %post."),
                false);
        static const QRegularExpression from(QStringLiteral(R"(\A%\S+\s+from\s+(\S+))"));
        const QString stage = from.match(line).captured(1);
        m_copiesFromFolder = stage.isEmpty();
        if (section == u"files" && !stage.isEmpty() && !m_earlierStages.contains(stage))
            add(m_line,
                tr("There is no earlier stage “%1”. A stage gets its name by a line Stage: in its "
                   "header.")
                    .arg(stage.left(60)));
    }

    void readSource(const QString& text)
    {
        const QString path = firstPath(text);
        static const QRegularExpression pattern(QStringLiteral(R"([*?\[{])"));
        if (path.startsWith(u'/') || path.startsWith(u'~'))
            add(m_line,
                tr("%1 is not in the folder that is sent: it would be looked for on the compute "
                   "node.")
                    .arg(path.left(200)),
                false);
        else if (path.split(u'/').contains(u".."))
            add(m_line,
                tr("%1 lies outside the folder that is sent. Copy it into the folder.")
                    .arg(path.left(200)));
        else if (m_exists && !path.contains(pattern) && !m_exists(path))
            add(m_line,
                tr("There is no %1 in the folder of the definition file, so %files cannot copy it.")
                    .arg(path.left(200)));
    }

    const std::function<bool(const QString&)>& m_exists;
    std::vector<DefinitionProblem> m_problems;
    int m_line = 0, m_stages = 0, m_agentLine = 0;
    QString m_agent, m_from, m_stage, m_section;
    QStringList m_earlierStages;
    bool m_copiesFromFolder = true, m_saidReturn = false;
};

} // namespace

QString definitionSection(const QString& line)
{
    static const QRegularExpression section(QStringLiteral(R"(\A%([A-Za-z]\w*))"));
    return section.match(line).captured(1).toLower();
}

bool isDefinitionSection(const QString& name)
{
    return knownSections().contains(name);
}

std::vector<DefinitionProblem> lintDefinition(
    const QString& text, const std::function<bool(const QString& path)>& exists)
{
    if (text.trimmed().isEmpty())
        return {{0, tr("The definition file is empty."), true}};
    if (text.size() > longestDefinition)
        return {{0, tr("The definition file is larger than 1 MiB."), true}};
    return DefinitionReader(exists).run(text);
}

} // namespace slipway
