// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/longwork.h"
#include "tests/support/testmain.h"

#include "tests/support/testsites.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <csignal>

using namespace slipway;

/// Work that is longer than one job: what the fields become in the script, what lint says of them,
/// and what bash does with the checkpoint folder and with a signal.
class TestLongWork : public QObject {
    Q_OBJECT

private slots:
    void init();
    void signal_isRead_data();
    void signal_isRead();
    void checkpointName_isPlain_data();
    void checkpointName_isPlain();
    void emptyFields_leaveTheScriptAsItIs();
    void signal_goesToTheSteps();
    void signal_goesToTheScriptWithoutSrun();
    void dependency_isInTheScript();
    void folder_isBoundIntoTheContainer();
    void lint_namesWhatCannotWork_data();
    void lint_namesWhatCannotWork();
    void requeuedJob_findsItsCheckpoints();
    void newFolder_beginsWithWhatWasSent();
    void foreignLinks_areNotFollowed_data();
    void foreignLinks_areNotFollowed();
    void scriptPassesTheSignalOn();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& bytes, bool executable = false);
    QByteArray read(const QString& name) const;
    /// Writes the files of the plan and starts its job.
    std::unique_ptr<QProcess> start(const Plan& plan);
    int run(const Plan& plan);

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_printed;
};

namespace {

using LongValues = QMap<QString, QString>;

Plan longPlan(const LongValues& more, const char* site = "demo", const QString& chain = {},
    LaunchMode mode = LaunchMode::Batch)
{
    LongValues values{{QStringLiteral("command"), QStringLiteral("sh train.sh")},
        {QStringLiteral("image"), QString()}};
    values.insert(more);
    LaunchSpec spec;
    spec.project = QStringLiteral("/home/ada/p");
    spec.values = values;
    spec.mode = mode;
    spec.chain = chain;
    if (!chain.isEmpty()) {
        spec.continues = QStringLiteral("b2c3");
        spec.afterJob = QStringLiteral("41:42");
    }
    return makePlan(spec, builtInRecipe("own-code"), builtInSite(site), {});
}

const QString checkpoints = QStringLiteral("checkpoints"), signalKey = QStringLiteral("signal");

} // namespace

void TestLongWork::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    write(QStringLiteral("bin/srun"),
        "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n", true);
    write(QStringLiteral("code/train.sh"),
        "cat checkpoints/state 2>/dev/null; echo more >>checkpoints/state\n"
        "[ \"$SLIPWAY_CHECKPOINTS\" -ef checkpoints ] && echo same\n");
}

void TestLongWork::write(const QString& name, const QByteArray& bytes, bool executable)
{
    QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    if (executable)
        file.setPermissions(file.permissions() | QFile::ExeOwner | QFile::ExeUser);
}

QByteArray TestLongWork::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::unique_ptr<QProcess> TestLongWork::start(const Plan& plan)
{
    const Result<std::vector<LaunchFile>> files = launchFiles(plan);
    if (!files.ok())
        return {};
    for (const LaunchFile& file : *files)
        write(file.name, file.bytes);
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"),
        path(QStringLiteral("bin")) + u':' + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("SCRATCH"), path(QStringLiteral("scratch")));
    environment.insert(QStringLiteral("HOME"), m_folder->path());
    process->setProcessEnvironment(environment);
    process->setWorkingDirectory(m_folder->path());
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->start(QStringLiteral("bash"), {QStringLiteral("job.sh")});
    return process;
}

int TestLongWork::run(const Plan& plan)
{
    const std::unique_ptr<QProcess> process = start(plan);
    if (!process || !process->waitForFinished(60'000))
        return -1;
    m_printed = process->readAll();
    return process->exitCode();
}

void TestLongWork::signal_isRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("seconds");
    QTest::newRow("usual") << " USR1@120 "
                           << "USR1" << 120;
    QTest::newRow("with its prefix") << "SIGUSR2@5"
                                     << "USR2" << 5;
    QTest::newRow("no time") << "USR1" << QString() << 0;
    QTest::newRow("zero") << "USR1@0" << QString() << 0;
    QTest::newRow("beyond Slurm's limit") << "USR1@65536" << QString() << 0;
    QTest::newRow("a unit") << "USR1@2min" << QString() << 0;
    QTest::newRow("ended by the script itself") << "TERM@60" << QString() << 0;
    QTest::newRow("where it goes is decided") << "B:USR1@60" << QString() << 0;
    QTest::newRow("a second line") << "USR1@60\n#SBATCH" << QString() << 0;
}

void TestLongWork::signal_isRead()
{
    QFETCH(QString, text);
    QFETCH(QString, name);
    QFETCH(int, seconds);
    const std::optional<EndSignal> found = parseEndSignal(text);
    QCOMPARE(found ? found->name : QString(), name);
    QCOMPARE(found ? int(found->before.count()) : 0, seconds);
}

void TestLongWork::checkpointName_isPlain_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::newRow("plain") << "checkpoints"
                           << "checkpoints";
    QTest::newRow("nested") << " ./out/my checkpoints/ "
                            << "out/my checkpoints";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("absolute") << "/scratch/x"
                              << "";
    QTest::newRow("climbs out") << "a/../../b"
                                << "";
    QTest::newRow("the folder itself") << "."
                                       << "";
    QTest::newRow("empty part") << "a//b"
                                << "";
    QTest::newRow("what is fetched") << "results/ckpt"
                                     << "";
    QTest::newRow("newline") << "a\nb"
                             << "";
    QTest::newRow("too long") << QString(201, u'a') << "";
}

