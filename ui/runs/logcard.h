// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/runs/logview.h"

#include <QFrame>
#include <QPushButton>

class QLineEdit;

namespace slipway {

class TextLabel;

/// LogCard is the log with its head: follow or hold, search with a count, size and liveness.
class LogCard : public QFrame {
    Q_OBJECT

public:
    explicit LogCard(QWidget* parent = nullptr);
    void setFeed(RunFeed* feed);
    LogView* view() const { return m_view; }
    void openSearch();
    /// Goes to the log's line of that number, from 1; nothing where it is not here any more.
    void showLine(qint64 number);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeSearch();
    void showFacts();
    void search(bool forward);
    void closeSearch();

    QPointer<RunFeed> m_feed;
    LogView* m_view;
    QWidget* m_searchBar;
    QLineEdit* m_text;
    TextLabel* m_count;
    TextLabel* m_facts;
    QPushButton* m_follow;
    int m_hits = 0;
};

} // namespace slipway
