// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

using namespace slipway;

/// The probe on the real demo cluster: how it gets there, what it says of node and container, how
/// it stops a job, what its agent sees of a running one, and how all of it is taken away again.
/// Where the far side must have a GPU, a script plays the probe; the built one is run as well, and
/// finds none.
class TestProbe : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void upload_isOnceForTwoLaunches();
    void upload_replacesADamagedProbe();
    void changedProbe_isNotStarted();
    void missingProbe_isReportedAndTheLaunchContinues();
    void report_isOfNodeAndContainer();
    void missingFlag_isNamedByTheDifference();
    void failedCheck_onlyReports();
    void failedCheck_stopsBeforeThePull();
    void allocation_isCheckedToo();
    void samples_comeFromAJobStep();
    void samples_leaveTheJobsStepsAlone();
    void samples_canBeTurnedOff();
    void builtProbe_runsEverywhere();
    void terminal_saysTheSame();
    void items_areListedAndRemoved();
    void cleanupTestCase();

private:
    QString launched(const LaunchSpec& spec);
    Run ended(const QString& id, int seconds = 120);
    QString play(const QString& host, const QString& container);
    QString ssh(const QString& command)
    {
        return QString::fromUtf8(m_cluster.ssh(command).out).trimmed();
    }
    LaunchSpec checked(const QString& command, const QString& check = QStringLiteral("report"));
    LaunchSpec inContainer(const QString& command);
    QString probesThere()
    {
        return ssh(QStringLiteral(
            "ls -1 $SCRATCH/slipway/probe 2>/dev/null || ls -1 /scratch/$USER/slipway/probe"));
    }

    DemoClusterFixture m_cluster;
    std::unique_ptr<Engine> m_engine;
    QByteArray m_built; ///< the probe of this build
};

namespace {

const QString gpus =
    QStringLiteral(R"({"id":"driver.version","state":"ok","value":"580.65.06"}
{"id":"driver.cuda","state":"ok","value":"13.0"}
{"id":"gpu.list","state":"ok","value":"2","data":{"gpus":[{"uuid":"GPU-1",)"
                   R"("name":"NVIDIA H100"},{"uuid":"GPU-2","name":"NVIDIA H100"}]}})");
const QString none = QStringLiteral(
    R"({"id":"driver.version","state":"skip","value":"none","why":"There is no NVIDIA driver here."}
{"id":"gpu.list","state":"skip","why":"There is no GPU."})");
const QString sick =
    QStringLiteral(R"({"id":"ecc","state":"fail","value":"7 uncorrected",)"
                   R"("why":"The memory of the GPU is damaged.","fix":"Request another node."})");

/// slipway-probe as a script: it says these rows of the node and of the container.
QByteArray playedProbe(const QString& host, const QString& container)
{
    return QStringLiteral(R"SH(#!/bin/sh
case $1 in
agent)
    exec 3<&0
    cat <&3 >/dev/null &
    while kill -0 $! 2>/dev/null; do
        printf '{"id":"sample","t":%s,"node":"%s","gpus":[%s],"host":{"cpu":12.5,"cpus":1}}\n' \
            "$(date +%s)" "$(uname -n)" '{"uuid":"GPU-1","index":0,"utilization":42}'
        sleep 1
    done
    exit 0 ;;
esac
while [ $# -gt 0 ]; do
    case $1 in --where) where=$2 ;; --rows) rows=$2 ;; esac
    shift
done
case $where in
host) text='%1' ;;
*) text='%2' ;;
esac
{
    printf '{"id":"probe","state":"ok","value":"0.0","data":{"where":"%s","node":"%s"}}\n' \
        "$where" "$(uname -n)"
    printf '%s\n' "$text"
    printf '{"id":"end","state":"ok","value":"3 checks"}\n'
} >>"$rows"
echo "looked at the $where"
case $text in *'"fail"'*) exit 1 ;; esac
exit 0
)SH")
        .arg(host, container)
        .toUtf8();
}

const CheckRow* rowOf(const NodeReport& report, const char* id, const char* where)
{
    for (const CheckRow& row : report.rows)
        if (row.id == QLatin1String(id) && row.where == QLatin1String(where))
            return &row;
    return nullptr;
}

const RunStage* stageOf(const Run& run, const char* id)
{
    for (const RunStage& stage : run.stages)
        if (stage.id == QLatin1String(id))
            return &stage;
    return nullptr;
}

} // namespace