void TestLongWork::checkpointName_isPlain()
{
    QFETCH(QString, text);
    QFETCH(QString, name);
    QCOMPARE(checkpointName(text), name);
}

void TestLongWork::emptyFields_leaveTheScriptAsItIs()
{
    const QByteArray script = renderScript(longPlan({}));
    for (const char* word : {"checkpoint", "signal", "--dependency", "trap"})
        QVERIFY2(!script.contains(word), script);
    QVERIFY2(renderScript(longPlan({{checkpoints, checkpoints}}))
                 .contains("\nexport SLIPWAY_CHECKPOINTS=\"$SCRATCH/slipway/checkpoints/{run}\"\n"),
        script);
}

void TestLongWork::signal_goesToTheSteps()
{
    const Plan plan = longPlan({{signalKey, QStringLiteral("SIGUSR1@120")}});
    const QByteArray script = renderScript(plan);
    QVERIFY2(script.contains("\n#SBATCH --signal=USR1@120 "), script);
    QVERIFY2(script.contains("\nsrun sh in_code.sh sh train.sh\n"), script);
    QVERIFY2(!script.contains("trap"), script);
    const Plan steps =
        longPlan({{signalKey, QStringLiteral("USR1@120")}}, "demo", {}, LaunchMode::Interactive);
    QVERIFY(steps.job.signal.isEmpty());
    QVERIFY2(problemsText(steps).contains("get no signal"), problemsText(steps));
}

void TestLongWork::signal_goesToTheScriptWithoutSrun()
{
    const Plan plan = longPlan({{signalKey, QStringLiteral("USR1@120")}}, "frontera-rtx");
    const QByteArray script = renderScript(plan);
    QVERIFY2(script.contains("\n#SBATCH --signal=B:USR1@120 "), script);
    QVERIFY2(script.contains("\ntrap : USR1 "), script);
    QVERIFY2(script.contains("\nsignalled USR1 sh in_code.sh sh train.sh\n"), script);
    QVERIFY2(!problemsText(plan).contains("ibrun"), problemsText(plan));
    const Plan ranks = longPlan({{signalKey, QStringLiteral("USR1@120")},
                                    {QStringLiteral("tasks_per_node"), QStringLiteral("4")}},
        "frontera-rtx");
    QVERIFY2(renderScript(ranks).contains("\nsignalled USR1 ibrun -n 4 sh"), renderScript(ranks));
    QVERIFY2(problemsText(ranks).contains("unknown whether ibrun"), problemsText(ranks));
}

void TestLongWork::dependency_isInTheScript()
{
    const Plan plan = longPlan({{checkpoints, checkpoints}}, "demo", QStringLiteral("a1b2"));
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    const QByteArray script = renderScript(plan);
    QVERIFY2(script.contains("\n#SBATCH --dependency=afterany:41:42 "), script);
    QVERIFY2(
        script.contains("\nexport SLIPWAY_CHECKPOINTS=\"$SCRATCH/slipway/checkpoints/a1b2\"\n"
                        "checkpoint_folder \"$SLIPWAY_CHECKPOINTS\" code/checkpoints || exit\n"),
        script);
}

void TestLongWork::folder_isBoundIntoTheContainer()
{
    const QString image = QStringLiteral("docker://login:5000/demo/python:3.13");
    const LongValues values{{QStringLiteral("image"), image}, {checkpoints, checkpoints}};
    const QByteArray bind = " -B \"$SLIPWAY_CHECKPOINTS\":\"$SLIPWAY_CHECKPOINTS\" ";
    const Plan plan = longPlan(values);
    QVERIFY2(plan.steps.back().body.contains(bind), plan.steps.back().body);
    const Plan enroot = longPlan({{QStringLiteral("image"), image}, {checkpoints, checkpoints},
                                     {QStringLiteral("runtime"), QStringLiteral("enroot")}},
        "nv-slurm");
    const QByteArray body = enroot.steps.back().body;
    QVERIFY2(body.count("SLIPWAY_CHECKPOINTS") >= 3, body); // the bind and the variable
}

void TestLongWork::lint_namesWhatCannotWork_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("absolute") << checkpoints << "/scratch/x" << QByteArray("not a folder in your");
    QTest::newRow("climbs out") << checkpoints << "../x" << QByteArray("not a folder in your");
    QTest::newRow("no signal") << signalKey << "FOO@10" << QByteArray("expected USR1, USR2 or HUP");
    QTest::newRow("longer than the job")
        << signalKey << "USR1@7200" << QByteArray("the job has only");
}

