// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "ui/runs/logview.h"

#include <QCoroTask>
#include <QFrame>
#include <QPushButton>

namespace slipway {

class ElidedText;
class LogSearchBar;
class StageStrip;

/// LogCard frames the log: a button to follow its end, a search of all of it, its size, and which
/// lines of a long one are shown, with the way to the others. Lives on the GUI thread, owned by the
/// live tab of the run page.
class LogCard : public QFrame {
    Q_OBJECT

public:
    explicit LogCard(QWidget* parent = nullptr);
    void setFeed(RunFeed* feed);
    /// Without a connection nothing new arrives, so the log is not called live.
    void setConnected(bool connected);
    /// Of the run; they are folded in the log.
    void setStages(const std::vector<RunStage>& stages, const QDateTime& now);
    LogView* view() const { return m_view; }
    void openSearch();
    /// Goes to the line of the log with that number, counted from 1; one that is no longer kept in
    /// memory is read from the file.
    void showLine(qint64 number);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makePart();
    void readHeaders();
    void showFacts();
    void showPart();
    void fitPart();
    void step(bool forward);
    void goTo(const LogGoal& goal);
    void showEarlier();
    void showLater();
    QCoro::Task<void> load(LogBlockRequest request, LogGoal goal);

    QPointer<RunFeed> m_feed;
    bool m_connected = true;
    LogView* m_view;
    LogSearchBar* m_search;
    StageStrip* m_stages;
    ElidedText* m_facts;
    QPushButton* m_follow;
    ElidedText* m_part; ///< which lines are shown
    QPushButton* m_earlier;
    QPushButton* m_later;
    QPushButton* m_end;
    QWidget* m_partBar;
    QString m_trouble; ///< why a part could not be read
    int m_loads = 0; ///< only the last load that was asked for is shown
};

} // namespace slipway
