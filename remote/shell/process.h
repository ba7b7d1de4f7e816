// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QObject>

namespace slipway {

/// Process is one script running somewhere, seen from the thread that started it (usually the GUI
/// thread; libssh stays on its own). The caller owns it. Contract: any number of output() and
/// errorOutput(), then finished() exactly once — on exit, failure to start, cancel and lost link
/// alike — and nothing after it. Deleting a Process before that cancels it silently.
class Process : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Bytes for the script's standard input; a no-op after closeInput() or finished().
    virtual void write(const QByteArray& bytes) = 0;
    virtual void closeInput() = 0;

    /// Bytes passed to write() that have not left this computer yet: used to pace a large upload.
    virtual qint64 bytesToWrite() const = 0;

    /// Ends the script as far as the transport can (SSH: the channel is closed, and the script's
    /// next write fails). finished() follows with ErrorKind::Cancelled.
    virtual void cancel() = 0;

    /// True while it is queued (SSH: for a free session): nothing has been sent. started() is
    /// emitted when that is over.
    virtual bool isWaiting() const { return false; }

    /// While it is held, what output() carries does not count as used: over SSH, the script has to
    /// wait once 8 MiB are on their way. For a receiver that passes the output on.
    virtual void setHeld(bool held) { Q_UNUSED(held) }

signals:
    void output(const QByteArray& bytes);
    void errorOutput(const QByteArray& bytes);
    void bytesWritten(qint64 bytesLeft);
    /// The script's exit code, or why there is none.
    void finished(const slipway::Result<int>& exitCode);
    /// The end of isWaiting(); never emitted by a process that did not wait.
    void started();
};

} // namespace slipway
