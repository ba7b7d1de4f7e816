// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/chaos/launching.h"
#include "tests/support/cutproxy.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"
#include "tests/unit/cluster/fakeslurm.h"

#include <QElapsedTimer>
#include <QProcess>

#include <cstdio>

using namespace slipway;

namespace {

constexpr int fewCuts = 18;
constexpr int longestRecovery = 15'000; // ms from the next login on

/// How long sbatch takes, in seconds: before the scheduler has the job, and after.
struct Pace {
    double before;
    double after;
};
constexpr Pace paces[] = {{0, 0}, {0.5, 0}, {0, 0.5}};

enum class Kind { Killed, LineCut, SessionKilled };
constexpr Kind cutKinds[] = {Kind::Killed, Kind::LineCut, Kind::SessionKilled};

int cutsAsked()
{
    const int asked = qEnvironmentVariableIntValue("SLIPWAY_CUTS");
    return asked > 0 ? asked : fewCuts;
}

/// The program that is killed: it launches, and says when it is logged in.
int launchUntilKilled(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QStringList words = QCoreApplication::arguments().mid(1);
    const QString id = words.takeFirst();
    const Launching::Place place = Launching::Place::fromWords(words);
    const auto launching = Launching::make(place, id);
    ListPrompter prompter;
    const auto shell = connectWith(place.target, prompter);
    if (!launching || !shell.ok())
        return 1;
    std::puts("logged in");
    std::fflush(stdout);
    return awaited(launching->begin(*shell)).ok() ? 0 : 2;
}

const slipway::testing::TestEntry clientEntry("chaos_client", launchUntilKilled);

} // namespace

/// Submissions that are interrupted at any moment, by a kill of the program, of the line and of the
/// server's session, over a real sshd: each click makes one job or none, and it is known which.
class ChaosSubmissions : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void interruptedSubmissions_makeOneJobOrNone();

private:
    /// What a launch came to, as it was said.
    struct Outcome {
        QString tag;
        QString job; ///< empty: it is said that nothing was submitted
    };
    void setPace(const Pace& pace) const;
    qint64 uncutLaunch();
    std::unique_ptr<Launching> interrupt(Kind kind, const QString& id, int after);
    std::unique_ptr<Launching> killClient(const QString& id, int after);
    QStringList jobsOf(const QString& tag) const;

    FakeSlurm m_slurm;
    SshdFixture m_sshd;
    QTemporaryDir m_folder;
    Launching::Place m_place;
};

void ChaosSubmissions::initTestCase()
{
    QVERIFY(m_folder.isValid());
    const QString missing =
        m_sshd.start({u"SetEnv PATH=" + m_slurm.folder() + QStringLiteral(":/usr/bin:/bin")});
    QVERIFY2(missing.isEmpty(), qPrintable(missing));
    m_sshd.trustHostKey();
    m_place = {m_folder.filePath(QStringLiteral("data")),
        m_folder.filePath(QStringLiteral("scratch")), targetOf(m_sshd)};
    const QByteArray jobs = m_folder.path().toUtf8() + "/jobs";
    QVERIFY(QDir().mkpath(m_folder.filePath(QStringLiteral("jobs"))));
    setPace({0, 0});
    m_slurm.program("sbatch",
        "read -r before after <'" + m_folder.path().toUtf8() + "/pace'\nsleep \"$before\"\n"
            + "for a in \"$@\"; do case $a in --comment=*) t=${a#--comment=};; esac; done\ncd '"
            + jobs + "' || exit 1\n"
            + "n=$(($(ls | wc -l) + 101)); until mkdir \"$n\" 2>/dev/null; do n=$((n + 1)); done\n"
              "echo \"$t\" >\"$n/tag\"\necho \"$n|PD|$t|-\" >>'"
            + m_slurm.queueFile().toUtf8() + "'\nsleep \"$after\"\necho \"$n;fake\"\n");
}

