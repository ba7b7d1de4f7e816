// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/arrayscript.h"
#include "remote/slurm/arraytasks.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

using namespace slipway;

/// The runs of a sweep as one job array: when that is possible, and the script that is submitted.
class TestArrayScript : public QObject {
    Q_OBJECT

private slots:
    void script_requestsWhatEveryTaskDoes();
    void script_startsTheJobOfItsTask();
    void obstacle_isNamed_data();
    void obstacle_isNamed();
    void log_isNamedAfterTheTask();
    void tags_nameTheirTasks();
};

namespace {

using ArrayValues = QMap<QString, QString>;

std::vector<Plan> arrayPlansOf(const QString& key, const QStringList& values)
{
    std::vector<Plan> plans;
    for (const QString& value : values) {
        LaunchSpec spec;
        spec.siteId = QStringLiteral("demo");
        spec.values = {{QStringLiteral("command"), QStringLiteral("echo one")}};
        spec.values.insert(key, value);
        spec.sweepLabel = key + u' ' + value;
        plans.push_back(makePlan(spec, builtInRecipe("run-a-command"), builtInSite("demo"), {}));
    }
    return plans;
}

ClusterInfo withArrays(int size)
{
    ClusterInfo info;
    info.arraySize = size;
    return info;
}

} // namespace

void TestArrayScript::script_requestsWhatEveryTaskDoes()
{
    std::vector<Plan> plans = arrayPlansOf(QStringLiteral("command"),
        {QStringLiteral("echo 1"), QStringLiteral("echo 2"), QStringLiteral("echo 3")});
    const QByteArray shown = renderArrayScript(plans, 2);
    QVERIFY2(shown.contains("#SBATCH --array=0-2%2\n"), shown);
    QVERIFY2(shown.contains("#SBATCH --output=points/%a/slurm-%A_%a.out\n"), shown);
    QVERIFY2(shown.contains("#SBATCH --comment=slipway:{tag}\n"), shown);
    QVERIFY(renderArrayScript(plans, 0).contains("#SBATCH --array=0-2\n"));
    QVERIFY(renderArrayScript(plans, 3).contains("#SBATCH --array=0-2\n")); // no limit
    // Everything else is what a job of its own requests.
    for (const QByteArray& line : renderScript(plans.front()).split('\n')) {
        const QByteArray option = line.left(line.indexOf("  #")).trimmed();
        const bool own = option.contains("--comment=") || option.contains("--output=");
        if (option.startsWith("#SBATCH ") && !own)
            QVERIFY2(shown.contains(QByteArray(option + '\n')), option);
    }
    for (std::size_t task = 0; task < plans.size(); ++task)
        plans[task].tag = taskTag(arrayTag(QStringLiteral("u-u")), int(task));
    QVERIFY(renderArrayScript(plans, 2).contains("#SBATCH --comment=slipway:u-u-array\n"));
    plans.front().spec.sweepLabel = QStringLiteral("a\nrm -rf b");
    QVERIFY(!renderArrayScript(plans, 2).contains("\nrm"));
}

