// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logblock.h"
#include "app/runs/logscan.h"
#include "app/runs/runfeed.h"

#include <QPlainTextEdit>
#include <QPointer>
#include <QSyntaxHighlighter>
#include <QTimer>

#include <deque>
#include <optional>

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

/// Where the log view goes: to a line, to one hit in it, or only so far that the line is visible.
struct LogGoal {
    enum class Mark { None, Line, Hit };
    qint64 line = 0;
    Mark mark = Mark::Line;
    int nth = 0; ///< of the hits in the line
};

/// Lines of the log that are folded: all but the first, behind which `words` stand. A value.
struct LogFold {
    qint64 first = 1;
    qint64 last = 0; ///< 0: to the end
    QString words;

    bool operator==(const LogFold&) const = default;
};

/// Which lines of the log are not shown. A value.
struct LogHiding {
    bool machineLines = true;
    std::vector<LogFold> folds; ///< in order

    /// The fold that a line belongs to; null: to none.
    const LogFold* foldOf(qint64 number) const;
};

/// LogView shows lines of the log of one run as plain text: its end, as long as the feed keeps it,
/// or a block of earlier lines. At the end it follows the log until the person scrolls up, and
/// again once they are back there. Lines are added in slices, so that a long log never blocks the
/// window. Lives on the GUI thread, owned by the log card.
class LogView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

    /// Shows the end of the log of `feed` and follows it.
    void setFeed(RunFeed* feed);
    /// Shows the end again; with a goal it goes there, otherwise it follows.
    void showEnd(const std::optional<LogGoal>& goal = {});
    /// Shows a part of the log instead of its end.
    void showBlock(const LogBlock& block, const LogGoal& goal);
    bool showsEnd() const { return !m_block; }

    bool follows() const { return m_follow; }
    void setFollow(bool follow);
    /// Whether the view has every line that it is to show.
    bool isComplete() const;

    /// Machine-readable lines ("@slipway …") are hidden by default.
    void showMachineLines(bool show);

    /// Lines that are not shown, in order.
    void setFolds(std::vector<LogFold> folds);

    /// The numbers of the first and the last line that are loaded; 0: none yet.
    qint64 firstNumber() const { return m_first; }
    qint64 lastNumber() const { return m_last; }
    /// Whether the line is loaded; it may be one that is hidden.
    bool holds(qint64 number) const { return m_first > 0 && number >= m_first && number <= m_last; }
    /// The first line that showEnd() loads.
    qint64 endBegins() const;

    /// Goes to a line that is loaded or still being added.
    void goTo(const LogGoal& goal);
    /// Marks the hits of `query` wherever they are visible.
    void setQuery(const LogQuery& query);

signals:
    void followChanged(bool follow);
    /// All lines have been added.
    void filled();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refill();
    void restart(const std::optional<LogGoal>& goal);
    void fill();
    void add(qsizetype from, qsizetype count);
    qint64 numberOf(qsizetype index) const;
    const QStringList& source() const;
    void goToEnd();
    void reachGoal();
    void scrolled(int value);
    void updateMarks();

    QPointer<RunFeed> m_feed;
    std::optional<LogBlock> m_block; ///< shown instead of the end
    LogColours* m_colours;
    QTimer m_filler;
    qint64 m_next = 0; ///< the next line to add: counted as the feed does, or an index in m_block
    std::deque<qint64> m_numbers; ///< of the lines in the document
    qint64 m_first = 0; ///< as firstNumber()
    qint64 m_last = 0;
    bool m_follow = true;
    bool m_filling = false;
    LogHiding m_hidden;
    std::optional<LogGoal> m_goal; ///< to go to once the line has been added
    std::optional<LogGoal> m_marked;
    LogQuery m_query;
};

} // namespace slipway
