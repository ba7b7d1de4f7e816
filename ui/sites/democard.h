// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/parts/errorview.h"
#include "ui/parts/text.h"

class QMenu;

namespace slipway {

class Timeline;

/// A site that the demo cluster can be emulating. A value.
struct DemoEmulate {
    QString siteId;
    QString name;
};

/// DemoCard offers the demo cluster: start it with staged progress, emulate it as a site, connect,
/// stop. Shows itself before the engine is there, so that the first frame has it.
class DemoCard : public QFrame {
    Q_OBJECT

public:
    explicit DemoCard(QWidget* parent = nullptr);
    void setCluster(DemoCluster* cluster);
    void setConnection(const ConnectionState& state);
    void setEmulates(std::vector<DemoEmulate> emulates);
    /// Starts the cluster as it was emulated last; started() or an error in the card follows.
    void start();
    /// Starts it emulating that site; empty: as itself.
    void startAs(const QString& siteId);
    void showError(const Error& error);

signals:
    void connectRequested();
    void launchRequested();
    /// The person chose a site, or (empty) the cluster itself, from the menu.
    void emulateRequested(const QString& siteId);
    void started();
    void startFailed(const slipway::Error& error);

private:
    QCoro::Task<void> bringUp();
    QCoro::Task<void> bringDown();
    void mainPressed();
    void secondPressed();
    void refresh();
    void showStages();
    void fillMenu();
    QString emulateName(const QString& siteId) const;
    QString runningText(bool connected) const;
    QString sentence() const;

    QPointer<DemoCluster> m_cluster;
    ConnectionState m_connection;
    TextLabel* m_about;
    TextLabel* m_state;
    Timeline* m_stages;
    ErrorView* m_error;
    QPushButton* m_main;
    QPushButton* m_second;
    QPushButton* m_emulate;
    QMenu* m_menu;
    std::vector<DemoEmulate> m_emulates;
    QString m_as; ///< the site that the next start emulates it as
};

} // namespace slipway
