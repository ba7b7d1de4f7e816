// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/logstages.h"

#include <algorithm>

namespace slipway {

namespace {

/// By the ids that steps have: "image", "image-2", "build", "build-2".
bool makesImage(const RunStage& stage)
{
    return stage.id.startsWith(u"image") || stage.id.startsWith(u"build");
}

} // namespace

QString headerTitle(const QString& line)
{
    constexpr qsizetype longest = 200;
    return line.startsWith(u"== ") && line.size() <= longest ? line.mid(3) : QString();
}

std::vector<LogSection> logSections(
    const std::vector<LogHeader>& headers, const std::vector<RunStage>& stages)
{
    std::vector<LogSection> sections;
    for (const LogHeader& header : headers) {
        // A title may have several blanks, which the timeline does not show.
        const QString title = header.title.simplified();
        const int now = sections.empty() ? -1 : sections.back().stage;
        int found = -1;
        for (int stage = now + 1; stage < int(stages.size()) && found < 0; ++stage)
            if (stages[std::size_t(stage)].title.simplified() == title)
                found = stage;
        const bool again = found < 0 && !sections.empty()
            && stages[std::size_t(sections.front().stage)].title.simplified() == title;
        if (again)
            found = sections.front().stage;
        if (found < 0)
            continue;
        if (!sections.empty())
            sections.back().last = header.line - 1;
        sections.push_back({found, header.line, 0});
    }
    return sections;
}

std::vector<LogSection> sectionsOf(const std::vector<LogSection>& sections,
    const std::vector<RunStage>& stages, const QString& stage)
{
    std::vector<LogSection> found;
    for (const LogSection& one : sections) {
        const RunStage& of = stages[std::size_t(one.stage)];
        if (of.id == stage || of.title.compare(stage, Qt::CaseInsensitive) == 0)
            found.push_back(one);
    }
    return found;
}

bool hasFoldedStages(const std::vector<LogSection>& sections, const std::vector<RunStage>& stages)
{
    return std::any_of(sections.begin(), sections.end(),
        [&stages](const LogSection& one) { return makesImage(stages[std::size_t(one.stage)]); });
}

} // namespace slipway
