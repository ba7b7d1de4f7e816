// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runheader.h"

#include "app/runs/runwords.h"
#include "remote/base/quantities.h"
#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/pill.h"
#include "ui/parts/text.h"
#include "ui/parts/words.h"

#include <QTimer>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr auto savedShownFor = std::chrono::seconds(6);

QString timeWords(
    const Run& run, const std::optional<QString>& limitText, bool connected, const QDateTime& now)
{
    const Result<WallTime> limit = WallTime::parse(limitText.value_or(QString()));
    if (run.started.isValid() && run.ended.isValid()) {
        const auto took = std::chrono::seconds(std::max<qint64>(0, run.started.secsTo(run.ended)));
        return RunHeader::tr("took %1").arg(durationText(took));
    }
    if (!limitText && !isTerminal(run.phase)) {
        return RunHeader::tr("time limit unknown");
    }
    if (!connected && !isTerminal(run.phase)) {
        return RunHeader::tr("time limit %1").arg(*limitText); // what is left of it is not known
    }
    if (!run.started.isValid() || isTerminal(run.phase) || !limit.ok() || limit->isUnlimited()) {
        return {};
    }
    const auto gone = runDuration(run, now).value_or(std::chrono::seconds(0));
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
    parts << timeWords(run, facts.timeLimit, facts.connected, now) << foldedPath(run.folder);
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

QString staleText(const QDateTime& asOf, const QDateTime& now)
{
    if (!asOf.isValid()) {
        return RunHeader::tr("Last known state, not connected");
    }
    return RunHeader::tr("State as of %1, not connected").arg(clockText(asOf, now));
}

RunHeader::RunHeader(QWidget* parent)
    : QWidget(parent)
    , m_asOf(new ElidedText)
    , m_connect(makeButton(tr("Connect"), ButtonKind::Primary))
    , m_buttons(new QWidget)
    , m_title(new ElidedText({}, "title"))
    , m_state(new StatePill)
    , m_facts(new ElidedLabel({}, Tint::Second))
    , m_cancel(makeButton(tr("Cancel…")))
    , m_release(makeButton(tr("Release the allocation…"), ButtonKind::Primary))
    , m_fetch(makeButton(tr("Fetch…")))
    , m_report(makeButton(tr("Save report…")))
    , m_folder(makeButton(tr("Open the folder")))
    , m_compare(makeButton(tr("Compare")))
    , m_relaunch(makeButton(tr("Run again")))
    , m_keep(makeButton(tr("Keep as a recipe…")))
    , m_continue(makeButton(tr("Continue"), ButtonKind::Primary))
{
    m_title->setObjectName(u"runTitle"_s);
    m_facts->setObjectName(u"runFacts"_s);
    // Elided where there is no room: its length takes none from the buttons.
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_cancel->setObjectName(u"cancelRun"_s);
    m_release->setObjectName(u"releaseRun"_s);
    m_fetch->setObjectName(u"fetchRun"_s);
    m_report->setObjectName(u"reportRun"_s);
    m_savedFor.setSingleShot(true);
    connect(&m_savedFor, &QTimer::timeout, this, &RunHeader::offerReport);
    offerReport();
    m_compare->setObjectName(u"compareRun"_s);
    m_compare->setAccessibleName(tr("Compare the lanes of this run, or this run with others"));
    m_relaunch->setObjectName(u"runAgain"_s);
    m_keep->setObjectName(u"keepRun"_s);
    m_continue->setObjectName(u"continueRun"_s);
    m_continue->setAccessibleName(tr("Continue from the checkpoints of this run"));
    auto* back = makeButton(tr("‹ Runs"), ButtonKind::Quiet);
    back->setAccessibleName(tr("Back to all runs"));
    back->setObjectName(u"backToRuns"_s);
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(back);
    top->addWidget(m_title);
    top->addWidget(m_state);
    top->addStretch();
    m_stale = makeStale();
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addLayout(top);
    words->addWidget(m_facts);
    words->addWidget(m_stale);
    auto* row = new FlowLayout(8, m_buttons);
    for (QPushButton* button : {m_continue, m_release, m_folder, m_fetch, m_report, m_keep,
             m_compare, m_relaunch, m_cancel}) {
        row->addWidget(button);
    }
    m_parts = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_parts->setContentsMargins(0, 0, 0, 0);
    m_parts->setSpacing(8);
    m_parts->addLayout(words, 1);
    m_parts->addWidget(m_buttons);
    connect(back, &QPushButton::clicked, this, &RunHeader::backRequested);
    connectButtons();
}

QWidget* RunHeader::makeStale()
{
    auto* stale = new QWidget;
    m_asOf->setObjectName(u"runAsOf"_s);
    m_asOf->setTint(Tint::Warning);
    m_connect->setObjectName(u"connectRun"_s);
    auto* row = new QHBoxLayout(stale);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(new SignMark(Sign::Bang, Tint::Warning));
    row->addWidget(m_asOf);
    row->addWidget(m_connect);
    row->addStretch();
    stale->hide();
    return stale;
}

void RunHeader::connectButtons()
{
    connect(m_cancel, &QPushButton::clicked, this, &RunHeader::cancelRequested);
    connect(m_release, &QPushButton::clicked, this, &RunHeader::releaseRequested);
    connect(m_fetch, &QPushButton::clicked, this, &RunHeader::fetchRequested);
    connect(m_report, &QPushButton::clicked, this, &RunHeader::reportRequested);
    connect(m_folder, &QPushButton::clicked, this, &RunHeader::openFolderRequested);
    connect(m_compare, &QPushButton::clicked, this, &RunHeader::compareRequested);
    connect(m_relaunch, &QPushButton::clicked, this, &RunHeader::relaunchRequested);
    connect(m_keep, &QPushButton::clicked, this, &RunHeader::keepRequested);
    connect(m_continue, &QPushButton::clicked, this, &RunHeader::continueRequested);
    connect(m_connect, &QPushButton::clicked, this, &RunHeader::connectRequested);
}

void RunHeader::setRun(const Run& run, const RunFacts& facts)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const StateWord state = stateWord(run.phase);
    const bool stale = !facts.connected && !isTerminal(run.phase);
    m_title->setText(runTitle(run));
    m_state->setState(state);
    m_asOf->setText(staleText(facts.asOf, now));
    m_stale->setVisible(stale);
    announce(m_title,
        stale ? tr("%1: %2. %3").arg(runTitle(run), state.word, m_asOf->text())
              : tr("%1: %2").arg(runTitle(run), state.word));
    m_facts->setText(factsLine(run, facts, now));
    showButtons(run, facts);
    place();
}

