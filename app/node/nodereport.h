// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace slipway {

enum class CheckState { Ok, Warn, Fail, Skip };

/// One line of slipway-probe: what was looked at, what it is, and what to do about it. A value;
/// remote/probe/README.md says the form of a row.
struct CheckRow {
    QString id; ///< "driver.version"
    CheckState state = CheckState::Skip;
    QString value; ///< for a person; empty: unknown
    QString expected;
    QString why;
    QString fix;
    QString where; ///< "host", "container"; Slipway's own rows: "host and container"
    QString node;
    QJsonObject data;

    bool operator==(const CheckRow&) const = default;
};

/// NodeReport is what the probe said of a job's node, on the host and in the container. A value,
/// read from the run folder's probe.ndjson and kept with the run.
struct NodeReport {
    std::vector<CheckRow> rows; ///< without the first and the last row of each call
    bool complete = false; ///< each call that began has ended
    int unreadable = 0; ///< lines that were no rows

    bool isEmpty() const { return rows.empty(); }
    /// Fail before Warn before Ok; Skip when nothing else is there.
    CheckState worst() const;
};

/// Never fails: a line that is no row is counted and passed over. What only the two calls together
/// tell (the host sees a GPU and the container does not: --nv is missing) is added as rows of its
/// own.
NodeReport readNodeReport(const QByteArray& ndjson);

/// The node in one sentence: "c1 has 2 × H100, driver 580.65, CUDA 13.0; the container sees both."
QString nodeSentence(const NodeReport& report);

/// A check's name for people: "driver.version" is "Driver".
QString checkTitle(const QString& id);

/// "ok", "warn", "fail" or "skip", as in the rows.
QString checkWord(CheckState state);

/// The report as plain text to paste into a mail or an issue: every row, its node and place.
QString nodeReportText(const NodeReport& report);

} // namespace slipway
