// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runheader.h"

#include "remote/base/quantities.h"
#include "ui/parts/announce.h"
#include "ui/parts/pill.h"
#include "ui/parts/text.h"
#include "ui/parts/words.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QString timeWords(const Run& run, const std::optional<QString>& limitText, const QDateTime& now)
{
    const Result<WallTime> limit = WallTime::parse(limitText.value_or(QString()));
    if (run.started.isValid() && run.ended.isValid()) {
        const auto took = std::chrono::seconds(std::max<qint64>(0, run.started.secsTo(run.ended)));
        return RunHeader::tr("took %1").arg(durationText(took));
    }
    if (!limitText && !isTerminal(run.phase)) {
        return RunHeader::tr("time limit unknown");
    }
    if (!run.started.isValid() || isTerminal(run.phase) || !limit.ok() || limit->isUnlimited()) {
        return {};
    }
    const auto gone = std::chrono::seconds(run.started.secsTo(now));
    const auto left = std::max(std::chrono::seconds(0), limit->seconds() - gone);
    return RunHeader::tr("%1 left of %2").arg(durationText(left), durationText(limit->seconds()));
}

} // namespace

QString factsLine(const Run& run, const RunFacts& facts, const QDateTime& now)
{
    QStringList parts;
    if (run.job.isValid()) {
        parts << RunHeader::tr("job %1").arg(run.job.text);
    }
    parts << facts.siteName << facts.partition.value_or(RunHeader::tr("partition unknown"));
    if (!run.nodeList.isEmpty()) {
        parts << RunHeader::tr("node %1").arg(run.nodeList);
    }
    parts << timeWords(run, facts.timeLimit, now) << foldedPath(run.folder);
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

RunHeader::RunHeader(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel({}, "title"))
    , m_state(new StatePill)
    , m_facts(new ElidedLabel({}, Tint::Second))
    , m_cancel(makeButton(tr("Cancel…")))
    , m_release(makeButton(tr("Release the allocation…"), ButtonKind::Primary))
    , m_fetch(makeButton(tr("Fetch…")))
    , m_folder(makeButton(tr("Open the folder")))
    , m_compare(makeButton(tr("Compare")))
    , m_relaunch(makeButton(tr("Run again")))
{
    m_title->setObjectName(u"runTitle"_s);
    m_facts->setObjectName(u"runFacts"_s);
    m_cancel->setObjectName(u"cancelRun"_s);
    m_release->setObjectName(u"releaseRun"_s);
    m_fetch->setObjectName(u"fetchRun"_s);
    m_compare->setObjectName(u"compareRun"_s);
    m_compare->setAccessibleName(tr("Compare the lanes of this run, or this run with others"));
    m_relaunch->setObjectName(u"runAgain"_s);
    auto* back = makeButton(tr("‹ Runs"), ButtonKind::Quiet);
    back->setAccessibleName(tr("Back to all runs"));
    back->setObjectName(u"backToRuns"_s);
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(back);
    top->addWidget(m_title);
    top->addWidget(m_state);
    top->addStretch();
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addLayout(top);
    words->addWidget(m_facts);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(words, 1);
    for (QPushButton* button : {m_release, m_folder, m_fetch, m_compare, m_relaunch, m_cancel}) {
        layout->addWidget(button);
    }
    connect(back, &QPushButton::clicked, this, &RunHeader::backRequested);
    connect(m_cancel, &QPushButton::clicked, this, &RunHeader::cancelRequested);
    connect(m_release, &QPushButton::clicked, this, &RunHeader::releaseRequested);
    connect(m_fetch, &QPushButton::clicked, this, &RunHeader::fetchRequested);
    connect(m_folder, &QPushButton::clicked, this, &RunHeader::openFolderRequested);
    connect(m_compare, &QPushButton::clicked, this, &RunHeader::compareRequested);
    connect(m_relaunch, &QPushButton::clicked, this, &RunHeader::relaunchRequested);
}

void RunHeader::setRun(const Run& run, const RunFacts& facts)
{
    const bool ended = isTerminal(run.phase);
    const bool allocation = run.spec.mode == LaunchMode::Interactive;
    m_title->setText(runTitle(run));
    const StateWord state = stateWord(run.phase);
    m_state->setState(state);
    announce(m_title, tr("%1: %2").arg(runTitle(run), state.word));
    m_facts->setText(factsLine(run, facts, QDateTime::currentDateTimeUtc()));
    m_release->setVisible(run.phase == RunPhase::Allocated);
    m_cancel->setVisible(!ended && run.phase != RunPhase::Allocated);
    m_cancel->setEnabled(facts.connected);
    m_release->setEnabled(facts.connected);
    m_cancel->setToolTip(facts.connected ? QString() : tr("Connect to the site first"));
    m_fetch->setVisible(ended || (allocation && run.phase == RunPhase::Allocated));
    m_fetch->setEnabled(facts.connected && !run.folder.isEmpty());
    m_fetch->setToolTip(facts.connected ? QString() : tr("Connect to the site first"));
    m_folder->setVisible(!run.fetchedTo.isEmpty());
    m_compare->setVisible(run.started.isValid()); // also while it runs: the page is live
    m_relaunch->setVisible(ended);
}

} // namespace slipway

#include "moc_runheader.cpp"