void ChaosSubmissions::setPace(const Pace& pace) const
{
    // The scheduler shows the jobs of this launch only: it stays as fast.
    m_slurm.queue({});
    QFile file(m_folder.filePath(QStringLiteral("pace")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::number(pace.before) + ' ' + QByteArray::number(pace.after) + '\n');
}

QStringList ChaosSubmissions::jobsOf(const QString& tag) const
{
    QStringList jobs;
    const QDir all(m_folder.filePath(QStringLiteral("jobs")));
    for (const QString& job : all.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile file(all.filePath(job + QStringLiteral("/tag")));
        if (file.open(QIODevice::ReadOnly) && file.readAll().trimmed() == tag.toUtf8())
            jobs << job;
    }
    return jobs;
}

/// How long one takes, in milliseconds; -1: it failed. The first one also sends the probe.
qint64 ChaosSubmissions::uncutLaunch()
{
    qint64 took = -1;
    for (const char* id : {"first", "whole"}) {
        const auto launching = Launching::make(m_place, QString::fromLatin1(id));
        const auto shell = connected(m_sshd);
        QElapsedTimer clock;
        clock.start();
        if (!launching || !shell || !awaited(launching->begin(shell)).ok())
            return -1;
        took = clock.elapsed();
    }
    return took;
}

/// Another process, killed so many milliseconds after its login.
std::unique_ptr<Launching> ChaosSubmissions::killClient(const QString& id, int after)
{
    QProcess client;
    client.start(QCoreApplication::applicationFilePath(),
        QStringList{QStringLiteral("chaos_client"), id} + m_place.words());
    QByteArray said;
    const bool loggedIn = QTest::qWaitFor(
        [&] {
            said += client.readAllStandardOutput();
            return said.contains("logged in") || client.state() == QProcess::NotRunning;
        },
        30'000);
    if (loggedIn && said.contains("logged in"))
        QTest::qWait(after);
    client.kill();
    client.waitForFinished();
    return said.contains("logged in") ? Launching::stored(m_place, id) : nullptr;
}

std::unique_ptr<Launching> ChaosSubmissions::interrupt(Kind kind, const QString& id, int after)
{
    if (kind == Kind::Killed)
        return killClient(id, after);
    CutProxy proxy(m_sshd.port());
    auto target = m_place.target;
    target.port = proxy.port();
    ListPrompter prompter;
    prompter.accept = true; // the key of the proxy's port is not known
    const auto shell = connectWith(target, prompter);
    auto launching = Launching::make(m_place, id);
    if (!shell.ok() || !launching)
        return nullptr;
    // As the session of a site does, also when nothing of the run waits for an answer.
    connect(shell->get(), &Shell::closed, &launching->handle(), &RunHandle::detach);
    auto beginning = launching->begin(*shell);
    QTest::qWait(after);
    if (kind == Kind::LineCut)
        proxy.cut();
    else
        m_sshd.killSessions();
    (void)awaited(std::move(beginning));
    if (!QTest::qWaitFor([&] { return !launching->handle().isAttached(); }, 20'000))
        return nullptr; // the loss of the line was not noticed
    return launching;
}

void ChaosSubmissions::interruptedSubmissions_makeOneJobOrNone()
{
    const qint64 whole = uncutLaunch();
    QVERIFY(whole >= 0);
    const int cuts = cutsAsked();
    const int ways = int(std::size(paces) * std::size(cutKinds));
    const int each = (cuts + ways - 1) / ways;
    std::vector<Outcome> outcomes;
    qint64 slowest = 0;
    for (int cut = 0; cut < cuts; ++cut) {
        const Pace pace = paces[size_t(cut) % std::size(paces)];
        const Kind kind = cutKinds[size_t(cut) / std::size(paces) % std::size(cutKinds)];
        const double span = double(whole) + 1000 * (pace.before + pace.after);
        const int after = int(span * (cut / ways + 0.5) / each);
        setPace(pace);
        const QString id = QStringLiteral("cut%1").arg(cut);
        const auto launching = interrupt(kind, id, after);
        QVERIFY2(launching, qPrintable(id));
        const auto shell = connected(m_sshd);
        QVERIFY(shell);
        QElapsedTimer clock;
        clock.start();
        launching->attach(shell);
        const bool known = QTest::qWaitFor([&] { return launching->isKnown(); }, longestRecovery);
        QVERIFY2(known, qPrintable(id + u": " + launching->run().sentence));
        slowest = std::max(slowest, clock.elapsed());
        const Run& run = launching->run();
        QVERIFY2(run.job.isValid() || run.sentence.contains(u"Nothing was submitted"),
            qPrintable(id + u": " + run.sentence));
        outcomes.push_back({QStringLiteral("slipway:") + run.tag, run.job.text});
        launching->handle().detach();
    }
    QTest::qWait(2000); // an sbatch that nobody waits for any more would have ended
    int jobs = 0;
    for (const Outcome& outcome : outcomes) {
        const QStringList there = jobsOf(outcome.tag);
        QVERIFY2(there.size() <= 1, qPrintable(outcome.tag + u": " + there.join(u' ')));
        QVERIFY2(there.value(0) == outcome.job,
            qPrintable(outcome.tag + u": said " + outcome.job + u", there " + there.join(u' ')));
        jobs += int(there.size());
    }
    noteTarget("T11",
        QStringLiteral("%1 of %1 cuts: %2 with one job and %3 with none, each known at most %4 s "
                       "after the next login")
            .arg(cuts)
            .arg(jobs)
            .arg(cuts - jobs)
            .arg(double(slowest) / 1000, 0, 'f', 1));
}

SLIPWAY_TEST(ChaosSubmissions, chaos_submissions)
#include "tst_submissions.moc"
