// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>

namespace slipway {

/// Interrupts turns Ctrl-C (SIGINT) and SIGTERM into a signal of the event loop. One for the
/// program, made by main before any command runs.
class Interrupts : public QObject {
    Q_OBJECT

public:
    explicit Interrupts(QObject* parent = nullptr);
    ~Interrupts() override;

    /// Whether one has come, also while the event loop was not running.
    static bool pending();

signals:
    void interrupted();

private:
    void read();
};

} // namespace slipway
