// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/logview.h"

#include "ui/look/colours.h"

#include <QApplication>
#include <QEvent>
#include <QHash>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostLines = 200'000;
constexpr qsizetype slice = 3000; ///< lines per turn of the event loop: about 20 ms
constexpr int mostHits = 10'000;
constexpr qsizetype mostColoured = 400; ///< characters of a line that are examined

} // namespace

void LogColours::highlightBlock(const QString& text)
{
    const QStringView start =
        QStringView(text).first(std::min(text.size(), mostColoured)).trimmed();
    const Colours& colours = Colours::now();
    const bool quiet = start.startsWith(u"INFO"_s) || start.startsWith(u"[INFO"_s)
        || start.startsWith(u"DEBUG"_s) || start.startsWith(u"WARNING"_s)
        || start.startsWith(u"srun:"_s) || start.startsWith(u"slurmstepd:"_s)
        || start.startsWith(u"@slipway "_s);
    const bool bad = start.startsWith(u"FATAL"_s) || start.startsWith(u"ERROR"_s)
        || start.startsWith(u"Traceback"_s) || start.startsWith(u"slurmstepd: error"_s)
        || start.startsWith(u"srun: error"_s);
    if (bad) {
        setFormat(0, int(text.size()), colours.error);
    } else if (quiet) {
        setFormat(0, int(text.size()), colours.secondText);
    }
}

