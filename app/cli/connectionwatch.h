// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

#include <QElapsedTimer>

namespace slipway {

/// ConnectionWatch says on stderr what becomes of the connection that a command needs, and whether
/// the command may wait for it. On the main thread; in the command, on whose context it works.
class ConnectionWatch {
public:
    /// `consequence`: a sentence behind that of a lost connection, or nothing.
    ConnectionWatch(Context& context, QString siteId, QString consequence)
        : m_context(context)
        , m_siteId(std::move(siteId))
        , m_consequence(std::move(consequence))
    {
    }

    /// Each change of the connection once.
    void report();
    /// Whether the connection is there, or comes again by itself. A script does not wait for ever.
    bool mayWait() const;
    /// The same; but where a person is at the terminal, they are asked for what the login wants.
    QCoro::Task<bool> mayGoOn();

private:
    Context& m_context;
    QString m_siteId;
    QString m_consequence;
    ConnectionState::Phase m_printed = ConnectionState::Phase::Connected;
    QElapsedTimer m_away; ///< since the connection was lost
};

} // namespace slipway
