// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/connector.h"

namespace slipway {

/// SharingConnector shares one connection among all programs of a person: it asks the broker of
/// that connection for it, and starts the broker where there is none. Where that cannot be, it
/// connects by itself and says why. Both programs put it before the SSH connector. Main thread.
class SharingConnector : public Connector {
public:
    struct Settings {
        bool enabled = true;
        QString program = {}; ///< that becomes the broker; empty: slipway-cli beside this program
        QString folder = {}; ///< of the sockets; empty: runtimeFolder()
    };

    /// `direct` must outlive this and its tasks.
    SharingConnector(Connector* direct, Settings settings);
    explicit SharingConnector(Connector* direct);

    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(
        ConnectTarget target, Prompter* prompter) override;
    QCoro::Task<Result<QByteArray>> connectionKey(ConnectTarget target) override;
    QCoro::Task<Result<HostPort>> firstStop(ConnectTarget target) override;

private:
    Connector* m_direct;
    Settings m_settings;
};

/// Whether SLIPWAY_NO_SHARING is set: each program then has its own connection.
bool sharingIsOff();

} // namespace slipway
