// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <optional>

namespace slipway {

/// One stage of starting the demo cluster, as its script reports it.
struct DemoStage {
    QString id;
    QString title;
    QString state; ///< pending, running, done, skipped, failed
    std::optional<int> percent; ///< none: not known
    double seconds = 0;
    QString detail;
};

enum class DemoState { Unknown, Absent, Partial, Stopped, Starting, Running, Broken, Stopping };

} // namespace slipway
