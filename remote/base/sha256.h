// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <memory>

struct evp_md_ctx_st;

namespace slipway {

/// Sha256 sums what is added to it, with the processor's own instructions where it has them: many
/// times as fast as QCryptographicHash, which matters for files of many GB. A value that can be
/// moved; for one thread at a time.
class Sha256 {
public:
    Sha256();

    void add(QByteArrayView bytes);
    /// 64 lowercase hexadecimal digits of what was added so far. More can be added afterwards.
    QByteArray hex() const;

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> m_context;
};

} // namespace slipway
