// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace slipway;

namespace {

constexpr int repeats = 5;
constexpr qint64 mostForARun = 1200; // ms, the median from start to exit on an idle machine
constexpr qint64 mostForALine = 150;

struct Row {
    QString what;
    std::vector<qint64> times;

    qint64 median() const { return times.empty() ? -1 : times[times.size() / 2]; }
};

} // namespace

/// How long one waits for what takes no time: a job that prints two letters, and a printed line.
/// The numbers hold on a machine that does nothing else. On the real demo cluster.
class TestLatency : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void beside_sshAndSrun();
    void beside_sbatchWait();
    void run_byBatchJob() { run(QStringLiteral("slipway-cli run"), {}); }
    void run_interactive()
    {
        run(QStringLiteral("slipway-cli run --interactive"), {QStringLiteral("--interactive")});
    }
    void line_showsSoon();
    void cleanupTestCase();

private:
    const Row& add(const QString& what, std::vector<qint64> times);
    void run(const QString& what, const QStringList& more);

    DemoClusterFixture m_cluster;
    std::vector<Row> m_rows;
};

void TestLatency::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
}

const Row& TestLatency::add(const QString& what, std::vector<qint64> times)
{
    std::sort(times.begin(), times.end());
    m_rows.push_back({what, std::move(times)});
    return m_rows.back();
}

void TestLatency::beside_sshAndSrun()
{
    std::vector<qint64> times;
    for (int i = 0; i < repeats; ++i) {
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(m_cluster.ssh(QStringLiteral("srun -Q echo hi")).out.trimmed(), QByteArray("hi"));
        times.push_back(clock.elapsed());
    }
    add(QStringLiteral("ssh … srun echo hi"), times);
}

void TestLatency::beside_sbatchWait()
{
    std::vector<qint64> times;
    for (int i = 0; i < 3; ++i) {
        QElapsedTimer clock;
        clock.start();
        const auto ended =
            m_cluster.ssh(QStringLiteral("sbatch --wait -o /dev/null --wrap='echo hi'"));
        QCOMPARE(ended.code, 0);
        times.push_back(clock.elapsed());
    }
    add(QStringLiteral("ssh … sbatch --wait"), times);
}

void TestLatency::run(const QString& what, const QStringList& more)
{
    const QStringList words =
        QStringList{QStringLiteral("run"), QStringLiteral("run-a-command"),
            QStringLiteral("--site"), QStringLiteral("demo"), QStringLiteral("--set"),
            QStringLiteral("command=echo hi"), QStringLiteral("--set"), QStringLiteral("image=")}
        + more;
    std::vector<qint64> times;
    for (int i = 0; i < repeats; ++i) {
        QElapsedTimer clock;
        clock.start();
        const auto cli = m_cluster.terminal(words);
        QVERIFY(cli->waitForFinished(60'000));
        times.push_back(clock.elapsed());
        const QByteArray out = cli->readAllStandardOutput();
        QVERIFY2(cli->exitCode() == 0 && out.contains("\nhi\n"),
            QByteArray(out + cli->readAllStandardError()));
    }
    const Row& row = add(what, times);
    QVERIFY2(row.median() <= mostForARun,
        qPrintable(
            QStringLiteral("%1 ms, and %2 ms are the most").arg(row.median()).arg(mostForARun)));
}

void TestLatency::line_showsSoon()
{
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo"), &m_cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    // Each line says when it was printed; nodes and test have one clock.
    const auto id = awaited(engine->runs()->launch(commandSpec(QStringLiteral(
        "for i in $(seq 20); do sleep 0.$((30 + i * 3)); echo at $(date +%s%3N); done"))));
    QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
    RunFeed* const feed = engine->runs()->feed(*id);
    std::vector<qint64> times;
    qsizetype next = 0;
    connect(feed, &RunFeed::linesAppended, this, [&] {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (; next < feed->lines().size(); ++next)
            if (feed->lines().at(next).startsWith(u"at "))
                times.push_back(now - feed->lines().at(next).mid(3).toLongLong());
    });
    QVERIFY(waitForEnd(*engine, *id, 60));
    QCOMPARE(times.size(), std::size_t(20));
    const Row& row = add(QStringLiteral("a printed line shows after"), times);
    QVERIFY2(row.median() <= mostForALine,
        qPrintable(
            QStringLiteral("%1 ms, and %2 ms are the most").arg(row.median()).arg(mostForALine)));
}

void TestLatency::cleanupTestCase()
{
    qInfo("%-32s %8s %8s %8s", "ms", "least", "median", "most");
    for (const Row& row : m_rows)
        qInfo("%-32s %8lld %8lld %8lld", qPrintable(row.what), row.times.front(), row.median(),
            row.times.back());
}

SLIPWAY_TEST(TestLatency, cluster_latency)
#include "tst_latency.moc"
