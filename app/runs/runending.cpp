// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runending.h"

#include "app/explain/logpass.h"
#include "app/plan/checksteps.h"
#include "app/runs/interactivesteps.h"
#include "app/runs/logreading.h"
#include "app/runs/privatefiles.h"
#include "app/runs/runmeasures.h"
#include "app/runs/runwords.h"
#include "app/runs/sampletimes.h"
#include "remote/base/counted.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"
#include "remote/cluster/worker.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QSet>

#include <algorithm>
#include <functional>

namespace slipway {

using namespace std::chrono_literals;

namespace {

constexpr qint64 largestResult = 20 * 1024 * 1024;
constexpr qint64 largestResults = 100 * 1024 * 1024;
constexpr int mostNodeFaults = 3;

/// A failed node check is a cause as well, where the run failed: after what the log itself shows.
void addNodeFaults(const NodeReport& report, std::vector<Explanation>* explanations)
{
    int count = 0;
    for (const CheckRow& row : report.rows) {
        if (row.state != CheckState::Fail || row.why.isEmpty() || ++count > mostNodeFaults)
            continue;
        Explanation one;
        one.id = u"node." + row.id;
        one.evidence = QStringList{row.node, row.where, row.value}.join(QStringLiteral(", "));
        one.evidence.truncate(Explainer::longestEvidence);
        one.title = checkTitle(row.id);
        one.cause = row.why;
        one.remedy = row.fix;
        explanations->push_back(std::move(one));
    }
}

constexpr int looksForNote = 6;

/// The job's exit record. If it is absent, it is read again: a shared file system may show it late.
QCoro::Task<Result<ExitNote>> readExitNote(RunFlow flow)
{
    const auto record = flow.record;
    const RunFolder there(flow.cluster->shell(), record->run.folder);
    const std::function ask = [there] { return there.readLastExit(); };
    // A job that marked its steps also writes an exit record.
    const int looks = record->isInteractive() ? 1
        : !record->marks.empty()              ? looksForNote
        : record->run.started.isValid()       ? 2
                                              : 1;
    for (int look = 1;; ++look) {
        const auto note = co_await repeated<ExitNote>(flow, ask);
        if (flow.over())
            co_return connectionGone();
        if (!note.ok() || note->record || look >= looks)
            co_return note;
        co_await flow.pauses->pause(flow.timeouts.note);
        if (flow.over())
            co_return connectionGone();
    }
}

/// Whether the log has the headings that slipway.sh prints: a job that marks its steps.
bool hasHeadings(const RunRecord& record)
{
    constexpr qint64 searchedHead = 64 * 1024;
    QFile log(record.local.logFile());
    return log.open(QIODevice::ReadOnly) && log.read(searchedHead).contains("\n== ");
}

/// Whether the job writes an exit record, whatever becomes of its output: the script that was
/// submitted sources slipway.sh, which an edited one may not do. Where the script is not here, a
/// job that marked its steps does.
bool writesExitRecord(const RunRecord& record)
{
    if (record.isInteractive())
        return false;
    QFile script(record.local.filePath(QStringLiteral("files/job.sh")));
    if (script.open(QIODevice::ReadOnly))
        return script.readAll().contains("\n. ./slipway.sh");
    return !record.marks.empty() || hasHeadings(record);
}

/// Which output of the job is lost on the cluster, and whether it left its exit record.
void noteRecord(const ExitNote& note, const RunRecord& record, EndFacts* facts)
{
    facts->exit = note.record;
    switch (note.state) {
    case ExitNote::State::FolderGone:
        facts->lost = tr("the run folder %1 no longer exists, nor does the output of the job.")
                          .arg(record.run.folder);
        break;
    case ExitNote::State::Unreadable:
        facts->lost =
            tr("its exit record is empty or truncated, so the log and the results are probably not "
               "complete. The disk of the run folder was full.");
        break;
    case ExitNote::State::Absent:
        if (writesExitRecord(record))
            facts->noRecord =
                tr("the job left no exit record, so its log and results may not be complete.");
        break;
    case ExitNote::State::Read:
        break;
    }
}

/// The bytes that the log on the cluster has, as far as they are here.
qint64 logHere(const RunRecord& record)
{
    const std::vector<qint64>& restarts = record.local.logRestarts();
    return record.local.logSize() - (restarts.empty() ? 0 : restarts.back());
}

/// How the log on the cluster lost a part, in a sentence; empty: it did not, as far as is known.
QString cutOf(const RunRecord& record, const EndFacts& facts)
{
    const int attempts =
        std::max(record.job.restarts, facts.exit ? facts.exit->restarts : 0); // after the first
    const std::vector<qint64>& restarts = record.local.logRestarts();
    if (!restarts.empty() && restarts.size() <= size_t(std::max(0, attempts)))
        return tr("it was begun again when Slurm started the job again. What the earlier attempt "
                  "wrote is kept on this computer only.");
    if (!restarts.empty())
        return tr("it was truncated or replaced while the job was running. What it had before is "
                  "kept on this computer only, and a part may be missing.");
    const qint64 noted = notedSizes(record.local.logFile()).largest;
    if (noted <= logHere(record) || record.local.logIsFull() || !facts.logGap.isEmpty())
        return {};
    return tr("it had %1 bytes while the job was running, and has %2 now. It was truncated or "
              "replaced.")
        .arg(noted)
        .arg(logHere(record));
}

/// Reads the log to its end. The node may show its last bytes late on a shared file system: as the
/// job noted them, they are waited for.
QCoro::Task<Result<void>> readWholeLog(RunFlow flow, std::shared_ptr<RunReader> reader)
{
    const auto record = flow.record;
    const std::function readLog = [reader] { return reader->readLogToEnd(); };
    for (int look = 1;; ++look) {
        const auto log = co_await repeated<void>(flow, readLog);
        const qint64 noted = notedSizes(record->local.logFile()).last;
        const bool complete = noted <= logHere(*record) || record->local.logIsFull();
        if (flow.over() || !log.ok() || complete || look >= looksForNote)
            co_return log;
        co_await flow.pauses->pause(flow.timeouts.note);
        if (flow.over())
            co_return connectionGone();
    }
}

/// How the job ended, after all of its output has been read.
QCoro::Task<Result<EndFacts>> readEnd(RunFlow flow, std::shared_ptr<RunReader> reader)
{
    const auto record = flow.record;
    EndFacts facts;
    const auto log = co_await readWholeLog(flow, reader);
    if (flow.over())
        co_return connectionGone();
    if (!log.ok() && flow.mayPass(log.error()))
        co_return log.error();
    if (!log.ok())
        facts.logGap = log.error().summary;
    const std::function readMarks = [reader] { return reader->readMarks(); };
    const auto marks = co_await repeated<void>(flow, readMarks);
    if (flow.over() || (!marks.ok() && flow.mayPass(marks.error())))
        co_return marks.ok() ? connectionGone() : marks.error();
    if (findStage(record->run.stages, checkStepId)) {
        const std::function readReport = [reader] { return reader->readReport(); };
        const auto report = co_await repeated<void>(flow, readReport);
        if (flow.over() || (!report.ok() && flow.mayPass(report.error())))
            co_return report.ok() ? connectionGone() : report.error();
    }
    const auto note = co_await readExitNote(flow);
    if (!note.ok())
        co_return note.error();
    noteRecord(*note, *record, &facts);
    facts.logCut = cutOf(*record, facts);
    facts.node = readNodeReport(record->local.probeRows());
    facts.marks = record->marks;
    facts.cancelAsked = record->cancelAsked();
    if (record->job.timeLimit)
        facts.timeLimit = WallTime(*record->job.timeLimit);
    facts.logTail = record->local.logTail(shownLog);
    co_return facts;
}

/// The missing part of the log may show another cause.
Explanation ofPartOfTheLog(const QString& why, qint64 bytes)
{
    Explanation note;
    note.id = QStringLiteral("log.incomplete");
    note.title = tr("The log on this computer is not complete");
    note.cause =
        tr("%1 Only its first %2 bytes are on this computer, and only these were searched.")
            .arg(why)
            .arg(bytes);
    note.remedy = tr("The whole log is in the run folder on the cluster: fetch the run when there "
                     "is space.");
    note.severity = Explanation::Severity::Note;
    return note;
}

void noteResults(RunRecord& record, const RunStage& stage)
{
    for (auto* stages : {&record.run.stages, &record.planned})
        if (RunStage* results = findStage(*stages, stage.id))
            *results = stage;
}

/// A folder that was sent with a results/ of its own keeps it: the program writes there.
QStringList patternsOf(const RunRecord& record)
{
    QStringList patterns;
    for (const QString& pattern : record.resultPatterns) {
        patterns.append(u"results/" + pattern);
        if (!record.run.spec.project.isEmpty())
            patterns.append(u"code/results/" + pattern);
    }
    return patterns;
}

void endStage(RunStage* stage, const Result<std::vector<RemoteFile>>& listed, int fetched, int left)
{
    stage->end = QDateTime::currentDateTime();
    if (!listed.ok()) {
        stage->state = StageState::Failed;
        stage->detail = listed.error().summary;
    } else if (fetched + left > 0) {
        stage->state = StageState::Done;
        stage->detail = counted(fetched, RunRecord::tr("1 file"), RunRecord::tr("%1 files"));
        if (left > 0)
            stage->detail += tr("; %1 left on the cluster").arg(left);
    }
}

} // namespace

QCoro::Task<Result<void>> endRun(RunFlow flow, std::shared_ptr<RunReader> reader,
    std::shared_ptr<RunNumbers> numbers, std::optional<JobState> state, QString stateText)
{
    const auto record = flow.record;
    const auto read = co_await readEnd(flow, reader);
    if (!read.ok())
        co_return read.error();
    EndFacts facts = *read;
    Run& run = record->run;
    // A short job may end before it was seen running: its marks belong to this attempt
    // nevertheless.
    if (run.phase == RunPhase::Queued && facts.exit
        && facts.exit->restarts == record->job.restarts) {
        run.phase = RunPhase::Running;
        if (!run.started.isValid())
            run.started = record->logBegan();
        record->updateTimeline();
    }
    record->say(tr("The job has ended; fetching its results."));
    const auto fetched = co_await fetchResults(flow);
    if (flow.over())
        co_return connectionGone();
    Q_UNUSED(fetched) // shown by the stage of the results
    facts.state = state;
    facts.stateText = stateText;
    const RunEnd end = endOfRun(*record, facts, readSteps(record->local).ids());
    auto explanations = co_await explainRun(flow, numbers, end.phase, stateText, end.exitCode);
    if (flow.over())
        co_return connectionGone();
    const Job& job = record->job;
    run.endState = stateText;
    if (!facts.logGap.isEmpty())
        explanations.insert(explanations.begin(), ofPartOfTheLog(facts.logGap, run.logBytes));
    run.explanations = std::move(explanations);
    run.exitCode = end.exitCode;
    run.error = end.error;
    run.ended = job.ended                 ? *job.ended
        : facts.exit && facts.exit->ended ? *facts.exit->ended
                                          : clusterTime(run, QDateTime::currentDateTime());
    if (run.started.isValid() && run.ended < run.started) // by the clock of a node that is behind
        run.ended = run.started;
    closeStages(run.stages, end.phase, run.ended);
    record->setPhase(end.phase, end.sentence);
    co_return Result<void>();
}

std::vector<ResultFile> resultFiles(std::vector<RemoteFile> listed)
{
    const auto isInCode = [](const auto& file) { return file.name.startsWith(u"code/"); };
    std::stable_partition(listed.begin(), listed.end(), std::not_fn(isInCode));
    QSet<QString> names;
    std::vector<ResultFile> files;
    for (RemoteFile& file : listed) {
        QString name = isInCode(file) ? file.name.mid(int(qstrlen("code/"))) : file.name;
        if (names.contains(name))
            name.clear();
        names.insert(name);
        files.push_back({std::move(file), name});
    }
    return files;
}

QCoro::Task<Result<void>> fetchResults(RunFlow flow)
{
    const auto record = flow.record;
    RunStage stage{QStringLiteral("results"), tr("Results"), StageState::Skipped,
        QDateTime::currentDateTime(), {}, {}};
    qint64 total = 0;
    int fetched = 0, left = 0;
    const RunFolder there(flow.cluster->shell(), record->run.folder);
    const QStringList patterns = patternsOf(*record);
    auto listed = Result<std::vector<RemoteFile>>(std::vector<RemoteFile>());
    if (!patterns.isEmpty())
        listed = co_await there.list(patterns);
    const auto files = listed.ok() ? resultFiles(*listed) : std::vector<ResultFile>();
    for (size_t i = 0; i < files.size(); ++i) {
        if (flow.over())
            co_return connectionGone();
        const ResultFile result = files.at(i);
        const RemoteFile file = result.there;
        if (result.here.isEmpty() || file.size > largestResult
            || total + file.size > largestResults) {
            ++left;
            continue;
        }
        const QString path = record->local.filePath(result.here);
        QDir().mkpath(QFileInfo(path).path());
        QSaveFile here(path);
        if (!here.open(QIODevice::WriteOnly) || !here.setPermissions(privateFile)) {
            ++left;
            continue;
        }
        const auto done = co_await there.fetch(file, &here);
        if (done.ok() && here.commit()) {
            total += file.size;
            ++fetched;
        } else {
            ++left;
        }
    }
    if (flow.over())
        co_return connectionGone();
    endStage(&stage, listed, fetched, left);
    noteResults(*record, stage);
    co_return listed.ok() ? Result<void>() : Result<void>(listed.error());
}

QCoro::Task<std::vector<Explanation>> explainRun(RunFlow flow, std::shared_ptr<RunNumbers> numbers,
    RunPhase phase, QString stateText, std::optional<int> exitCode)
{
    const auto record = flow.record;
    std::vector<Explanation> explanations;
    if (!record->hints)
        co_return explanations;
    ExplainContext context = record->explainContext;
    context.state = stateText;
    context.reason = record->job.reason;
    if (phase == RunPhase::Done || phase == RunPhase::Failed)
        context.endedWell = phase == RunPhase::Done;
    if (phase == RunPhase::Failed) {
        context.exitCode = exitCode;
        const QByteArray samples = record->local.nodeSamples();
        const auto measure = [samples] { return measuredMemory(samples); };
        context.measured = co_await onWorker(measure);
        if (flow.over())
            co_return explanations;
    }
    const auto pass = std::make_shared<LogPass>(
        record->hints->book(), record->reading.recognisers, record->reading.patterns);
    co_await readPrinted(flow, pass, numbers);
    co_await keepNumbers(flow, numbers);
    if (flow.over())
        co_return explanations;
    explanations = pass->result(context);
    if (phase == RunPhase::Failed)
        addNodeFaults(readNodeReport(record->local.probeRows()), &explanations);
    co_return explanations;
}

} // namespace slipway
