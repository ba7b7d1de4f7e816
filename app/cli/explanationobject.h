// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QJsonArray>
#include <QJsonObject>

namespace slipway {

class Context;

/// An explanation as --json prints it: id, line, title, cause, remedy, evidence, severity, and
/// where the remedy is a field: field, change and, where it is known, value.
QJsonObject explanationObject(const Explanation& explanation);

QJsonArray explanationObjects(const Run& run);

/// For a person: why a run went wrong, what to do, the line that shows it, and the command that
/// does it where a field mends it. Notes are left out with `least` at Fault.
void printExplanations(Context& context, const Run& run, Explanation::Severity least);

} // namespace slipway
