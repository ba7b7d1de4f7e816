// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/registrytransport.h"

class QNetworkAccessManager;

namespace slipway {

/// NetworkTransport asks registries from this computer. Certificates are always checked; nothing is
/// cached, no cookie kept and nothing unpacked, so that bounds are bounds of what is kept. Lives on
/// the GUI (or main) thread; may be deleted while a question is on its way, which is then still
/// answered.
class NetworkTransport : public RegistryTransport {
public:
    NetworkTransport();
    ~NetworkTransport() override;

    QString place() const override;
    QCoro::Task<Result<RegistryAnswer>> ask(RegistryRequest request) override;

private:
    std::shared_ptr<QNetworkAccessManager> m_manager;
};

} // namespace slipway
