// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/explain.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// What is said about a traceback, and what surrounds a hint: certainty, conditions, tables, facts
/// and consequences.
class TestTracebacks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void root_isTheInnermostCause_data();
    void root_isTheInnermostCause();
    void handledException_isNotTheEnd();
    void knownCause_isToldInsteadOfTheException();
    void consequences_areEvidenceOfTheFirstFailure();
    void condition_forbidsWhatTheSiteDoesNotHave();
    void row_saysWhatANumberMeans_data();
    void row_saysWhatANumberMeans();
    void measures_joinTheFailureTheyBelongTo();
    void signal_explainsAnExitCodeWithoutAWord();
    void architecture_isThatOfTheSite();

private:
    Explanation first(const QByteArray& log, const ExplainContext& context = {}) const
    {
        const auto all = explain(m_book, log, context);
        return all.empty() ? Explanation() : all.front();
    }
    std::shared_ptr<const HintBook> m_book;
};

void TestTracebacks::initTestCase()
{
    std::vector<Error> errors;
    m_book = loadHints(sourcePath() + QStringLiteral("/resources"), {}, &errors);
    QVERIFY(errors.empty());
}

void TestTracebacks::root_isTheInnermostCause_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("evidence");
    QTest::addColumn<int>("line");
    const QByteArray head = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n"
                            "    g()\n";
    const QByteArray cause =
        "\nThe above exception was the direct cause of the following exception:\n\n";
    const QByteArray during =
        "\nDuring handling of the above exception, another exception occurred:\n\n";
    const QByteArray bad = "KeyError: 'labels'\n";
    QTest::newRow("alone") << head + bad << QStringLiteral("KeyError: 'labels'") << 4;
    QTest::newRow("a cause") << head + bad + cause + head + "RuntimeError: no batch\n"
                             << QStringLiteral("KeyError: 'labels'") << 4;
    QTest::newRow("three in a chain")
        << head + bad + during + head + "ValueError: x\n" + cause + head + "RuntimeError: y\n"
        << QStringLiteral("KeyError: 'labels'") << 4;
    QTest::newRow("a class without a module") << head + "MyOwnThing: it broke\n"
                                              << QStringLiteral("MyOwnThing: it broke") << 4;
    QTest::newRow("a message of several lines")
        << head + "pkg.ConfigError: two fields\n  are missing:\nname, size\n"
        << QStringLiteral("pkg.ConfigError: two fields") << 4;
    QTest::newRow("a data worker")
        << head + "RuntimeError: Caught KeyError in DataLoader worker process 0.\nOriginal " + head
            + bad
        << QStringLiteral("KeyError: 'labels'") << 8;
    QTest::newRow("a spawned process") << head
            + "torch.multiprocessing.spawn.ProcessRaisedException:\n\n-- Process 0 terminated with "
              "the following error:\n"
            + head + bad << QStringLiteral("KeyError: 'labels'")
                                       << 10;
    QTest::newRow("Ray") << head
            + "ray.exceptions.RayTaskError(KeyError): ray::train() (pid=12, ip=10.0.0.1)\n"
              "  File \"b.py\", line 7, in train\n"
            + bad << QStringLiteral("KeyError: 'labels'")
                         << 6;
    QTest::newRow("torchrun") << head + bad + head
            + "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n====\n"
                              << QStringLiteral("KeyError: 'labels'") << 4;
    QTest::newRow("two ranks, line by line")
        << QByteArray("[rank0]: Traceback (most recent call last):\n"
                      "[rank1]: Traceback (most recent call last):\n"
                      "[rank0]:   File \"a.py\", line 3, in f\n"
                      "[rank1]:   File \"a.py\", line 9, in h\n"
                      "[rank1]: ValueError: second\n[rank0]: KeyError: 'first'\n")
        << QStringLiteral("KeyError: 'first'") << 6;
    QTest::newRow("two ranks without labels")
        << QByteArray("Traceback (most recent call last):\nTraceback (most recent call last):\n"
                      "  File \"a.py\", line 3, in f\n  File \"a.py\", line 3, in f\n"
                      "KeyError: 'labels'\nKeyError: 'labels'\n")
        << QStringLiteral("KeyError: 'labels'") << 5;
    QTest::newRow("a logger's prefix")
        << QByteArray("2022-12-28 16:13:02 [ERROR] Traceback (most recent call last):\n"
                      "2022-12-28 16:13:03 [ERROR]   File \"a.py\", line 3, in f\n"
                      "2022-12-28 16:13:04 [ERROR] KeyError: 'labels'\n")
        << QStringLiteral("KeyError: 'labels'") << 3;
    QTest::newRow("behind a progress bar")
        << QByteArray("epoch 0:   0%|   | 0/2 [00:01<?, ?it/s]Traceback (most recent call last):\n"
                      "  File \"a.py\", line 3, in f\nKeyError: 'labels'\n")
        << QStringLiteral("KeyError: 'labels'") << 3;
    QTest::newRow("drawn in a box")
        << QByteArray("╭──────── Traceback "
                      "(most recent call la"
                      "st) ────────╮\n"
                      "│ /work/a.py:3 in f                                 │\n"
                      "╰───────────────────"
                      "────────────────────"
                      "────────────╯\n"
                      "KeyError: 'labels'\n")
        << QStringLiteral("KeyError: 'labels'") << 4;
    QTest::newRow("it never ends") << head.repeated(3) << QString() << 0;
    QTest::newRow("only the word")
        << QByteArray("see Traceback (most recent call last) above\n") << QString() << 0;
}

