// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart.h"
#include "plots/metrics/seriesstore.h"
#include "ui/compare/comparepage.h"
#include "ui/compare/lanestrip.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/text.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

// The widgets of ComparePage, part by part.

QWidget* ComparePage::makeHead()
{
    auto* head = new QWidget;
    m_title = TextLabel::paragraph({}, "title");
    m_title->setObjectName(u"compareTitle"_s);
    m_subtitle = new ElidedLabel({}, Tint::Second);
    m_subtitle->setObjectName(u"compareSubtitle"_s);
    m_note = TextLabel::paragraph({}, "caption");
    m_note->setObjectName(u"compareNote"_s);
    m_note->hide();
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addWidget(m_title);
    words->addWidget(m_subtitle);
    words->addWidget(m_note);
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(words, 1);
    const auto add = [&](const QString& text, const QString& name, auto function) {
        auto* button = makeButton(text);
        button->setObjectName(name);
        layout->addWidget(button, 0, Qt::AlignTop);
        connect(button, &QPushButton::clicked, this, function);
        return button;
    };
    m_add = add(tr("Add a run…"), u"addRun"_s, &ComparePage::pickRuns);
    m_add->setVisible(!m_engine.isNull());
    add(tr("Copy"), u"copyComparison"_s, &ComparePage::copy)
        ->setAccessibleName(tr("Copy the comparison as a picture and as text"));
    add(tr("Save…"), u"saveComparison"_s, &ComparePage::save)
        ->setAccessibleName(tr("Save the comparison as PNG, SVG, PDF, CSV or Markdown"));
    m_present = add(tr("Present"), u"present"_s, &ComparePage::askPresent);
    setButtonKind(m_present, ButtonKind::Primary);
    m_present->setToolTip(tr("Fill a screen with it (F11)"));
    return head;
}

QWidget* ComparePage::makeChartCard()
{
    QFrame* card = makeCard();
    m_first = new QComboBox;
    m_second = new QComboBox;
    m_work = new QComboBox;
    const std::tuple<QComboBox*, QString, QString> choices[] = {
        {m_first, tr("The lane that is looked at"), u"firstLane"_s},
        {m_second, tr("The lane that it is compared with"), u"secondLane"_s},
        {m_work, tr("Which work is compared"), u"work"_s}};
    for (const auto& [combo, name, object] : choices) {
        combo->setAccessibleName(name);
        combo->setObjectName(object);
        // Names of lanes of several runs are long; the list below shows them whole.
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(15);
    }
    auto* pickers = new QHBoxLayout;
    pickers->setSpacing(8);
    pickers->addWidget(m_work);
    pickers->addWidget(m_first);
    pickers->addWidget(new TextLabel(tr("against"), "second"));
    pickers->addWidget(m_second);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(8);
    const auto pair = [&](QPushButton*& one, const QString& oneText, QPushButton*& other,
                          const QString& otherText) {
        auto* group = new QButtonGroup(this);
        for (const auto& [button, text] :
            {std::pair(&one, oneText), std::pair(&other, otherText)}) {
            *button = makeButton(text, ButtonKind::Quiet);
            (*button)->setCheckable(true);
            group->addButton(*button);
            tools->addWidget(*button);
            connect(*button, &QPushButton::clicked, this, [this] {
                m_model->setView({m_transfers->isChecked(), m_seconds->isChecked()});
            });
        }
    };
    pair(m_compute, tr("compute only"), m_transfers, tr("with transfers"));
    pair(m_rate, tr("FLOP/s"), m_seconds, tr("seconds"));
    tools->addSpacing(8);
    m_compute->setObjectName(u"computeOnly"_s);
    m_transfers->setObjectName(u"withTransfers"_s);
    m_rate->setObjectName(u"perSecond"_s);
    m_seconds->setObjectName(u"inSeconds"_s);
    auto* numbers = makeButton(tr("table"), ButtonKind::Quiet);
    numbers->setAccessibleName(tr("Show the numbers of all curves as a table"));
    tools->addWidget(numbers);
    auto* head = new QWidget;
    auto* flow = new FlowLayout(8, head); // the tools below the pickers where it is narrow
    for (QHBoxLayout* row : {pickers, tools}) {
        auto* group = new QWidget;
        row->setContentsMargins(0, 0, 0, 0);
        group->setLayout(row);
        flow->addWidget(group);
        m_pickers = m_pickers ? m_pickers : group;
    }
    m_chart = new MetricChart;
    m_chart->setMinimumHeight(300);
    m_summary = new ElidedLabel({}, Tint::Second);
    m_summary->setObjectName(u"compareSummary"_s);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(head);
    layout->addWidget(m_chart, 1);
    layout->addWidget(new LaneStrip(m_model));
    layout->addWidget(m_summary);
    connect(m_first, &QComboBox::activated, this, &ComparePage::pickLanes);
    connect(m_second, &QComboBox::activated, this, &ComparePage::pickLanes);
    connect(m_work, &QComboBox::activated, this,
        [this] { m_model->setWork(m_work->currentData().toString()); });
    connect(numbers, &QPushButton::clicked, this, &ComparePage::showNumbers);
    return card;
}

