// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runfeed.h"

#include <QPlainTextEdit>
#include <QPointer>
#include <QSyntaxHighlighter>
#include <QTimer>

namespace slipway {

/// LogColours highlights errors in a log and dims INFO, DEBUG, WARNING and srun lines. Lives on the
/// GUI thread, owned by the document of the log view.
class LogColours : public QSyntaxHighlighter {
    Q_OBJECT

public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override;
};

/// LogView is the log of one run as plain text. It follows the end until the person scrolls up, and
/// again once they are back at the end. A long log is added in slices, so that it never blocks the
/// window. Lives on the GUI thread, owned by the log card.
class LogView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);
    void setFeed(RunFeed* feed);

    bool follows() const { return m_follow; }
    void setFollow(bool follow);
    /// Whether the view has every line of the feed.
    bool isComplete() const;

    /// Machine-readable lines ("@slipway …") are hidden by default.
    void showMachineLines(bool show);

    /// Goes to a line of the feed and marks it.
    void showLine(qsizetype index);

    /// Marks all hits of `text`, ignoring case, and returns their number.
    int setSearch(const QString& text);
    /// Goes to the next or previous hit and returns its number, counted from 1; 0 if there is none.
    int find(bool forward);

signals:
    void followChanged(bool follow);
    void filled();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill();
    void goToEnd();
    void scrolled(int value);
    void markHits();

    QPointer<RunFeed> m_feed;
    LogColours* m_colours;
    QTimer m_filler;
    qint64 m_next = 0; ///< number of the next line to add
    bool m_follow = true;
    bool m_filling = false;
    bool m_machineLines = false;
    QString m_search;
    QList<int> m_hits; ///< positions in the document
    int m_hit = -1;
};

} // namespace slipway
