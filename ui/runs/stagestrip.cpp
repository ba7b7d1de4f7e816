// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/stagestrip.h"

#include "remote/base/counted.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/text.h"
#include "ui/parts/timeline.h"
#include "ui/parts/words.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// "done, 1:05"
QString stateText(const RunStage& stage, const QDateTime& now)
{
    const TimelinePart part = timelineParts({stage}, now).front();
    const QString word = stateWord(stage.state).word;
    return part.note.isEmpty() ? word : StageStrip::tr("%1, %2").arg(word, part.note);
}

QString signText(StageState state)
{
    switch (state) {
    case StageState::Done:
        return u"✓"_s;
    case StageState::Failed:
        return u"✗"_s;
    case StageState::Cancelled:
        return u"■"_s;
    case StageState::Running:
        return u"…"_s;
    case StageState::Pending:
    case StageState::Skipped:
        break;
    }
    return u"–"_s;
}

} // namespace

StageStrip::StageStrip(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"logStages"_s);
    auto* layout = new FlowLayout(8, this);
    layout->setContentsMargins(0, 0, 0, 0);
    hide();
}

void StageStrip::reset()
{
    m_chosen.clear();
    m_stages.clear();
    m_headers.clear();
    refresh();
}

void StageStrip::setStages(const std::vector<RunStage>& stages, const QDateTime& now)
{
    m_stages = stages;
    m_now = now;
    refresh();
}

void StageStrip::setHeaders(const std::vector<LogHeader>& headers)
{
    if (headers != m_headers) {
        m_headers = headers;
        refresh();
    }
}

void StageStrip::refresh()
{
    m_sections = logSections(m_headers, m_stages);
    if (!hasFoldedStages(m_sections, m_stages)) {
        m_sections.clear();
    }
    m_shown.clear();
    for (const LogSection& one : m_sections) {
        if (std::find(m_shown.begin(), m_shown.end(), one.stage) == m_shown.end()) {
            m_shown.push_back(one.stage);
        }
    }
    while (m_buttons.size() > qsizetype(m_shown.size())) {
        delete m_buttons.takeLast();
    }
    while (m_buttons.size() < qsizetype(m_shown.size())) {
        auto* button = makeButton({}, ButtonKind::Quiet);
        const int place = int(m_buttons.size());
        button->setObjectName(u"logStage%1"_s.arg(place));
        button->setCheckable(true);
        connect(button, &QPushButton::clicked, this, [this, place] { toggle(place); });
        layout()->addWidget(button);
        m_buttons << button;
    }
    for (int place = 0; place < int(m_shown.size()); ++place) {
        showButton(place, m_shown[size_t(place)]);
    }
    setVisible(!m_shown.empty());
    updateFolds();
}

bool StageStrip::isFolded(int stage) const
{
    if (m_chosen.contains(stage)) {
        return m_chosen.value(stage);
    }
    const bool isLast = !m_sections.empty() && m_sections.back().stage == stage;
    return m_stages[size_t(stage)].state == StageState::Done && !isLast;
}

void StageStrip::showButton(int place, int stage)
{
    QPushButton* const button = m_buttons[place];
    const RunStage& of = m_stages[size_t(stage)];
    const bool folded = isFolded(stage);
    const QString state = stateText(of, m_now);
    button->setChecked(!folded);
    button->setText((folded ? u"▸ "_s : u"▾ "_s) % signText(of.state) % u' ' % of.title.left(60)
        % u" · "_s % state);
    button->setAccessibleName(
        (folded ? tr("%1: %2. Its lines are folded.") : tr("%1: %2. Its lines are shown."))
            .arg(of.title, state));
    button->setToolTip(
        folded ? tr("Shows the lines of this stage") : tr("Folds the lines of this stage"));
}

void StageStrip::updateFolds()
{
    std::vector<LogFold> folds;
    for (const LogSection& one : m_sections) {
        if (!isFolded(one.stage) || (one.last > 0 && one.last <= one.first)) {
            continue;
        }
        const QString count = one.last > 0
            ? counted(one.last - one.first, tr("1 line"), tr("%1 lines"))
            : tr("its lines");
        folds.push_back({one.first, one.last, tr("[%1 folded]").arg(count)});
    }
    if (folds != m_folds) {
        m_folds = std::move(folds);
        emit foldsChanged();
    }
}

void StageStrip::toggle(int place)
{
    const int stage = m_shown[size_t(place)];
    const bool fold = !isFolded(stage);
    m_chosen.insert(stage, fold);
    showButton(place, stage);
    updateFolds();
    const auto section = std::find_if(m_sections.begin(), m_sections.end(),
        [stage](const LogSection& one) { return one.stage == stage; });
    if (!fold && section != m_sections.end()) {
        emit lineRequested(section->first);
    }
}

void StageStrip::reveal(qint64 line)
{
    for (const LogSection& one : m_sections) {
        const bool within = line > one.first && (one.last == 0 || line <= one.last);
        if (within && isFolded(one.stage)) {
            m_chosen.insert(one.stage, false);
            refresh();
            return;
        }
    }
}

} // namespace slipway

#include "moc_stagestrip.cpp"
