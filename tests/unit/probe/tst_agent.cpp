// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "proberun.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

#include <signal.h>

#include <algorithm>
#include <cmath>

/// The agent: a sample a second of the job's cards and the node, an end at once, and nothing left
/// behind.
class TestAgent : public QObject {
    Q_OBJECT

private slots:
    void samples_comeEachSecond();
    void gpus_areTheJobsOnly();
    void withoutNvml_theNodeIsSampled();
    void nvmlThatHangsOrCrashes_isSaidOnce_data();
    void nvmlThatHangsOrCrashes_isSaidOnce();
    void cudaThatHangs_changesNothing();
    void closedInput_endsIt();
    void signals_endIt_data();
    void signals_endIt();
    void closedOutput_endsIt();
    void hungDriver_doesNotBlockIt();
};

namespace {

/// An agent at work; it is ended with the object.
class Agent {
public:
    explicit Agent(const FakeNode& node, const QStringList& more = {})
        : m_node(node)
    {
        m_process.setProcessEnvironment(node.environment());
        m_process.setWorkingDirectory(node.folder());
        inOwnSession(m_process);
        m_process.start(slipway::buildPath(QStringLiteral("/bin/slipway-probe")),
            QStringList{QStringLiteral("agent")} + more);
        m_process.waitForStarted();
        m_session = m_process.processId();
    }
    ~Agent()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(3000))
            m_process.kill();
        m_process.waitForFinished(1000);
    }

    /// Waits until so many lines have come.
    QList<QJsonObject> lines(int count, int milliseconds = 20'000)
    {
        QElapsedTimer timer;
        timer.start();
        while (m_lines.size() < count && timer.elapsed() < milliseconds) {
            m_process.waitForReadyRead(200);
            while (m_process.canReadLine())
                m_lines << QJsonDocument::fromJson(m_process.readLine()).object();
        }
        return m_lines;
    }
    /// Waits for a line of that kind: how many there are with it, 0 if it did not come.
    int linesUntil(bool (*isWanted)(const QJsonObject&))
    {
        for (int count = 1; count < 100 && lines(count).size() >= count; ++count) {
            if (isWanted(m_lines[count - 1]))
                return count;
        }
        return 0;
    }
    QProcess& process() { return m_process; }
    int left() const { return processesOfSession(m_session); }
    /// Whether it ended: one that hangs never does.
    bool waitForEnd() { return m_process.waitForFinished(30'000); }

private:
    FakeNode m_node;
    QProcess m_process;
    qint64 m_session = 0;
    QList<QJsonObject> m_lines;
};

const QStringList fast{QStringLiteral("--every"), QStringLiteral("0.2")};

FakeNode withCards(const QString& words)
{
    return FakeNode().fake(words).jobWithGpus(2);
}

QJsonArray gpusOf(const QJsonObject& sample)
{
    return sample.value(QStringLiteral("gpus")).toArray();
}

/// On a busy machine the first samples may come before NVML has answered.
bool hasGpus(const QJsonObject& line)
{
    return !gpusOf(line).isEmpty();
}

bool isSample(const QJsonObject& line)
{
    return line.value(QStringLiteral("id")).toString() == QStringLiteral("sample");
}

} // namespace

void TestAgent::samples_comeEachSecond()
{
    Agent agent(withCards(QStringLiteral("cards=2")));
    // A busy machine is late now and then, but among so many there are four in time.
    QList<double> times;
    qsizetype inTime = 0;
    for (int count = 4; count <= 16 && inTime < 4; ++count) {
        times.clear();
        for (const QJsonObject& line : agent.lines(count))
            times << line.value(QStringLiteral("t")).toDouble();
        QVERIFY(times.size() >= count);
        for (int first = 0; first < times.size(); ++first) {
            qsizetype fitting = 0;
            for (int i = 0; i < times.size(); ++i)
                fitting += std::abs(times[i] - times[first] - (i - first)) < 0.35;
            inTime = std::max(inTime, fitting);
        }
    }
    QString said;
    for (const double time : times)
        said += QString::number(time - times.first()) + u' ';
    QVERIFY2(inTime >= 4, qPrintable(said));
    const int count = agent.linesUntil(hasGpus);
    QVERIFY(count > 0);
    const QJsonObject last = agent.lines(count)[count - 1], gpu = gpusOf(last).first().toObject(),
                      host = last.value(QStringLiteral("host")).toObject();
    QCOMPARE(last.value(QStringLiteral("id")).toString(), QStringLiteral("sample"));
    QCOMPARE(gpusOf(last).size(), 2);
    QCOMPARE(gpu.value(QStringLiteral("utilization")).toDouble(), 87.0);
    QCOMPARE(gpu.value(QStringLiteral("power")).toDouble(), 412.3);
    QCOMPARE(gpu.value(QStringLiteral("clock")).toDouble(), 1.755e9);
    QCOMPARE(gpu.value(QStringLiteral("memory_total")).toDouble(), 85899345920.0);
    QVERIFY(host.value(QStringLiteral("cpu")).toDouble(-1) >= 0
        && host.value(QStringLiteral("cpu")).toDouble() <= 100);
    QVERIFY(host.value(QStringLiteral("cpus")).toInt() >= 1);
    QVERIFY(host.value(QStringLiteral("memory_used")).toDouble() > 0
        && host.value(QStringLiteral("memory_used")).toDouble()
            <= host.value(QStringLiteral("memory_total")).toDouble());
}

void TestAgent::gpus_areTheJobsOnly()
{
    // NVML shows all four; CUDA, which looks at the mask, shows one.
    Agent agent(withCards(QStringLiteral("cards=4"))
                    .set(QStringLiteral("CUDA_VISIBLE_DEVICES"), QStringLiteral("2")),
        fast);
    const int count = agent.linesUntil(hasGpus);
    QVERIFY(count > 0);
    const QJsonObject last = agent.lines(count + 3).last(); // CUDA has answered as well
    QCOMPARE(gpusOf(last).size(), 1);
    QCOMPARE(gpusOf(last).first().toObject().value(QStringLiteral("uuid")).toString(),
        QStringLiteral("GPU-33333333-3333-3333-3333-333333333300"));
    QCOMPARE(
        gpusOf(last).first().toObject().value(QStringLiteral("index")).toInt(), 0); // of the job's
}

void TestAgent::withoutNvml_theNodeIsSampled()
{
    Agent agent(FakeNode(), fast);
    const int count = agent.linesUntil([](const QJsonObject& line) { return !isSample(line); });
    QVERIFY(count > 0);
    const QList<QJsonObject> lines = agent.lines(count + 3);
    QVERIFY(lines.size() >= count + 3);
    int said = 0;
    for (const QJsonObject& line : lines) {
        said += !isSample(line);
        if (isSample(line))
            QVERIFY(line.value(QStringLiteral("host"))
                        .toObject()
                        .contains(QStringLiteral("memory_used")));
        else
            QVERIFY(line.value(QStringLiteral("why"))
                        .toString()
                        .contains(QStringLiteral("libnvidia-ml.so.1")));
    }
    QCOMPARE(said, 1);
}

void TestAgent::nvmlThatHangsOrCrashes_isSaidOnce_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("why");
    QTest::newRow("hangs") << QStringLiteral("hang=nvmlDeviceGetMemoryInfo")
                           << QStringLiteral("does not answer");
    QTest::newRow("crashes") << QStringLiteral("segv=nvmlInit") << QStringLiteral("crashed");
    QTest::newRow("refuses") << QStringLiteral("nvmlrefuse=9")
                             << QStringLiteral("Driver Not Loaded (9)");
}

