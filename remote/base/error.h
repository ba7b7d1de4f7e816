// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QMetaType>
#include <QString>

namespace slipway {

/// What went wrong, in a form that code can branch on. Ordered from the caller outwards.
enum class ErrorKind {
    Usage, ///< the program was asked for something it does not offer
    Invalid, ///< a value, a file or a form field is wrong
    NotFound,
    Io, ///< a local or remote file could not be read or written
    DiskFull, ///< no space or no quota left
    Unsupported, ///< cannot be done here (a missing tool, an old server)
    Network, ///< no connection could be made
    HostKey, ///< the host key is unknown and was not accepted, has changed, or is revoked
    Authentication,
    LinkLost, ///< a connection that existed is gone
    Timeout,
    Protocol, ///< an answer could not be parsed
    CommandFailed, ///< a command ran and ended with a non-zero exit code
    Refused, ///< the cluster refused: a submission, an allocation, a cancel
    JobFailed, ///< a job or a check ended badly
    Cancelled, ///< by the person
    Unknown,
};

/// One failure: a kind for the code, a sentence for the user, and the raw text for experts.
/// `summary` says what happened and why, `remedy` what to do next (may be empty), `detail` keeps
/// the raw bytes (stderr, a server's message) unchanged. A value; crosses threads.
struct Error {
    ErrorKind kind = ErrorKind::Unknown;
    QString summary;
    QString remedy = {};
    QByteArray detail = {};

    /// summary, remedy and detail on lines of their own: what the terminal prints.
    QString text() const;
};

/// The stable lower-case name of a kind ("host_key"), as used in JSON output.
QString errorKindName(ErrorKind kind);

/// The result of all pending waits when the program ends.
Error programClosed();

} // namespace slipway

Q_DECLARE_METATYPE(slipway::Error)
