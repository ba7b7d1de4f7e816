// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/jobspec.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <random>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

JobSpec fullJob()
{
    JobSpec job;
    job.jobName = QStringLiteral("matmul-scaling");
    job.account = QStringLiteral("p_number");
    job.partition = QStringLiteral("gpu,gpu-h100");
    job.qos = QStringLiteral("normal");
    job.reservation = QStringLiteral("containers_day-2");
    job.constraint = QStringLiteral("a100&nvlink");
    job.nodes = 2;
    job.tasksPerNode = 4;
    job.cpusPerTask = 8;
    job.memory = MemorySize(65536);
    job.gpus = 4;
    job.gpuType = QStringLiteral("h100");
    job.timeLimit = WallTime(30min);
    job.exclusive = true;
    job.comment = QStringLiteral("slipway:0b7e2c5e-7a1c-4a52-9f7e-0d6f3b1c2a33");
    job.output = QStringLiteral("slurm-%j.out");
    return job;
}

} // namespace

class TestJobSpec : public QObject {
    Q_OBJECT

private slots:
    void options_standInAFixedOrder();
    void allocation_hasNoOutputAndNoRequeue();
    void gpus_areAskedForAsTheSiteWants_data();
    void gpus_areAskedForAsTheSiteWants();
    void nothingIsSaidAboutEmptyFields();
    void fields_refuseWhatCouldBreakAScript_data();
    void fields_refuseWhatCouldBreakAScript();
    void randomBytes_neverMakeASecondLine();
    void memory_isAskedForOnce();
    void signal_isCheckedAndPrinted_data();
    void signal_isCheckedAndPrinted();
    void dependency_isCheckedAndPrinted_data();
    void dependency_isCheckedAndPrinted();
    void dependency_joinsTheSlotOfASweep();
    void names_becomeLegal_data();
    void names_becomeLegal();
};

void TestJobSpec::options_standInAFixedOrder()
{
    const auto options = jobOptions(fullJob(), GpuRequestStyle::Gres);
    QVERIFY(options.ok());
    const QStringList expected{QStringLiteral("--job-name=matmul-scaling"),
        QStringLiteral("--account=p_number"), QStringLiteral("--partition=gpu,gpu-h100"),
        QStringLiteral("--qos=normal"), QStringLiteral("--reservation=containers_day-2"),
        QStringLiteral("--constraint=a100&nvlink"), QStringLiteral("--nodes=2"),
        QStringLiteral("--ntasks-per-node=4"), QStringLiteral("--cpus-per-task=8"),
        QStringLiteral("--mem=64G"), QStringLiteral("--gres=gpu:h100:4"),
        QStringLiteral("--time=00:30:00"), QStringLiteral("--exclusive"),
        QStringLiteral("--no-requeue"),
        QStringLiteral("--comment=slipway:0b7e2c5e-7a1c-4a52-9f7e-0d6f3b1c2a33"),
        QStringLiteral("--output=slurm-%j.out"), QStringLiteral("--open-mode=append")};
    QCOMPARE(*options, expected);
}

void TestJobSpec::allocation_hasNoOutputAndNoRequeue()
{
    const auto options = allocationOptions(fullJob(), GpuRequestStyle::Gres);
    QVERIFY(options.ok());
    for (const auto& option : *options) {
        QVERIFY2(!option.startsWith(u"--output") && !option.contains(u"requeue")
                && !option.startsWith(u"--open-mode"),
            qPrintable(option));
    }
    QVERIFY(options->contains(
        QStringLiteral("--comment=slipway:0b7e2c5e-7a1c-4a52-9f7e-0d6f3b1c2a33")));
}

void TestJobSpec::gpus_areAskedForAsTheSiteWants_data()
{
    QTest::addColumn<GpuRequestStyle>("style");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("option");
    QTest::newRow("gres, typed") << GpuRequestStyle::Gres << "h100"
                                 << "--gres=gpu:h100:4";
    QTest::newRow("gres, any") << GpuRequestStyle::Gres << ""
                               << "--gres=gpu:4";
    QTest::newRow("gpus counts all nodes") << GpuRequestStyle::Gpus << "h100"
                                           << "--gpus=h100:8";
    QTest::newRow("gpus, any") << GpuRequestStyle::Gpus << ""
                               << "--gpus=8";
    QTest::newRow("a node") << GpuRequestStyle::GpusPerNode << "a100"
                            << "--gpus-per-node=a100:4";
    QTest::newRow("whole nodes say nothing") << GpuRequestStyle::WholeNode << "h100"
                                             << "";
}

