// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/parts/errorview.h"
#include "ui/parts/text.h"

#include <functional>

class QBoxLayout;
class QMenu;

namespace slipway {

class Timeline;

/// A site that the demo cluster can emulate. A value.
struct EmulationChoice {
    QString siteId;
    QString name;
};

/// DemoCard controls the demo cluster: start it with its stages shown, let it emulate a site,
/// connect, stop. It is shown before there is an engine, as part of the first frame. GUI thread;
/// SitesPage owns it.
class DemoCard : public QFrame {
    Q_OBJECT

public:
    explicit DemoCard(QWidget* parent = nullptr);
    void setCluster(DemoCluster* cluster);
    void setConnection(const ConnectionState& state);
    void setEmulationChoices(std::vector<EmulationChoice> choices);
    /// Counts the runs of this computer whose jobs are on the cluster: they end with it.
    void setJobCounter(std::function<int()> count) { m_jobs = std::move(count); }
    /// Whether its main button is the one thing to do next.
    void setAccent(bool accent);
    /// Starts the cluster, emulating the same site as the last time. started() or an error in the
    /// card follows.
    void start();
    /// Starts the cluster emulating that site; empty: no site.
    void startAs(const QString& siteId);
    void showError(const Error& error);

signals:
    void connectRequested();
    void launchRequested();
    /// The person chose a site from the menu, or (empty) no site.
    void emulateRequested(const QString& siteId);
    void started();
    void startFailed(const slipway::Error& error);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QCoro::Task<void> bringUp();
    QCoro::Task<void> bringDown();
    void mainPressed();
    void secondPressed();
    void confirmStop();
    void chooseEmulation(const QString& siteId);
    QString lostJobs() const;
    void showButtons();
    void refresh();
    void showStages();
    void fillMenu();
    QString siteName(const QString& siteId) const;
    QString runningText(bool connected) const;
    QString sentence() const;

    QPointer<DemoCluster> m_cluster;
    std::function<int()> m_jobs;
    QBoxLayout* m_top;
    ConnectionState m_connection;
    TextLabel* m_about;
    TextLabel* m_state;
    Timeline* m_stages;
    ErrorView* m_error;
    QPushButton* m_main;
    QPushButton* m_second;
    QPushButton* m_emulate;
    QMenu* m_menu;
    std::vector<EmulationChoice> m_choices;
    QString m_as; ///< the site that is emulated after the next start
};

} // namespace slipway
