// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/explanationcard.h"

#include "remote/base/counted.h"
#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/rawtext.h"

#include <QHBoxLayout>
#include <QResizeEvent>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

EvidenceLink::EvidenceLink(QWidget* parent)
    : QPushButton(parent)
{
    setProperty("link", true);
    setProperty("code", true);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Show it in the log"));
}

void EvidenceLink::setEvidence(const QString& label, const QString& text)
{
    m_text = label % text;
    setAccessibleName(tr("%1 Show it in the log").arg(m_text));
    setToolTip(plainToolTip(m_text));
    elide();
}

QSize EvidenceLink::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, QPushButton::sizeHint().height()};
}

QSize EvidenceLink::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 12, QPushButton::minimumSizeHint().height()};
}

void EvidenceLink::resizeEvent(QResizeEvent* event)
{
    QPushButton::resizeEvent(event);
    elide();
}

void EvidenceLink::elide()
{
    QString shown = fontMetrics().elidedText(m_text, Qt::ElideRight, width() - 12);
    setText(shown.replace(u'&', u"&&"_s));
}

QString relaunchVerb(const RelaunchOffer& offer)
{
    // Within the sentence "Memory" is written "memory"; "GPUs" stays as it is.
    QString name = offer.label;
    if (name.size() > 1 && name.at(1).isLower()) {
        name[0] = name.at(0).toLower();
    }
    if (!offer.value) {
        const bool isPlural =
            name.section(u' ', 0, 0).endsWith(u's'); // "modules", "tasks per node"
        return isPlural ? ExplanationCard::tr("Run again with other %1…").arg(name)
                        : ExplanationCard::tr("Run again with another %1…").arg(name);
    }
    return offer.value->isEmpty()
        ? ExplanationCard::tr("Run again without %1").arg(name)
        : ExplanationCard::tr("Run again with %1 %2").arg(name, *offer.value);
}

namespace {

/// "likely · 2 other lines say the same"; empty: it is sure, and one line says so.
QString furtherText(const Explanation& one)
{
    QStringList parts;
    if (one.certainty == Explanation::Certainty::Likely) {
        parts << ExplanationCard::tr("likely");
    } else if (one.certainty == Explanation::Certainty::Possible) {
        parts << ExplanationCard::tr("one possible cause");
    }
    if (one.lines > 1) {
        parts << counted(one.lines - 1, ExplanationCard::tr("1 other line says the same"),
            ExplanationCard::tr("%1 other lines say the same"));
    }
    return parts.join(u" · "_s);
}

} // namespace

ExplanationCard::ExplanationCard(QWidget* parent)
    : QFrame(parent)
    , m_sign(new SignMark(Sign::Bang, Tint::Warning))
    , m_title(TextLabel::paragraph({}, "strong"))
    , m_cause(TextLabel::paragraph({}))
    , m_end(TextLabel::paragraph({}, "second"))
    , m_evidence(new EvidenceLink)
    , m_further(TextLabel::paragraph({}, "second"))
    , m_remedy(TextLabel::paragraph({}))
    , m_relaunch(makeButton(tr("Run again…"), ButtonKind::Primary))
    , m_alternatives(new QWidget)
    , m_alternativeRow(new FlowLayout(8, m_alternatives))
    , m_raw(new RawText)
    , m_others(new QWidget)
    , m_otherRow(new FlowLayout(12, m_others))
{
    setCardKind(this, "warning");
    setObjectName(u"explanationCard"_s);
    m_title->setObjectName(u"explanationTitle"_s);
    m_cause->setObjectName(u"explanationCause"_s);
    m_end->setObjectName(u"explanationEnd"_s);
    m_raw->setObjectName(u"explanationRaw"_s);
    m_raw->toggle()->setObjectName(u"explanationRawToggle"_s);
    m_evidence->setObjectName(u"explanationEvidence"_s);
    m_further->setObjectName(u"explanationFurther"_s);
    m_remedy->setObjectName(u"explanationRemedy"_s);
    m_relaunch->setObjectName(u"explanationAgain"_s);
    fill(new QVBoxLayout(this));
    connect(m_evidence, &QPushButton::clicked, this, [this] {
        if (m_faults[size_t(m_current)].line > 0) {
            emit lineRequested(m_faults[size_t(m_current)].line);
        }
    });
    connect(m_relaunch, &QPushButton::clicked, this, [this] {
        if (const auto& offers = m_offers[size_t(m_current)]; !offers.empty()) {
            emit relaunchRequested(offers.front());
        }
    });
    hide();
}

