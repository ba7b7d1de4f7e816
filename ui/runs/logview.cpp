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
constexpr qsizetype mostMarks = 1000; ///< on one screen
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
    if (feed) {
        connect(feed, &RunFeed::linesAppended, this, [this] { m_filler.start(); });
        connect(feed, &RunFeed::restarted, this, [this] { m_filler.start(); });
    }
    showEnd();
}

void LogView::showEnd(const std::optional<LogGoal>& goal)
{
    m_block.reset();
    const bool changed = m_follow == goal.has_value();
    m_follow = !goal;
    restart(goal);
    if (changed) {
        emit followChanged(m_follow);
    }
}

void LogView::showBlock(const LogBlock& block, const LogGoal& goal)
{
    m_block = block;
    setFollow(false);
    restart(goal);
}

/// All lines again, at the same place.
void LogView::refill()
{
    std::optional<LogGoal> goal = m_goal ? m_goal : m_marked;
    const size_t top = size_t(firstVisibleBlock().blockNumber());
    if (!m_follow && !goal && top < m_numbers.size()) {
        goal = LogGoal{m_numbers[top], LogGoal::Mark::None};
    }
    restart(m_follow ? std::nullopt : goal);
}

void LogView::restart(const std::optional<LogGoal>& goal)
{
    m_filling = true; // the scroll bar moves, but the person did not scroll
    clear();
    m_filling = false;
    m_numbers.clear();
    m_first = 0;
    m_last = 0;
    m_marked.reset();
    m_goal = goal;
    m_next = m_feed && !m_block ? m_feed->firstLine() : 0;
    m_filler.start();
}

const QStringList& LogView::source() const
{
    return m_block ? m_block->lines : m_feed->lines();
}

qint64 LogView::numberOf(qsizetype index) const
{
    return m_block ? m_block->numbers[size_t(index)] : m_feed->numberAt(index);
}

bool LogView::isComplete() const
{
    return !m_feed || m_next >= (m_block ? 0 : m_feed->firstLine()) + source().size();
}

qint64 LogView::endBegins() const
{
    if (!m_feed || m_feed->lines().isEmpty()) {
        return 1;
    }
    return m_feed->numberAt(std::max<qsizetype>(0, m_feed->lines().size() - mostLines));
}

void LogView::fill()
{
    if (!m_feed) {
        m_filler.stop();
        return;
    }
    if (!m_block && m_next < m_feed->firstLine()) {
        restart(m_goal); // the feed was faster: what is here has no connection to its first line
    }
    const qsizetype from = m_next - (m_block ? 0 : m_feed->firstLine());
    const qsizetype count = std::min(slice, source().size() - from);
    if (count > 0) {
        m_filling = true;
        add(from, count);
        m_filling = false;
        goToEnd();
        reachGoal();
        updateMarks();
    }
    if (isComplete()) {
        m_filler.stop();
        m_goal.reset();
        emit filled();
    }
}

