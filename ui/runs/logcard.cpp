// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/logcard.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/cluster/worker.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/text.h"
#include "ui/runs/logsearchbar.h"
#include "ui/runs/stagestrip.h"

#include <QKeyEvent>
#include <QLocale>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 linesPerStep = 50'000; ///< that "Show earlier lines" reads
constexpr qint64 linesAround = 10'000; ///< on either side of a hit

} // namespace

LogCard::LogCard(QWidget* parent)
    : QFrame(parent)
    , m_view(new LogView)
    , m_search(new LogSearchBar)
    , m_stages(new StageStrip)
    , m_facts(new ElidedText({}, "caption"))
    , m_follow(makeButton(tr("follow"), ButtonKind::Quiet))
    , m_part(new ElidedText({}, "caption"))
    , m_earlier(makeButton(tr("Show earlier lines"), ButtonKind::Link))
    , m_later(makeButton(tr("Show later lines"), ButtonKind::Link))
    , m_end(makeButton(tr("Back to the end"), ButtonKind::Link))
    , m_partBar(makePart())
{
    setCardKind(this, "true");
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_follow->setAccessibleName(tr("Follow the end of the log"));
    m_follow->setObjectName(u"followLog"_s);
    auto* find = makeButton(tr("search"), ButtonKind::Quiet);
    find->setAccessibleName(tr("Search the log"));
    find->setToolTip(tr("Ctrl+F"));
    auto* machine = makeButton(tr("@slipway lines"), ButtonKind::Quiet);
    machine->setCheckable(true);
    machine->setObjectName(u"allLines"_s);
    machine->setAccessibleName(tr("Also show machine-readable lines"));
    machine->setToolTip(tr("Also shows the @slipway lines, from which the curves are read"));
    m_search->hide();
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(new TextLabel(tr("Log"), "heading"));
    head->addSpacing(8);
    head->addWidget(m_follow);
    head->addWidget(find);
    head->addWidget(machine);
    head->addStretch();
    m_facts->setObjectName(u"logFacts"_s);
    head->addWidget(m_facts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 12, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_search);
    layout->addWidget(m_stages);
    layout->addWidget(m_partBar);
    layout->addWidget(m_view, 1);
    connect(find, &QPushButton::clicked, this, &LogCard::openSearch);
    connect(m_follow, &QPushButton::clicked, m_view, &LogView::setFollow);
    connect(machine, &QPushButton::clicked, m_view, &LogView::showMachineLines);
    connect(machine, &QPushButton::clicked, m_search, &LogSearchBar::setMachineLines);
    connect(m_view, &LogView::followChanged, m_follow, &QPushButton::setChecked);
    connect(m_view, &LogView::followChanged, this, [this](bool follow) {
        m_loads += follow; // earlier lines that are being read are no longer wanted
    });
    connect(m_view, &LogView::filled, this, &LogCard::showFacts);
    connect(m_stages, &StageStrip::foldsChanged, m_view,
        [this] { m_view->setFolds(m_stages->folds()); });
    connect(m_stages, &StageStrip::lineRequested, this, [this](qint64 line) {
        goTo({line, LogGoal::Mark::Line});
    });
    connect(m_search, &LogSearchBar::queryChanged, m_view, &LogView::setQuery);
    connect(m_search, &LogSearchBar::closed, m_view, [this] { m_view->setFocus(); });
    connect(m_search, &LogSearchBar::hitRequested, this, [this](const LogHit& hit) {
        goTo({hit.line, LogGoal::Mark::Hit, hit.nth});
    });
    for (const auto& [keys, forward] : {std::pair(QKeySequence(Qt::Key_F3), true),
             std::pair(QKeySequence(Qt::SHIFT | Qt::Key_F3), false)}) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(
            shortcut, &QShortcut::activated, this, [this, forward = forward] { step(forward); });
    }
}

QWidget* LogCard::makePart()
{
    auto* bar = new QWidget;
    m_part->setObjectName(u"logPart"_s);
    m_earlier->setObjectName(u"logEarlier"_s);
    m_later->setObjectName(u"logLater"_s);
    m_end->setObjectName(u"logEnd"_s);
    m_end->setAccessibleName(tr("Back to the end of the log"));
    auto* layout = new FlowLayout(16, bar);
    layout->addWidget(m_part);
    layout->addWidget(m_earlier);
    layout->addWidget(m_later);
    layout->addWidget(m_end);
    bar->hide();
    connect(m_earlier, &QPushButton::clicked, this, &LogCard::showEarlier);
    connect(m_later, &QPushButton::clicked, this, &LogCard::showLater);
    connect(m_end, &QPushButton::clicked, m_view, [this] { m_view->setFollow(true); });
    return bar;
}

void LogCard::setFeed(RunFeed* feed)
{
    if (m_feed) {
        m_feed->disconnect(this);
    }
    m_feed = feed;
    ++m_loads;
    m_trouble.clear();
    m_stages->reset();
    m_view->setFeed(feed);
    m_search->setFeed(feed);
    m_follow->setChecked(true);
    if (feed) {
        connect(feed, &RunFeed::liveChanged, this, &LogCard::showFacts);
        connect(feed, &RunFeed::linesAppended, this, &LogCard::readHeaders);
        readHeaders();
    }
    showFacts();
}

