// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/chaos/launching.h"
#include "tests/support/cutproxy.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"
#include "tests/unit/cluster/fakeslurm.h"

#include <QDeadlineTimer>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QRandomGenerator>

#include <cstdio>

using namespace slipway;

namespace {

constexpr int shortSoak = 45; // seconds; a day is SLIPWAY_SOAK=86400
constexpr int runsAtOnce = 4;
constexpr int linesOfAJob = 400;
constexpr int leastPause = 6'000; // ms between two faults
constexpr int mostPause = 14'000;
constexpr int longestEnd = 120'000; // ms, until the last jobs must have ended

int secondsAsked()
{
    const int asked = qEnvironmentVariableIntValue("SLIPWAY_SOAK");
    return asked > 0 ? asked : shortSoak;
}

int openFiles()
{
    return int(QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::AllEntries).size());
}

qint64 residentMebibytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    return file.readAll().split(' ').value(1).toLongLong() * 4096 / (1024 * 1024);
}

} // namespace

/// Jobs that come and go for as long as SLIPWAY_SOAK says, in seconds, over a line that is cut,
/// goes silent and loses its sessions all the while: every log arrives whole, and nothing grows.
class ChaosSoak : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void jobsComeAndGo_overALineThatBreaks();

private:
    /// What is open and used, between two faults.
    struct Use {
        int files = 0;
        qint64 mebibytes = 0;
    };
    bool connectAgain();
    void launchMore();
    void takeEnded();
    void breakTheLine();
    QString wrongWith(const Launching& launching) const;
    QString liveRuns() const;

    FakeSlurm m_slurm;
    SshdFixture m_sshd;
    QTemporaryDir m_folder;
    Launching::Place m_place;
    std::unique_ptr<CutProxy> m_proxy;
    std::shared_ptr<Shell> m_shell;
    std::vector<std::unique_ptr<Launching>> m_live;
    QRandomGenerator m_random{20261125};
    QStringList m_faults;
    int m_launched = 0;
    int m_ended = 0;
    int m_breaks = 0;
};

void ChaosSoak::initTestCase()
{
    const QString missing =
        m_sshd.start({u"SetEnv PATH=" + m_slurm.folder() + QStringLiteral(":/usr/bin:/bin")});
    QVERIFY2(missing.isEmpty(), qPrintable(missing));
    m_sshd.trustHostKey();
    m_proxy = std::make_unique<CutProxy>(m_sshd.port());
    m_place = {m_folder.filePath(QStringLiteral("data")),
        m_folder.filePath(QStringLiteral("scratch")), targetOf(m_sshd)};
    m_place.target.port = m_proxy->port();
    // An sbatch that runs the job at once, and a queue from which it disappears at its end.
    const QByteArray queue = m_slurm.queueFile().toUtf8();
    m_slurm.program("sbatch",
        "q='" + queue
            + "'\n"
              "for a in \"$@\"; do case $a in --comment=*) t=${a#--comment=};; esac; s=$a; done\n"
              "n=101; until mkdir \"$q.$n\" 2>/dev/null; do n=$((n + 1)); done\n"
              "echo \"$n|R|$t|$PWD\" >>\"$q\"\n"
              "( SLURM_JOB_ID=$n setsid bash \"$s\" >\"slurm-$n.out\" 2>&1; "
              "  sed -i \"s/^$n|R/$n|CD/\" \"$q\" ) </dev/null >/dev/null 2>&1 &\n"
              "echo \"$n;fake\"\n");
}

bool ChaosSoak::connectAgain()
{
    for (const auto& launching : m_live)
        launching->handle().detach();
    ListPrompter prompter;
    prompter.accept = true; // the key of the proxy's port is not known
    const auto shell = connectWith(m_place.target, prompter);
    if (!shell.ok())
        return false;
    m_shell = *shell;
    for (const auto& launching : m_live)
        launching->attach(m_shell);
    return true;
}

void ChaosSoak::launchMore()
{
    if (m_shell->linkState() != LinkState::Up || int(m_live.size()) >= runsAtOnce)
        return;
    auto launching = Launching::make(m_place, QStringLiteral("soak%1").arg(m_launched));
    QVERIFY(launching);
    launching->setCommand("i=0; while [ $i -lt " + QByteArray::number(linesOfAJob)
        + " ]; do i=$((i + 1)); echo \"step $i loss 0.$i\"; sleep 0.01; done\n");
    ++m_launched;
    Launching* const begun = launching.get();
    m_live.push_back(std::move(launching));
    (void)awaited(begun->begin(m_shell)); // a cut is found again by attach()
}