void TestArrayScript::script_startsTheJobOfItsTask()
{
    const QTemporaryDir folder;
    const QString base = folder.path() + u'/';
    putFile(base + u"array.sh",
        renderArrayScript(arrayPlansOf(QStringLiteral("command"),
                              {QStringLiteral("echo 1"), QStringLiteral("echo 2")}),
            0));
    const auto job = [&base](int task) -> QString { return base + taskFolder(task) + u"/job.sh"; };
    for (int task : {0, 1}) {
        putFile(job(task), "#!/bin/sh\necho task $SLURM_ARRAY_TASK_ID in ${PWD##*/}\nexit 7\n");
        QFile::setPermissions(job(task), QFile::ReadOwner | QFile::ExeOwner);
    }
    QProcess bash;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SLURM_ARRAY_TASK_ID"), QStringLiteral("1"));
    bash.setProcessEnvironment(environment);
    bash.setWorkingDirectory(folder.path());
    bash.start(QStringLiteral("bash"), {QStringLiteral("array.sh")});
    QVERIFY(bash.waitForFinished(30'000));
    QCOMPARE(bash.exitCode(), 7);
    QCOMPARE(bash.readAllStandardOutput(), QByteArray("task 1 in 1\n"));
}

void TestArrayScript::obstacle_isNamed_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QStringList>("values");
    QTest::addColumn<int>("size");
    QTest::addColumn<QString>("word"); // empty: an array is possible
    const QStringList two{QStringLiteral("1"), QStringLiteral("2")};
    const QString command = QStringLiteral("command");
    QTest::newRow("another command") << command << two << 1001 << QString();
    QTest::newRow("another image") << QStringLiteral("image") << two << 1001 << QString();
    QTest::newRow("just enough") << command << two << 2 << QString();
    QTest::newRow("other CPUs") << QStringLiteral("cpus") << two << 1001
                                << QStringLiteral("--cpus-per-task");
    QTest::newRow("other time") << QStringLiteral("time")
                                << QStringList{QStringLiteral("10:00"), QStringLiteral("20:00")}
                                << 1001 << QStringLiteral("--time");
    QTest::newRow("memory in one")
        << QStringLiteral("memory") << QStringList{QString(), QStringLiteral("1 GiB")} << 1001
        << QStringLiteral("--mem");
    QTest::newRow("too many") << command << (two + QStringList{QStringLiteral("3")}) << 2
                              << QStringLiteral("at most 2");
    QTest::newRow("no arrays") << command << two << 1 << QStringLiteral("MaxArraySize=1");
    QTest::newRow("not known") << command << two << 0 << QStringLiteral("connected");
    QTest::newRow("one run") << command << QStringList{QStringLiteral("1")} << 1001
                             << QStringLiteral("only one");
}

void TestArrayScript::obstacle_isNamed()
{
    QFETCH(QString, key);
    QFETCH(QStringList, values);
    QFETCH(int, size);
    QFETCH(QString, word);
    std::vector<Plan> plans = arrayPlansOf(key, values);
    const QString said = arrayObstacle(plans, withArrays(size));
    QCOMPARE(said.isEmpty(), word.isEmpty());
    QVERIFY2(said.contains(word), qPrintable(said));
    QVERIFY(!arrayObstacle(plans, {}).isEmpty());
    plans.back().spec.editedScript = "#!/bin/sh\n";
    QVERIFY(!arrayObstacle(plans, withArrays(size)).isEmpty());
    plans.back().spec.editedScript.clear();
    plans.back().spec.mode = LaunchMode::Interactive;
    QVERIFY(!arrayObstacle(plans, withArrays(size)).isEmpty());
}

/// slipway.sh measures the log that Slurm writes.
void TestArrayScript::log_isNamedAfterTheTask()
{
    QFile helper(QStringLiteral(":/slipway/job/slipway.sh"));
    QVERIFY(helper.open(QIODevice::ReadOnly));
    QByteArray line;
    for (const QByteArray& one : helper.readAll().split('\n'))
        if (one.startsWith("slipway_log="))
            line = one;
    const auto logOf = [&line](const QByteArray& variables) {
        QProcess bash;
        bash.start(QStringLiteral("bash"),
            {QStringLiteral("-c"),
                QString::fromUtf8("set -eu; " + variables + "; " + line + "; echo $slipway_log")});
        return bash.waitForFinished(30'000) ? bash.readAllStandardOutput().trimmed() : "";
    };
    QCOMPARE(logOf("SLURM_JOB_ID=79; SLURM_ARRAY_JOB_ID=77; SLURM_ARRAY_TASK_ID=0"),
        QByteArray("slurm-77_0.out"));
    QCOMPARE(logOf("SLURM_JOB_ID=79"), QByteArray("slurm-79.out"));
    QCOMPARE(logOf("true"), QByteArray("slurm-.out"));
}

void TestArrayScript::tags_nameTheirTasks()
{
    const QString tag = arrayTag(QStringLiteral("0d5e-1"));
    QVERIFY(isArrayTag(tag) && isArrayTag(jobComment(tag)) && !isArrayTag(taskTag(tag, 3)));
    QCOMPARE(arrayTagOf(taskTag(tag, 12)), tag);
    QCOMPARE(arrayOf({QStringLiteral("77_[3-5%2]")}).text, QStringLiteral("77"));
    QCOMPARE(arrayOf({QStringLiteral("77")}).text, QStringLiteral("77"));
    QCOMPARE(taskOf({QStringLiteral("77_12")}), 12);
    QCOMPARE(taskOf({QStringLiteral("77")}), -1);
    QCOMPARE(taskOf({QStringLiteral("77_[3-5]")}), -1);
    QCOMPARE(taskId({QStringLiteral("77")}, 3).text, QStringLiteral("77_3"));
    JobSpec job;
    for (const char* wrong : {"0-3%0", "1-3", "0-3\n#SBATCH --wrap=x", "0-3,5", "a"}) {
        job.array = QString::fromLatin1(wrong);
        QVERIFY2(!jobOptions(job, GpuRequestStyle::Gres).ok(), wrong);
    }
}

SLIPWAY_TEST(TestArrayScript, plan_arrayscript)
#include "tst_arrayscript.moc"
