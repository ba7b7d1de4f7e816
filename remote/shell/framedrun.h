// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/frames.h"
#include "remote/shell/persistentshell.h"
#include "remote/shell/shell.h"

#include <QPointer>
#include <QTimer>

#include <coroutine>
#include <functional>
#include <optional>

namespace slipway {

/// The options of one framed script. Values only.
struct FramedRequest {
    QByteArray script;
    std::chrono::milliseconds timeout{60'000};
    bool timeoutIsIdle = false; ///< count the time since the last byte in either direction
    qint64 outputLimit = 64 * 1024 * 1024;
    std::optional<QByteArray> input = {}; ///< bytes for the script's stdin; else /dev/null
    std::function<bool(const QByteArray&)> sink =
        {}; ///< receives the output as it arrives; false: stop
    QString where = {}; ///< the shell's name, for sentences
};

/// FramedRun runs one script of a Shell inside nonce frames; its result is awaited. Lives on the
/// Shell's thread, inside the coroutine that awaits it; when the coroutine ends, so does the run.
/// The coroutine is resumed from the event loop, never from inside a signal of the Process, so it
/// may delete everything that it owns.
class FramedRun : public QObject {
    Q_OBJECT

public:
    FramedRun(Shell& shell, FramedRequest request);
    ~FramedRun() override;

    /// The awaitable of `co_await run.result()`; to be awaited once.
    struct Awaiter {
        FramedRun* run;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiting) { run->m_waiting = waiting; }
        Result<CommandOutput> await_resume() { return std::move(*run->m_result); }
    };
    Awaiter result() { return {this}; }

private:
    std::unique_ptr<Process> begin(Shell& shell, const QByteArray& nonce);
    void onOutput(const QByteArray& bytes);
    void onErrorOutput(const QByteArray& bytes);
    void onFinished(const Result<int>& exitCode);
    void feedInput();
    void keep();
    void end(Result<CommandOutput> result);
    void endWithoutMark(const Result<int>& exitCode);
    CommandOutput collected() const;

    FramedRequest m_request;
    FrameReader m_outFrame;
    FrameReader m_errFrame;
    QByteArray m_out;
    QByteArray m_err;
    qint64 m_received = 0;
    qsizetype m_inputSent = 0;
    QTimer m_timer;
    QTimer m_grace;
    std::unique_ptr<Process> m_process;
    QPointer<KeptProcess> m_lent; ///< m_process, if it is the persistent shell
    std::optional<Result<CommandOutput>> m_result;
    std::coroutine_handle<> m_waiting;
};

} // namespace slipway
