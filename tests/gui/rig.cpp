// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"

#include "app/runs/runstore.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/paths.h"
#include "tests/support/playedlaunch.h"
#include "ui/parts/accessible.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

const QString source = slipway::sourcePath();

/// Where every registry is out of reach.
class NoNetwork : public RegistryTransport {
public:
    QString place() const override { return u"this computer"_s; }
    QCoro::Task<Result<RegistryAnswer>> ask(RegistryRequest request) override
    {
        co_return Error{ErrorKind::Network, request.url.host() % u" cannot be reached."_s};
    }
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("%s is missing", qPrintable(path));
    }
    return file.readAll();
}

void write(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(path.section(u'/', 0, -2));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qFatal("cannot write %s", qPrintable(path));
    }
}

/// The answers of discovery, captured from a real Slurm, with the nonce of this question.
CommandOutput discovery(const QByteArray& script)
{
    // The quotes are others in what a login shell is given.
    static const QRegularExpression question(u"SLPS %s %s\\\\n'\\S* (\\S+) [a-z]+\\n"_s);
    const QByteArray sections = question.match(QString::fromUtf8(script)).captured(1).toUtf8();
    // Rows have separators of their own.
    static const QRegularExpression separator(u"\x1fSLP([0-9a-f]{32})"_s);
    const QByteArray rows = separator.match(QString::fromUtf8(script)).captured(1).toUtf8();
    const QByteArray capturedNonce = "0123456789abcdef0123456789abcdef";
    const QString folder = source % u"/tests/data/slurm/24.11.5/"_s;
    QByteArray out;
    const auto answer = [&](const QByteArray& name, const QByteArray& text) {
        out += "\036SLPS " + sections + ' ' + name + '\n' + text + "\n\036SLPT " + sections + ' '
            + name + " 0\n";
    };
    answer("version", contentOf(folder % u"version.txt"_s));
    answer("config", contentOf(folder % u"config.txt"_s));
    answer(
        "partitions", contentOf(folder % u"sinfo-partitions.bin"_s).replace(capturedNonce, rows));
    answer("nodes", contentOf(folder % u"sinfo-nodes.bin"_s).replace(capturedNonce, rows));
    answer("mpi", contentOf(folder % u"mpi.txt"_s));
    answer("who", "demo\n/home/demo\n/bin/bash\n");
    answer("scratch", "/scratch/demo");
    answer("runtime", "apptainer version 1.4.5\n");
    answer("limits", "PartitionName=gpu Default=YES MaxNodes=2 DefMemPerCPU=1024\n");
    answer("architectures", "      2 x86_64\n");
    answer("runtimes", "apptainer|apptainer version 1.4.5\n");
    answer("modules", "apptainer/1.4.5\n");
    answer("ids", "yes\n");
    answer("spaces", "yes\n");
    answer("tools", "");
    answer("pyxis", "no\n");
    answer("folders", "$SCRATCH\twritable\t/scratch/demo\n");
    answer("quotas", "");
    return {0, out, {}};
}

/// An empty queue, and what discovery asks for.
void answerAsSlurm(ScriptedShell& shell)
{
    shell.on("squeue", CommandOutput{0, {}, {}});
    shell.on("SLPS", discovery);
}

} // namespace

QCoro::Task<Result<std::shared_ptr<Shell>>> StubConnector::connectTo(
    ConnectTarget target, Prompter* prompter)
{
    ++calls;
    if (login) {
        const auto result = co_await login(target, prompter);
        co_return result;
    }
    std::shared_ptr<Shell> given = shell ? shell : slurmShell();
    co_return given;
}

std::shared_ptr<ScriptedShell> StubConnector::slurmShell()
{
    auto made = std::make_shared<ScriptedShell>();
    answerAsSlurm(*made);
    return made;
}

std::shared_ptr<ScriptedShell> StubConnector::launchingShell()
{
    auto made = std::make_shared<ScriptedShell>();
    // Shared, because the shell copies its rules.
    const auto last = std::make_shared<int>(76);
    playLaunches(*made, [last] { return ++*last; });
    answerAsSlurm(*made);
    return made;
}

Rig::Rig()
{
    installAccessibleInterfaces();
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(u"slipway-test"_s);
    QCoreApplication::setApplicationName(u"slipway-test"_s);
    // Settings of this process: other test programs run at the same time, and clear theirs.
    static const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    QSettings().clear();
    m_paths.resources = m_folder.filePath(u"resources"_s);
    m_paths.config = m_folder.filePath(u"config"_s);
    m_paths.data = m_folder.filePath(u"data"_s);
    for (const QString& path : {m_paths.resources, m_paths.config, m_paths.data}) {
        QDir().mkpath(path);
    }
    for (const QString& part : {u"sites"_s, u"recipes"_s, u"schema"_s, u"hints.json"_s}) {
        QFile::link(source % u"/resources/"_s % part, m_paths.resources % u'/' % part);
    }
    write(m_paths.resources % u"/demo-cluster/demo-cluster"_s,
        "sleep \"$(cat \"$(dirname \"$0\")/$1.delay\" 2>/dev/null || echo 0)\"; "
        "cat \"$(dirname \"$0\")/$1.out\"; sleep \"$(cat \"$(dirname \"$0\")/$1.wait\" 2>/dev/null "
        "|| echo 0)\"\n");
    setDemoOutput(u"status"_s, R"({"event":"status","state":"absent"})");
    m_theme.setChoice(Theme::Choice::Light);
}

Rig::~Rig()
{
    m_window.reset();
    m_engine.reset();
    ScriptedShell::finishPending();
}

void Rig::setDemoOutput(const QString& verb, const QByteArray& lines)
{
    write(m_paths.resources % u"/demo-cluster/"_s % verb % u".out"_s, lines + '\n');
}

