// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/node/nodepage.h"

#include "remote/base/counted.h"
#include "ui/node/checkdelegate.h"
#include "ui/node/checkmodel.h"
#include "ui/parts/announce.h"
#include "ui/parts/text.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QListView>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

NodePage::NodePage(QWidget* parent)
    : QWidget(parent)
    , m_model(new CheckModel(this))
    , m_sentence(TextLabel::paragraph({}, "heading"))
    , m_counts(TextLabel::paragraph({}, "second"))
    , m_note(TextLabel::paragraph({}, "second"))
    , m_only(new QCheckBox(tr("Only what needs attention")))
    , m_copy(makeButton(tr("Copy report")))
    , m_stack(new QStackedWidget)
    , m_list(new QListView)
    , m_none(TextLabel::paragraph({}, "second"))
{
    m_sentence->setObjectName(u"nodeSentence"_s);
    m_counts->setObjectName(u"nodeCounts"_s);
    m_note->setObjectName(u"nodeNote"_s);
    m_only->setObjectName(u"nodeOnlyAttention"_s);
    m_copy->setObjectName(u"nodeCopy"_s);
    m_none->setObjectName(u"nodeNone"_s);
    m_only->setAccessibleName(m_only->text());
    m_copy->setToolTip(tr("Copies every check as plain text, to paste into an email or an issue"));
    m_list->setObjectName(u"nodeChecks"_s);
    m_list->setAccessibleName(tr("Checks of the node"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CheckDelegate(m_list));
    m_list->setResizeMode(QListView::Adjust);
    m_list->setVerticalScrollMode(QListView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_none->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_none->setContentsMargins(16, 0, 16, 0);
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_none);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(m_sentence);
    words->addWidget(m_counts);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(16, 0, 16, 0);
    top->setSpacing(16);
    top->addLayout(words, 1);
    top->addWidget(m_copy, 0, Qt::AlignTop);
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(16, 0, 16, 0);
    tools->setSpacing(16);
    tools->addWidget(m_only);
    tools->addWidget(m_note, 1);
    auto* card = makeCard();
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(1, 16, 1, 8);
    inside->setSpacing(8);
    inside->addLayout(top);
    inside->addLayout(tools);
    inside->addWidget(m_stack, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);
    m_list->installEventFilter(this);
    connect(m_list, &QListView::clicked, this, &NodePage::toggleSkipped);
    connect(m_copy, &QPushButton::clicked, this, &NodePage::copyReport);
    connect(m_only, &QCheckBox::toggled, this, [this](bool only) {
        m_model->setOnlyAttention(only);
        showState();
    });
    showState();
}

void NodePage::setReport(const NodeReport& report, const QString& whyNone, bool running)
{
    const bool same = report.rows == m_report.rows;
    if (same && report.complete == m_report.complete && report.unreadable == m_report.unreadable
        && whyNone == m_whyNone && running == m_running) {
        return;
    }
    m_report = report;
    m_whyNone = whyNone;
    m_running = running;
    if (!same) {
        // Rows arrive while a person is reading: keep the position in the list.
        const CheckRow* current = m_model->check(m_list->currentIndex());
        const std::optional<CheckRow> read = current ? std::optional(*current) : std::nullopt;
        m_model->setReport(report);
        if (read) {
            m_list->setCurrentIndex(m_model->find(*read));
        }
    }
    showState();
}

void NodePage::showState()
{
    const bool any = !m_report.isEmpty();
    const auto attention = std::count_if(m_report.rows.begin(), m_report.rows.end(),
        [](const CheckRow& row) { return needsAttention(row.state); });
    m_sentence->setText(any ? nodeSentence(m_report) : tr("There is no report on the node"));
    m_counts->setText(any ? countWords(m_report.rows) : QString());
    m_counts->setVisible(any);
    m_only->setText(attention > 0 ? tr("Only what needs attention (%1)").arg(attention)
                                  : tr("Only what needs attention"));
    m_only->setAccessibleName(m_only->text());
    m_only->setVisible(any);
    m_copy->setVisible(any);
    QStringList notes;
    if (any && !m_report.complete) {
        notes << (m_running ? tr("The check is still running.") : tr("The check did not finish."));
    }
    if (m_report.unreadable > 0) {
        notes << (m_report.unreadable == 1
                ? tr("1 line of the report could not be read.")
                : tr("%1 lines of the report could not be read.").arg(m_report.unreadable));
    }
    m_note->setAccessibleName({}); // left from an announcement; the text is read again
    m_note->setText(notes.join(u' '));
    m_none->setText(any ? tr("Nothing needs attention.") : m_whyNone);
    m_stack->setCurrentIndex(m_model->rowCount() > 0 ? 0 : 1);
}

void NodePage::copyReport()
{
    QGuiApplication::clipboard()->setText(nodeReportText(m_report));
    m_note->setText(
        tr("Copied: %1.")
            .arg(counted(qint64(m_report.rows.size()), tr("1 check"), tr("%1 checks"))));
    m_note->setAccessibleName({});
    announce(m_note, m_note->text());
}

void NodePage::setOnlyAttention(bool only)
{
    m_only->setChecked(only);
}

/// Enter or Space on the row that unfolds the skipped checks.
bool NodePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool presses = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space;
        if (presses && m_model->isFold(m_list->currentIndex())) {
            toggleSkipped(m_list->currentIndex());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void NodePage::toggleSkipped(const QModelIndex& row)
{
    if (m_model->isFold(row)) {
        const int place = row.row(); // the rows before it stay
        m_model->setSkippedShown(!m_model->skippedShown());
        m_list->setCurrentIndex(m_model->index(place));
    }
}

void NodePage::showCheck(const QString& id, CheckState state)
{
    if (!needsAttention(state)) {
        m_only->setChecked(false);
    }
    if (state == CheckState::Skip) {
        m_model->setSkippedShown(true);
    }
    const QModelIndex index = m_model->find(id, state);
    if (index.isValid()) {
        m_list->setCurrentIndex(index);
        m_list->scrollTo(index, QAbstractItemView::PositionAtCenter);
        m_list->setFocus();
    }
}

} // namespace slipway

#include "moc_nodepage.cpp"
