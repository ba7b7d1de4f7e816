// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/frames.h"
#include "remote/shell/process.h"

#include <QPointer>

#include <memory>

namespace slipway {

class PersistentShell;

/// One script in the persistent shell, from its begin mark to its end marks. Owned by the run that
/// started it; if it is deleted before giveBack(), the persistent shell ends too, because it is
/// then unknown what that shell is still doing.
class KeptProcess : public Process {
    Q_OBJECT

public:
    explicit KeptProcess(PersistentShell* kept);
    ~KeptProcess() override;

    void write(const QByteArray&) override { }
    void closeInput() override { }
    qint64 bytesToWrite() const override { return 0; }
    void cancel() override;

    /// Both end marks have been read: the next script may come.
    void giveBack();

private:
    QPointer<PersistentShell> m_kept;
};

/// PersistentShell is one /bin/sh that stays open on a machine and runs short scripts one after
/// another, so that short scripts do not need a new channel and the account's start-up files each
/// time. Each script runs in a subshell of it. Lives on the thread of the Shell that owns it. It is
/// usable once it has answered for the first time; until then, and while it is busy, scripts get
/// their own process.
class PersistentShell : public QObject {
    Q_OBJECT

public:
    /// `process`: a started /bin/sh -s whose stdin is open.
    explicit PersistentShell(std::unique_ptr<Process> process);
    ~PersistentShell() override;

    enum class State { Opening, Idle, Lent, Gone };
    State state() const { return m_state; }

    /// Runs `text` (of keptScript()); only while Idle.
    std::unique_ptr<KeptProcess> lend(const QByteArray& text);

    /// Ends it once its current script has ended: its session is needed elsewhere.
    void retire();

private:
    friend class KeptProcess;
    void onFinished(const Result<int>& exitCode);
    void end();

    std::unique_ptr<Process> m_process;
    FrameReader m_ready;
    QPointer<KeptProcess> m_lent;
    State m_state = State::Opening;
    bool m_retiring = false;
};

} // namespace slipway
