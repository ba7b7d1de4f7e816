// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/partitionscard.h"

#include "ui/images/imagelabels.h"
#include "ui/images/imagewords.h"
#include "ui/parts/announce.h"
#include "ui/parts/pill.h"
#include "ui/parts/scriptview.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int charactersBeside = 56; ///< of the card's width, for the parts of a row side by side
constexpr int mostPartitionName = 80;
constexpr int mostSentence = 300;
constexpr size_t mostRows = 64;

} // namespace

PartitionsCard::PartitionsCard(QWidget* parent)
    : QFrame(parent)
    , m_summary(wrappedLabel({}, "strong"))
    , m_rows(new QVBoxLayout)
    , m_fold(makeButton({}, ButtonKind::Link))
    , m_reasons(new QWidget)
    , m_rules(wrappedLabel({}))
    , m_asked(wrappedLabel({}, "second"))
    , m_command(new ScriptView)
{
    fillReasons();
    setCardKind(this, "true");
    setObjectName(u"partitionsCard"_s);
    m_summary->setObjectName(u"verdictSummary"_s);
    m_fold->setObjectName(u"howKnown"_s);
    m_rows->setContentsMargins(0, 6, 0, 6);
    m_rows->setSpacing(8);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(new TextLabel(tr("Will it run here?"), "heading"));
    layout->addWidget(m_summary);
    layout->addLayout(m_rows);
    layout->addWidget(m_fold, 0, Qt::AlignLeft);
    layout->addWidget(m_reasons);
    layout->addStretch();
    connect(m_fold, &QPushButton::clicked, this, [this] { fold(m_reasons->isHidden()); });
    fold(false);
}

void PartitionsCard::fillReasons()
{
    m_rules->setObjectName(u"verdictRules"_s);
    m_asked->setObjectName(u"imageAsked"_s);
    m_command->setObjectName(u"imageCommand"_s);
    m_command->setAccessibleName(tr("The command that asks the same"));
    auto* copy = makeButton(tr("copy"), ButtonKind::Quiet);
    copy->setAccessibleName(tr("Copy the command"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_asked, 1);
    head->addWidget(copy, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(m_reasons);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_rules);
    layout->addLayout(head);
    layout->addWidget(m_command);
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_command->toPlainText()); });
}

void PartitionsCard::setInspection(const ImageInspection& inspection)
{
    clearLayout(m_rows);
    m_lines.clear();
    const QString summary = verdictSummary(inspection.verdicts);
    m_summary->setText(summary);
    int pillWidth = 0;
    for (const PartitionVerdict& one : inspection.verdicts) {
        pillWidth = std::max(pillWidth, StatePill::sizeFor(verdictWord(one), font()).width());
    }
    for (size_t i = 0; i < inspection.verdicts.size() && i < mostRows; ++i) {
        addRow(inspection.verdicts[i], pillWidth);
    }
    if (inspection.verdicts.size() > mostRows) {
        m_rows->addWidget(
            wrappedLabel(tr("and %1 more").arg(inspection.verdicts.size() - mostRows), "caption"));
    }
    m_rules->setText(verdictRules(inspection.verdicts));
    m_asked->setText(tr("The registry was asked from %1:")
                         .arg(shownText(inspection.askedFrom, mostPartitionName)));
    m_command->setScript(inspection.command.toUtf8());
    const int lines = std::clamp(int(inspection.command.count(u'\n')) + 1, 1, 6);
    m_command->setFixedHeight(std::max(m_command->minimumSizeHint().height(),
        lines * QFontMetrics(m_command->font()).lineSpacing() + 34));
    place();
    setAccessibleName({});
    announce(this, summary);
}

void PartitionsCard::addRow(const PartitionVerdict& verdict, int pillWidth)
{
    auto* row = new QWidget;
    row->setObjectName(u"verdictRow"_s);
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    names->addWidget(wrappedLabel(shownText(verdict.partition, mostPartitionName), "strong"));
    names->addWidget(wrappedLabel(shownText(verdict.hardware, mostPartitionName), "caption"));
    names->addStretch();
    auto* pill = new StatePill;
    pill->setState(verdictWord(verdict));
    pill->setObjectName(u"verdictPill"_s);
    pill->setAccessibleName(tr("%1: %2").arg(
        shownText(verdict.partition, mostPartitionName), verdictWord(verdict).word));
    auto* place = new QWidget; // as wide as the widest pill, so that the sentences are aligned
    place->setMinimumWidth(pillWidth);
    auto* holder = new QHBoxLayout(place);
    holder->setContentsMargins(0, 0, 0, 0);
    holder->addWidget(pill);
    holder->addStretch();
    auto* line = new QBoxLayout(QBoxLayout::LeftToRight);
    line->setSpacing(12);
    line->addLayout(names, 4);
    line->addWidget(place, 0, Qt::AlignTop | Qt::AlignLeft);
    auto* sentence = wrappedLabel(shownText(verdict.sentence, mostSentence), "second");
    line->addWidget(sentence, 6);
    if (!m_lines.isEmpty()) {
        auto* rule = new QFrame;
        rule->setProperty("rule", true);
        m_rows->addWidget(rule);
    }
    row->setLayout(line);
    line->setContentsMargins(0, 0, 0, 0);
    sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_rows->addWidget(row);
    m_lines << line;
}

void PartitionsCard::fold(bool open)
{
    m_reasons->setVisible(open);
    m_fold->setText(open ? tr("Hide how this is known") : tr("How is this known?"));
    m_fold->setAccessibleName(m_fold->text());
    emit folded();
}

void PartitionsCard::place()
{
    const bool beside = width() > charactersBeside * fontMetrics().averageCharWidth();
    for (QBoxLayout* line : std::as_const(m_lines)) {
        line->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        line->setSpacing(beside ? 12 : 4);
    }
}

void PartitionsCard::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    place();
}

void PartitionsCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        place();
    }
}

} // namespace slipway

#include "moc_partitionscard.cpp"
