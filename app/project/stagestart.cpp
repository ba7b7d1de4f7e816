// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/stageconverter.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

void StageConverter::start(const DockerInstruction& one)
{
    Start start;
    start.instruction = m_index;
    if (const auto words = one.words())
        start.words = *words;
    else
        start.line = m_shell.command(one.text());
    const bool isEmpty = start.words.isEmpty() && start.line.isEmpty(); // [] takes it back
    const std::optional<Start> value = isEmpty ? std::nullopt : std::optional<Start>(start);
    if (one.name == u"CMD") {
        m_command = value;
        m_ownCommand = true;
        return;
    }
    m_entrypoint = value;
    if (!m_ownCommand) // Docker forgets the CMD of the base image
        m_command = {};
}

void StageConverter::runscript()
{
    if (!m_entrypoint && !m_command)
        return;
    const auto add = [this](const QString& line, int instruction) {
        m_result.runscript.push_back({line, instruction});
    };
    if (m_workdir)
        add(QStringLiteral("cd %1 || exit").arg(m_workdir->shellWord()), -1);
    if (m_entrypoint && !m_entrypoint->line.isEmpty()) {
        // The shell form takes neither CMD nor the words of the command line.
        add(QStringLiteral("exec ") + m_entrypoint->line, m_entrypoint->instruction);
        return;
    }
    if (m_entrypoint && m_command) {
        add(QStringLiteral("if [ $# -eq 0 ]; then"), m_command->instruction);
        add(QStringLiteral("    set -- ") + m_command->shellWords(), m_command->instruction);
        add(QStringLiteral("fi"), m_command->instruction);
    }
    if (m_entrypoint) {
        add(QStringLiteral("exec %1 \"$@\"").arg(m_entrypoint->shellWords()),
            m_entrypoint->instruction);
        return;
    }
    add(QStringLiteral("if [ $# -gt 0 ]; then"), m_command->instruction);
    add(QStringLiteral("    exec \"$@\""), m_command->instruction);
    add(QStringLiteral("fi"), m_command->instruction);
    add(QStringLiteral("exec ") + m_command->shellWords(), m_command->instruction);
    note((*m_context->instructions)[size_t(m_command->instruction)],
        tr("If the base image has an entry point, the run script does not use it."));
}

void StageConverter::label(const DockerInstruction& one)
{
    if (one.name == u"MAINTAINER") {
        DockerValue value;
        value.add(one.text());
        addLabel(one, QStringLiteral("maintainer"), value);
        return;
    }
    const QStringList words = dockerWords(one.text(), m_scope.escape);
    if (!words.value(0).contains(u'=')) {
        const QString rest = one.text().mid(words.value(0).size()).trimmed();
        addLabel(one, m_scope.expand(words.value(0)).text(), expand(one, rest));
        return;
    }
    // A key may be quoted as a whole: "com.example.name"="value".
    static const QRegularExpression form(QStringLiteral("\\A(\"[^\"]*\"|'[^']*'|[^=]*)=(.*)\\z"),
        QRegularExpression::DotMatchesEverythingOption);
    for (const QString& word : words) {
        const auto match = form.match(word);
        addLabel(one, m_scope.expand(match.captured(1)).text(), expand(one, match.captured(2)));
    }
}

void StageConverter::addLabel(
    const DockerInstruction& one, const QString& key, const DockerValue& value)
{
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_.:/-]+\\z"));
    if (!m_isTarget)
        return;
    if (!plain.match(key).hasMatch()) {
        lost(one, tr("Apptainer cannot have a label named “%1”.").arg(key.left(80)));
        return;
    }
    const QString before = value.text();
    QString text = before.simplified();
    while (text.contains(u"{{"))
        text.replace(QStringLiteral("{{"), QStringLiteral("{ {"));
    if (text != before)
        note(one, tr("The label %1 is one line, with single spaces.").arg(key));
    m_result.labels.push_back({QStringLiteral("%1 %2").arg(key, text).trimmed(), m_index});
}

void StageConverter::withoutEffect(const DockerInstruction& one)
{
    if (one.name == u"USER")
        note(one,
            tr("Apptainer builds as root of the container and runs as the caller: there is no "
               "other user."));
    else if (one.name == u"EXPOSE")
        note(one, tr("Not needed: an Apptainer container uses the network of the node."));
    else if (one.name == u"VOLUME")
        note(one,
            tr("The image is read-only when it runs: bind a folder to %1 to write there.")
                .arg(one.text().left(200)));
    else if (one.name == u"STOPSIGNAL")
        note(one, tr("Slurm decides which signal a job gets."));
    else if (one.name == u"HEALTHCHECK")
        note(one, tr("Apptainer checks no health: nothing calls this command."));
    else
        lost(one, tr("Apptainer has no instructions for later builds."));
}

} // namespace slipway
