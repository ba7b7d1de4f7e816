// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "tests/support/scriptedshell.h"
#include "ui/look/theme.h"
#include "ui/window/mainwindow.h"

#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <vector>

namespace slipway {

/// StubConnector logs in as a test says; by default at once, into a shell that answers the
/// questions of discovery as Slurm 24.11 did.
class StubConnector : public Connector {
public:
    using Login =
        std::function<QCoro::Task<Result<std::shared_ptr<Shell>>>(ConnectTarget, Prompter*)>;

    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(
        ConnectTarget target, Prompter* prompter) override;
    static std::shared_ptr<ScriptedShell> slurmShell();
    /// The same, and it takes launches: their jobs have the numbers 77, 78, …
    static std::shared_ptr<ScriptedShell> launchingShell();

    Login login;
    std::shared_ptr<ScriptedShell> shell; ///< what a login gives by default; null: a slurmShell()
    int calls = 0;
};

/// Rig is a whole window over a real engine: the source tree's sites and recipes, a data folder and
/// a keychain of its own, a demo cluster that is only a script, and no network.
class Rig {
public:
    Rig();
    ~Rig();

    /// Reads the resources and opens the window at a size.
    void start(QSize size = QSize(1440, 900));
    /// Ends the program and starts it again: another engine and window on the same data folder.
    void reopen();
    bool isStarted() const { return m_window != nullptr; }
    /// Connects to a site, without a dialog, and waits for it.
    void connectTo(const QString& siteId);

    /// A run in the store, before start(); `log` is what it printed. It was launched on the demo
    /// cluster, in the partition gpu; see setFacts().
    void addRun(const Run& run, const QByteArray& log = {});
    /// Each with the same log. The list of runs is opened once for all of them.
    void addRuns(const std::vector<Run>& runs, const QByteArray& log = {});
    /// What facts.json of that run holds; empty: there is none.
    void setFacts(const QString& runId, const QByteArray& json);
    /// What steps.json of that run holds: what an interactive launch has kept.
    void setSteps(const QString& runId, const QByteArray& json);
    /// What the probe said of that run's node, kept with it.
    void addNodeRows(const QString& runId, const QByteArray& rows);
    /// A plausible run that a test changes.
    static Run sampleRun(const QString& id, RunPhase phase);
    static QByteArray sampleLog();
    /// What the demo cluster's script prints for `verb`.
    void setDemoOutput(const QString& verb, const QByteArray& lines);
    /// Its script says that the demo cluster runs, and is reached with this connection.
    void setDemoRunning(
        const QByteArray& connection = R"({"host":"127.0.0.1","port":2222,"user":"demo"})");

    Engine& engine() { return *m_engine; }
    MainWindow& window() { return *m_window; }
    Theme& theme() { return m_theme; }
    StubConnector& connector() { return m_connector; }
    const EnginePaths& paths() const { return m_paths; }

    template <typename T> T* find(const char* name)
    {
        return m_window->findChild<T*>(QString::fromLatin1(name));
    }

private:
    QTemporaryDir m_folder;
    EnginePaths m_paths;
    StubConnector m_connector;
    Theme m_theme;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<MainWindow> m_window;
};

/// Ends the test program when there is no font: without one every picture and measure is wrong.
void requireFont();

} // namespace slipway
