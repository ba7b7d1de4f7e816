// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/follow.h"

#include "app/cli/interrupts.h"
#include "app/cli/jsonobjects.h"
#include "app/cli/problems.h"
#include "app/runs/runjson.h"
#include "plots/metrics/chartparts.h"
#include "plots/metrics/summary.h"
#include "remote/base/tr.h"

#include <QElapsedTimer>
#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

// ms in which nothing was left to read: then the rest of the log is taken to be unreadable.
constexpr int longestCatchUp = 15'000;
constexpr std::size_t mostRows = 40; // of a result table in a terminal

QString phaseLine(const Run& run)
{
    return QStringLiteral("%1 %2: %3").arg(run.id, phaseName(run.phase), run.sentence);
}

QString siteOf(Context& context, const QString& runId)
{
    const std::optional<Run> run = context.engine().runs()->run(runId);
    return run ? run->spec.siteId : QString();
}

} // namespace

Follower::Follower(Context& context, QString runId, OwnLines ownLines)
    : m_context(context)
    , m_runId(std::move(runId))
    , m_feed(context.engine().runs()->feed(m_runId))
    , m_ownLines(ownLines)
    , m_connection(context, siteOf(context, m_runId), tr("The job continues."))
{
    context.engine().runs()->setShownRuns({m_runId});
    connect(context.engine().runs(), &Runs::runChanged, this, [this](const QString& id) {
        if (id == m_runId)
            m_waiter.wake();
    });
    connect(context.engine().sessions(), &Sessions::connectionChanged, this,
        [this] { m_waiter.wake(); });
    connect(&context.interrupts(), &Interrupts::interrupted, this, [this] { m_waiter.wake(); });
    if (!m_feed)
        return;
    connect(m_feed, &RunFeed::linesAppended, this, [this] { m_waiter.wake(); });
    connect(m_feed, &RunFeed::liveChanged, this, [this] { m_waiter.wake(); });
}

void Follower::printNew()
{
    if (!m_feed || m_ownLines == OwnLines::Nothing)
        return;
    const QStringList& lines = m_feed->lines();
    for (qint64 i = std::max<qint64>(0, m_nextLine - m_feed->firstLine()); i < lines.size(); ++i) {
        if (m_context.out.json)
            m_context.out.object({{QStringLiteral("run"), m_runId},
                {QStringLiteral("line"), m_feed->firstLine() + i},
                {QStringLiteral("log"), lines.at(i)}});
        else if (m_ownLines == OwnLines::Shown || !lines.at(i).startsWith(u"@slipway "))
            m_context.out.line(terminalText(lines.at(i)));
    }
    m_nextLine = m_feed->firstLine() + lines.size();
}

void Follower::reportPhase()
{
    const std::optional<Run> run = m_context.engine().runs()->run(m_runId);
    if (!run || run->sentence == m_printedSentence || isTerminal(run->phase))
        return;
    m_printedSentence = run->sentence;
    if (m_context.out.json) {
        QJsonObject object{{QStringLiteral("run"), m_runId},
            {QStringLiteral("phase"), phaseName(run->phase)},
            {QStringLiteral("job"), run->job.text}, {QStringLiteral("sentence"), run->sentence}};
        if (run->pull)
            object.insert(QStringLiteral("pull"), pullObject(*run->pull));
        m_context.out.object(object);
    } else
        m_context.out.progress(phaseLine(*run));
}

/// How it ended is known before its last numbers are here.
void Follower::reportEnd()
{
    const std::optional<Run> run = m_context.engine().runs()->run(m_runId);
    if (run && isTerminal(run->phase) && !m_context.engine().runs()->isSettled(m_runId)
        && !m_context.out.json)
        m_context.out.progress(phaseLine(*run));
}

bool Follower::ended() const
{
    const std::optional<Run> run = m_context.engine().runs()->run(m_runId);
    // Waits for nodes that are about to be released; after an error, the command releases them.
    return !run || isTerminal(run->phase)
        || (run->phase == RunPhase::Allocated && (!run->spec.releaseAtEnd || run->error));
}

