// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway {

class Context;
struct Problem;

/// One line: "error: time: … Use 04:00:00: --set time=04:00:00".
void printProblem(Context& context, const Problem& problem);

/// The same before a launch: a warning goes to stderr, so that stdout stays the job's.
void reportProblem(Context& context, const Problem& problem);

} // namespace slipway