void TestJobSpec::gpus_areAskedForAsTheSiteWants()
{
    QFETCH(GpuRequestStyle, style);
    QFETCH(QString, type);
    QFETCH(QString, option);
    JobSpec job;
    job.nodes = 2;
    job.gpus = 4;
    job.gpuType = type;
    const auto options = jobOptions(job, style);
    QVERIFY(options.ok());
    const auto found = options->filter(QStringLiteral("--g"));
    QCOMPARE(found.join(u' '), option);
}

void TestJobSpec::nothingIsSaidAboutEmptyFields()
{
    const auto options = jobOptions(JobSpec(), GpuRequestStyle::Gres);
    QVERIFY(options.ok());
    QCOMPARE(options->join(u' '), QStringLiteral("--nodes=1 --ntasks-per-node=1 --no-requeue"));
}

void TestJobSpec::fields_refuseWhatCouldBreakAScript_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("newline") << "a\nb";
    QTest::newRow("a second directive") << "a\n#SBATCH --account=x";
    QTest::newRow("final newline") << "a\n";
    QTest::newRow("carriage return") << "a\rb";
    QTest::newRow("space") << "a b";
    QTest::newRow("quote") << "a'b";
    QTest::newRow("double quote") << "a\"b";
    QTest::newRow("command") << "$(id)";
    QTest::newRow("backtick") << "`id`";
    QTest::newRow("semicolon") << "a;b";
    QTest::newRow("option") << "--wrap";
    QTest::newRow("percent x") << "%x";
    QTest::newRow("escape") << "a\x1b[31m";
    QTest::newRow("direction mark") << QStringLiteral("a\u202eb");
}

void TestJobSpec::fields_refuseWhatCouldBreakAScript()
{
    QFETCH(QString, text);
    for (QString JobSpec::*field : {&JobSpec::jobName, &JobSpec::account, &JobSpec::partition,
             &JobSpec::qos, &JobSpec::reservation, &JobSpec::constraint, &JobSpec::comment,
             &JobSpec::output, &JobSpec::gpuType}) {
        JobSpec job;
        job.gpus = 1;
        job.*field = text;
        const auto options = jobOptions(job, GpuRequestStyle::Gres);
        QVERIFY2(!options.ok(), qPrintable(text));
        QCOMPARE(options.error().kind, ErrorKind::Invalid);
        QVERIFY(!options.error().remedy.isEmpty());
    }
}

void TestJobSpec::randomBytes_neverMakeASecondLine()
{
    std::mt19937 random(7);
    for (int i = 0; i < 20000; ++i) {
        QString text;
        for (int j = 0, n = int(random() % 12); j < n; ++j)
            text += QChar(ushort(random() % 300));
        JobSpec job;
        job.gpus = 1;
        job.jobName = job.account = job.comment = job.output = job.gpuType = text;
        const auto options = jobOptions(job, GpuRequestStyle::Gres);
        if (!options.ok())
            continue;
        for (const auto& option : *options) {
            for (const QChar c : option)
                QVERIFY2(
                    !c.isSpace() && c != u'\'' && c != u'"' && c != u'$' && c != u'`' && c != u'\\',
                    qPrintable(option));
        }
    }
}

void TestJobSpec::memory_isAskedForOnce()
{
    JobSpec job;
    job.memory = MemorySize(1024);
    job.memoryPerCpu = MemorySize(512);
    QVERIFY(!jobOptions(job, GpuRequestStyle::Gres).ok());
    job.memory.reset();
    const auto options = jobOptions(job, GpuRequestStyle::Gres);
    QVERIFY(options.ok() && options->contains(QStringLiteral("--mem-per-cpu=512M")));
}

