// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/runs/logview.h"

#include <QFrame>
#include <QPushButton>

class QLineEdit;

namespace slipway {

class TextLabel;

/// LogCard frames the log: a button to follow its end, a search that counts its matches, and the
/// size of the log. Lives on the GUI thread, owned by the live tab of the run page.
class LogCard : public QFrame {
    Q_OBJECT

public:
    explicit LogCard(QWidget* parent = nullptr);
    void setFeed(RunFeed* feed);
    LogView* view() const { return m_view; }
    void openSearch();
    /// Goes to the line of the log with that number, counted from 1; does nothing if the line is no
    /// longer available.
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
