// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/checkrow.h"

namespace slipway {

/// Never fails: a line that is not a row is counted and skipped. What only both calls together show
/// (the host sees a GPU and the container does not: --nv is missing) is added as separate rows.
NodeReport readNodeReport(const QByteArray& ndjson);

/// The node in one sentence: "c1 has 2 × H100, driver 580.65, CUDA 13.0; the container sees both."
QString nodeSentence(const NodeReport& report);

/// A check's display name: "driver.version" is "Driver".
QString checkTitle(const QString& id);

/// "ok", "warn", "fail" or "skip", as in the rows.
QString checkWord(CheckState state);

/// The report as plain text to paste into a mail or an issue: every row, its node and place.
QString nodeReportText(const NodeReport& report);

} // namespace slipway
