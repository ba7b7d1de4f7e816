// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>

namespace slipway {

/// Interrupts turns SIGINT (Ctrl-C) and SIGTERM into a Qt signal. The Context owns the only one, on
/// the main thread, and creates it before a command runs.
class Interrupts : public QObject {
    Q_OBJECT

public:
    explicit Interrupts(QObject* parent = nullptr);
    ~Interrupts() override;

    /// Whether a signal has arrived, even while the event loop was not running.
    static bool pending();

signals:
    void interrupted();

private:
    void read();
};

} // namespace slipway
