// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QWidget>

#include <optional>

class QPushButton;

namespace slipway {

class ElidedLabel;
class StatePill;
class TextLabel;

/// What the header shows besides the run itself. A value; nullopt means unknown.
struct RunFacts {
    QString siteName;
    std::optional<QString> partition; ///< empty: chosen by the scheduler
    std::optional<QString> timeLimit; ///< as Slurm writes it
    bool connected = false;
};

/// "job 42 · gpu · node c1 · 56 min left of 1:00:00 · /scratch/…": facts of a run in one line.
/// Pure.
QString factsLine(const Run& run, const RunFacts& facts, const QDateTime& now);

/// RunHeader is the top of the run page: title, state, facts, and the buttons. It only reports
/// which button was pressed. Lives on the GUI thread, owned by the page.
class RunHeader : public QWidget {
    Q_OBJECT

public:
    explicit RunHeader(QWidget* parent = nullptr);
    void setRun(const Run& run, const RunFacts& facts);

signals:
    void backRequested();
    void cancelRequested();
    void releaseRequested();
    void fetchRequested();
    void openFolderRequested();
    void relaunchRequested();
    void compareRequested();

private:
    TextLabel* m_title;
    StatePill* m_state;
    ElidedLabel* m_facts;
    QPushButton* m_cancel;
    QPushButton* m_release;
    QPushButton* m_fetch;
    QPushButton* m_folder;
    QPushButton* m_compare;
    QPushButton* m_relaunch;
};

} // namespace slipway