bool Follower::caughtUp() const
{
    const std::optional<Run> run = m_context.engine().runs()->run(m_runId);
    if (!run || !m_feed)
        return true;
    const bool whole = !m_feed->live() || run->phase == RunPhase::Allocated;
    const bool numbersCame =
        !isTerminal(run->phase) || m_context.engine().runs()->isSettled(m_runId);
    return whole && numbersCame && m_feed->bytes() >= run->logBytes;
}

QCoro::Task<Follower::End> Follower::untilEnd()
{
    while (!ended()) {
        printNew();
        reportPhase();
        if (Interrupts::pending())
            co_return End::Interrupted;
        m_connection.report();
        const bool goesOn = co_await m_connection.mayGoOn();
        if (!goesOn)
            co_return End::Lost;
        co_await m_waiter.wait(std::chrono::milliseconds(1000));
    }
    reportEnd();
    co_await untilCaughtUp();
    co_return Interrupts::pending() ? End::Interrupted : End::Ended;
}

QCoro::Task<void> Follower::untilCaughtUp()
{
    QElapsedTimer clock;
    clock.start();
    do {
        printNew();
        if (Interrupts::pending())
            co_return;
        co_await m_waiter.wait(std::chrono::milliseconds(50)); // more than a frame of the feed
        // However long a slow computer takes, the log is read to its end.
        if (m_feed && !m_feed->isCaughtUp())
            clock.restart();
    } while (!caughtUp() && clock.elapsed() < longestCatchUp);
    printNew();
}

void printResumeHint(Context& context, const QString& runId)
{
    context.out.note(tr("Resume: slipway-cli log %1 --follow").arg(runId));
    context.out.note(tr("Cancel: slipway-cli cancel %1").arg(runId));
}

ExitCode printLeaving(Context& context, const QString& runId, Follower::End end)
{
    const std::optional<Run> run = context.engine().runs()->run(runId);
    const bool lost = end == Follower::End::Lost;
    const ConnectionState line =
        context.engine().sessions()->connection(run ? run->spec.siteId : QString());
    if (context.out.json) {
        context.out.object({{QStringLiteral("run"), runId}, {QStringLiteral("detached"), true},
            {QStringLiteral("lost"), lost}});
        return lost ? ExitCode::Connection : ExitCode::Interrupted;
    }
    if (lost) {
        context.out.note(tr("The connection was lost (%1). The job continues.")
                             .arg(terminalText(line.error ? line.error->summary : line.sentence)));
    } else {
        context.out.note(tr("Detached. The job continues."));
    }
    printResumeHint(context, runId);
    return lost ? ExitCode::Connection : ExitCode::Interrupted;
}

QCoro::Task<ExitCode> releaseAtEnd(Context& context, QString runId, ExitCode code)
{
    const Run run = *context.engine().runs()->run(runId);
    if (!run.spec.releaseAtEnd || run.spec.mode != LaunchMode::Interactive)
        co_return code;
    if (run.phase == RunPhase::Allocated) {
        const Result<void> released = co_await context.engine().runs()->release(runId);
        if (!released.ok())
            co_return context.fail(released.error());
    }
    if (run.job.isValid())
        context.out.note(tr("The allocation was released."));
    co_return code;
}

void printResults(Context& context, const Run& run)
{
    if (const RunFeed* const feed = context.engine().runs()->feed(run.id))
        printResults(context, run, feed->series());
}

void printResults(Context& context, const Run& run, const SeriesStore& store)
{
    if (store.empty())
        return;
    if (context.out.json) {
        for (const auto& series : store.all()) {
            if (series->isFromNode())
                continue; // one point per second; “node” reports on the node
            for (std::size_t i = 0; i < series->size(); ++i) {
                const SeriesPoint point = series->at(i);
                QJsonObject object = sampleObject({series->series(), series->lane(), point.x,
                    series->xName(), point.y, series->unit(), point.low, point.high, 0});
                object.remove(QStringLiteral("line"));
                context.out.object(object);
            }
        }
        return;
    }
    const bool isKnown = context.engine().catalogue()->recipe(run.spec.recipeId);
    std::vector<ChartSpec> charts;
    for (const ChartSpec& chart :
        isKnown ? context.engine().runs()->reading(run.id).charts : std::vector<ChartSpec>{{}}) {
        const std::vector<ChartSpec> parts = chartParts(chart, store);
        charts.insert(charts.end(), parts.begin(), parts.end());
    }
    for (const ChartSpec& chart : charts) {
        const ChartTable table = chartTable(chart, store, mostRows);
        if (table.rows.empty())
            continue;
        context.out.line();
        if (!chart.title.isEmpty())
            context.out.line(chart.title);
        context.out.table(table.header, table.rows);
    }
}