QWidget* ComparePage::makeTableCard()
{
    QFrame* card = makeCard();
    m_table = new QTableWidget;
    m_table->setObjectName(u"compareTable"_s);
    m_table->setAccessibleName(tr("Medians by size"));
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QTableWidget::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the page scrolls
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    // The words of the header end where the numbers below them do.
    m_table->setStyleSheet(u"QHeaderView::section { padding: 6px 3px; }"_s);
    m_tableNote = TextLabel::paragraph({}, "caption");
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(16, 8, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_table);
    layout->addWidget(m_tableNote);
    return card;
}

QWidget* ComparePage::makeProtocolCard()
{
    QFrame* card = makeCard();
    card->setObjectName(u"protocolCard"_s);
    m_fold = makeButton(tr("Show how it was measured"), ButtonKind::Link);
    m_fold->setObjectName(u"foldProtocol"_s);
    m_protocol = TextLabel::paragraph({}, "second");
    m_protocol->setObjectName(u"protocol"_s);
    m_protocol->hide();
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(16, 10, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_fold, 0, Qt::AlignLeft);
    layout->addWidget(m_protocol);
    connect(m_fold, &QPushButton::clicked, this, [this] {
        m_protocol->setVisible(m_protocol->isHidden());
        showProtocol();
        m_settle.start();
    });
    return card;
}

QWidget* ComparePage::makeEmpty()
{
    auto* empty = new QWidget;
    auto* launch = makeButton(tr("Launch the race"), ButtonKind::Primary);
    auto* pick = makeButton(tr("Pick two runs…"));
    launch->setObjectName(u"launchRace"_s);
    pick->setObjectName(u"pickRuns"_s);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(launch);
    buttons->addWidget(pick);
    buttons->addStretch();
    auto* words =
        new TextLabel(tr("Nothing to compare yet. Launch the race, or pick two runs."), "heading");
    words->setAlignment(Qt::AlignCenter);
    words->setWordWrap(true);
    m_emptyNote = TextLabel::paragraph({}, "second");
    m_emptyNote->setObjectName(u"emptyNote"_s);
    m_emptyNote->setAlignment(Qt::AlignCenter);
    m_emptyNote->hide();
    auto* layout = new QVBoxLayout(empty);
    layout->setContentsMargins(28, 24, 28, 24);
    layout->setSpacing(16);
    layout->addWidget(new TextLabel(tr("Compare"), "title"));
    layout->addStretch(2);
    layout->addWidget(words);
    layout->addWidget(m_emptyNote);
    layout->addLayout(buttons);
    layout->addStretch(3);
    connect(launch, &QPushButton::clicked, this, &ComparePage::launchRequested);
    connect(pick, &QPushButton::clicked, this, &ComparePage::pickRuns);
    return empty;
}

} // namespace slipway
