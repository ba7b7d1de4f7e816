// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logsource.h"
#include "app/runs/run.h"

#include <vector>

namespace slipway {

// Which lines of a log belong to which stage of the run. slipway.sh prints a line with its title
// when a step begins. Pure.

/// The title in a line that may begin a stage, "Pull the image" of "== Pull the image"; empty: it
/// does not.
QString headerTitle(const QString& line);

/// The lines of one stage, from its header on.
struct LogSection {
    int stage = 0; ///< an index in Run::stages
    qint64 first = 1; ///< the header
    qint64 last = 0; ///< 0: to the end of the log

    bool operator==(const LogSection&) const = default;
};

/// In the order of the log. A program may print such lines, too: those count that come in the order
/// of the stages. A job that was requeued begins again with the first of them.
std::vector<LogSection> logSections(
    const std::vector<LogHeader>& headers, const std::vector<RunStage>& stages);

/// The sections of the stage with this id or title; empty: it has printed nothing.
std::vector<LogSection> sectionsOf(const std::vector<LogSection>& sections,
    const std::vector<RunStage>& stages, const QString& stage);

/// Whether a run has stages that are folded in its log: it pulls or builds an image first.
bool hasFoldedStages(const std::vector<LogSection>& sections, const std::vector<RunStage>& stages);

} // namespace slipway
