// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QByteArray>
#include <QMap>
#include <QString>

#include <optional>
#include <vector>

namespace slipway {

/// One row of events.ndjson that slipway.sh writes while an image is pulled.
struct PullRow {
    double time = 0; ///< seconds, the node's clock
    QString step;
    QString phase;
    qint64 bytes = 0;
    std::optional<qint64> of;
};

/// PullProgress measures a pull by its rows, and by nothing but the clock of their node. A clock
/// that is set back, and bytes that become fewer, begin the measurement again. A value.
class PullProgress {
public:
    void note(const PullRow& row);
    std::optional<PullState> state() const;

private:
    std::optional<double> rate() const;

    std::vector<PullRow> m_rows; ///< of one phase, of the last seconds
};

/// What events.ndjson says of the pulls of a run, by step. A value.
struct RunPulls {
    QMap<QString, PullProgress> running;
    QMap<QString, QString> reused; ///< the date of the pull, "2026-11-20"; empty: not known
};

/// From all complete lines; other rows, and rows that cannot be true, are skipped. An earlier
/// attempt of a requeued job does not count.
RunPulls readPulls(const QByteArray& ndjson);

/// Sets the details of the stages that pull, or that reused an image; returns the pull that runs.
std::optional<PullState> applyPulls(std::vector<RunStage>& stages, const RunPulls& pulls);

} // namespace slipway
