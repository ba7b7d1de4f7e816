// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/centrefixture.h"
#include "tests/cluster/terminal.h"
#include "tests/support/files.h"
#include "tests/support/largefile.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QDirIterator>
#include <QElapsedTimer>

#include <csignal>

using namespace slipway;

namespace {

constexpr int sleepSeconds = 60;
constexpr int jobLines = 120; ///< one a second
constexpr qint64 resultSize = 128 * 1024 * 1024;

/// Each job has its own word, so that no line of another one is taken for its own.
QString jobOf(const QString& word, const QString& first = {})
{
    return first
        + QStringLiteral("for i in $(seq %1); do echo %2 $i; sleep 1; done")
              .arg(jobLines)
              .arg(word);
}

} // namespace

/// A day of a laptop on the real demo cluster, behind a jump host that asks for a password and a
/// code: programs of one person that share a connection, and all that happens to them.
class TestLaptopsDay : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void day_losesNothingAndAsksOneCodeForEachConnection();
    void cleanupTestCase();

private:
    Terminal start(const QStringList& words) { return Terminal(m_cluster.terminal(words)); }
    Terminal follow(const QString& run)
    {
        return start({QStringLiteral("log"), run, QStringLiteral("--follow")});
    }
    void sleepAndWake(const QList<Terminal*>& programs);
    void restartScheduler();
    void checkRun(const QString& id, const QByteArray& word);

    DemoClusterFixture m_cluster;
    CentreFixture m_centre{&m_cluster};
    qint64 m_wakingTook = 0;
};

void TestLaptopsDay::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    const QString failed = m_centre.start();
    QVERIFY2(failed.isEmpty(), qPrintable(failed));
}

void TestLaptopsDay::cleanupTestCase()
{
    QVERIFY(m_centre.endBrokers());
}