void TestTracebacks::root_isTheInnermostCause()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, evidence);
    QFETCH(int, line);
    const Explanation one = first("start\n" + log);
    QCOMPARE(one.evidence, evidence);
    QCOMPARE(one.line, qint64(line == 0 ? 0 : line + 1));
    if (!evidence.isEmpty())
        QCOMPARE(one.name, QStringLiteral("exception"));
}

void TestTracebacks::handledException_isNotTheEnd()
{
    const QByteArray log = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n"
                           "ValueError: tried once\n"
        + QByteArray("step 12 loss 0.5\n").repeated(200);
    QVERIFY(first(log).id.isEmpty());
    ExplainContext failed;
    failed.endedWell = false;
    QCOMPARE(first(log, failed).name, QStringLiteral("exception"));
    ExplainContext well;
    well.endedWell = true;
    QVERIFY(first(log.left(120), well).id.isEmpty());
}

void TestTracebacks::knownCause_isToldInsteadOfTheException()
{
    const QByteArray log =
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n"
        "socket.gaierror: [Errno -3] Temporary failure in name resolution\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        "Traceback (most recent call last):\n  File \"b.py\", line 3, in f\n"
        "OSError: We couldn't connect to 'https://huggingface.co' to load this file\n";
    const Explanation one = first(log);
    QCOMPARE(one.name, QStringLiteral("no-internet"));
    QCOMPARE(one.line, qint64(3));
    QCOMPARE(one.further.size(), size_t(1));
    QCOMPARE(one.further.front().line, qint64(9));
}

void TestTracebacks::consequences_areEvidenceOfTheFirstFailure()
{
    const QByteArray log =
        "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
        "[rank0]:[E ProcessGroupNCCL.cpp:737] [Rank 0] Watchdog caught collective operation "
        "timeout: WorkNCCL(SeqNum=7)\n"
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
        "srun: error: n1: task 0: Exited with exit code 1\n";
    const auto all = explain(m_book, log);
    QCOMPARE(all.size(), size_t(1));
    QCOMPARE(all.front().name, QStringLiteral("gpu-out-of-memory"));
    QCOMPARE(all.front().lines, 4);
    QCOMPARE(all.front().further.size(), size_t(3));
    QCOMPARE(all.front().further.back().line, qint64(4));
    // Alone, each of them is named, with how sure it is.
    const Explanation alone = first(log.mid(log.indexOf("[rank0]")));
    QCOMPARE(alone.name, QStringLiteral("nccl-timeout"));
    QVERIFY(alone.certainty == Explanation::Certainty::Possible);
}

