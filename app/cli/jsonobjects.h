// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"
#include "app/runs/run.h"
#include "plots/metrics/sample.h"

#include <QJsonArray>
#include <QJsonObject>

// What several commands print: as JSON objects with --json, and as lines for a person.

namespace slipway {

class Context;
struct Problem;

/// id, line, title, cause, remedy, evidence and severity; and, if changing a field is the remedy,
/// field, change and, if it is known, value.
QJsonObject explanationObject(const Explanation& explanation);
QJsonArray explanationObjects(const Run& run);

/// {"series","x","x_name","y","unit","line"}, with lane, low and high if they are known.
QJsonObject sampleObject(const Sample& sample);
/// {"event","text","line"}, with the values of the event.
QJsonObject eventObject(const MetricEvent& event);

/// One row of the probe, without the fields that are not known.
QJsonObject checkObject(const CheckRow& row);
QJsonArray checkObjects(const NodeReport& report);

QJsonObject runObject(const Run& run);

/// Prints why a run failed, what to do, the line that shows it, and the command that relaunches it
/// if changing a field is the remedy. With `least` at Fault, notes are left out.
void printExplanations(Context& context, const Run& run, Explanation::Severity least);

/// One object, or one line: "error: time: … Use 04:00:00: --set time=04:00:00".
void printProblem(Context& context, const Problem& problem);

/// The same before a launch: a warning goes to stderr, so that stdout has only the log of the job.
void reportProblem(Context& context, const Problem& problem);

} // namespace slipway
