// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/stageconverter.h"
#include "app/catalogue/names.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QRegularExpression>

namespace slipway {

namespace {

/// What Docker itself defines where an ARG asks for it.
std::optional<QString> platformArgument(const QString& name, const QString& architecture)
{
    if (name == u"TARGETARCH" || name == u"BUILDARCH")
        return architecture;
    if (name == u"TARGETOS" || name == u"BUILDOS")
        return QStringLiteral("linux");
    if (name == u"TARGETPLATFORM" || name == u"BUILDPLATFORM")
        return QStringLiteral("linux/") + architecture;
    return {};
}

} // namespace

void DockerContext::remark(
    const DockerInstruction& of, RemarkSeverity severity, const QString& sentence)
{
    remarks.push_back({of.firstLine, of.name, sentence, severity});
}

int DockerContext::stageNamed(const QString& name, int current) const
{
    bool isNumber = false;
    const int number = name.toInt(&isNumber);
    if (isNumber)
        return number >= 0 && number < current ? number : -1;
    for (int i = current - 1; i >= 0; --i)
        if (!name.isEmpty() && stages[size_t(i)].name == name.toLower())
            return i;
    return -1;
}

void defineArguments(const DockerInstruction& one, DockerScope* scope,
    const ConversionRequest& request, const QMap<QString, DockerValue>& globals,
    QStringList* defined)
{
    for (const QString& word : dockerWords(one.text(), scope->escape)) {
        const QString name = word.section(u'=', 0, 0);
        if (!isVariableName(name) || scope->environment.contains(name))
            continue;
        const auto platform = platformArgument(name, request.architecture);
        DockerValue value;
        if (request.arguments.contains(name))
            value.add(request.arguments.value(name));
        else if (word.contains(u'='))
            value = scope->expand(word.section(u'=', 1));
        else if (globals.contains(name))
            value = globals.value(name);
        else if (platform)
            value.add(*platform);
        else
            continue;
        scope->values.insert(name, value);
        *defined << name;
    }
}

StageConverter::StageConverter(DockerContext* context, int stage, bool isTarget)
    : m_context(context)
    , m_stage(stage)
    , m_isTarget(isTarget)
{
}

QString StageConverter::Start::shellWords() const
{
    if (!line.isEmpty())
        return line;
    QStringList quoted;
    for (const QString& word : words)
        quoted << sectionWord(word);
    return quoted.join(u' ');
}

void StageConverter::note(const DockerInstruction& one, const QString& sentence)
{
    m_context->remark(one, RemarkSeverity::Note, sentence);
}

void StageConverter::lost(const DockerInstruction& one, const QString& sentence)
{
    m_context->remark(one, RemarkSeverity::Lost, sentence);
}

DefinitionStage StageConverter::convert()
{
    std::vector<int> chain;
    for (int stage = m_stage; stage >= 0; stage = m_context->stages[size_t(stage)].base)
        chain.insert(chain.begin(), stage);
    m_result.image = m_context->stages[size_t(chain.front())].image;
    m_result.fromInstruction = m_context->stages[size_t(m_stage)].from;
    m_scope.escape = m_context->escape;
    for (const int stage : chain)
        convertStage(stage);
    if (m_isTarget)
        runscript();
    return m_result;
}

void StageConverter::convertStage(int stage)
{
    m_current = stage;
    m_ownCommand = false;
    // ARG ends with its stage; ENV goes on.
    for (const QString& name : m_scope.values.keys())
        if (!m_scope.environment.contains(name))
            m_scope.values.remove(name);
    const DockerStage& one = m_context->stages[size_t(stage)];
    for (m_index = one.first; m_index < one.end && !m_context->error; ++m_index) {
        const DockerInstruction& instruction = (*m_context->instructions)[size_t(m_index)];
        convertOne(instruction);
        if (m_scope.isTooLong && !m_context->error)
            m_context->error = Error{ErrorKind::Invalid,
                tr("Line %1 of the Dockerfile: its variables stand for more than 32,768 "
                   "characters.")
                    .arg(instruction.firstLine),
                tr("Correct that line.")};
    }
}

void StageConverter::convertOne(const DockerInstruction& one)
{
    using Part = void (StageConverter::*)(const DockerInstruction&);
    static const QMap<QString, Part> parts{{QStringLiteral("ARG"), &StageConverter::arg},
        {QStringLiteral("ENV"), &StageConverter::env},
        {QStringLiteral("RUN"), &StageConverter::run},
        {QStringLiteral("COPY"), &StageConverter::copy},
        {QStringLiteral("ADD"), &StageConverter::copy},
        {QStringLiteral("WORKDIR"), &StageConverter::workdir},
        {QStringLiteral("SHELL"), &StageConverter::shell},
        {QStringLiteral("ENTRYPOINT"), &StageConverter::start},
        {QStringLiteral("CMD"), &StageConverter::start},
        {QStringLiteral("LABEL"), &StageConverter::label},
        {QStringLiteral("MAINTAINER"), &StageConverter::label}};
    if (one.hadControls)
        note(one, tr("Control characters were taken out."));
    (this->*parts.value(one.name, &StageConverter::withoutEffect))(one);
}

DockerValue StageConverter::expand(const DockerInstruction& one, const QString& word)
{
    m_scope.unknown.clear();
    const DockerValue value = m_scope.expand(word);
    QStringList names(m_scope.unknown.begin(), m_scope.unknown.end());
    names.sort();
    for (const QString& name : names)
        if (name != u"PATH" && name != u"HOME")
            note(one,
                tr("The Dockerfile does not set %1: the definition takes it from the base image, "
                   "or from the environment of the caller.")
                    .arg(name.left(80)));
    return value;
}

void StageConverter::arg(const DockerInstruction& one)
{
    QStringList defined;
    defineArguments(one, &m_scope, *m_context->request, m_context->globals, &defined);
    for (const QString& name : defined) {
        post(QStringLiteral("export %1=%2").arg(name, m_scope.values.value(name).shellWord()));
        if (platformArgument(name, {}) && !m_context->request->arguments.contains(name))
            note(one,
                tr("%1 is %2 in the definition: Apptainer builds for the machine it runs on.")
                    .arg(name, m_scope.values.value(name).text()));
    }
}

void StageConverter::env(const DockerInstruction& one)
{
    const QStringList words = dockerWords(one.text(), m_scope.escape);
    std::vector<std::pair<QString, DockerValue>> values;
    if (!words.value(0).contains(u'=')) { // the old form: ENV NAME the rest of the line
        const QString rest = one.text().mid(words.value(0).size()).trimmed();
        values.push_back({words.value(0), expand(one, rest)});
    } else {
        // All values of one ENV see the variables as they were before it.
        for (const QString& word : words)
            values.push_back({word.section(u'=', 0, 0), expand(one, word.section(u'=', 1))});
    }
    for (const auto& [name, value] : values) {
        if (!isVariableName(name)) {
            lost(one, tr("“%1” is not a name that a shell can export.").arg(name.left(80)));
            continue;
        }
        const QString line = QStringLiteral("export %1=%2").arg(name, value.shellWord());
        post(line);
        if (m_isTarget)
            m_result.environment.push_back({line, m_index});
        m_scope.values.insert(name, value);
        m_scope.environment << name;
    }
}

void StageConverter::runOptions(const DockerInstruction& one)
{
    for (const QString& flag : one.flags) {
        const QString name = flag.section(u'=', 0, 0);
        static const QRegularExpression kind(QStringLiteral("(?:=|,)type=(\\w+)"));
        const QString type = name == u"--mount" ? kind.match(flag).captured(1) : QString();
        if (name != u"--mount")
            note(one, tr("%1 has no counterpart in Apptainer.").arg(name.left(80)));
        else if (type == u"cache")
            note(one, tr("The cache mount is left out: the build downloads more."));
        else if (type == u"tmpfs")
            note(one, tr("The tmpfs mount is left out: what is written there stays in the image."));
        else if (type == u"secret")
            lost(one, tr("The secret is not there during the build: Apptainer has none."));
        else if (type == u"ssh")
            lost(one, tr("The SSH agent is not there during the build."));
        else
            lost(one,
                tr("The mounted files are not there during the build: copy them before this RUN."));
    }
}

void StageConverter::run(const DockerInstruction& one)
{
    runOptions(one);
    const QStringList lines = runLines(one, m_shell);
    for (const QString& line : lines)
        post(line);
    m_runs.push_back(&one);
}

QString StageConverter::absolute(const QString& path) const
{
    const QString base = m_workdir ? m_workdir->text() : QStringLiteral("/");
    QString clean = QDir::cleanPath(path.startsWith(u'/') ? path : base + u'/' + path);
    while (clean.startsWith(u"//"))
        clean.remove(0, 1);
    if (path.endsWith(u'/') || path == u"." || path.endsWith(u"/."))
        clean += clean.endsWith(u'/') ? QString() : QStringLiteral("/");
    return clean;
}

void StageConverter::workdir(const DockerInstruction& one)
{
    DockerValue value = expand(one, one.text());
    const bool isAbsolute = !value.parts.empty()
        && (value.parts.front().isShell || value.parts.front().text.startsWith(u'/'));
    if (value.isLiteral() && (isAbsolute || !m_workdir || m_workdir->isLiteral())) {
        const QString path = QDir::cleanPath(absolute(value.text()));
        value = {};
        value.add(path);
    } else if (!isAbsolute) {
        DockerValue joined = m_workdir.value_or(DockerValue());
        joined.add(QStringLiteral("/"));
        joined.add(value);
        value = joined;
    }
    const QString word = value.shellWord();
    post(QStringLiteral("mkdir -p %1").arg(word));
    post(QStringLiteral("cd %1").arg(word));
    m_workdir = value;
    if (m_isTarget)
        note(one,
            tr("Apptainer starts in the caller's folder: the run script changes to %1, other "
               "commands do not.")
                .arg(value.text()));
}

void StageConverter::shell(const DockerInstruction& one)
{
    const auto words = one.words();
    if (!words || words->isEmpty()) {
        lost(one, tr("SHELL wants its words as [\"program\", \"option\"]."));
        return;
    }
    const auto options = shellOptions(*words);
    const bool mayBeBash = !m_result.postShell.isEmpty() || m_runs.empty();
    m_shell.words = *words;
    m_shell.isSection = options && (!isBash(*words) || mayBeBash);
    // %post is one script: options that an earlier SHELL set have to go.
    for (QString option : std::exchange(m_shellOptions, {}))
        post(QStringLiteral("set ") + option.replace(0, 1, u'+'));
    if (!m_shell.isSection)
        return;
    if (isBash(*words))
        m_result.postShell =
            words->front().startsWith(u'/') ? words->front() : QStringLiteral("/bin/bash");
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_./-]+\\z"));
    if (!plain.match(m_result.postShell).hasMatch() && !m_result.postShell.isEmpty())
        m_result.postShell = QStringLiteral("/bin/bash");
    m_shellOptions = *options;
    for (const QString& option : m_shellOptions)
        post(QStringLiteral("set ") + option);
}

} // namespace slipway
