// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/frames.h"
#include "remote/shell/shell.h"

#include <QFuture>
#include <QObject>
#include <QPromise>
#include <QTimer>

#include <chrono>
#include <memory>
#include <optional>

namespace slipway {

/// UploadTalk is one framed script on a machine that answers in lines while it reads its standard
/// input: what a large upload needs and a framed run cannot do. Lives on the Shell's thread, inside
/// the coroutine of the upload; deleting it ends the script.
class UploadTalk : public QObject {
    Q_OBJECT

public:
    enum class Kind { Command, Stream }; ///< a Stream leaves room for commands, and may be refused

    UploadTalk(Shell& shell, const QByteArray& script, Kind kind = Kind::Command);
    ~UploadTalk() override;

    /// Finishes with the next line, the end, or free room for more input, and at the latest after
    /// half a second, so that its caller can stop. To be awaited before the next call. `patience`:
    /// after so long without anything new, the talk ends with a Timeout.
    QFuture<void> news(std::chrono::milliseconds patience);

    std::optional<QByteArray> takeLine();
    /// The script has ended: its exit code and what it said on stderr, or why that is not known.
    const std::optional<Result<CommandOutput>>& end() const { return m_end; }

    /// It waits for a session: nothing of it has begun.
    bool isQueued() const { return !m_end && m_process->isWaiting(); }
    void write(const QByteArray& bytes);
    void closeInput();
    /// What was written and has not left this computer.
    qint64 waiting() const;
    /// Finishes news(): something has changed that concerns its caller.
    void wake();

private:
    void onOutput(const QByteArray& bytes);
    void onFinished(const Result<int>& exitCode);
    void finish(Result<CommandOutput> result);
    void resumeWaiter();

    QString m_where;
    FrameReader m_outFrame;
    FrameReader m_errFrame;
    QByteArray m_lines;
    QByteArray m_err;
    qint64 m_received = 0;
    std::unique_ptr<Process> m_process;
    std::optional<Result<CommandOutput>> m_end;
    std::optional<QPromise<void>> m_waiter;
    bool m_hasNews = false;
    QTimer m_timer; ///< of the patience, since something was new
    QTimer m_look;
};

} // namespace slipway
