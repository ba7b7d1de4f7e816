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

/// One row of slipway-probe: what was checked, its value, and what to do about it. A value;
/// remote/probe/README.md documents the format.
struct CheckRow {
    QString id; ///< "driver.version"
    CheckState state = CheckState::Skip;
    QString value; ///< for display; empty: unknown
    QString expected;
    QString why;
    QString fix;
    QString where; ///< "host", "container"; Slipway's own rows: "host and container"
    QString node;
    QJsonObject data;

    bool operator==(const CheckRow&) const = default;
};

/// NodeReport is the probe's report on a job's node, on the host and in the container. A value,
/// read from probe.ndjson in the run folder and stored with the run.
struct NodeReport {
    std::vector<CheckRow> rows; ///< without the first and the last row of each call
    bool complete = false; ///< each call that began has ended
    int unreadable = 0; ///< lines that are not rows

    bool isEmpty() const { return rows.empty(); }
    /// Fail before Warn before Ok; Skip when nothing else is there.
    CheckState worst() const;
};

} // namespace slipway