void LogCard::setStages(const std::vector<RunStage>& stages, const QDateTime& now)
{
    m_stages->setStages(stages, now);
}

void LogCard::readHeaders()
{
    m_stages->setHeaders(m_feed->headers());
}

void LogCard::setConnected(bool connected)
{
    if (std::exchange(m_connected, connected) != connected) {
        showFacts();
    }
}

void LogCard::showFacts()
{
    showPart();
    if (!m_feed) {
        m_facts->setText({});
        return;
    }
    const qint64 lines = m_feed->firstLine() - 1 + m_feed->lines().size();
    QStringList parts{
        counted(lines, tr("1 line"), tr("%1 lines")), ByteCount(m_feed->bytes()).text()};
    if (m_feed->live()) {
        parts << (m_connected ? tr("live") : tr("not connected"));
    }
    m_facts->setText(parts.join(u" · "_s));
}

/// Says which lines are shown where those are not all.
void LogCard::showPart()
{
    const qint64 first = m_view->firstNumber();
    const bool some =
        m_feed && !m_feed->lines().isEmpty() && first > 0 && (first > 1 || !m_view->showsEnd());
    m_partBar->setVisible(some || !m_trouble.isEmpty());
    m_earlier->setVisible(some && first > 1);
    m_later->setVisible(some && !m_view->showsEnd());
    m_end->setVisible(some && !m_view->showsEnd());
    if (!m_trouble.isEmpty()) {
        m_part->setText(m_trouble);
    } else if (some) {
        const QLocale locale;
        m_part->setText(tr("Lines %1 to %2 of %3 are shown.")
                            .arg(locale.toString(first), locale.toString(m_view->lastNumber()),
                                locale.toString(m_feed->numberAt(m_feed->lines().size() - 1))));
    }
    fitPart();
}

/// The splitter above knows only least heights, so that of the lines that are needed is one.
void LogCard::fitPart()
{
    const QMargins rim = layout()->contentsMargins();
    const int room = width() - rim.left() - rim.right();
    m_partBar->setMinimumHeight(m_partBar->layout()->heightForWidth(std::max(0, room)));
}

void LogCard::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fitPart();
}

void LogCard::openSearch()
{
    m_search->open();
}

void LogCard::step(bool forward)
{
    if (m_search->isHidden()) {
        openSearch();
    } else {
        m_search->step(forward);
    }
}

void LogCard::showLine(qint64 number)
{
    goTo({number});
    m_view->setFocus();
}

/// Goes to a line, wherever it is: in the view, in the feed or in the file.
void LogCard::goTo(const LogGoal& goal)
{
    if (!m_feed || m_feed->lines().isEmpty() || goal.line < 1) {
        return;
    }
    const qint64 last = m_feed->numberAt(m_feed->lines().size() - 1);
    ++m_loads;
    m_stages->reveal(goal.line);
    if (m_view->holds(goal.line)) {
        m_view->goTo(goal);
    } else if (goal.line < m_view->endBegins() || goal.line > last) {
        load({std::max<qint64>(1, goal.line - linesAround), goal.line + linesAround, goal.line},
            goal);
    } else if (m_view->showsEnd()) {
        m_view->goTo(goal); // still being added
    } else {
        m_view->showEnd(goal);
    }
}

void LogCard::showEarlier()
{
    const qint64 last = m_view->firstNumber() - 1;
    if (last >= 1) {
        ++m_loads;
        load({std::max<qint64>(1, last - linesPerStep + 1), last, last},
            {last, LogGoal::Mark::None});
    }
}

void LogCard::showLater()
{
    const qint64 first = m_view->lastNumber() + 1;
    const LogGoal goal{first, LogGoal::Mark::None};
    ++m_loads;
    if (first >= m_view->endBegins()) {
        m_view->showEnd(goal);
    } else {
        load({first, first + linesPerStep - 1, first}, goal);
    }
}

QCoro::Task<void> LogCard::load(LogBlockRequest request, LogGoal goal)
{
    const QPointer<LogCard> self(this);
    const int number = m_loads;
    const LogSource source = m_feed->source();
    const LogPlace start = m_feed->placeBefore(request.from);
    const auto read = [source, start, request] { return readLogBlock(source, start, request); };
    const LogBlock block = co_await onWorker(read);
    if (!self || number != m_loads || !m_feed) {
        co_return;
    }
    m_trouble = block.trouble;
    if (!block.lines.isEmpty() && block.numbers.back() >= goal.line) {
        m_view->showBlock(block, goal);
    }
    showPart();
}

void LogCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_search->isVisible()) {
        m_search->leave();
        return;
    }
    QFrame::keyPressEvent(event);
}

} // namespace slipway

#include "moc_logcard.cpp"
