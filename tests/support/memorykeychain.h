// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/secrets/keychain.h"

#include <QMap>

#include <optional>

namespace slipway {

/// MemoryKeychain is a keychain in memory, which a test fills, reads and breaks. Its table is
/// shared with the test, because a SecretStore owns the keychain itself.
class MemoryKeychain : public Keychain {
public:
    struct Table {
        QMap<QString, QByteArray> values;
        std::optional<Error> refusal; ///< the answer to everything
        int questions = 0;
    };

    explicit MemoryKeychain(std::shared_ptr<Table> table)
        : m_table(std::move(table))
    {
    }

    QCoro::Task<Result<QByteArray>> read(QString key) override
    {
        ++m_table->questions;
        if (m_table->refusal)
            co_return *m_table->refusal;
        if (!m_table->values.contains(key))
            co_return Error{ErrorKind::NotFound, QStringLiteral("no entry")};
        co_return m_table->values.value(key);
    }

    QCoro::Task<Result<void>> write(QString key, QByteArray value) override
    {
        ++m_table->questions;
        if (m_table->refusal)
            co_return *m_table->refusal;
        m_table->values.insert(key, value);
        co_return Result<void>();
    }

    QCoro::Task<Result<void>> remove(QString key) override
    {
        ++m_table->questions;
        if (m_table->refusal)
            co_return *m_table->refusal;
        if (m_table->values.remove(key) == 0)
            co_return Error{ErrorKind::NotFound, QStringLiteral("no entry")};
        co_return Result<void>();
    }

private:
    std::shared_ptr<Table> m_table;
};

} // namespace slipway
