// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/verdictcards.h"

#include "ui/parts/announce.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

std::pair<Sign, Tint> signOf(FairnessRule::State state)
{
    switch (state) {
    case FairnessRule::State::Kept:
        return {Sign::Check, Tint::Done};
    case FairnessRule::State::Note:
        return {Sign::Bang, Tint::Warning};
    case FairnessRule::State::Broken:
        return {Sign::Cross, Tint::Error};
    case FairnessRule::State::Unknown:
        break;
    }
    return {Sign::Ring, Tint::Second};
}

} // namespace

VerdictCard::VerdictCard(QWidget* parent)
    : QFrame(parent)
    , m_where(TextLabel::paragraph({}, "second"))
    , m_sign(new SignMark(Sign::Bang, Tint::Warning))
    , m_headline(TextLabel::paragraph({}, "heading"))
    , m_detail(TextLabel::paragraph({}, "second"))
    , m_crossover(TextLabel::paragraph({}, "second"))
    , m_remedy(TextLabel::paragraph({}, "second"))
{
    setCardKind(this, "true");
    setObjectName(u"verdictCard"_s);
    m_headline->setObjectName(u"verdictHeadline"_s);
    m_detail->setObjectName(u"verdictDetail"_s);
    m_remedy->setObjectName(u"verdictMend"_s);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_sign, 0, Qt::AlignVCenter);
    head->addWidget(m_headline, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(6);
    layout->addWidget(m_where);
    layout->addLayout(head);
    for (TextLabel* label : {m_detail, m_crossover, m_remedy}) {
        layout->addWidget(label);
    }
    layout->addStretch();
}

void VerdictCard::setVerdict(const RaceVerdict& verdict)
{
    if (verdict == m_verdict) {
        return;
    }
    m_verdict = verdict;
    const std::pair<TextLabel*, QString> texts[] = {{m_where, verdict.where},
        {m_headline, verdict.headline}, {m_detail, verdict.detail},
        {m_crossover, verdict.crossover}, {m_remedy, verdict.remedy}};
    for (const auto& [label, text] : texts) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    }
    m_sign->setVisible(!verdict.fair);
    setLook(m_headline, "role", verdict.fair ? u"figure"_s : u"heading"_s);
    setLook(m_detail, "role", verdict.fair ? u"second"_s : u"body"_s);
    announce(this, verdict.headline % u". "_s % verdict.where % u' ' % verdict.detail);
}

FairCard::FairCard(QWidget* parent)
    : QFrame(parent)
    , m_rows(new QVBoxLayout)
{
    setCardKind(this, "true");
    setObjectName(u"fairCard"_s);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(6);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(new TextLabel(tr("Was it fair?"), "heading"));
    layout->addLayout(m_rows);
    layout->addStretch();
}

void FairCard::setRules(
    const std::vector<FairnessRule>& rules, const std::vector<AbsentLane>& absent)
{
    QString text;
    for (const FairnessRule& rule : rules) {
        text += rule.sign() % u' ' % rule.text % u'\n';
    }
    for (const AbsentLane& lane : absent) {
        text += absentWords(lane) % u'\n';
    }
    if (text == m_shown) {
        return;
    }
    m_shown = text;
    clearLayout(m_rows);
    for (const FairnessRule& rule : rules) {
        const auto [sign, tint] = signOf(rule.state);
        addRow(sign, tint, rule.text);
    }
    for (const AbsentLane& lane : absent) {
        addRow(Sign::Dash, Tint::Second, absentWords(lane));
    }
    if (text.isEmpty()) {
        addRow(Sign::Ring, Tint::Second, tr("Two lanes are needed to judge this."));
    }
    setAccessibleDescription(text);
}

void FairCard::addRow(Sign sign, Tint tint, const QString& text)
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(new SignMark(sign, tint), 0, Qt::AlignTop);
    TextLabel* label = TextLabel::paragraph(text);
    if (tint == Tint::Warning || tint == Tint::Error) {
        label->setTint(tint);
    }
    layout->addWidget(label, 1);
    m_rows->addWidget(row);
}

} // namespace slipway

#include "moc_verdictcards.cpp"