LogView::LogView(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_colours(new LogColours(document()))
{
    setReadOnly(true);
    setProperty("code", true);
    setProperty("bare", true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setMaximumBlockCount(mostLines);
    setUndoRedoEnabled(false);
    setTabChangesFocus(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Log"));
    setObjectName(u"log"_s);
    m_filler.setInterval(0);
    connect(&m_filler, &QTimer::timeout, this, &LogView::fill);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &LogView::scrolled);
    // Page Up and Page Down move the bar with its signals blocked, but still trigger its action.
    connect(
        verticalScrollBar(), &QScrollBar::actionTriggered, this,
        [this] { scrolled(verticalScrollBar()->value()); }, Qt::QueuedConnection);
}

void LogView::setFeed(RunFeed* feed)
{
    if (m_feed) {
        m_feed->disconnect(this);
    }
    m_feed = feed;
    clear();
    m_next = 0;
    m_hits.clear();
    m_hit = -1;
    m_follow = true;
    if (feed) {
        m_next = feed->firstLine();
        connect(feed, &RunFeed::linesAppended, this, [this] { m_filler.start(); });
        connect(feed, &RunFeed::restarted, this, [this] { m_filler.start(); });
        m_filler.start();
    }
}

bool LogView::isComplete() const
{
    return !m_feed || m_next >= m_feed->firstLine() + m_feed->lines().size();
}

void LogView::fill()
{
    if (!m_feed) {
        m_filler.stop();
        return;
    }
    const QStringList& lines = m_feed->lines();
    m_next = std::max(m_next, m_feed->firstLine());
    const qsizetype from = m_next - m_feed->firstLine();
    const qsizetype count = std::min(slice, lines.size() - from);
    if (count > 0) {
        m_filling = true;
        QStringList shown = lines.mid(from, count);
        if (!m_machineLines) {
            shown.removeIf([](const QString& line) { return line.startsWith(u"@slipway "_s); });
        }
        if (!shown.isEmpty()) {
            appendPlainText(shown.join(u'\n'));
        }
        m_next += count;
        m_filling = false;
        goToEnd();
    }
    if (isComplete()) {
        m_filler.stop();
        emit filled();
    }
}

void LogView::goToEnd()
{
    if (m_follow) {
        m_filling = true;
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
        m_filling = false;
    }
}

void LogView::resizeEvent(QResizeEvent* event)
{
    m_filling = true; // the scroll bar moves, but the person did not scroll
    QPlainTextEdit::resizeEvent(event);
    m_filling = false;
    goToEnd();
}

void LogView::scrolled(int value)
{
    if (!m_filling) {
        const bool atEnd = value >= verticalScrollBar()->maximum();
        if (atEnd != m_follow) {
            m_follow = atEnd;
            emit followChanged(m_follow);
        }
    }
    if (!m_search.isEmpty()) {
        markHits();
    }
}

void LogView::setFollow(bool follow)
{
    const bool changed = follow != m_follow;
    m_follow = follow;
    goToEnd();
    if (changed) {
        emit followChanged(follow);
    }
}

void LogView::showMachineLines(bool show)
{
    if (show != m_machineLines) {
        m_machineLines = show;
        setFeed(m_feed);
    }
}

void LogView::showLine(qsizetype index)
{
    if (!m_feed || index < 0 || index >= m_feed->lines().size()) {
        return;
    }
    while (!isComplete()) {
        fill(); // the person asked for the line, so all of the log is added now
    }
    // Counted from the end: the view and the feed both drop their first lines, but not at the same
    // time.
    int block = blockCount() - 1;
    const QStringList& lines = m_feed->lines();
    for (qsizetype i = lines.size() - 1; i > index; --i) {
        block -= m_machineLines || !lines[i].startsWith(u"@slipway "_s);
    }
    const QTextBlock place = document()->findBlockByNumber(std::max(block, 0));
    setFollow(false);
    setSearch({});
    const Colours& colours = Colours::now();
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(place);
    mark.format.setBackground(colours.soft(colours.warning));
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    setTextCursor(mark.cursor);
    centerCursor();
    setExtraSelections({mark});
}

void LogView::keyPressEvent(QKeyEvent* event)
{
    // The log is read-only: the keys scroll the view instead of moving an invisible cursor.
    static const QHash<int, QAbstractSlider::SliderAction> moves{
        {Qt::Key_Up, QAbstractSlider::SliderSingleStepSub},
        {Qt::Key_Down, QAbstractSlider::SliderSingleStepAdd},
        {Qt::Key_PageUp, QAbstractSlider::SliderPageStepSub},
        {Qt::Key_PageDown, QAbstractSlider::SliderPageStepAdd},
        {Qt::Key_Home, QAbstractSlider::SliderToMinimum},
        {Qt::Key_End, QAbstractSlider::SliderToMaximum}};
    if (moves.contains(event->key()) && !(event->modifiers() & Qt::ShiftModifier)) {
        verticalScrollBar()->triggerAction(moves.value(event->key()));
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

int LogView::setSearch(const QString& text)
{
    m_search = text;
    m_hits.clear();
    m_hit = -1;
    if (!text.isEmpty()) {
        for (QTextBlock block = document()->begin(); block.isValid() && m_hits.size() < mostHits;
             block = block.next()) {
            const QString line = block.text();
            for (qsizetype at = line.indexOf(text, 0, Qt::CaseInsensitive); at >= 0;
                 at = line.indexOf(text, at + text.size(), Qt::CaseInsensitive)) {
                m_hits << block.position() + int(at);
            }
        }
    }
    markHits();
    return int(m_hits.size());
}

int LogView::find(bool forward)
{
    if (m_hits.isEmpty()) {
        return 0;
    }
    const int count = int(m_hits.size());
    m_hit = m_hit < 0 ? (forward ? 0 : count - 1) : (m_hit + (forward ? 1 : count - 1)) % count;
    QTextCursor cursor(document());
    cursor.setPosition(std::min(m_hits[m_hit], document()->characterCount() - 1));
    setTextCursor(cursor);
    centerCursor();
    markHits();
    return m_hit + 1;
}

void LogView::markHits()
{
    // Only visible hits are marked: one selection per hit would take seconds in a long log.
    const int from = firstVisibleBlock().position();
    const int to = cursorForPosition(QPoint(viewport()->width(), viewport()->height())).position();
    const Colours& colours = Colours::now();
    QList<QTextEdit::ExtraSelection> marks;
    for (auto hit = std::lower_bound(m_hits.begin(), m_hits.end(), from);
         hit != m_hits.end() && *hit <= to; ++hit) {
        QTextEdit::ExtraSelection mark;
        const bool current = hit - m_hits.begin() == m_hit;
        mark.format.setBackground(current ? colours.accent : colours.soft(colours.warning));
        mark.format.setForeground(current ? colours.onAccent : colours.text);
        mark.cursor = QTextCursor(document());
        mark.cursor.setPosition(*hit);
        mark.cursor.setPosition(*hit + int(m_search.size()), QTextCursor::KeepAnchor);
        marks << mark;
    }
    setExtraSelections(marks);
}

void LogView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_colours) {
        return;
    }
    if (blockCount() > slice) {
        setFeed(m_feed); // highlighting all of it at once would block the window; slices do not
    } else {
        m_colours->rehighlight();
    }
}

} // namespace slipway

#include "moc_logview.cpp"
