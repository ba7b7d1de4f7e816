// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace slipway;

/// A training that is longer than its job, on the real demo cluster: requeued, and ended by the
/// signal before its time limit. It goes on from its checkpoint, and does no step twice.
class TestLongWorkThere : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void requeuedJob_goesOn();
    void signalledJob_isContinued();
    void cleanupTestCase();

private:
    struct Started {
        std::unique_ptr<QProcess> process;
        QByteArray out;
        QString value(const char* key) const;
        QByteArray log() const;
    };
    Started start(const QStringList& words) const;
    /// Reads until the program prints a step, or ends.
    static bool untilStep(Started* run, int step);
    static bool untilEnd(Started* run);
    /// The steps that were done since the chain began, as the program noted them.
    QList<int> stepsOf(const QString& chain) const;

    DemoClusterFixture m_cluster;
    QStringList m_chains; ///< whose checkpoints are removed at the end
};

namespace {

QList<int> upTo(int last)
{
    QList<int> steps;
    for (int step = 1; step <= last; ++step)
        steps << step;
    return steps;
}

} // namespace

void TestLongWorkThere::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    const QString folder = m_cluster.home() + u"/project";
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + u"/train.py");
    // A step is done once its checkpoint has its name. The handler only takes a note: in the middle
    // of a step there is nothing to save.
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"py(import os
import signal
import sys
import time

last = int(sys.argv[1])
stop = False


def on_signal(number, frame):
    global stop
    stop = True


signal.signal(signal.SIGUSR1, on_signal)
step = 0
if os.path.exists("checkpoints/state"):
    with open("checkpoints/state") as file:
        step = len(file.read().split())
    print(f"from step {step}")
while step < last and not stop:
    time.sleep(0.2)
    step += 1
    done = ""
    if os.path.exists("checkpoints/state"):
        with open("checkpoints/state") as file:
            done = file.read()
    with open("checkpoints/state.part", "w") as file:
        file.write(done + f"{step}\n")
    os.replace("checkpoints/state.part", "checkpoints/state")
    print(f"step {step} loss {1 / step:.4f}", flush=True)
if stop:
    print(f"saved at step {step}", flush=True)
)py") > 0);
}

QString TestLongWorkThere::Started::value(const char* key) const
{
    for (const QByteArray& line : out.split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        if (object.value(QLatin1String(key)).isString())
            return object.value(QLatin1String(key)).toString();
    }
    return {};
}

QByteArray TestLongWorkThere::Started::log() const
{
    return out + "stderr:\n" + process->readAllStandardError();
}

TestLongWorkThere::Started TestLongWorkThere::start(const QStringList& words) const
{
    // Before the words, which may end with those for the program.
    const QStringList first{QStringLiteral("run"), QStringLiteral("--set"),
        QStringLiteral("memory=500M"), QStringLiteral("--json")};
    return {m_cluster.terminal(first + words), {}};
}

