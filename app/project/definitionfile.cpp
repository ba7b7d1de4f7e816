// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/definitionfile.h"

namespace slipway {

namespace {

/// Apptainer reads sections with Go's bufio.Scanner, whose longest token is 64 KiB.
constexpr qsizetype longestSection = 64 * 1024 - 512;

/// Collects the lines of a definition file and notes where they come from.
class DefinitionWriter {
public:
    void line(const QString& text, int instruction = -1)
    {
        m_result.text += text + u'\n';
        const int first = m_next;
        m_next += 1 + int(text.count(u'\n'));
        auto& ranges = m_result.ranges;
        if (instruction < 0)
            return;
        if (!ranges.empty() && ranges.back().instruction == instruction
            && ranges.back().last == first - 1)
            ranges.back().last = m_next - 1;
        else
            ranges.push_back({instruction, first, m_next - 1});
    }

    void section(const QString& head, const DefinitionLines& lines)
    {
        if (lines.empty())
            return;
        line({});
        const qsizetype begin = m_result.text.size();
        line(head);
        for (const DefinitionLine& one : lines)
            line(QStringLiteral("    ") + one.text, one.instruction);
        const QString section = m_result.text.mid(begin);
        if (section.toUtf8().size() > longestSection)
            m_result.hasLongSection = true;
    }

    DefinitionText take() { return std::move(m_result); }

private:
    DefinitionText m_result;
    int m_next = 1;
};

void writeStage(DefinitionWriter& writer, const DefinitionStage& stage)
{
    writer.line(QStringLiteral("Bootstrap: docker"), stage.fromInstruction);
    writer.line(QStringLiteral("From: ") + stage.image, stage.fromInstruction);
    if (!stage.name.isEmpty())
        writer.line(QStringLiteral("Stage: ") + stage.name, stage.fromInstruction);
    for (const auto& [from, lines] : stage.filesFrom)
        writer.section(QStringLiteral("%files from ") + from, lines);
    writer.section(QStringLiteral("%files"), stage.files);
    if (!stage.post.empty()) {
        DefinitionLines post{{QStringLiteral("set -e"), -1}};
        post.insert(post.end(), stage.post.begin(), stage.post.end());
        writer.section(stage.postShell.isEmpty() ? QStringLiteral("%post")
                                                 : QStringLiteral("%post -c ") + stage.postShell,
            post);
    }
    writer.section(QStringLiteral("%environment"), stage.environment);
    writer.section(QStringLiteral("%labels"), stage.labels);
    writer.section(QStringLiteral("%runscript"), stage.runscript);
}

} // namespace

DefinitionText definitionText(const std::vector<DefinitionStage>& stages)
{
    DefinitionWriter writer;
    for (const DefinitionStage& stage : stages) {
        if (&stage != &stages.front())
            writer.line({});
        writeStage(writer, stage);
    }
    return writer.take();
}

} // namespace slipway
