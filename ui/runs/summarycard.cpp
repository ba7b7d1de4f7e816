// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/summarycard.h"

#include "remote/container/runtime.h"
#include "ui/parts/announce.h"
#include "ui/parts/words.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t mostEvents = 6;

WordLine eventLine(const MetricEvent& event)
{
    if (event.event == u"failed"_s) {
        return {Sign::Cross, Tint::Error, event.text};
    }
    if (event.event == u"warning"_s || event.event == u"no_device"_s
        || event.event == u"mpi-not-connected"_s) {
        return {Sign::Bang, Tint::Warning, event.text};
    }
    const bool good =
        event.event == u"device"_s || event.event == u"artifact"_s || event.event == u"done"_s;
    return good ? WordLine{Sign::Check, Tint::Done, event.text}
                : WordLine{Sign::Ring, Tint::Second, event.text}; // neither good nor bad
}

/// The card of the failure shows its line.
bool isExplained(const MetricEvent& event, const std::vector<Explanation>& explanations)
{
    return event.event == u"failed"_s
        && std::any_of(explanations.begin(), explanations.end(), [&](const Explanation& one) {
               return one.severity == Explanation::Severity::Fault && one.line == event.line
                   && one.line > 0;
           });
}

} // namespace

std::vector<WordLine> findingLines(const RunFinding& finding, RunPhase phase)
{
    std::vector<WordLine> lines;
    if (!finding.answer.isEmpty()) {
        const StateWord state = stateWord(phase);
        lines.push_back({state.sign, state.tint, finding.answer, {}, {}, true});
    }
    if (!finding.progress.isEmpty()) {
        lines.push_back({Sign::Clock, Tint::Running, finding.progress});
    }
    for (const QString& doubt : finding.doubts) {
        lines.push_back({Sign::Bang, Tint::Warning, doubt});
    }
    return lines;
}

std::vector<WordLine> wordLines(const Run& run, const std::vector<MetricEvent>& events,
    const std::vector<Explanation>& explanations)
{
    std::vector<WordLine> lines;
    const StateWord state = stateWord(run.phase);
    QString sentence = run.sentence.isEmpty() ? state.word : run.sentence;
    if (run.error && sentence.startsWith(run.error->summary)) {
        sentence = sentence.mid(run.error->summary.size()).trimmed();
    }
    if (!sentence.isEmpty()) {
        lines.push_back({state.sign, state.tint, sentence});
    }
    if (run.exitCode && *run.exitCode != 0) {
        lines.push_back(
            {Sign::Cross, Tint::Error, SummaryCard::tr("Exit code %1").arg(*run.exitCode)});
    }
    std::vector<WordLine> reported;
    for (auto event = events.rbegin(); event != events.rend() && reported.size() < mostEvents;
         ++event) {
        if (event->event == u"running"_s || event->text.isEmpty()
            || isExplained(*event, explanations)) {
            continue;
        }
        const WordLine line = eventLine(*event);
        if (std::find(reported.begin(), reported.end(), line) == reported.end()) {
            reported.push_back(line);
        }
    }
    lines.insert(lines.end(), reported.rbegin(), reported.rend());
    for (const Explanation& one : explanations) {
        if (one.severity == Explanation::Severity::Note) {
            lines.push_back(
                {Sign::Ring, Tint::Second, SummaryCard::tr("%1. %2").arg(one.title, one.cause)});
        }
    }
    if (!run.imageDigest.isEmpty()) {
        lines.push_back({Sign::Ring, Tint::Second,
            SummaryCard::tr("Image digest %1").arg(shortDigest(run.imageDigest)),
            SummaryCard::tr("Copy"), {}, false, run.imageDigest});
    }
    if (!run.registryDigest.isEmpty()) {
        lines.push_back({Sign::Ring, Tint::Second,
            SummaryCard::tr("In the registry at the launch: %1")
                .arg(shortDigest(run.registryDigest)),
            SummaryCard::tr("Copy"), {}, false, run.registryDigest});
    }
    return lines;
}

SummaryCard::SummaryCard(QWidget* parent)
    : QFrame(parent)
    , m_rows(new QVBoxLayout)
    , m_age(new TextLabel({}, "second"))
{
    setCardKind(this, "true");
    setObjectName(u"summaryCard"_s);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(6);
    auto* page = new QWidget;
    page->setProperty("page", true);
    auto* inside = new QVBoxLayout(page);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->addLayout(m_rows);
    inside->addWidget(m_age);
    inside->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(new TextLabel(tr("Summary"), "heading"));
    layout->addWidget(scroll, 1);
}

void SummaryCard::setLines(const std::vector<WordLine>& lines)
{
    if (lines == m_lines) {
        return;
    }
    // Text that changes every second is replaced in place, so that a link keeps the focus.
    const bool inPlace = std::equal(lines.begin(), lines.end(), m_lines.begin(), m_lines.end(),
        [](const WordLine& a, const WordLine& b) {
            return a.link == b.link && a.target == b.target && a.strong == b.strong
                && a.copied == b.copied;
        });
    for (size_t i = 0; inPlace && i < lines.size(); ++i) {
        m_shown[i].first->set(lines[i].sign, lines[i].tint);
        m_shown[i].second->setText(lines[i].text);
    }
    m_lines = lines;
    if (inPlace) {
        return;
    }
    clearLayout(m_rows);
    m_shown.clear();
    for (const WordLine& line : lines) {
        addRow(line);
    }
}

void SummaryCard::addRow(const WordLine& line)
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_shown.emplace_back(new SignMark(line.sign, line.tint),
        TextLabel::paragraph(line.text, line.strong ? "strong" : nullptr));
    layout->addWidget(m_shown.back().first, 0, Qt::AlignTop);
    layout->addWidget(m_shown.back().second, 1);
    if (!line.link.isEmpty()) {
        auto* link = makeButton(line.link, ButtonKind::Link);
        link->setAccessibleName(tr("%1: %2").arg(line.link, line.text));
        if (!line.copied.isEmpty()) {
            link->setToolTip(plainToolTip(line.copied));
            connect(link, &QPushButton::clicked, this, [link, text = line.copied] {
                QGuiApplication::clipboard()->setText(text);
                link->setText(tr("Copied"));
                announce(link, tr("Copied: %1").arg(text));
            });
        } else {
            // Queued, because the button is deleted when the lines change.
            connect(
                link, &QPushButton::clicked, this,
                [this, target = line.target] { emit linkRequested(target); }, Qt::QueuedConnection);
        }
        layout->addWidget(link, 0, Qt::AlignTop);
    }
    m_rows->addWidget(row);
}

QSize SummaryCard::sizeHint() const
{
    // More lines scroll: a card that grows would push the log off the page.
    const QSize wanted = QFrame::sizeHint();
    return {wanted.width(), std::min(wanted.height(), 11 * fontMetrics().lineSpacing())};
}

void SummaryCard::setAge(const QString& text)
{
    m_age->setText(text);
    m_age->setVisible(!text.isEmpty());
}

} // namespace slipway

#include "moc_summarycard.cpp"
