// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/delayproxy.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace slipway;

namespace {

constexpr int repeats = 5;
constexpr qint64 mostForARun = 1200; // ms, the median from start to exit on an idle machine
constexpr qint64 mostForALine = 150;
constexpr qint64 mostForAFolder = 1000; // from the click until a changed file is there
constexpr int filesOfAFolder = 2000;

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
    void thirtyRuns_costAsMuchAsOne();
    void ownFolder_isReadySoonFarAway();
    void cleanupTestCase();

private:
    const Row& add(const QString& what, std::vector<qint64> times);
    void run(const QString& what, const QStringList& more);

    /// What following so many running jobs costs.
    struct Cost {
        int calls = 0; ///< questions to the scheduler in a minute
        int channels = 0; ///< of the connection, at most
    };
    Cost follow(int runs);
    int channelsInUse() const;

    DemoClusterFixture m_cluster;
    std::vector<Row> m_rows;
    QStringList m_costs;
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

/// Each channel of the connection is a process below its sshd (sshd-session since OpenSSH 9.8); the
/// connection that looks is left out.
int TestLatency::channelsInUse() const
{
    const auto counted = m_cluster.ssh(
        QStringLiteral("for p in $(pgrep -u $(id -u) '^sshd'); do "
                       "[ $p = $PPID ] || pgrep -c -P $p; done | sort -n | tail -n 1"));
    return counted.out.trimmed().split('\n').last().toInt(); // after the emulated site's banner
}

TestLatency::Cost TestLatency::follow(int runs)
{
    const auto engine = m_cluster.engine();
    const QString site = QStringLiteral("demo");
    if (!awaited(engine->sessions()->connectSite(site, &m_cluster.prompter)).ok())
        return {-1, -1};
    QStringList ids;
    for (int i = 0; i < runs; ++i) {
        const auto id = awaited(engine->runs()->launch(
            commandSpec(QStringLiteral("while :; do echo at $(date +%s%3N); sleep 2; done"))));
        if (!id.ok())
            return {-1, -1};
        ids << *id;
    }
    for (const QString& id : std::as_const(ids))
        if (!waitForPhase(*engine, id, RunPhase::Running, 120))
            return {-1, -1};
    std::vector<std::shared_ptr<RunFeed>> feeds;
    std::vector<qint64> times;
    for (const QString& id : std::as_const(ids)) {
        const auto feed = engine->runs()->holdFeed(id);
        feeds.push_back(feed);
        connect(feed.get(), &RunFeed::linesAppended, this, [&times, feed = feed.get()](int count) {
            const qint64 now = QDateTime::currentMSecsSinceEpoch();
            for (const QString& line : feed->lines().last(count))
                if (line.startsWith(u"at "))
                    times.push_back(now - line.mid(3).toLongLong());
        });
    }
    QTest::qWait(10'000); // what was printed before is read
    times.clear();
    Cost cost;
    for (int i = 0; i < 6; ++i) {
        QTest::qWait(11'000);
        cost.channels = std::max(cost.channels, channelsInUse());
    }
    cost.calls = engine->sessions()->connection(site).callsLastMinute;
    add(QStringLiteral("%1 running: a line shows after").arg(runs), times);
    m_costs << QStringLiteral("%1 running: %2 calls a minute, %3 channels, %4 lines")
                   .arg(runs)
                   .arg(cost.calls)
                   .arg(cost.channels)
                   .arg(times.size());
    for (const QString& id : std::as_const(ids))
        Q_UNUSED(awaited(engine->runs()->cancel(id)).ok())
    return cost;
}

void TestLatency::thirtyRuns_costAsMuchAsOne()
{
    // Two nodes of this machine, which say that they have sixteen processors each.
    QTemporaryDir sites;
    const auto write = [&sites](const QString& name, const QByteArray& json) {
        QDir(sites.path()).mkpath(QStringLiteral("emulate"));
        QFile file(sites.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) == json.size());
    };
    write(QStringLiteral("many.json"),
        R"({"id": "many", "name": "Many", "logins": [{"host": "m.example.org", )"
        R"("methods": ["ssh key"]}],
 "partitions": [{"name": "cpu", "default": true, "nodes": 2, "time_limit": "4:00:00"}],
 "scratch": "$SCRATCH", "account": "none"})");
    write(
        QStringLiteral("emulate/many.json"), R"({"cpus_per_node": 16, "memory_per_node": "16G"})");
    const auto emulated = m_cluster.emulate(sites.filePath(QStringLiteral("many.json")));
    QVERIFY2(emulated.code == 0, emulated.out.constData());
    const auto plain = qScopeGuard([this] { m_cluster.emulate({}); });
    const Cost one = follow(1), thirty = follow(30);
    QVERIFY(one.calls > 0 && thirty.calls > 0);
    QVERIFY2(thirty.calls <= one.calls + 1,
        qPrintable(QStringLiteral("%1 calls, and %2 of one").arg(thirty.calls).arg(one.calls)));
    QVERIFY2(thirty.channels >= 1 && thirty.channels <= 3,
        qPrintable(QStringLiteral("%1 channels").arg(thirty.channels)));
}

/// A person's folder of 2,000 files, of which one has changed, over a round trip of 50 ms: from the
/// click until the run has its files, and until its job is accepted.
void TestLatency::ownFolder_isReadySoonFarAway()
{
    const QString folder = m_cluster.home() + u"/many";
    const auto put = [&folder](int number, const QByteArray& bytes) {
        const QString path =
            QStringLiteral("%1/part%2/file%3.py").arg(folder).arg(number % 40).arg(number);
        QFile file(path);
        return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly)
            && file.write(bytes) == bytes.size();
    };
    for (int i = 0; i < filesOfAFolder; ++i)
        QVERIFY(put(i, "number = " + QByteArray::number(i) + '\n' + QByteArray(2000, '#')));
    DelayProxy line(m_cluster.connection().value(u"port").toInt(), std::chrono::milliseconds(25));
    m_cluster.addSite(QStringLiteral("far"), line.port(), QStringLiteral("demo"),
        QStringLiteral("/scratch/demo/far"));
    m_cluster.ssh(QStringLiteral("mkdir -p /scratch/demo/far"));
    m_cluster.prompter.accept = true; // that port is a new host
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("far"), &m_cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    LaunchSpec spec;
    spec.siteId = QStringLiteral("far");
    spec.recipeId = QStringLiteral("own-code");
    spec.project = folder;
    spec.values = {{QStringLiteral("command"), QStringLiteral("true")},
        {QStringLiteral("image"), QString()}, {QStringLiteral("gpus"), QStringLiteral("0")},
        {QStringLiteral("memory"), QStringLiteral("500M")}};
    std::vector<qint64> ready, accepted;
    for (int i = 0; i <= repeats; ++i) {
        QVERIFY(put(7, "changed = " + QByteArray::number(QDateTime::currentMSecsSinceEpoch())));
        QElapsedTimer clock;
        qint64 sent = -1;
        const auto seen = connect(engine->runs(), &Runs::runChanged, this, [&](const QString& id) {
            if (sent < 0 && engine->runs()->run(id)->sentence.startsWith(u"Sent "))
                sent = clock.elapsed();
        });
        clock.start();
        const auto id = awaited(engine->runs()->launch(spec));
        const qint64 all = clock.elapsed();
        disconnect(seen);
        QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
        QVERIFY(sent >= 0);
        QVERIFY(waitForEnd(*engine, *id, 60));
        if (i == 0)
            continue; // everything was sent
        ready.push_back(sent);
        accepted.push_back(all);
    }
    m_cluster.ssh(QStringLiteral("rm -rf /scratch/demo/far"));
    const qint64 median =
        add(QStringLiteral("2,000 files, 1 changed, 50 ms: sent"), ready).median();
    add(QStringLiteral("… until its job is accepted"), accepted);
    QVERIFY2(median <= mostForAFolder,
        qPrintable(
            QStringLiteral("%1 ms, and %2 ms are the most").arg(median).arg(mostForAFolder)));
}

void TestLatency::cleanupTestCase()
{
    qInfo("%-32s %8s %8s %8s", "ms", "least", "median", "most");
    for (const Row& row : m_rows)
        qInfo("%-32s %8lld %8lld %8lld", qPrintable(row.what), row.times.front(), row.median(),
            row.times.back());
    for (const QString& cost : std::as_const(m_costs))
        qInfo("%s", qPrintable(cost));
}

SLIPWAY_TEST(TestLatency, cluster_latency)
#include "tst_latency.moc"
