// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QCoroTask>
#include <QProcess>
#include <QPromise>
#include <QTimer>

#include <chrono>
#include <optional>

namespace slipway {

/// LocalProgram runs one program on this computer and passes on its lines, those of both channels.
/// Lives on the thread that started it, inside the coroutine that awaits it; deleting it ends the
/// program and what that has started.
class LocalProgram : public QObject {
    Q_OBJECT

public:
    LocalProgram(const QString& program, const QStringList& arguments, QObject* parent = nullptr);
    ~LocalProgram() override;

    /// The exit code; an error: it could not be started, took longer than `atMost` (zero: no
    /// limit) or was cancelled. To be awaited once.
    QCoro::Task<Result<int>> end(std::chrono::milliseconds atMost = {});
    void cancel();
    /// At most 16 KiB.
    const QByteArray& lastLines() const { return m_last; }

signals:
    void line(const QString& text);

private:
    void readMore();
    void settle(Result<int> result);
    void kill();

    QProcess m_process;
    QTimer m_timer;
    QByteArray m_line;
    QByteArray m_last;
    qint64 m_group = 0;
    QPromise<void> m_done;
    std::optional<Result<int>> m_result;
};

} // namespace slipway