void LogView::add(qsizetype from, qsizetype count)
{
    QString text;
    for (qsizetype i = from; i < from + count; ++i) {
        const QString& line = source()[i];
        const qint64 number = numberOf(i);
        const LogFold* const fold = m_hidden.foldOf(number);
        const bool folded = fold && number > fold->first;
        if (!folded && !(m_hidden.machineLines && isMachineLine(line))) {
            m_numbers.push_back(number);
            text += line;
            if (fold) {
                text += u"  "_s % fold->words;
            }
            text += u'\n';
        }
    }
    if (m_first == 0) {
        m_first = numberOf(from);
    }
    m_last = numberOf(from + count - 1);
    m_next += count;
    if (text.isEmpty()) {
        return;
    }
    text.chop(1);
    // These would divide a line in the document.
    for (const char16_t separator : {u'\u2029', u'\ufdd0', u'\ufdd1'}) {
        text.replace(QChar(separator), u' ');
    }
    appendPlainText(text);
    while (m_numbers.size() > size_t(blockCount())) {
        m_numbers.pop_front(); // the document has dropped its first lines
        m_first = blockCount() < mostLines ? m_first : m_numbers.front();
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
    updateMarks();
}

void LogView::scrolled(int value)
{
    if (!m_filling && showsEnd()) {
        const bool atEnd = value >= verticalScrollBar()->maximum();
        if (atEnd != m_follow) {
            m_follow = atEnd;
            emit followChanged(m_follow);
        }
    }
    updateMarks();
}

void LogView::setFollow(bool follow)
{
    if (follow && !showsEnd()) {
        showEnd();
        return;
    }
    const bool changed = follow != m_follow;
    m_follow = follow;
    goToEnd();
    if (changed) {
        emit followChanged(follow);
    }
}

void LogView::showMachineLines(bool show)
{
    if (show == m_hidden.machineLines) {
        m_hidden.machineLines = !show;
        refill();
    }
}

void LogView::setFolds(std::vector<LogFold> folds)
{
    if (folds != m_hidden.folds) {
        m_hidden.folds = std::move(folds);
        refill();
    }
}

const LogFold* LogHiding::foldOf(qint64 number) const
{
    const auto after = std::upper_bound(folds.begin(), folds.end(), number,
        [](qint64 line, const LogFold& fold) { return line < fold.first; });
    if (after == folds.begin()) {
        return nullptr;
    }
    const LogFold& fold = *std::prev(after);
    return fold.last == 0 || number <= fold.last ? &fold : nullptr;
}

void LogView::goTo(const LogGoal& goal)
{
    setFollow(false);
    m_goal = goal;
    reachGoal();
    if (m_goal && isComplete()) {
        m_goal.reset();
    }
}

void LogView::reachGoal()
{
    if (!m_goal || !holds(m_goal->line) || m_numbers.empty()) {
        return;
    }
    const LogGoal goal = *m_goal;
    m_goal.reset();
    // The line itself, or the next one where it is hidden.
    const auto place = std::lower_bound(m_numbers.begin(), m_numbers.end(), goal.line);
    const auto index = std::min(place - m_numbers.begin(), std::ssize(m_numbers) - 1);
    const QTextBlock block = document()->findBlockByNumber(int(index));
    QTextCursor cursor(block);
    if (goal.mark == LogGoal::Mark::Hit) {
        const QString text = block.text();
        qsizetype at = nextHit(text, m_query, 0);
        for (int i = 0; i < goal.nth && at >= 0; ++i) {
            at = nextHit(text, m_query, at + m_query.text.size());
        }
        cursor.setPosition(block.position() + int(std::max<qsizetype>(at, 0)));
    }
    m_marked.reset();
    if (goal.mark != LogGoal::Mark::None) {
        m_marked = goal;
    }
    setFollow(false);
    m_filling = true; // the scroll bar moves, but the person did not scroll
    setTextCursor(cursor);
    centerCursor();
    m_filling = false;
    updateMarks();
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
        // Noted at once: with the next event the view may get another size, and a log that is
        // followed then goes to its end again.
        scrolled(verticalScrollBar()->value());
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void LogView::setQuery(const LogQuery& query)
{
    m_query = query;
    if (m_marked && m_marked->mark == LogGoal::Mark::Hit) {
        m_marked.reset();
    }
    updateMarks();
}

void LogView::updateMarks()
{
    if (m_query.text.isEmpty() && !m_marked && extraSelections().isEmpty()) {
        return;
    }
    const Colours& colours = Colours::now();
    QList<QTextEdit::ExtraSelection> marks;
    const auto add = [&](int from, int length, bool current) {
        QTextEdit::ExtraSelection mark;
        mark.format.setBackground(current ? colours.accent : colours.soft(colours.warning));
        mark.format.setForeground(current ? colours.onAccent : colours.text);
        mark.cursor = QTextCursor(document());
        mark.cursor.setPosition(from);
        mark.cursor.setPosition(from + length, QTextCursor::KeepAnchor);
        marks << mark;
    };
    // Only visible hits are marked: one selection per hit would take seconds in a long log.
    const int bottom = cursorForPosition(QPoint(0, viewport()->height())).block().blockNumber();
    for (QTextBlock block = firstVisibleBlock();
         block.isValid() && block.blockNumber() <= bottom && marks.size() < mostMarks;
         block = block.next()) {
        const size_t index = size_t(block.blockNumber());
        const bool marked =
            m_marked && index < m_numbers.size() && m_numbers[index] == m_marked->line;
        if (marked && m_marked->mark == LogGoal::Mark::Line) {
            QTextEdit::ExtraSelection line;
            line.cursor = QTextCursor(block);
            line.format.setBackground(colours.soft(colours.warning));
            line.format.setProperty(QTextFormat::FullWidthSelection, true);
            marks << line;
        }
        if (m_query.text.isEmpty()) {
            continue;
        }
        const QString text = block.text();
        int nth = 0;
        for (qsizetype at = nextHit(text, m_query, 0); at >= 0 && marks.size() < mostMarks;
             at = nextHit(text, m_query, at + m_query.text.size()), ++nth) {
            const bool current =
                marked && m_marked->mark == LogGoal::Mark::Hit && nth == m_marked->nth;
            add(block.position() + int(at), int(m_query.text.size()), current);
        }
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
        refill(); // highlighting all of it at once would block the window; slices do not
    } else {
        m_colours->rehighlight();
    }
}

} // namespace slipway

#include "moc_logview.cpp"