void ExplanationCard::fill(QVBoxLayout* layout)
{
    auto* top = new QHBoxLayout;
    top->addWidget(m_sign, 0, Qt::AlignTop);
    top->addWidget(m_title, 1);
    constexpr int charactersForRemedy = 20;
    auto* action = new FoldLayout(16, charactersForRemedy);
    action->addWidget(m_remedy);
    action->addWidget(m_relaunch);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(6);
    layout->addLayout(top);
    layout->addWidget(m_cause);
    layout->addWidget(m_evidence);
    layout->addWidget(m_further);
    layout->addLayout(action);
    layout->addWidget(m_alternatives);
    layout->addWidget(m_end);
    layout->addWidget(m_others);
    layout->addWidget(m_raw->toggle(), 0, Qt::AlignLeft);
    layout->addWidget(m_raw);
}

void ExplanationCard::setExplanations(
    const std::vector<Explanation>& explanations, const Run& run, const Plan& plan)
{
    std::vector<Explanation> faults;
    for (const Explanation& one : explanations) {
        if (one.severity == Explanation::Severity::Fault) {
            faults.push_back(one);
        }
    }
    std::vector<std::vector<RelaunchOffer>> offers;
    for (const Explanation& one : faults) {
        offers.push_back(relaunchOffers(one, plan));
    }
    const bool same = faults == m_faults;
    m_faults = std::move(faults);
    m_offers = std::move(offers);
    setVisible(!m_faults.empty());
    emit explainsChanged(!m_faults.empty());
    if (m_faults.empty()) {
        return;
    }
    showEnd(run);
    show(same ? m_current : 0);
    announce(this, tr("Why: %1. %2").arg(m_faults.front().title, m_faults.front().remedy));
}

void ExplanationCard::showEnd(const Run& run)
{
    const bool ended = isTerminal(run.phase) || run.error;
    setCardKind(this, ended ? "error" : "warning");
    m_sign->set(ended ? Sign::Cross : Sign::Bang, ended ? Tint::Error : Tint::Warning);
    m_end->setText(run.error ? run.error->summary : QString());
    m_end->setVisible(run.error.has_value());
    m_raw->setText(run.error ? run.error->detail : QByteArray());
}

void ExplanationCard::show(int index)
{
    m_current = index;
    const Explanation& one = m_faults[size_t(index)];
    m_title->setText(one.title);
    m_cause->setText(one.facts.isEmpty() ? one.cause : one.cause + u' ' + one.facts);
    m_remedy->setText(one.remedy);
    const bool inLog = one.line > 0;
    m_evidence->setEvidence(inLog ? tr("Line %1: ").arg(one.line)
            : one.isOfNode()      ? tr("Probe: ")
                                  : tr("Slurm: "),
        one.evidence);
    m_evidence->setEnabled(inLog);
    m_evidence->setVisible(!one.evidence.isEmpty());
    const QString further = furtherText(one);
    m_further->setText(further);
    m_further->setVisible(!further.isEmpty());
    showOffers(m_offers[size_t(index)]);
    showOthers();
}

void ExplanationCard::showOffers(const std::vector<RelaunchOffer>& offers)
{
    const auto fill = [](QPushButton* button, const RelaunchOffer& offer) {
        const QString verb = relaunchVerb(offer);
        button->setText(QString(verb).replace(u'&', u"&&"_s));
        button->setAccessibleName(verb);
        button->setToolTip(tr("Opens the launch page and shows what changes in the script"));
    };
    m_relaunch->setVisible(!offers.empty());
    if (!offers.empty()) {
        fill(m_relaunch, offers.front());
    }
    clearLayout(m_alternativeRow);
    m_alternatives->setVisible(offers.size() > 1);
    for (size_t i = 1; i < offers.size(); ++i) {
        auto* button = makeButton({}, ButtonKind::Ordinary);
        fill(button, offers[i]);
        connect(button, &QPushButton::clicked, this,
            [this, offer = offers[i]] { emit relaunchRequested(offer); });
        m_alternativeRow->addWidget(button);
        button->show(); // added to a layout that is shown already
    }
}

void ExplanationCard::showOthers()
{
    clearLayout(m_otherRow);
    m_others->setVisible(m_faults.size() > 1);
    if (m_faults.size() < 2) {
        return;
    }
    auto* also = new TextLabel(tr("Also:"), "second");
    m_otherRow->addWidget(also);
    also->show();
    for (size_t i = 0; i < m_faults.size(); ++i) {
        if (int(i) == m_current) {
            continue;
        }
        auto* other = makeButton(m_faults[i].title, ButtonKind::Link);
        other->setAccessibleName(tr("Also: %1").arg(m_faults[i].title));
        // Queued, because showing another fault deletes the button.
        connect(
            other, &QPushButton::clicked, this,
            [this, i] {
                show(int(i));
                m_evidence->setFocus();
            },
            Qt::QueuedConnection);
        m_otherRow->addWidget(other);
        other->show(); // added to a layout that is shown already
    }
}

} // namespace slipway

#include "moc_explanationcard.cpp"