namespace {

/// Whether the nodes stay allocated after this command, until the user releases them.
bool keepsNodes(const Run& run)
{
    return run.phase == RunPhase::Allocated && !run.spec.releaseAtEnd;
}

} // namespace

QJsonObject shellObject(const ShellLines& lines)
{
    QJsonObject object;
    for (const auto& [key, line] : {std::pair("from_here", lines.fromHere),
             std::pair("on_login", lines.onLogin), std::pair("in_container", lines.inContainer)}) {
        if (!line.isEmpty())
            object.insert(QLatin1String(key), line);
    }
    return object;
}

void printShell(Context& context, const QString& runId)
{
    const ShellLines lines = context.engine().runs()->shellLines(runId);
    const std::pair<QString, QString> places[] = {{tr("from this computer"), lines.fromHere},
        {tr("from the login node"), lines.onLogin},
        {tr("from the login node, in the container"), lines.inContainer}};
    for (const auto& [place, line] : places) {
        if (line.isEmpty())
            continue;
        context.out.line(tr("Shell on these nodes, %1:").arg(place));
        context.out.line(u"    " + terminalText(line));
    }
}

RunFinding findingOf(Context& context, const Run& run)
{
    return runFinding(run, context.engine().catalogue()->recipe(run.spec.recipeId),
        context.engine().runs()->feed(run.id));
}

void insertFinding(QJsonObject& object, const RunFinding& finding)
{
    if (!finding.answer.isEmpty())
        object.insert(QStringLiteral("finding"), finding.answer);
    if (!finding.doubts.isEmpty())
        object.insert(QStringLiteral("doubts"), QJsonArray::fromStringList(finding.doubts));
}

ExitCode printEnding(Context& context, const Run& run)
{
    // An interactive run keeps its nodes even if a step failed: the stages show the result.
    const bool stepsFailed = std::any_of(run.stages.begin(), run.stages.end(),
        [](const RunStage& stage) { return stage.state == StageState::Failed; });
    const bool good = run.phase == RunPhase::Done
        || (run.phase == RunPhase::Allocated && !stepsFailed && run.exitCode.value_or(0) == 0);
    if (context.out.json) {
        QJsonObject object{{QStringLiteral("run"), run.id},
            {QStringLiteral("phase"), phaseName(run.phase)},
            {QStringLiteral("sentence"), run.sentence}, {QStringLiteral("folder"), run.folder}};
        if (run.exitCode)
            object.insert(QStringLiteral("exit_code"), *run.exitCode);
        if (run.error)
            object.insert(QStringLiteral("error"), run.error->text());
        insertFinding(object, findingOf(context, run));
        if (!run.explanations.empty())
            object.insert(QStringLiteral("explanations"), explanationObjects(run));
        if (const QJsonObject shell = keepsNodes(run)
                ? shellObject(context.engine().runs()->shellLines(run.id))
                : QJsonObject();
            !shell.isEmpty())
            object.insert(QStringLiteral("shell"), shell);
        context.out.object(object);
    } else {
        context.out.line();
        context.out.line(tr("Run %1: %2").arg(run.id, terminalText(run.sentence)));
        const RunFinding finding = findingOf(context, run);
        if (!finding.answer.isEmpty())
            context.out.line(terminalText(finding.answer));
        for (const QString& doubt : finding.doubts)
            context.out.note(terminalText(doubt));
        if (!good && run.error) {
            // The detail is the end of the log, which was already printed.
            for (const QString& line : {run.error->summary, run.error->remedy}) {
                if (!line.isEmpty() && line != run.sentence)
                    context.out.note(line);
            }
        }
        printExplanations(context, run, Explanation::Severity::Fault);
        if (keepsNodes(run)) {
            printShell(context, run.id);
            context.out.line(tr("Release the nodes: slipway-cli cancel %1").arg(run.id));
        }
    }
    if (good)
        return ExitCode::Done;
    return run.error && run.error->kind == ErrorKind::Refused ? ExitCode::Refused
                                                              : ExitCode::Failed;
}

} // namespace slipway