void TestProbe::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_built = slipway::buildPath(QStringLiteral("/bin/slipway-probe")).toUtf8();
    QVERIFY2(QFile::exists(QString::fromUtf8(m_built)), "slipway-probe is not built");
    m_engine = m_cluster.engine();
    const auto connected =
        awaited(m_engine->sessions()->connectSite(QStringLiteral("demo"), &m_cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
}

void TestProbe::init()
{
    m_engine->runs()->setLiveSamples(false);
    play(none, none);
}

QString TestProbe::play(const QString& host, const QString& container)
{
    const QString path = m_cluster.home() + u"/played-probe";
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(playedProbe(host, container));
    qputenv("SLIPWAY_PROBE", path.toUtf8());
    return path;
}

QString TestProbe::launched(const LaunchSpec& spec)
{
    const auto id = awaited(m_engine->runs()->launch(spec));
    if (!id.ok())
        qWarning().noquote() << id.error().text();
    return id.ok() ? *id : QString();
}

Run TestProbe::ended(const QString& id, int seconds)
{
    if (id.isEmpty() || !waitForEnd(*m_engine, id, seconds))
        return {};
    return *m_engine->runs()->run(id);
}

/// A command on the node itself, after a check.
LaunchSpec TestProbe::checked(const QString& command, const QString& check)
{
    LaunchSpec spec = commandSpec(command);
    spec.values.insert(QStringLiteral("check"), check);
    return spec;
}

/// The same in a container.
LaunchSpec TestProbe::inContainer(const QString& command)
{
    LaunchSpec spec = checked(command);
    spec.values.remove(QStringLiteral("image"));
    spec.values.insert(
        QStringLiteral("image"), QStringLiteral("docker://login:5000/demo/python:3.13"));
    return spec;
}

void TestProbe::upload_isOnceForTwoLaunches()
{
    const QString first = launched(checked(QStringLiteral("true"))),
                  second = launched(checked(QStringLiteral("true")));
    const Run run = ended(first), other = ended(second);
    QVERIFY2(run.phase == RunPhase::Done && other.phase == RunPhase::Done,
        qPrintable(run.sentence + other.sentence));
    const QString sum = ssh(u"cat " + run.folder + u"/probe.sha256");
    QCOMPARE(ssh(u"cat " + other.folder + u"/probe.sha256"), sum);
    const QString path = sum.section(u' ', -1);
    QVERIFY2(path.contains(QStringLiteral("/slipway/probe/") + sum.section(u' ', 0, 0)),
        qPrintable(path));
    QCOMPARE(ssh(u"stat -c %a " + path + u"; stat -c %a $(dirname " + path + u")"),
        QStringLiteral("700\n700"));
    // One file for all: the run folders only have another name for it.
    QCOMPARE(ssh(u"stat -c %i " + run.folder + u"/slipway-probe"), ssh(u"stat -c %i " + path));
    QCOMPARE(ssh(u"stat -c %h " + path), QStringLiteral("3"));
    const auto report = m_engine->runs()->nodeReport(first);
    QVERIFY(report && report->complete && rowOf(*report, "driver.version", "host"));
    QVERIFY(stageOf(run, "check") && stageOf(run, "check")->state == StageState::Done);
    QVERIFY2(stageOf(run, "check")->detail.contains(QStringLiteral("has no NVIDIA driver")),
        qPrintable(stageOf(run, "check")->detail));
}

void TestProbe::upload_replacesADamagedProbe()
{
    const Run run = ended(launched(checked(QStringLiteral("true"))));
    const QString sum = ssh(u"cat " + run.folder + u"/probe.sha256");
    const QString path = sum.section(u' ', -1);
    ssh(u"echo damage >>" + path);
    const QString id = launched(checked(QStringLiteral("true")));
    QCOMPARE(ended(id).phase, RunPhase::Done);
    QCOMPARE(ssh(u"sha256sum <" + path).section(u' ', 0, 0), sum.section(u' ', 0, 0));
    QVERIFY(m_engine->runs()->nodeReport(id)->complete);
    QVERIFY(!rowOf(*m_engine->runs()->nodeReport(id), "probe.file", "host"));
}

/// Between the launch and the job's begin anything may happen to a file.
void TestProbe::changedProbe_isNotStarted()
{
    m_cluster.root(
        QStringLiteral("login"), QStringLiteral("scontrol update PartitionName=debug State=DOWN"));
    LaunchSpec spec = checked(QStringLiteral("true"));
    spec.values.insert(QStringLiteral("partition"), QStringLiteral("debug"));
    const QString id = launched(spec);
    const QString path =
        ssh(u"cat " + m_engine->runs()->run(id)->folder + u"/probe.sha256").section(u' ', -1);
    ssh(u"echo 'touch /tmp/it-was-started' >>" + path);
    m_cluster.root(
        QStringLiteral("login"), QStringLiteral("scontrol update PartitionName=debug State=UP"));
    const Run run = ended(id);
    QCOMPARE(run.phase, RunPhase::Done);
    const auto report = m_engine->runs()->nodeReport(id);
    QVERIFY(report && rowOf(*report, "probe.file", "host"));
    QCOMPARE(rowOf(*report, "probe.file", "host")->state, CheckState::Warn);
    QVERIFY(!m_engine->runs()->feed(id)->lines().contains(QStringLiteral("looked at the host")));
    ssh(u"rm -f " + path);
}

void TestProbe::missingProbe_isReportedAndTheLaunchContinues()
{
    qputenv("SLIPWAY_PROBE", "none");
    const Plan plan = m_engine->runs()->plan(checked(QStringLiteral("true")));
    QVERIFY(!plan.hasErrors());
    QVERIFY(std::any_of(plan.problems.begin(), plan.problems.end(),
        [](const Problem& one) { return one.text.contains(u"slipway-probe"); }));
    const QString id = launched(checked(QStringLiteral("true")));
    QCOMPARE(ended(id).phase, RunPhase::Done);
    const auto report = m_engine->runs()->nodeReport(id);
    QVERIFY(report && rowOf(*report, "probe.file", "host") && rowOf(*report, "nvidia-smi", "host"));
    QCOMPARE(rowOf(*report, "nvidia-smi", "host")->state, CheckState::Skip);
}

void TestProbe::report_isOfNodeAndContainer()
{
    play(none, none);
    const QString id = launched(inContainer(QStringLiteral("true")));
    const Run run = ended(id, 600); // the first one pulls the image
    QVERIFY2(run.phase == RunPhase::Done, qPrintable(run.sentence));
    const auto report = m_engine->runs()->nodeReport(id);
    QVERIFY(report && report->complete);
    QVERIFY(
        rowOf(*report, "driver.version", "host") && rowOf(*report, "driver.version", "container"));
    QVERIFY(rowOf(*report, "container", "container")
                ->value.startsWith(QStringLiteral("apptainer exec")));
    QVERIFY(!rowOf(*report, "container.gpu", "host and container"));
    QVERIFY(!stageOf(run, "check-container")); // one look in the timeline
    QStringList order;
    for (const RunStage& stage : run.stages)
        order << stage.id;
    QVERIFY2(order.indexOf(QStringLiteral("check")) < order.indexOf(QStringLiteral("image")),
        qPrintable(order.join(u' ')));
}

void TestProbe::missingFlag_isNamedByTheDifference()
{
    play(gpus, none);
    const QString id = launched(inContainer(QStringLiteral("true")));
    QCOMPARE(ended(id, 300).phase, RunPhase::Done);
    const auto report = m_engine->runs()->nodeReport(id);
    const CheckRow* const row =
        report ? rowOf(*report, "container.gpu", "host and container") : nullptr;
    QVERIFY(row);
    QCOMPARE(row->state, CheckState::Fail);
    QVERIFY2(row->fix.contains(QStringLiteral("apptainer exec --nv")), qPrintable(row->fix));
    QVERIFY2(nodeSentence(*report).contains(QStringLiteral("2 × H100")),
        qPrintable(nodeSentence(*report)));
}

void TestProbe::failedCheck_onlyReports()
{
    play(sick, none);
    const Run run = ended(launched(checked(QStringLiteral("true"))));
    QCOMPARE(run.phase, RunPhase::Done);
    QVERIFY2(run.sentence.contains(QStringLiteral("ECC memory: 7 uncorrected")),
        qPrintable(run.sentence));
    QCOMPARE(stageOf(run, "check")->state, StageState::Failed);
}

void TestProbe::failedCheck_stopsBeforeThePull()
{
    play(sick, none);
    LaunchSpec spec = inContainer(QStringLiteral("true"));
    spec.values.insert(QStringLiteral("check"), QStringLiteral("stop"));
    const QString id = launched(spec);
    const Run run = ended(id);
    QCOMPARE(run.phase, RunPhase::Failed);
    QVERIFY2(run.sentence.startsWith(QStringLiteral("Stopped by the node check on gpu0")),
        qPrintable(run.sentence));
    QVERIFY2(run.sentence.contains(
                 QStringLiteral("ECC memory: 7 uncorrected. The memory of the GPU is damaged.")),
        qPrintable(run.sentence));
    QCOMPARE(run.error->remedy, QStringLiteral("Request another node."));
    QCOMPARE(stageOf(run, "image")->state, StageState::Skipped);
    QVERIFY(!ssh(u"cat " + run.folder + u"/events.ndjson").contains(QStringLiteral("\"image\"")));
}

void TestProbe::allocation_isCheckedToo()
{
    LaunchSpec spec = checked(QStringLiteral("echo done"));
    spec.mode = LaunchMode::Interactive;
    const QString id = launched(spec);
    QVERIFY(waitForPhase(*m_engine, id, RunPhase::Allocated, 90));
    QVERIFY(m_engine->runs()->nodeReport(id) && m_engine->runs()->nodeReport(id)->complete);
    QVERIFY(awaited(m_engine->runs()->release(id)).ok());
    QVERIFY(waitForEnd(*m_engine, id, 30));
}

void TestProbe::samples_comeFromAJobStep()
{
    m_engine->runs()->setLiveSamples(true);
    QSignalSpy told(m_engine->runs(), &Runs::nodeSampled);
    // It ends when enough was seen.
    const QString id = launched(checked(QStringLiteral(
        "for i in $(seq 200); do [ ! -e $SLURM_SUBMIT_DIR/go ] || break; sleep 0.2; done")));
    QVERIFY(!id.isEmpty());
    RunFeed* const feed = m_engine->runs()->feed(id);
    QTRY_VERIFY_WITH_TIMEOUT(m_engine->runs()->nodeSamples(id).size() >= 4, 40'000);
    QVERIFY2(m_engine->runs()->nodeSamplesTrouble(id).isEmpty(),
        qPrintable(m_engine->runs()->nodeSamplesTrouble(id)));
    const Run running = *m_engine->runs()->run(id);
    QVERIFY2(
        ssh(u"squeue -s -h -o %j -j " + running.job.text).contains(QStringLiteral("slipway-agent")),
        "the agent is no job step");
    const NodeSample sample = m_engine->runs()->nodeSamples(id).back();
    QCOMPARE(sample.node, running.nodeList);
    QCOMPARE(sample.gpus.at(0).utilization, std::optional(42.0));
    const MetricSeries* const curve = feed->series().find(
        QStringLiteral("gpu_utilization"), sample.node + QStringLiteral(" GPU 0"));
    QVERIFY(curve && curve->size() >= 4 && curve->at(0).x < 60);
    QVERIFY(told.size() >= 4);
    const QDateTime allowed = QDateTime::currentDateTimeUtc();
    ssh(u"touch " + running.folder + u"/go");
    const Run run = ended(id, 60);
    QVERIFY2(run.phase == RunPhase::Done, qPrintable(run.sentence));
    QVERIFY2(allowed.secsTo(run.ended) < 30, "the agent held the job open");
    QTRY_VERIFY_WITH_TIMEOUT(
        !QString::fromUtf8(m_cluster.root(running.nodeList, QStringLiteral("ps -ef")).out)
             .contains(QStringLiteral("slipway-probe agent")),
        60'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        !ssh(QStringLiteral("ps -ef")).contains(QStringLiteral("--job-name=slipway-agent")),
        60'000);
    // What was sampled is kept with the run: another program draws the same curves.
    const auto other = m_cluster.engine();
    QVERIFY(other->runs()->feed(id)->series().find(
        QStringLiteral("gpu_utilization"), sample.node + QStringLiteral(" GPU 0")));
}

/// Steps that take all of the job's CPUs and its GPU start at once, although the agent is there.
void TestProbe::samples_leaveTheJobsStepsAlone()
{
    m_engine->runs()->setLiveSamples(true);
    LaunchSpec spec = checked(QStringLiteral("true"));
    spec.values.insert(QStringLiteral("cpus"), QStringLiteral("2"));
    spec.values.insert(QStringLiteral("gpus"), QStringLiteral("1"));
    spec.values.insert(QStringLiteral("memory"), QStringLiteral("500M"));
    QByteArray script = renderScript(m_engine->runs()->plan(spec));
    const qsizetype work = script.indexOf("\nbegin run ");
    QVERIFY2(work > 0, script);
    // The steps begin when the agent has shown that it is there.
    script = script.left(work)
        + "\nfor i in $(seq 300); do [ ! -e \"$SLURM_SUBMIT_DIR/go\" ] || break; sleep 0.2; "
          "done\nfor i in 1 2 3; do\n  s=$(date +%s)\n  srun -n 1 --cpus-per-task=2 --gres=gpu:1 "
          "--exact true || exit 9\n"
          "  echo step took $(($(date +%s) - s)) s\ndone\nsleep 2\n";
    spec.editedScript = script;
    const QString id = launched(spec);
    QTRY_VERIFY2_WITH_TIMEOUT(m_engine->runs()->nodeSamples(id).size() >= 2,
        qPrintable(m_engine->runs()->run(id)->sentence + m_engine->runs()->nodeSamplesTrouble(id)),
        90'000);
    ssh(u"touch " + m_engine->runs()->run(id)->folder + u"/go");
    const Run run = ended(id, 90);
    QVERIFY2(run.phase == RunPhase::Done, qPrintable(run.sentence));
    QTRY_COMPARE_WITH_TIMEOUT(
        m_engine->runs()->feed(id)->lines().filter(QStringLiteral("step took")).size(), 3, 60'000);
    const QStringList lines = m_engine->runs()->feed(id)->lines(),
                      took = lines.filter(QStringLiteral("step took"));
    for (const QString& line : took) // one that waits for the agent would wait for the job's limit
        QVERIFY2(line.section(u' ', 2, 2).toInt() <= 20, qPrintable(line));
    QVERIFY(!lines.join(u'\n').contains(QStringLiteral("temporarily disabled")));
}

void TestProbe::samples_canBeTurnedOff()
{
    const QString id = launched(checked(QStringLiteral("sleep 8")));
    QVERIFY(waitForPhase(*m_engine, id, RunPhase::Running, 60));
    QTest::qWait(5000);
    QVERIFY(!ssh(u"squeue -s -h -o %j -j " + m_engine->runs()->run(id)->job.text)
                 .contains(QStringLiteral("slipway-agent")));
    QCOMPARE(ended(id).phase, RunPhase::Done);
    QVERIFY(m_engine->runs()->nodeSamples(id).empty());
}

void TestProbe::builtProbe_runsEverywhere()
{
    qputenv("SLIPWAY_PROBE", m_built);
    const QString id = launched(inContainer(QStringLiteral("true")));
    const Run run = ended(id, 600);
    QVERIFY2(run.phase == RunPhase::Done,
        qPrintable(run.sentence + m_engine->runs()->feed(id)->lines().join(u'\n')));
    const auto report = m_engine->runs()->nodeReport(id);
    QVERIFY(report && report->complete);
    QVERIFY2(!rowOf(*report, "probe.run", "host") && !rowOf(*report, "probe.run", "container"),
        qPrintable(nodeReportText(*report)));
    QCOMPARE(report->unreadable, 0);
    for (const CheckRow& row : report->rows)
        QVERIFY2(row.state != CheckState::Fail, qPrintable(row.id + u": " + row.why));
    QVERIFY2(nodeSentence(*report).contains(QStringLiteral("no NVIDIA driver")),
        qPrintable(nodeReportText(*report)));
    // Started manually: on the login node, and in a container with and without --nv.
    const QString probe = ssh(u"cat " + run.folder + u"/probe.sha256").section(u' ', -1);
    QVERIFY(ssh(probe + QStringLiteral(" check --where host; echo code $?"))
                .contains(QStringLiteral("\"id\":\"end\"")));
    const QString image =
        ssh(QStringLiteral("find -L /scratch -name 'python_3.13.sif' 2>/dev/null | head -n 1"));
    QVERIFY(!image.isEmpty());
    for (const char* flag : {"", "--nv"}) {
        const QString out = ssh(QStringLiteral(
            "srun -p debug -n1 apptainer exec %1 -B %2 %3 %4 check --where container 2>/dev/null")
                                    .arg(QLatin1String(flag), probe, image, probe));
        QVERIFY2(out.contains(QStringLiteral("\"id\":\"end\"")), qPrintable(out));
    }
}

void TestProbe::terminal_saysTheSame()
{
    play(gpus, none);
    const QString id = launched(inContainer(QStringLiteral("true")));
    QCOMPARE(ended(id, 300).phase, RunPhase::Done);
    const auto cli = [this](const QStringList& words, QByteArray* out) {
        const auto process = m_cluster.terminal(words);
        process->waitForFinished(60'000);
        *out = process->readAllStandardOutput();
        return process->exitCode();
    };
    QByteArray out;
    QCOMPARE(cli({QStringLiteral("node"), id}, &out), 1); // a check failed
    QVERIFY2(
        out.contains("2 × H100") && out.contains("GPUs in the container") && out.contains("--nv"),
        out);
    QCOMPARE(cli({QStringLiteral("node"), id, QStringLiteral("--report")}, &out), 1);
    QCOMPARE(QString::fromUtf8(out), nodeReportText(*m_engine->runs()->nodeReport(id)));
    QCOMPARE(cli({QStringLiteral("node"), id, QStringLiteral("--json")}, &out), 1);
    const QList<QByteArray> lines = out.trimmed().split('\n');
    QCOMPARE(lines.size(), qsizetype(m_engine->runs()->nodeReport(id)->rows.size() + 1));
    for (const QByteArray& line : lines)
        QVERIFY2(QJsonDocument::fromJson(line).isObject(), line);
    QCOMPARE(QJsonDocument::fromJson(lines.last()).object().value(u"worst").toString(),
        QStringLiteral("fail"));
    QCOMPARE(cli({QStringLiteral("show"), id, QStringLiteral("--json")}, &out), 0);
    QCOMPARE(QJsonDocument::fromJson(out)
                 .object()
                 .value(u"node")
                 .toObject()
                 .value(u"checks")
                 .toArray()
                 .size(),
        lines.size() - 1);
}

void TestProbe::items_areListedAndRemoved()
{
    const QString running = launched(checked(QStringLiteral("sleep 60")));
    QVERIFY(waitForPhase(*m_engine, running, RunPhase::Running, 60));
    const auto found = awaited(m_engine->cleanup()->find(QStringLiteral("demo")));
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8());
    const auto count = [](const CleanupList& list, CleanupItem::Kind kind) {
        return std::count_if(list.items.begin(), list.items.end(),
            [kind](const CleanupItem& item) { return item.kind == kind; });
    };
    QVERIFY(count(*found, CleanupItem::Kind::Probe) >= 2);
    QVERIFY(count(*found, CleanupItem::Kind::RunFolder) >= 5);
    QVERIFY(count(*found, CleanupItem::Kind::Image) >= 1);
    QVERIFY(count(*found, CleanupItem::Kind::Job) >= 1);
    QVERIFY(count(*found, CleanupItem::Kind::Process)
        >= 1); // the shell that is kept open, and the follower of the log
    QVERIFY(found->bytes() > 1000);
    const QString folder = m_engine->runs()->run(running)->folder;
    const auto own = std::find_if(found->items.begin(), found->items.end(),
        [&](const CleanupItem& item) { return item.path == folder; });
    QVERIFY(own != found->items.end() && own->inUse && own->runId == running);
    // While a job may use them, they stay; its own folder and the job most of all.
    const auto left = awaited(m_engine->cleanup()->remove(QStringLiteral("demo"), *found));
    QVERIFY(left.ok());
    QCOMPARE(ssh(u"test -d " + folder + u" && echo there"), QStringLiteral("there"));
    QVERIFY(count(*left, CleanupItem::Kind::Job) >= 1);
    for (const CleanupItem& item : left->items)
        QVERIFY(!item.detail.isEmpty());
    QVERIFY(awaited(m_engine->runs()->cancel(running)).ok());
    QVERIFY(waitForEnd(*m_engine, running, 60));
    auto after = awaited(m_engine->cleanup()->find(QStringLiteral("demo")));
    QVERIFY(after.ok());
    CleanupList probes;
    for (const CleanupItem& item : after->items)
        if (item.kind == CleanupItem::Kind::Probe || item.kind == CleanupItem::Kind::RunFolder)
            probes.items.push_back(item);
    const auto rest = awaited(m_engine->cleanup()->remove(QStringLiteral("demo"), probes));
    QVERIFY2(rest.ok() && rest->items.empty(),
        rest.ok() && !rest->items.empty() ? qPrintable(rest->items[0].path + rest->items[0].detail)
                                          : "");
    QCOMPARE(ssh(u"test -e " + folder + u" || echo gone"), QStringLiteral("gone"));
    after = awaited(m_engine->cleanup()->find(QStringLiteral("demo")));
    QCOMPARE(count(*after, CleanupItem::Kind::Probe), 0);
}

void TestProbe::cleanupTestCase()
{
    m_engine.reset();
    qunsetenv("SLIPWAY_PROBE");
}

SLIPWAY_TEST(TestProbe, cluster_probe)
#include "tst_probe.moc"
