// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/report/report.h"
#include "app/runs/runfeed.h"

namespace slipway {

/// The report of one run: its finding, charts, numbers, environment, script and commands, from what
/// is stored on this computer. `feed` has read the log as far as the report should go; it may be
/// null. Needs a QGuiApplication for the fonts of the charts. GUI (or main) thread.
ReportContent runReport(Engine& engine, const Run& run, const RunFeed* feed);

/// Adds the job script of a run, and the commands to do the same by hand. `name` tells several runs
/// apart; empty: the report is about one.
void addScript(ReportContent& report, Engine& engine, const Run& run, const QString& name = {});

} // namespace slipway
