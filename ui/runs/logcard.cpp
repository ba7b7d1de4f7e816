// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/logcard.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "ui/parts/text.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

LogCard::LogCard(QWidget* parent)
    : QFrame(parent)
    , m_view(new LogView)
    , m_searchBar(nullptr)
    , m_text(new QLineEdit)
    , m_count(new TextLabel({}, "caption"))
    , m_facts(new TextLabel({}, "caption"))
    , m_follow(makeButton(tr("follow"), ButtonKind::Quiet))
{
    setCardKind(this, "true");
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_follow->setAccessibleName(tr("Follow the end of the log"));
    m_follow->setObjectName(u"followLog"_s);
    auto* find = makeButton(tr("search"), ButtonKind::Quiet);
    find->setAccessibleName(tr("Search the log"));
    auto* machine = makeButton(tr("all lines"), ButtonKind::Quiet);
    machine->setCheckable(true);
    machine->setObjectName(u"allLines"_s);
    machine->setAccessibleName(tr("Also show machine-readable lines"));
    machine->setToolTip(tr("Also shows the @slipway lines, from which the curves are read"));
    m_searchBar = makeSearch();
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(new TextLabel(tr("Log"), "heading"));
    head->addSpacing(8);
    head->addWidget(m_follow);
    head->addWidget(find);
    head->addWidget(machine);
    head->addStretch();
    head->addWidget(m_facts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 12, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_searchBar);
    layout->addWidget(m_view, 1);
    connect(find, &QPushButton::clicked, this, &LogCard::openSearch);
    connect(m_follow, &QPushButton::clicked, m_view, &LogView::setFollow);
    connect(machine, &QPushButton::clicked, m_view, &LogView::showMachineLines);
    connect(m_view, &LogView::followChanged, m_follow, &QPushButton::setChecked);
    connect(m_view, &LogView::filled, this, &LogCard::showFacts);
}

QWidget* LogCard::makeSearch()
{
    auto* bar = new QWidget;
    auto* previous = makeButton(tr("previous"), ButtonKind::Quiet);
    auto* next = makeButton(tr("next"), ButtonKind::Quiet);
    auto* close = makeButton(tr("close"), ButtonKind::Quiet);
    previous->setAccessibleName(tr("Previous match"));
    next->setAccessibleName(tr("Next match"));
    close->setAccessibleName(tr("Close the search"));
    m_text->setAccessibleName(tr("Text to find in the log"));
    m_text->setObjectName(u"logSearch"_s);
    m_text->setPlaceholderText(tr("Find in the log"));
    m_count->setObjectName(u"logHits"_s);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_count);
    for (QPushButton* button : {previous, next, close}) {
        layout->addWidget(button);
    }
    bar->hide();
    connect(m_text, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_hits = m_view->setSearch(text);
        m_count->setText(
            text.isEmpty() ? QString() : counted(m_hits, tr("1 match"), tr("%1 matches")));
    });
    connect(m_text, &QLineEdit::returnPressed, this, [this] { search(true); });
    connect(next, &QPushButton::clicked, this, [this] { search(true); });
    connect(previous, &QPushButton::clicked, this, [this] { search(false); });
    connect(close, &QPushButton::clicked, this, &LogCard::closeSearch);
    return bar;
}

void LogCard::setFeed(RunFeed* feed)
{
    if (m_feed) {
        m_feed->disconnect(this);
    }
    m_feed = feed;
    m_view->setFeed(feed);
    m_follow->setChecked(true);
    if (feed) {
        connect(feed, &RunFeed::liveChanged, this, &LogCard::showFacts);
    }
    showFacts();
}

void LogCard::showFacts()
{
    if (!m_feed) {
        m_facts->clear();
        return;
    }
    const qint64 lines = m_feed->firstLine() - 1 + m_feed->lines().size();
    QStringList parts{
        counted(lines, tr("1 line"), tr("%1 lines")), ByteCount(m_feed->bytes()).text()};
    if (m_feed->live()) {
        parts << tr("live");
    }
    m_facts->setText(parts.join(u" · "_s));
}

void LogCard::openSearch()
{
    m_searchBar->show();
    m_text->setFocus();
    m_text->selectAll();
}

void LogCard::showLine(qint64 number)
{
    if (m_feed) {
        m_view->showLine(m_feed->indexOfLine(number));
        m_view->setFocus();
    }
}

void LogCard::search(bool forward)
{
    if (!m_feed) {
        return;
    }
    const int hit = m_view->find(forward);
    m_count->setText(hit > 0 ? tr("%1 of %2").arg(hit).arg(m_hits) : tr("0 matches"));
}

void LogCard::closeSearch()
{
    m_text->clear();
    m_searchBar->hide();
    m_view->setFocus();
}

void LogCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_searchBar->isVisible()) {
        closeSearch();
        return;
    }
    QFrame::keyPressEvent(event);
}

} // namespace slipway

#include "moc_logcard.cpp"
