// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QBoxLayout;
class QPushButton;

namespace slipway {

class ElidedLabel;
class ElidedText;
class StatePill;

/// What the header shows besides the run itself. A value; nullopt means unknown.
struct RunFacts {
    QString siteName;
    std::optional<QString> partition; ///< empty: chosen by the scheduler
    std::optional<QString> timeLimit; ///< as Slurm writes it
    bool connected = false;
    QDateTime asOf = {}; ///< not connected: when something was last heard of it; invalid: unknown
    bool canContinue = false; ///< another run can go on from its checkpoints
};

/// "State as of 08:08, not connected": of a run that may have gone on since. Pure.
QString staleText(const QDateTime& asOf, const QDateTime& now);

/// "job 42 · gpu · node c1 · 56 min left of 1:00:00 · /scratch/…": facts of a run in one line.
/// Pure.
QString factsLine(const Run& run, const RunFacts& facts, const QDateTime& now);

/// RunHeader is the top of the run page: title, state, facts, and the buttons, which are below the
/// rest where there is no room beside it. Without a connection it says how old the state is. It
/// only reports which button was pressed. Lives on the GUI thread, owned by the page.
class RunHeader : public QWidget {
    Q_OBJECT

public:
    explicit RunHeader(QWidget* parent = nullptr);
    void setRun(const Run& run, const RunFacts& facts);
    /// Says for a few seconds that a report was written to this file.
    void showReportSaved(const QString& path);
    /// Offers to save a report, as before the last one was saved.
    void offerReport();

signals:
    void backRequested();
    void cancelRequested();
    void releaseRequested();
    void fetchRequested();
    void reportRequested();
    void openFolderRequested();
    void relaunchRequested();
    void keepRequested();
    void continueRequested();
    void compareRequested();
    void connectRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeStale();
    void connectButtons();
    void showButtons(const Run& run, const RunFacts& facts);
    void place();

    QBoxLayout* m_parts = nullptr; ///< the words, and the buttons beside or below them
    QWidget* m_stale = nullptr;
    ElidedText* m_asOf;
    QPushButton* m_connect;
    QWidget* m_buttons;
    ElidedText* m_title;
    StatePill* m_state;
    ElidedLabel* m_facts;
    QPushButton* m_cancel;
    QPushButton* m_release;
    QPushButton* m_fetch;
    QPushButton* m_report;
    QPushButton* m_folder;
    QPushButton* m_compare;
    QPushButton* m_relaunch;
    QPushButton* m_keep;
    QPushButton* m_continue;
    QTimer m_savedFor; ///< while the button says that a report was saved
};

} // namespace slipway