void TestJobSpec::signal_isCheckedAndPrinted_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("legal");
    QTest::newRow("steps") << "USR1@120" << true;
    QTest::newRow("the script") << "B:USR2@65535" << true;
    QTest::newRow("at the end") << "TERM@0" << true;
    QTest::newRow("too early") << "USR1@65536" << false;
    QTest::newRow("no time") << "USR1" << false;
    QTest::newRow("no number") << "USR1@soon" << false;
    QTest::newRow("unknown") << "FOO@10" << false;
    QTest::newRow("kill cannot be handled") << "KILL@10" << false;
    QTest::newRow("newline") << "USR1@10\n" << false;
    QTest::newRow("another option") << "USR1@10 --wrap=x" << false;
    QTest::newRow("other digits") << QStringLiteral("USR1@\u0663\u0660") << false;
}

void TestJobSpec::signal_isCheckedAndPrinted()
{
    QFETCH(QString, text);
    QFETCH(bool, legal);
    JobSpec job;
    job.signal = text;
    const auto options = jobOptions(job, GpuRequestStyle::Gres);
    QCOMPARE(options.ok(), legal);
    if (legal)
        QVERIFY(options->contains(u"--signal=" + text));
    else
        QVERIFY(!options.error().remedy.isEmpty());
}

void TestJobSpec::dependency_isCheckedAndPrinted_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("legal");
    QTest::newRow("one") << "afterany:42" << true;
    QTest::newRow("two") << "afterany:42:43" << true;
    QTest::newRow("a task of an array") << "afterany:42_3" << true;
    QTest::newRow("no job") << "afterany:" << false;
    QTest::newRow("no job after a job") << "afterany:42:" << false;
    QTest::newRow("zero") << "afterany:0" << false;
    QTest::newRow("another kind") << "afterok:42" << false;
    QTest::newRow("another option") << "afterany:42 --wrap=x" << false;
    QTest::newRow("newline") << "afterany:42\n" << false;
    QTest::newRow("a number that is none") << "afterany:12345678901" << false;
}

void TestJobSpec::dependency_isCheckedAndPrinted()
{
    QFETCH(QString, text);
    QFETCH(bool, legal);
    JobSpec job;
    job.dependency = text;
    const auto options = jobOptions(job, GpuRequestStyle::Gres);
    QCOMPARE(options.ok(), legal);
    if (legal)
        QVERIFY(options->contains(u"--dependency=" + text));
}

void TestJobSpec::dependency_joinsTheSlotOfASweep()
{
    JobSpec job;
    job.singleton = true;
    job.dependency = QStringLiteral("afterany:42");
    const auto options = jobOptions(job, GpuRequestStyle::Gres);
    QVERIFY(options.ok());
    QCOMPARE(options->filter(QStringLiteral("--dependency")),
        QStringList{QStringLiteral("--dependency=singleton,afterany:42")});
}

void TestJobSpec::names_becomeLegal_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::newRow("legal stays") << "matmul_2.4-a"
                                 << "matmul_2.4-a";
    QTest::newRow("free text") << "PyTorch matmul (n=4096)"
                               << "PyTorch-matmul-n-4096";
    QTest::newRow("marks") << QStringLiteral("Übung für Café") << "Ubung-fur-Cafe";
    QTest::newRow("climbing out") << "../../etc/x"
                                  << "etc-x";
    QTest::newRow("nothing legal") << QStringLiteral("日本") << "job";
    QTest::newRow("empty") << ""
                           << "job";
    QTest::newRow("newline") << "a\n#SBATCH -A b"
                             << "a-SBATCH-A-b";
    QTest::newRow("too long") << QString(100, u'a') << QString(64, u'a');
    QTest::newRow("cut at a dash") << QString(63, u'a') + QStringLiteral(" b") << QString(63, u'a');
}

void TestJobSpec::names_becomeLegal()
{
    QFETCH(QString, text);
    QFETCH(QString, name);
    QCOMPARE(legalJobName(text), name);
    QVERIFY(isLegalJobName(legalJobName(text)));
}

SLIPWAY_TEST(TestJobSpec, slurm_jobspec)
#include "tst_jobspec.moc"
