// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/workbench.h"
#include "ui/parts/errorview.h"
#include "ui/parts/text.h"

namespace slipway {

class Timeline;

/// DemoCard offers the demo cluster: start it with staged progress, connect, stop. Shows itself
/// before the engine is there, so that the first frame has it.
class DemoCard : public QFrame {
    Q_OBJECT

public:
    explicit DemoCard(QWidget* parent = nullptr);
    void setCluster(DemoCluster* cluster);
    void setConnection(const ConnectionState& state);
    /// Starts the cluster; started() or an error in the card follows.
    void start();
    void showError(const Error& error);

signals:
    void connectRequested();
    void launchRequested();
    void started();
    void startFailed(const slipway::Error& error);

private:
    QCoro::Task<void> bringUp();
    QCoro::Task<void> bringDown();
    void mainPressed();
    void secondPressed();
    void refresh();
    void showStages();
    QString sentence() const;

    QPointer<DemoCluster> m_cluster;
    ConnectionState m_connection;
    TextLabel* m_about;
    TextLabel* m_state;
    Timeline* m_stages;
    ErrorView* m_error;
    QPushButton* m_main;
    QPushButton* m_second;
};

} // namespace slipway