void TestTracebacks::condition_forbidsWhatTheSiteDoesNotHave()
{
    const QByteArray log = "FATAL: container creation failed: mount ERROR: while mounting image: "
                           "no loop devices available\n";
    QVERIFY(first(log).certainty == Explanation::Certainty::Likely); // the runtime is not known
    ExplainContext context;
    context.facts.insert(QStringLiteral("runtime"), QStringLiteral("apptainer"));
    QCOMPARE(first(log, context).name, QStringLiteral("no-loop-device"));
    QVERIFY(first(log, context).certainty == Explanation::Certainty::Sure);
    context.facts.insert(QStringLiteral("runtime"), QStringLiteral("enroot"));
    QVERIFY(first(log, context).id.isEmpty());
}

void TestTracebacks::row_saysWhatANumberMeans_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("title");
    const auto xid = [](const char* number) -> QByteArray {
        return QByteArray("NVRM: Xid (PCI:0000:0a:00): ") + number + ", pid=133\n";
    };
    QTest::newRow("31") << xid("31")
                        << QStringLiteral("Xid 31: a program accessed invalid GPU memory");
    QTest::newRow("79") << xid("79") << QStringLiteral("Xid 79: the GPU has fallen off the bus");
    QTest::newRow("not in the table")
        << xid("999") << QStringLiteral("The GPU driver reported Xid 999");
    QTest::newRow("a limit") << QByteArray("sbatch: error: QOSMaxSubmitJobPerUserLimit\n")
                             << QStringLiteral("You have as many jobs in the queue as you may");
    QTest::newRow("a limit that is not in the table")
        << QByteArray("sbatch: error: QOSMaxUnheardOfPerUser\n")
        << QStringLiteral("A limit of your account or QOS holds the job back");
    QTest::newRow("a signal") << QByteArray("srun: error: n1: task 3: Illegal instruction\n")
                              << QStringLiteral("The program was built for another processor");
    QTest::newRow("a signal by number")
        << QByteArray("mpirun noticed that process rank 1 with PID 0 exited on signal 7\n")
        << QStringLiteral("The program crashed with a bus error");
}

void TestTracebacks::row_saysWhatANumberMeans()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, title);
    QCOMPARE(first(log).title, title);
}

void TestTracebacks::measures_joinTheFailureTheyBelongTo()
{
    ExplainContext context;
    context.measured.insert(QStringLiteral("gpu_memory"), QStringLiteral("79.1 of 80.0 GB."));
    context.measured.insert(QStringLiteral("memory"), QStringLiteral("7.9 of 8.0 GB."));
    QCOMPARE(
        first("CUDA error: out of memory\n", context).facts, QStringLiteral("79.1 of 80.0 GB."));
    QCOMPARE(first("slurmstepd: error: Detected 1 oom_kill event in StepId=1.0.\n", context).facts,
        QStringLiteral("7.9 of 8.0 GB."));
    QVERIFY(first("EADDRINUSE\n", context).facts.isEmpty());
}

void TestTracebacks::signal_explainsAnExitCodeWithoutAWord()
{
    ExplainContext context;
    context.endedWell = false;
    context.exitCode = 139;
    const Explanation one = first("step 1\n", context);
    QCOMPARE(one.title, QStringLiteral("The program crashed with a segmentation fault"));
    QCOMPARE(one.evidence, QStringLiteral("signal 11"));
    QVERIFY(one.certainty == Explanation::Certainty::Possible);
    context.exitCode = 1;
    QVERIFY(first("step 1\n", context).id.isEmpty());
}

void TestTracebacks::architecture_isThatOfTheSite()
{
    ExplainContext context;
    context.facts.insert(QStringLiteral("platform"), QStringLiteral("linux/arm64"));
    const QString remedy = first("bash: /opt/app: Exec format error\n", context).remedy;
    QVERIFY2(remedy.endsWith(u"The nodes here need linux/arm64."), qPrintable(remedy));
    QVERIFY2(!remedy.contains(u"amd64"), qPrintable(remedy));
}

SLIPWAY_TEST(TestTracebacks, explain_tracebacks)
#include "tst_tracebacks.moc"