bool TestLongWorkThere::untilStep(Started* run, int step)
{
    const QByteArray wanted = "step " + QByteArray::number(step) + " loss";
    return QTest::qWaitFor(
               [run, wanted] {
                   run->out += run->process->readAllStandardOutput();
                   return run->out.contains(wanted)
                       || run->process->state() == QProcess::NotRunning;
               },
               120'000)
        && run->out.contains(wanted);
}

bool TestLongWorkThere::untilEnd(Started* run)
{
    const bool ended = QTest::qWaitFor(
        [run] {
            run->out += run->process->readAllStandardOutput();
            return run->process->state() == QProcess::NotRunning;
        },
        240'000);
    run->out += run->process->readAllStandardOutput();
    if (!ended)
        run->process->kill();
    return ended;
}

QList<int> TestLongWorkThere::stepsOf(const QString& chain) const
{
    QList<int> steps;
    const QByteArray state =
        m_cluster.ssh(u"cat /scratch/demo/slipway/checkpoints/" + chain + u"/state").out;
    for (const QByteArray& line : state.split('\n')) {
        if (!line.trimmed().isEmpty())
            steps << line.toInt();
    }
    return steps;
}

void TestLongWorkThere::requeuedJob_goesOn()
{
    Started run = start({m_cluster.home() + u"/project/train.py", QStringLiteral("--site"),
        QStringLiteral("demo"), QStringLiteral("--image"),
        QStringLiteral("docker://login:5000/demo/python:3.13"), QStringLiteral("--set"),
        QStringLiteral("checkpoints=checkpoints"), QStringLiteral("--set"),
        QStringLiteral("requeue=true"), QStringLiteral("--"), QStringLiteral("25")});
    QVERIFY2(untilStep(&run, 3), run.log());
    QVERIFY2(!run.value("run").isEmpty(), run.log());
    m_chains << run.value("run");
    const auto requeued = m_cluster.ssh(u"scontrol requeue " + run.value("job"));
    QVERIFY2(requeued.code == 0, requeued.out);
    QVERIFY2(untilEnd(&run), run.log());
    QVERIFY2(run.process->exitCode() == 0, run.log());
    QCOMPARE(stepsOf(run.value("run")), upTo(25));
    const QByteArray log = m_cluster.ssh(u"cat " + run.value("folder") + u"/slurm-*.out").out;
    static const QRegularExpression again(QStringLiteral("from step ([0-9]+)"));
    const int from = again.match(QString::fromUtf8(log)).captured(1).toInt();
    QVERIFY2(from >= 3 && from < 25, log);
}

/// Slurm looks at time limits every half minute: with 15 seconds, the signal comes 15 to 45 seconds
/// after the start.
void TestLongWorkThere::signalledJob_isContinued()
{
    Started first = start(
        {m_cluster.home() + u"/project/train.py", QStringLiteral("--site"), QStringLiteral("demo"),
            QStringLiteral("--image"), QStringLiteral("docker://login:5000/demo/python:3.13"),
            QStringLiteral("--set"), QStringLiteral("checkpoints=checkpoints"),
            QStringLiteral("--set"), QStringLiteral("signal=USR1@15"), QStringLiteral("--set"),
            QStringLiteral("time=00:01:00"), QStringLiteral("--"), QStringLiteral("100000")});
    QVERIFY2(untilStep(&first, 1), first.log());
    // Continued while it runs: the second job waits for it.
    const QString chain = first.value("run");
    QVERIFY2(!chain.isEmpty(), first.log());
    m_chains << chain;
    Started second = start({QStringLiteral("--continue"), chain, QStringLiteral("--set"),
        QStringLiteral("command=python3 train.py 320"), QStringLiteral("--set"),
        QStringLiteral("time=00:03:00"), QStringLiteral("--set"), QStringLiteral("signal=")});
    QVERIFY2(untilEnd(&first), first.log());
    const QByteArray log = m_cluster.ssh(u"cat " + first.value("folder") + u"/slurm-*.out").out;
    QVERIFY2(log.contains("saved at step "), log);
    QVERIFY2(untilEnd(&second), second.log());
    QVERIFY2(second.process->exitCode() == 0, second.log());
    QCOMPARE(second.value("continues"), chain);
    const QByteArray script = m_cluster.ssh(u"cat " + second.value("folder") + u"/job.sh").out;
    const QByteArray dependency = "--dependency=afterany:" + first.value("job").toUtf8();
    QVERIFY2(script.contains(dependency), script);
    const QByteArray after = m_cluster.ssh(u"cat " + second.value("folder") + u"/slurm-*.out").out;
    QVERIFY2(after.contains("from step "), after);
    QCOMPARE(stepsOf(chain), upTo(320)); // no step twice, and none left out
}

void TestLongWorkThere::cleanupTestCase()
{
    for (const QString& chain : std::as_const(m_chains))
        m_cluster.ssh(u"rm -rf /scratch/demo/slipway/checkpoints/" + chain);
}

SLIPWAY_TEST(TestLongWorkThere, cluster_longwork)
#include "tst_longwork.moc"
