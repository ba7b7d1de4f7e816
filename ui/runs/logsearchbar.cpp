// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/logsearchbar.h"

#include "remote/base/counted.h"
#include "ui/parts/announce.h"
#include "ui/parts/text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>

namespace slipway {

using namespace Qt::StringLiterals;

LogSearchBar::LogSearchBar(QWidget* parent)
    : QWidget(parent)
    , m_search(new LogSearch(this))
    , m_text(new QLineEdit)
    , m_case(new QCheckBox(tr("match case")))
    , m_count(new ElidedText({}, "caption"))
{
    auto* previous = makeButton(tr("previous"), ButtonKind::Quiet);
    auto* next = makeButton(tr("next"), ButtonKind::Quiet);
    auto* close = makeButton(tr("close"), ButtonKind::Quiet);
    previous->setAccessibleName(tr("Previous match"));
    previous->setToolTip(tr("Shift+F3"));
    next->setAccessibleName(tr("Next match"));
    next->setToolTip(tr("Enter or F3"));
    close->setAccessibleName(tr("Close the search"));
    close->setToolTip(tr("Esc"));
    m_text->setAccessibleName(tr("Text to find in the log"));
    m_text->setObjectName(u"logSearch"_s);
    m_text->setPlaceholderText(tr("Find in the whole log"));
    m_case->setObjectName(u"logCase"_s);
    m_case->setAccessibleName(tr("Match upper and lower case"));
    m_count->setObjectName(u"logHits"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_count);
    layout->addWidget(m_case);
    for (QPushButton* button : {previous, next, close}) {
        layout->addWidget(button);
    }
    connect(m_text, &QLineEdit::textChanged, this, &LogSearchBar::restart);
    connect(m_case, &QCheckBox::toggled, this, &LogSearchBar::restart);
    connect(m_text, &QLineEdit::returnPressed, this, [this] { step(true); });
    connect(next, &QPushButton::clicked, this, [this] { step(true); });
    connect(previous, &QPushButton::clicked, this, [this] { step(false); });
    connect(close, &QPushButton::clicked, this, &LogSearchBar::leave);
    connect(m_search, &LogSearch::changed, this, &LogSearchBar::showCount);
}

void LogSearchBar::setFeed(RunFeed* feed)
{
    if (m_feed) {
        m_feed->disconnect(this);
    }
    m_feed = feed;
    if (feed) {
        const auto grow = [this] { m_search->update(m_feed->source()); };
        connect(feed, &RunFeed::linesAppended, this, grow);
        connect(feed, &RunFeed::restarted, this, grow);
        connect(feed, &RunFeed::liveChanged, this, grow);
    }
    restart();
}

void LogSearchBar::setMachineLines(bool search)
{
    if (search != m_machineLines) {
        m_machineLines = search;
        restart();
    }
}

void LogSearchBar::open()
{
    show();
    m_text->setFocus();
    m_text->selectAll();
}

void LogSearchBar::leave()
{
    m_text->clear();
    hide();
    emit closed();
}

void LogSearchBar::restart()
{
    const LogQuery query{m_text->text(), m_case->isChecked(), m_machineLines};
    m_at = -1;
    m_wanted = false;
    m_told = false;
    m_search->cancel();
    if (m_feed && !query.text.isEmpty()) {
        m_search->start(m_feed->source(), query);
    }
    emit queryChanged(query);
    showCount();
}

void LogSearchBar::step(bool forward)
{
    const qsizetype hits = qsizetype(m_search->hits().size());
    m_wanted = hits == 0 && m_search->isRunning();
    if (hits > 0) {
        m_at = m_at < 0 ? (forward ? 0 : hits - 1) : (m_at + (forward ? 1 : hits - 1)) % hits;
        emit hitRequested(m_search->hits()[size_t(m_at)]);
    }
    showCount();
    if (!m_wanted) {
        announce(m_count, m_count->text());
    }
}

void LogSearchBar::showCount()
{
    if (const QString text = words(); text != m_count->text()) {
        m_count->setAccessibleName({}); // left from an announcement; the text is read again
        m_count->setText(text);
    }
    if (m_wanted && !m_search->hits().empty()) {
        step(true);
    } else if (m_search->isActive() && !m_search->isRunning() && !m_told) {
        m_told = true;
        announce(m_count, m_count->text());
    }
}

/// "3 of 1,204".
QString LogSearchBar::words() const
{
    const QLocale locale;
    const qint64 count = m_search->count();
    if (!m_search->isActive() || !m_search->trouble().isEmpty()) {
        return m_search->trouble();
    }
    // A log that grows is read all the time; what was found until then is the answer.
    const bool first = m_search->isRunning() && !m_told;
    if (count == 0) {
        return first ? tr("Searching… %1 %").arg(m_search->percent()) : tr("0 matches");
    }
    QString text = m_at >= 0 ? tr("%1 of %2").arg(locale.toString(m_at + 1), locale.toString(count))
                             : counted(count, tr("1 match"), tr("%1 matches"));
    if (first) {
        text = tr("%1 so far").arg(text);
    }
    if (count > LogScan::mostHits) {
        text = tr("%1; the first %2 can be shown").arg(text, locale.toString(LogScan::mostHits));
    }
    return text;
}

} // namespace slipway

#include "moc_logsearchbar.cpp"