void Rig::setDemoRunning(const QByteArray& connection)
{
    const QString path = m_paths.data % u"/connection.json"_s;
    write(path, connection);
    setDemoOutput(u"status"_s,
        R"({"event":"status","state":"running","connection":")" + path.toUtf8() + R"("})");
}

void Rig::connectTo(const QString& siteId)
{
    const auto connecting = m_engine->sessions()->connectSite(siteId, nullptr);
    QTRY_COMPARE(m_engine->sessions()->connection(siteId).phase, ConnectionState::Phase::Connected);
}

void Rig::start(QSize size)
{
    m_engine = std::make_unique<Engine>(&m_connector, m_paths);
    m_engine->imageInspector()->setLocalTransport(std::make_shared<NoNetwork>());
    m_engine->secrets()->setKeychain(
        std::make_unique<MemoryKeychain>(std::make_shared<MemoryKeychain::Table>()));
    m_window = std::make_unique<MainWindow>(&m_theme);
    m_window->resize(size);
    m_window->show();
    m_window->setEngine(m_engine.get());
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_window->activateWindow();
    QTest::qWait(50);
}

void Rig::reopen()
{
    const QSize size = m_window->size();
    m_window.reset();
    m_engine.reset();
    start(size);
}

void Rig::addRun(const Run& run, const QByteArray& log)
{
    addRuns({run}, log);
}

void Rig::addRuns(const std::vector<Run>& runs, const QByteArray& log)
{
    RunStore store(m_paths.data % u"/runs.sqlite"_s);
    Result<void> kept = store.open();
    for (const Run& run : runs) {
        if (kept.ok()) {
            kept = store.insert(run);
        }
        if (!kept.ok()) {
            qFatal("%s", qPrintable(kept.error().text()));
        }
        write(m_paths.data % u"/runs/"_s % run.id % u"/log.bin"_s, log);
        setFacts(run.id,
            R"({"site":"Demo cluster","partition":"gpu",)"
            R"("image":"docker://localhost:5000/demo/matmul:1",)"
            R"("values":{"time":"0:30:00"}})");
    }
}

void Rig::setFacts(const QString& runId, const QByteArray& json)
{
    const QString file = m_paths.data % u"/runs/"_s % runId % u"/facts.json"_s;
    QFile::remove(file);
    if (!json.isEmpty()) {
        write(file, json);
    }
}

void Rig::setSteps(const QString& runId, const QByteArray& json)
{
    write(m_paths.data % u"/runs/"_s % runId % u"/steps.json"_s, json);
}

void Rig::addNodeRows(const QString& runId, const QByteArray& rows)
{
    write(m_paths.data % u"/runs/"_s % runId % u"/probe.ndjson"_s, rows);
}

QByteArray Rig::sampleLog()
{
    return contentOf(source % u"/tests/gui/data/matmul-two-lanes.txt"_s);
}

Run Rig::sampleRun(const QString& id, RunPhase phase)
{
    const QDateTime begin = QDateTime::currentDateTimeUtc().addSecs(-400);
    const auto stage = [&](const char* name, StageState state, int from, int to) {
        RunStage one;
        one.id = QString::fromLatin1(name).toLower();
        one.title = QString::fromLatin1(name);
        one.state = state;
        if (state != StageState::Pending && state != StageState::Skipped) {
            one.begin = begin.addSecs(from);
        }
        if (state == StageState::Done || state == StageState::Failed) {
            one.end = begin.addSecs(to);
        }
        return one;
    };
    const bool done = phase == RunPhase::Done;
    const bool failed = phase == RunPhase::Failed;
    Run run;
    run.id = id;
    run.tag = u"5b0a6a56-3f0e-4f5e-9a38-"_s % id;
    run.spec = {u"demo"_s, u"matmul-scaling"_s, LaunchMode::Batch, {}, {}};
    run.title = u"Matmul scaling"_s;
    run.folder = u"/scratch/demo/slipway/2026-11-20-matmul-scaling-%1"_s.arg(id);
    run.logFile = run.folder % u"/slurm-42.out"_s;
    run.job = {u"42"_s};
    run.phase = phase;
    run.sentence = done ? u"Done in 6:12, exit code 0."_s
        : failed        ? u"Step “CPU, all threads” ended with exit code 1."_s
                        : u"Running on gpu01."_s;
    run.stages = {stage("Queued", StageState::Done, 0, 12), stage("Node", StageState::Done, 12, 14),
        stage("Image", StageState::Done, 14, 79),
        stage("CPU, all threads", failed ? StageState::Failed : StageState::Done, 79, 220),
        stage("CPU, 1 thread",
            done         ? StageState::Done
                : failed ? StageState::Skipped
                         : StageState::Running,
            220, 372),
        stage("Results", done ? StageState::Done : StageState::Pending, 372, 374)};
    run.nodeList = u"gpu01"_s;
    run.created = begin;
    run.started = begin.addSecs(12);
    if (done || failed) {
        run.ended = begin.addSecs(374);
        run.exitCode = failed ? 1 : 0;
    }
    if (failed) {
        run.error = Error{ErrorKind::JobFailed,
            u"The job ended with exit code 1: the program was killed because memory ran out."_s,
            u"Ask for more memory, or leave out the largest size."_s,
            "slurmstepd: error: Detected 1 oom_kill event in StepId=42.0.\nsrun: error: gpu01: "
            "task 0: Out Of Memory\n"};
    }
    return run;
}

void requireFont()
{
    if (QFontDatabase::families().isEmpty()) {
        qFatal("No font is installed: install fonts-dejavu-core.");
    }
}

} // namespace slipway
