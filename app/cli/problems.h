// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "app/runs/run.h"

namespace slipway {

class Context;
struct Problem;

/// Prints why a run failed, what to do, the line that shows it, and the command that relaunches it
/// if changing a field is the remedy. With `least` at Fault, notes are left out.
/// An explanation in lines for the terminal: title and cause, how sure it is, each line of the log
/// that counts, and the remedy.
QStringList explanationLines(const Explanation& one);
void printExplanations(Context& context, const Run& run, Explanation::Severity least);

/// One object, or one line: "error: time: … Use 04:00:00: --set time=04:00:00".
void printProblem(Context& context, const Problem& problem);

/// The same before a launch: a warning goes to stderr, so that stdout has only the log of the job.
void reportProblem(Context& context, const Problem& problem);

} // namespace slipway
