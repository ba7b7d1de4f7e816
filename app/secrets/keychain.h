// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QCoroTask>
#include <QString>

#include <memory>

namespace slipway {

/// Keychain is where secrets are kept: the desktop's keychain, or a table in tests. GUI (or main)
/// thread; SecretStore owns one.
class Keychain {
public:
    virtual ~Keychain() = default;

    /// ErrorKind::NotFound: nothing is kept under this key. Any other error: the keychain is not
    /// there, is locked, or refused.
    virtual QCoro::Task<Result<QByteArray>> read(QString key) = 0;
    virtual QCoro::Task<Result<void>> write(QString key, QByteArray value) = 0;
    virtual QCoro::Task<Result<void>> remove(QString key) = 0;
};

/// The desktop's keychain, by QtKeychain: Secret Service or KWallet. A secret is never written to a
/// file where there is none.
std::unique_ptr<Keychain> makeSystemKeychain();

} // namespace slipway
