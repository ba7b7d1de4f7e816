// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runstory.h"

#include "app/plan/checksteps.h"
#include "remote/base/tr.h"
#include "remote/container/runtime.h"
#include "remote/slurm/jobstates.h"
#include "remote/slurm/reasons.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace slipway {

namespace {

QDateTime secondsTime(const QJsonValue& value)
{
    return value.isDouble() ? QDateTime::fromMSecsSinceEpoch(qint64(value.toDouble() * 1000))
                            : QDateTime();
}

QString clockText(const QDateTime& time)
{
    return time.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
}

void applyMark(std::vector<RunStage>& stages, const StepMark& mark)
{
    // The node's own mark names no step of the plan; all others do.
    // The checks of the node and of the container are one stage: it fails if one of them fails.
    const bool check = mark.stage == checkStepId;
    RunStage* stage =
        findStage(stages, mark.stage == QLatin1String("node") || check ? mark.stage : mark.step);
    if (!stage || (check && mark.step != checkStepId && stage->state == StageState::Failed))
        return;
    if (mark.state == QLatin1String("begin")) {
        stage->state = StageState::Running;
        if (mark.step != containerCheckId)
            stage->begin = mark.time;
        stage->end.reset();
        return;
    }
    stage->state = mark.state == QLatin1String("failed") ? StageState::Failed : StageState::Done;
    stage->end = mark.time;
    if (stage->state == StageState::Failed)
        stage->detail = tr("exit code %1").arg(mark.code);
    else if (stage->id == QLatin1String("node"))
        stage->detail = mark.text;
}

/// The last step of a cancelled job was ended from outside, and its mark says that it failed.
void noteCancelled(std::vector<RunStage>& stages)
{
    RunStage* last = nullptr;
    for (RunStage& stage : stages)
        if (stage.state != StageState::Pending && stage.id != QLatin1String("results"))
            last = &stage;
    if (last && last->state == StageState::Failed && last->id != checkStepId) {
        last->state = StageState::Cancelled;
        last->detail.clear();
    }
}

} // namespace

std::vector<StepMark> parseMarks(const QByteArray& ndjson)
{
    std::vector<StepMark> marks;
    for (qsizetype begin = 0, end; (end = ndjson.indexOf('\n', begin)) >= 0; begin = end + 1) {
        const QJsonObject json = QJsonDocument::fromJson(ndjson.mid(begin, end - begin)).object();
        StepMark mark{secondsTime(json.value(u"t")), json.value(u"stage").toString(),
            json.value(u"state").toString(), json.value(u"step").toString(),
            json.value(u"code").toInt(), json.value(u"text").toString()};
        if (const QString digest = json.value(u"image_digest").toString(); isDigest(digest))
            mark.imageDigest = digest;
        // What is between begin and end of a pull: readPulls()
        const bool within =
            mark.state == QLatin1String("progress") || mark.state == QLatin1String("reused");
        if (!mark.stage.isEmpty() && !mark.state.isEmpty() && !within)
            marks.push_back(std::move(mark));
    }
    return marks;
}

QDateTime logBeginning(const std::vector<StepMark>& marks, const QDateTime& started, bool restarted)
{
    const QDateTime first = marks.empty() ? QDateTime() : marks.front().time;
    const bool earlier = first.isValid() && (!started.isValid() || first < started);
    return earlier && (!restarted || !started.isValid()) ? first : started;
}

QString imageDigestOf(const std::vector<StepMark>& marks)
{
    std::optional<QString> named;
    QStringList built;
    for (const StepMark& mark : marks) {
        if (mark.stage == QLatin1String("node")) { // another attempt of a requeued job
            named.reset();
            built.clear();
        }
        if (mark.step == QLatin1String("image"))
            named = mark.imageDigest;
        else if (!mark.imageDigest.isEmpty() && !built.contains(mark.imageDigest))
            built << mark.imageDigest;
    }
    return named.value_or(built.size() == 1 ? built.front() : QString());
}

std::vector<RunStage> plannedStages(const Plan& plan)
{
    const auto stage = [](const QString& id, const QString& title) {
        return RunStage{id, title, StageState::Pending, {}, {}, {}};
    };
    std::vector<RunStage> stages{
        stage(QStringLiteral("queued"), tr("Queued")), stage(QStringLiteral("node"), tr("Node"))};
    for (const PlanStep& step : plan.steps)
        if (step.id != containerCheckId)
            stages.push_back(stage(step.id, step.title));
    stages.push_back(stage(QStringLiteral("results"), tr("Results")));
    return stages;
}

RunStage* findStage(std::vector<RunStage>& stages, const QString& id)
{
    const auto found =
        std::find_if(stages.begin(), stages.end(), [&](const RunStage& s) { return s.id == id; });
    return found == stages.end() ? nullptr : &*found;
}

void applyMarks(std::vector<RunStage>& stages, const std::vector<StepMark>& marks)
{
    for (const StepMark& mark : marks) {
        if (mark.stage == QLatin1String("node"))
            for (RunStage& stage : stages)
                if (stage.id != QLatin1String("queued") && stage.id != QLatin1String("results"))
                    stage = RunStage{stage.id, stage.title, StageState::Pending, {}, {}, {}};
        applyMark(stages, mark);
    }
}

QString liveSentence(const Run& run, const Job& job, const QDateTime& now)
{
    if (isWaiting(job.state)) {
        QString sentence = reasonSentence(job, now);
        if (sentence.isEmpty())
            sentence = tr("In the queue; Slurm has not given a reason yet.");
        const auto since = job.submitted;
        return since ? sentence + u' ' + tr("Waiting since %1.").arg(clockText(*since)) : sentence;
    }
    const QString where = job.nodeList.isEmpty() ? run.nodeList : job.nodeList;
    const QString pull = run.pull ? u' ' + pullText(*run.pull) + u'.' : QString();
    for (const RunStage& stage : run.stages)
        if (stage.state == StageState::Running && stage.id != QLatin1String("node")
            && stage.id != QLatin1String("queued"))
            return (where.isEmpty() ? tr("Running: %1.").arg(stage.title)
                                    : tr("Running on %1: %2.").arg(where, stage.title))
                + pull;
    if (job.state == JobState::Running)
        return where.isEmpty() ? tr("Running.") : tr("Running on %1.").arg(where);
    // An unknown state is shown unchanged; before the first one, the last sentence is kept.
    const bool known = job.state != JobState::Unknown;
    if (!known && job.stateText.isEmpty())
        return run.sentence;
    return tr("Slurm reports: %1.").arg(known ? jobStateText(job.state) : job.stateText);
}

void closeStages(std::vector<RunStage>& stages, RunPhase phase, const QDateTime& when)
{
    if (phase == RunPhase::Cancelled)
        noteCancelled(stages);
    for (RunStage& stage : stages) {
        if (stage.id == QLatin1String("results"))
            continue; // has an end of its own
        if (stage.state == StageState::Running) {
            stage.state = phase == RunPhase::Done ? StageState::Done
                : phase == RunPhase::Cancelled    ? StageState::Cancelled
                                                  : StageState::Failed;
            stage.end = when;
        } else if (stage.state == StageState::Pending) {
            stage.state = StageState::Skipped;
        }
    }
}

QByteArray lastLines(const QByteArray& log, int count)
{
    QByteArrayList lines;
    for (const QByteArray& line : log.split('\n'))
        if (!line.trimmed().isEmpty())
            lines.append(line);
    return lines.mid(std::max<qsizetype>(0, lines.size() - count)).join('\n');
}

} // namespace slipway
