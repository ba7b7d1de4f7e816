// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/imagelines.h"

#include "app/plan/planfacts.h"
#include "ui/images/imagewords.h"
#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr auto settled = std::chrono::milliseconds(700);
constexpr auto renewal = std::chrono::minutes(1);
constexpr int mostImageSentence = 500;

/// Only what a registry confirmed has a check mark.
StateWord signOf(const LaunchImageState& state, ImageAnswer::State answer)
{
    switch (state.standing) {
    case ImageStanding::Ok:
        return {Sign::Check, {}, Tint::Done};
    case ImageStanding::Warning:
        return {Sign::Bang, {}, Tint::Warning};
    case ImageStanding::Error:
        return {Sign::Cross, {}, Tint::Error};
    case ImageStanding::Unknown:
        break;
    }
    return {answer == ImageAnswer::State::Asking ? Sign::Clock : Sign::Query, {}, Tint::Second};
}

} // namespace

ImageLines::ImageLines(LaunchDraft* draft, QWidget* parent)
    : QWidget(parent)
    , m_draft(draft)
    , m_rows(new QVBoxLayout(this))
{
    setObjectName(u"imageLines"_s);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(6);
    hide();
    m_settle.setSingleShot(true);
    m_settle.setInterval(settled);
    m_renew.setInterval(renewal);
    m_renew.start();
    connect(&m_settle, &QTimer::timeout, this, &ImageLines::ask);
    connect(&m_renew, &QTimer::timeout, this, [this] {
        if (isVisible()) { // else nobody sees what is old
            ask();
        }
    });
    connect(draft, &LaunchDraft::planned, this, [this] {
        showKnown();
        m_settle.start();
    });
    connect(
        draft->engine()->imageCheck(), &ImageCheck::changed, this, [this](const QString& siteId) {
            if (siteId != m_draft->spec().siteId) {
                return;
            }
            showKnown();
            const auto all = lines();
            const bool isOpen = std::any_of(all.begin(), all.end(),
                [](const Line& line) { return line.answer == ImageAnswer::State::Unasked; });
            if (isOpen) {
                m_settle.start(); // the site has connected: it knows more now
            }
            if (m_draft->plan().values.value(u"pin"_s) == u"true"_s) {
                m_draft->planSoon(); // with the digest
            }
        });
}

std::vector<ImageLines::Line> ImageLines::lines() const
{
    std::vector<Line> all;
    const ImageCheck* const check = m_draft->engine()->imageCheck();
    const Plan& plan = m_draft->plan();
    if (!check->isEnabled() || !plan.site.launchable()) {
        return all;
    }
    const bool hasGpu = jobHasGpu(plan, m_draft->clusterInfo());
    for (const LaunchImage& one : launchImages(plan)) {
        const ImageAnswer answer = check->answer(plan.spec.siteId, one.image);
        all.push_back({one.field, one.label, plan.spec.siteId, one.image, answer.state,
            judgeForLaunch(answer, plan.job.partition, hasGpu)});
    }
    return all;
}

void ImageLines::ask()
{
    ImageCheck* const check = m_draft->engine()->imageCheck();
    for (const Line& line : lines()) {
        check->ask(line.siteId, line.image);
    }
}

void ImageLines::showKnown()
{
    const std::vector<Line> all = lines();
    QStringList now, said, answeredFields;
    m_objections.clear();
    for (const Line& line : all) {
        const LaunchImageState& state = line.state;
        said << state.sentence;
        now << line.field % u'\n' % line.image.text() % u'\n' % imageStandingName(state.standing)
                % state.sentence % state.instead.join(u' ');
        if (state.standing == ImageStanding::Error) {
            m_objections << state.sentence;
        }
        if (line.answer == ImageAnswer::State::Exists
            || line.answer == ImageAnswer::State::Missing) {
            answeredFields << line.field;
        }
    }
    if (now != m_shown) { // else the focus stays on the buttons
        m_shown = now;
        clearLayout(m_rows);
        for (const Line& line : all) {
            m_rows->addWidget(makeRow(line));
        }
        setVisible(!all.empty());
        announce(this, said.join(u' '));
    }
    if (answeredFields != m_answered) {
        m_answered = answeredFields;
        emit answered(m_answered);
    }
}

QWidget* ImageLines::makeRow(const Line& line)
{
    const StateWord sign = signOf(line.state, line.answer);
    auto* row = new QWidget;
    row->setObjectName(u"imageLine"_s);
    row->setProperty("standing", imageStandingName(line.state.standing));
    auto* beside = new QHBoxLayout(row);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(8);
    beside->addWidget(new SignMark(sign.sign, sign.tint), 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    auto* sentence = TextLabel::paragraph(
        tr("%1: %2").arg(line.label, shownText(line.state.sentence, mostImageSentence)));
    sentence->setObjectName(u"imageSentence"_s);
    words->addWidget(sentence);
    auto* actions = new QWidget;
    auto* flow = new FlowLayout(12, actions);
    const QString field = line.field, siteId = line.siteId, reference = line.image.text();
    if (!line.state.instead.isEmpty()) {
        const QString value = line.state.instead.first();
        auto* use = makeButton(tr("Use %1").arg(value.section(u'/', -1)), ButtonKind::Link);
        use->setObjectName(u"useNearest"_s);
        use->setProperty("fix", field);
        connect(use, &QPushButton::clicked, this,
            [this, field, value] { emit fixRequested(field, value); });
        flow->addWidget(use);
    }
    auto* inspect = makeButton(tr("Inspect…"), ButtonKind::Link);
    inspect->setObjectName(u"inspectImage"_s);
    inspect->setAccessibleName(tr("Inspect %1").arg(shownText(reference, 120)));
    inspect->setToolTip(tr("Opens the page Images with this image"));
    connect(inspect, &QPushButton::clicked, this,
        [this, siteId, reference] { emit inspectRequested(siteId, reference); });
    inspect->setVisible(line.answer != ImageAnswer::State::File);
    flow->addWidget(inspect);
    actions->setVisible(line.answer != ImageAnswer::State::File);
    words->addWidget(actions);
    beside->addLayout(words, 1);
    return row;
}

} // namespace slipway

#include "moc_imagelines.cpp"