/// What stands still while a laptop sleeps: its programs and the process that shares the
/// connection. The cluster goes on.
void TestLaptopsDay::sleepAndWake(const QList<Terminal*>& programs)
{
    QList<qint64> asleep = m_centre.brokers();
    QCOMPARE(asleep.size(), 1);
    for (const Terminal* program : programs)
        asleep << program->process->processId();
    const auto signalAll = [&asleep](int signal) {
        for (const qint64 pid : asleep)
            ::kill(pid_t(pid), signal);
    };
    signalAll(SIGSTOP);
    QTest::qWait(sleepSeconds * 1000);
    QByteArrayList present; // the last line of each job by now
    for (const Terminal* program : programs)
        present << m_cluster
                       .ssh(u"tail -n 1 /scratch/demo/slipway/*" + program->runId()
                           + u"/slurm-*.out")
                       .out.trimmed();
    const int connections = m_centre.network().connections();
    QElapsedTimer clock;
    clock.start();
    signalAll(SIGCONT);
    for (qsizetype i = 0; i < programs.size(); ++i) {
        QVERIFY2(present[i].split(' ').value(1).toInt() >= sleepSeconds / 2, present[i]);
        QVERIFY2(programs[i]->prints('\n' + present[i] + '\n', 30), programs[i]->all());
    }
    m_wakingTook = clock.elapsed();
    QVERIFY2(m_wakingTook <= 15'000, qPrintable(QString::number(m_wakingTook)));
    QTest::qWait(int(std::max<qint64>(0, 5000 - m_wakingTook)));
    QCOMPARE(m_centre.network().connections(), connections);
}

/// As an administrator does it; jobs go on without it.
void TestLaptopsDay::restartScheduler()
{
    const auto restarted = m_cluster.root(QStringLiteral("login"),
        QStringLiteral(
            "pkill -x slurmctld; while pgrep -x slurmctld >/dev/null; do sleep 0.1; done\n"
            "setsid slurmctld -D >>/var/log/demo/slurmctld-login.log 2>&1 </dev/null &\n"
            "echo $! >/run/slipway/slurmctld.pid\n"
            "until scontrol ping | grep -q 'is UP'; do sleep 0.2; done"));
    QVERIFY2(restarted.code == 0, restarted.out);
}

/// Every byte of its log is here, every line once, and it was one job that ended well.
void TestLaptopsDay::checkRun(const QString& id, const QByteArray& word)
{
    const auto run = m_cluster.engine()->runs()->run(id);
    QVERIFY(run.has_value());
    QVERIFY2(run->phase == RunPhase::Done, qPrintable(run->sentence));
    const QString log = m_cluster.dataFolder() + u"/runs/" + id + u"/log.bin";
    QCOMPARE(sumOf(log).toHex(), m_cluster.ssh(u"sha256sum < " + run->logFile).out.left(64));
    QByteArray expected;
    for (int i = 1; i <= jobLines; ++i)
        expected += word + ' ' + QByteArray::number(i) + '\n';
    QVERIFY(contentOf(log).contains(expected));
    const QByteArray jobs =
        m_cluster.ssh(QStringLiteral("squeue -h -t all -o '%i %k'")).out.trimmed();
    QByteArrayList ofThisRun;
    for (const QByteArray& row : jobs.split('\n'))
        if (row.endsWith(QByteArray(':' + run->tag.toUtf8())))
            ofThisRun << row.split(' ').first();
    QCOMPARE(ofThisRun, QByteArrayList{run->job.text.toUtf8()});
}

void TestLaptopsDay::day_losesNothingAndAsksOneCodeForEachConnection()
{
    // In the morning: a login with a code, and three jobs by three programs.
    const QString result =
        QStringLiteral("head -c %1 /dev/urandom >$SLURM_SUBMIT_DIR/result.bin; ").arg(resultSize);
    auto first = std::make_unique<Terminal>(
        m_cluster.terminal(runWords(centre, jobOf(QStringLiteral("alpha"), result))));
    first->process->write(m_centre.answers());
    QVERIFY2(first->prints("\nalpha 2\n"), first->all());
    Terminal second = start(runWords(centre, jobOf(QStringLiteral("beta"))));
    Terminal third = start(runWords(centre, jobOf(QStringLiteral("gamma"))));
    QVERIFY2(second.prints("\nbeta 2\n"), second.all());
    QVERIFY2(third.prints("\ngamma 2\n"), third.all());
    const QStringList ids{first->runId(), second.runId(), third.runId()};

    sleepAndWake({first.get(), &second, &third});
    if (QTest::currentTestFailed())
        return;
    restartScheduler();
    if (QTest::currentTestFailed())
        return;

    // The program that logged in is killed; another one goes on over the connection.
    first->process->kill();
    QCOMPARE(first->ended(), -1);
    Terminal firstAgain = follow(ids[0]);
    QVERIFY2(firstAgain.prints("\nalpha 3\n"), firstAgain.all());
    const auto asked = [](const QList<const Terminal*>& programs) {
        qsizetype count = 0;
        for (const Terminal* program : programs)
            count += program->err.count(CentreFixture::codePrompt().trimmed());
        return int(count);
    };
    QCOMPARE(asked({first.get(), &second, &third, &firstAgain}), 1);
    QCOMPARE(m_centre.codesAccepted(), 1);

    // In a transfer the laptop gets another address, and what was connected is reset. No connection
    // outlives that, and only a person has the next code: the programs end, say so, and send
    // nothing by themselves.
    const QString here = m_cluster.home() + u"/fetched";
    const QStringList fetchWords{QStringLiteral("fetch"), ids[0], here};
    Terminal fetch = start(fetchWords);
    const qint64 before = m_centre.network().delivered();
    const auto arrived = [&] { return m_centre.network().delivered() - before; };
    QTRY_VERIFY2_WITH_TIMEOUT(arrived() > resultSize / 4, fetch.all(), 30'000);
    m_centre.changeAddress();
    QElapsedTimer clock;
    clock.start();
    for (Terminal* const program : {&fetch, &second, &third, &firstAgain})
        QVERIFY2(program->ended(20) == 3, program->all());
    const qint64 noticed = clock.elapsed();
    for (Terminal* const program : {&second, &third, &firstAgain}) {
        QVERIFY2(program->err.contains("The connection was lost"), program->all());
        QVERIFY2(program->err.contains("Resume: slipway-cli log "), program->all());
    }
    QTest::qWait(3000);
    QCOMPARE(m_centre.network().connections(), 0);
    QCOMPARE(m_centre.codesAccepted(), 1);

    // The person comes back, with the next code for all of it.
    Terminal secondAgain = follow(ids[1]);
    secondAgain.process->write(m_centre.answers());
    QVERIFY2(secondAgain.prints("\nbeta 2\n"), secondAgain.all());
    Terminal fetchAgain = start(fetchWords);
    Terminal thirdAgain = follow(ids[2]);
    Terminal firstAtLast = follow(ids[0]);
    QVERIFY2(fetchAgain.ended() == 0, fetchAgain.all());
    const qint64 again = m_centre.network().delivered();
    QVERIFY2(again < resultSize * 7 / 8, qPrintable(QString::number(again)));
    for (Terminal* const program : {&firstAtLast, &secondAgain, &thirdAgain})
        QVERIFY2(program->ended(150) == 0, program->all());

    QCOMPARE(asked({&fetch, &secondAgain, &fetchAgain, &thirdAgain, &firstAtLast}), 1);
    QCOMPARE(m_centre.codesAccepted(), 2);
    QCOMPARE(m_centre.codesRefused(), 0);
    const QByteArrayList words{"alpha", "beta", "gamma"};
    for (qsizetype i = 0; i < ids.size(); ++i) {
        checkRun(ids[i], words[i]);
        if (QTest::currentTestFailed())
            return;
    }
    QDirIterator fetched(
        here, {QStringLiteral("result.bin*")}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(fetched.hasNext());
    const QString file = fetched.next();
    QVERIFY2(file.endsWith(u"/result.bin") && !fetched.hasNext(), qPrintable(file));
    QCOMPARE(sumOf(file).toHex(),
        m_cluster.ssh(u"sha256sum < $(ls /scratch/demo/slipway/*" + ids[0] + u"/result.bin)")
            .out.left(64));
    noteTarget("T4",
        QStringLiteral("three terminal programs and their connection stopped for %1 s: no new "
                       "connection in the first 5 s, the logs caught up after %2 s")
            .arg(sleepSeconds)
            .arg(double(m_wakingTook) / 1000, 0, 'f', 1));
    noteTarget("T5",
        QStringLiteral("a laptop's day behind a jump host with a code: 8 programs, one code until "
                       "the connection was reset (all had noticed after %1 s), nothing sent by "
                       "themselves, one more code by the person; 3 logs and a transfer of %2 MiB "
                       "whole")
            .arg(double(noticed) / 1000, 0, 'f', 1)
            .arg(resultSize / 1024 / 1024));
}

SLIPWAY_TEST(TestLaptopsDay, cluster_laptopsday)
#include "tst_laptopsday.moc"