/// Empty: its log is here as the job wrote it.
QString ChaosSoak::wrongWith(const Launching& launching) const
{
    const Run& run = launching.run();
    if (run.phase != RunPhase::Done)
        return run.id + u": " + run.sentence;
    QFile here(m_place.store + u"/runs/" + run.id + u"/log.bin");
    QFile there(run.folder + u"/slurm-" + run.job.text + u".out");
    if (!here.open(QIODevice::ReadOnly) || !there.open(QIODevice::ReadOnly))
        return run.id + u": no log";
    const QByteArray got = here.readAll();
    const QByteArray lastLine = "step " + QByteArray::number(linesOfAJob) + ' ';
    if (got != there.readAll() || got.count("\nstep ") != linesOfAJob || !got.contains(lastLine))
        return run.id
            + QStringLiteral(": %1 bytes here, %2 there").arg(got.size()).arg(there.size());
    return {};
}

QString ChaosSoak::liveRuns() const
{
    QStringList said;
    for (const auto& launching : m_live)
        said << launching->run().id + u" (" + launching->run().job.text + u"): "
                + launching->run().sentence;
    return said.join(QStringLiteral("; "));
}

void ChaosSoak::takeEnded()
{
    for (auto it = m_live.begin(); it != m_live.end();) {
        if (!isTerminal((*it)->run().phase)) {
            ++it;
            continue;
        }
        const QString wrong = wrongWith(**it);
        if (!wrong.isEmpty())
            m_faults << wrong;
        ++m_ended;
        QDir((*it)->run().folder).removeRecursively();
        it = m_live.erase(it);
    }
}

void ChaosSoak::breakTheLine()
{
    ++m_breaks;
    switch (m_random.bounded(3)) {
    case 0:
        m_proxy->cut();
        break;
    case 1:
        m_sshd.killSessions();
        break;
    default:
        m_proxy->pause();
        QTest::qWait(1000);
        m_proxy->resume();
        return; // a silence of a second is not a loss
    }
    QVERIFY(QTest::qWaitFor([this] { return m_shell->linkState() == LinkState::Down; }, 20'000));
}

void ChaosSoak::jobsComeAndGo_overALineThatBreaks()
{
    const int seconds = secondsAsked();
    QVERIFY(connectAgain());
    QDeadlineTimer end(seconds * 1000);
    QDeadlineTimer nextFault(leastPause);
    QDeadlineTimer settled(seconds * 1000 / 3); // caches are full by then
    std::optional<Use> before;
    while (!end.hasExpired() || !m_live.empty()) {
        if (m_shell->linkState() == LinkState::Down)
            QVERIFY(connectAgain());
        if (!end.hasExpired())
            launchMore();
        QTest::qWait(50);
        takeEnded();
        QVERIFY2(m_faults.isEmpty(), qPrintable(m_faults.join(u'\n')));
        if (!before && settled.hasExpired())
            before = Use{openFiles(), residentMebibytes()};
        if (nextFault.hasExpired() && !end.hasExpired()) {
            breakTheLine();
            nextFault.setRemainingTime(m_random.bounded(leastPause, mostPause));
        }
        const bool isLate = end.deadline() + longestEnd < QDeadlineTimer::current().deadline();
        QVERIFY2(!isLate, qPrintable(u"not at their end: " + liveRuns()));
    }
    QVERIFY(before);
    const Use after{openFiles(), residentMebibytes()};
    // Of the last runs and connections, some may still be closing.
    QVERIFY2(after.files <= before->files + 12,
        qPrintable(QStringLiteral("%1 files, then %2").arg(before->files).arg(after.files)));
    QVERIFY2(after.mebibytes <= before->mebibytes + 100,
        qPrintable(QStringLiteral("%1 MiB, then %2").arg(before->mebibytes).arg(after.mebibytes)));
    noteTarget("T12",
        QStringLiteral(
            "soak of %1 s of 24 h: %2 jobs with every line, %3 breaks of the line; files "
            "%4 to %5, memory %6 to %7 MiB")
            .arg(seconds)
            .arg(m_ended)
            .arg(m_breaks)
            .arg(before->files)
            .arg(after.files)
            .arg(before->mebibytes)
            .arg(after.mebibytes));
}

SLIPWAY_TEST(ChaosSoak, chaos_soak)
#include "tst_soak.moc"