void TestLongWork::lint_namesWhatCannotWork()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QByteArray, text);
    const Plan plan = longPlan({{key, value}});
    QVERIFY2(plan.hasErrors() && problemsText(plan).contains(text), problemsText(plan));
    for (const Problem& problem : plan.problems) {
        if (problem.field == key && problem.fixValue)
            QVERIFY(!longPlan({{key, *problem.fixValue}}).hasErrors());
    }
    const Plan nothing = longPlan({}, "demo", QStringLiteral("a1b2"));
    QVERIFY2(problemsText(nothing).contains("nothing with which to continue run b2c3"),
        problemsText(nothing));
    const Plan hostile = longPlan({{checkpoints, checkpoints}}, "demo", QStringLiteral("../x"));
    QVERIFY(hostile.hasErrors());
}

void TestLongWork::requeuedJob_findsItsCheckpoints()
{
    const Plan plan = longPlan({{checkpoints, checkpoints}}, "demo", QStringLiteral("a1b2"));
    QVERIFY2(run(plan) == 0, m_printed);
    QVERIFY2(!m_printed.contains("more\n") && m_printed.contains("same\n"), m_printed);
    QVERIFY2(run(plan) == 0, m_printed); // the same folder, as after a requeue
    QVERIFY2(m_printed.contains("more\nsame\n"), m_printed);
    // Another run of the chain has its own copy of the code.
    QVERIFY(QFile::remove(path(QStringLiteral("code/checkpoints"))));
    QVERIFY2(run(plan) == 0, m_printed);
    QVERIFY2(m_printed.contains("more\nmore\nsame\n"), m_printed);
    QCOMPARE(read(QStringLiteral("scratch/slipway/checkpoints/a1b2/state")),
        QByteArray("more\nmore\nmore\n"));
}

void TestLongWork::newFolder_beginsWithWhatWasSent()
{
    const Plan plan = longPlan({{checkpoints, checkpoints}}, "demo", QStringLiteral("a1b2"));
    write(QStringLiteral("code/checkpoints/state"), "sent\n");
    // The store of the code shares its files by hard links, without write permission.
    QVERIFY(
        QFile::setPermissions(path(QStringLiteral("code/checkpoints/state")), QFile::ReadOwner));
    QVERIFY2(run(plan) == 0, m_printed);
    QVERIFY2(m_printed.contains("sent\nsame\n"), m_printed);
    QVERIFY(QFile::remove(path(QStringLiteral("code/checkpoints"))));
    write(QStringLiteral("code/checkpoints/state"), "sent again\n");
    QVERIFY2(run(plan) == 0, m_printed);
    QVERIFY2(m_printed.contains("not those of the folder that was sent"), m_printed);
    QCOMPARE(read(QStringLiteral("scratch/slipway/checkpoints/a1b2/state")),
        QByteArray("sent\nmore\nmore\n"));
}

void TestLongWork::foreignLinks_areNotFollowed_data()
{
    QTest::addColumn<QString>("link");
    QTest::newRow("the folder") << "code/checkpoints";
    QTest::newRow("a folder above it") << "code/out";
}

void TestLongWork::foreignLinks_areNotFollowed()
{
    QFETCH(QString, link);
    QVERIFY(QDir().mkpath(path(QStringLiteral("elsewhere"))));
    QVERIFY(QFile::link(path(QStringLiteral("elsewhere")), path(link)));
    const QString name = link.endsWith(checkpoints) ? checkpoints : QStringLiteral("out/ckpt");
    QVERIFY2(run(longPlan({{checkpoints, name}}, "demo", QStringLiteral("a1b2"))) != 0, m_printed);
    QVERIFY2(m_printed.contains("is a symbolic link in the folder that was sent"), m_printed);
    QVERIFY2(!m_printed.contains("same\n"), m_printed);
    QVERIFY(QDir(path(QStringLiteral("elsewhere"))).isEmpty());
    QVERIFY(QFile::exists(path(QStringLiteral("exit.json"))));
}

void TestLongWork::scriptPassesTheSignalOn()
{
    Plan plan =
        longPlan({{signalKey, QStringLiteral("USR1@120")}, {QStringLiteral("modules"), QString()},
                     {QStringLiteral("check"), QStringLiteral("none")}},
            "frontera-rtx");
    write(QStringLiteral("code/train.sh"),
        "trap 'echo saved; exit 3' USR1\necho ready\nwhile :; do sleep 0.05; done\n");
    const std::unique_ptr<QProcess> process = start(plan);
    QVERIFY(process);
    while (!m_printed.contains("ready\n") && process->waitForReadyRead(30'000))
        m_printed += process->readAll();
    QVERIFY2(m_printed.contains("ready\n"), m_printed);
    ::kill(pid_t(process->processId()), SIGUSR1);
    QVERIFY(process->waitForFinished(30'000));
    m_printed += process->readAll();
    QVERIFY2(m_printed.contains("saved\n"), m_printed);
    QCOMPARE(process->exitCode(), 3);
    QVERIFY2(read(QStringLiteral("exit.json")).contains("\"code\":3"), m_printed);
}

SLIPWAY_TEST(TestLongWork, plan_longwork)
#include "tst_longwork.moc"
