// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/tr.h"
#include "remote/shell/shell.h"

#include <QPointer>

namespace slipway {

/// LocalShell runs scripts on this computer with QProcess: for a login node on which Slipway itself
/// runs, and for tests that need a real /bin/sh. Scripts start in the home folder, as over SSH.
/// Lives on the thread that created it.
class LocalShell : public Shell {
    Q_OBJECT

public:
    explicit LocalShell(QObject* parent = nullptr);
    ~LocalShell() override;

    QString displayName() const override { return tr("this computer"); }
    LinkState linkState() const override { return m_state; }
    std::unique_ptr<Process> start(Invocation invocation) override;
    void close() override;

signals:
    void closing();

private:
    LinkState m_state = LinkState::Up;
};

} // namespace slipway
