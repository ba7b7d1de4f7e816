// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

/// Notes a measured figure for a reliability target, for the table of tests/run --report. `target`
/// is "T1" to "T20"; `figure` says what was measured, in one line, with its length where a test
/// runs a part of the whole: "1,000 of 1,000 cuts: one job each, none twice". To be called once the
/// figure was held against its limit. Any thread of a test.
void noteTarget(const char* target, const QString& figure);

} // namespace slipway