void RunHeader::showButtons(const Run& run, const RunFacts& facts)
{
    const bool ended = isTerminal(run.phase);
    const bool kept = run.phase == RunPhase::Allocated;
    const bool allocation = run.spec.mode == LaunchMode::Interactive;
    const QString connectFirst = facts.connected ? QString() : tr("Connect to the site first");
    m_release->setVisible(kept);
    m_cancel->setVisible(!ended && !kept);
    m_fetch->setVisible(ended || (allocation && kept));
    m_cancel->setEnabled(facts.connected);
    m_release->setEnabled(facts.connected);
    m_fetch->setEnabled(facts.connected && !run.folder.isEmpty());
    for (QPushButton* button : {m_cancel, m_release, m_fetch}) {
        button->setToolTip(connectFirst);
    }
    m_folder->setVisible(!run.fetchedTo.isEmpty());
    m_compare->setVisible(run.started.isValid()); // also while it runs: the page is live
    m_relaunch->setVisible(ended || kept);
    m_keep->setVisible(run.phase == RunPhase::Done || kept); // what worked
    m_continue->setVisible(facts.canContinue);
    m_continue->setEnabled(facts.connected);
    m_continue->setToolTip(!facts.connected ? connectFirst
            : ended ? tr("Submits a job that goes on from the checkpoints of this run")
                    : tr("Submits a job that starts when this one has ended, and goes on from its "
                         "checkpoints"));
}

void RunHeader::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void RunHeader::place()
{
    const int leastForFacts = fontMetrics().averageCharWidth() * 40;
    const int words = std::max(leastForFacts, m_parts->itemAt(0)->sizeHint().width());
    const bool beside = words + m_parts->spacing() + m_buttons->sizeHint().width() <= width();
    m_parts->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void RunHeader::offerReport()
{
    m_report->setText(tr("Save report…"));
    m_report->setAccessibleName(tr("Save this run as an HTML file to hand on"));
    m_report->setToolTip(m_report->accessibleName());
}

void RunHeader::showReportSaved(const QString& path)
{
    m_report->setText(tr("Report saved"));
    m_report->setToolTip(plainToolTip(path));
    announce(m_report, tr("The report was saved as %1.").arg(path));
    m_savedFor.start(savedShownFor);
}

} // namespace slipway

#include "moc_runheader.cpp"