void TestAgent::nvmlThatHangsOrCrashes_isSaidOnce()
{
    QFETCH(QString, words);
    QFETCH(QString, why);
    Agent agent(withCards(words), fast);
    QString said;
    int samples = 0, rows = 0;
    for (int count = 5; said.isEmpty() && count < 60; count += 5) {
        samples = rows = 0;
        for (const QJsonObject& line : agent.lines(count)) {
            (isSample(line) ? samples : rows) += 1;
            if (!isSample(line))
                said = line.value(QStringLiteral("why")).toString();
        }
    }
    QVERIFY2(said.contains(why), qPrintable(said));
    QCOMPARE(rows, 1);
    QVERIFY(samples >= 3);
}

void TestAgent::cudaThatHangs_changesNothing()
{
    Agent agent(withCards(QStringLiteral("cards=4,hang=cuInit"))
                    .set(QStringLiteral("CUDA_VISIBLE_DEVICES"), QStringLiteral("1,3")),
        fast);
    const int count = agent.linesUntil(hasGpus);
    QVERIFY(count > 0);
    const QJsonObject last = agent.lines(count + 3).last();
    QCOMPARE(gpusOf(last).size(), 2); // by the mask
    QCOMPARE(gpusOf(last).last().toObject().value(QStringLiteral("uuid")).toString().left(12),
        QStringLiteral("GPU-44444444"));
    agent.process().closeWriteChannel();
    QVERIFY(agent.waitForEnd());
    QTRY_COMPARE(agent.left(), 0);
}

void TestAgent::closedInput_endsIt()
{
    Agent agent(withCards(QStringLiteral("cards=2")));
    agent.lines(1);
    QVERIFY(agent.left() >= 2); // itself and its sampler
    agent.process().closeWriteChannel();
    QVERIFY(agent.waitForEnd());
    QCOMPARE(agent.process().exitCode(), 0);
    QTRY_COMPARE(agent.left(), 0);
}

void TestAgent::signals_endIt_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGKILL") << SIGKILL; // then the kernel ends what it started
}

void TestAgent::signals_endIt()
{
    QFETCH(int, number);
    Agent agent(withCards(QStringLiteral("cards=2,hang=nvmlInit")), fast);
    agent.lines(1);
    ::kill(pid_t(agent.process().processId()), number);
    QVERIFY(agent.waitForEnd());
    QTRY_COMPARE(agent.left(), 0);
}

void TestAgent::closedOutput_endsIt()
{
    // Its input stays open, and who reads it goes after a line.
    QProcess agent, reader;
    const FakeNode node = withCards(QStringLiteral("cards=1"));
    agent.setProcessEnvironment(node.environment());
    inOwnSession(agent);
    agent.setStandardOutputProcess(&reader);
    agent.start(slipway::buildPath(QStringLiteral("/bin/slipway-probe")),
        QStringList{QStringLiteral("agent")} + fast);
    reader.start(QStringLiteral("head"), {QStringLiteral("-n"), QStringLiteral("1")});
    QVERIFY(agent.waitForStarted());
    const qint64 session = agent.processId();
    QVERIFY(reader.waitForFinished(30'000));
    QVERIFY(reader.readAllStandardOutput().contains("\"id\""));
    QVERIFY(agent.waitForFinished(30'000));
    QCOMPARE(agent.exitCode(), 0);
    QTRY_COMPARE(processesOfSession(session), 0);
}

void TestAgent::hungDriver_doesNotBlockIt()
{
    Agent agent(withCards(QStringLiteral("hang=nvmlInit")), fast);
    agent.lines(2);
    agent.process().closeWriteChannel();
    QVERIFY(agent.waitForEnd());
    QTRY_COMPARE(agent.left(), 0);
}

SLIPWAY_TEST(TestAgent, probe_agent)
#include "tst_agent.moc"
