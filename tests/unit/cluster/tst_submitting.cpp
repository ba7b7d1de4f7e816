// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/cluster.h"
#include "remote/cluster/slurmcontext.h"
#include "remote/shell/localshell.h"
#include "settled.h"
#include "submissionrequests.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QSignalSpy>

using namespace slipway;
using namespace std::chrono_literals;

class TestSubmitting : public QObject {
    Q_OBJECT

private slots:
    void init();
    void submit_returnsTheNumber();
    void secondSubmit_findsTheFirst();
    void twoAtOnce_submitOnce();
    void banner_isNotTakenForAJobId();
    void refusal_isASentence_andMayBeRepeated();
    void timeoutAfterAcceptance_isFoundByItsTag();
    void timeoutWithoutAcceptance_isNotRepeatedBlindly();
    void controllerDown_isATimeout();
    void deadSubmitter_isTakenOver();
    void noFolder_isReported();
    void cutLink_andSecondTry_submitOnce();
    void allocation_isGranted();
    void allocation_byABatchJobThatWaits();
    void allocation_byABatchJobIsRefused();
    void allocation_refusedAndCancelled_data();
    void allocation_refusedAndCancelled();
    void secondAllocate_waitsForTheSameOne();
    void cancel_isConfirmedByState();
    void orphans_areThoseWithOurTag();
    void step_runsOnce_andTellsItsCode();
    void step_thatWasReplacedIsNotStarted();
    void invalidRequests_areRefusedLocally();

private:
    std::unique_ptr<FakeSlurm> m_slurm;
    std::shared_ptr<Shell> m_shell;
    std::unique_ptr<Cluster> m_cluster;
};

void TestSubmitting::init()
{
    m_slurm.reset(); // it puts the PATH back
    m_slurm = std::make_unique<FakeSlurm>();
    m_shell = std::make_shared<LocalShell>();
    m_cluster = std::make_unique<Cluster>(m_shell);
    m_cluster->setTimeouts(quick());
}

void TestSubmitting::submit_returnsTheNumber()
{
    m_slurm->accepting();
    const auto id = settled(m_cluster->submit(requestFor(*m_slurm)));
    QVERIFY2(id.ok(), id.ok() ? "" : qPrintable(id.error().text()));
    QCOMPARE(id->text, QStringLiteral("101"));
    QVERIFY(QFile::exists(m_slurm->runFolder() + QStringLiteral("/jobid")));
    QCOMPARE(m_cluster->callsLastMinute(), 1);
}

void TestSubmitting::secondSubmit_findsTheFirst()
{
    m_slurm->accepting();
    for (int i = 0; i < 3; ++i)
        QCOMPARE(numberOf(settled(m_cluster->submit(requestFor(*m_slurm)))), QStringLiteral("101"));
    QCOMPARE(m_slurm->submissions(), 1);
}

void TestSubmitting::twoAtOnce_submitOnce()
{
    m_slurm->accepting("sleep 0.2\n");
    auto timeouts = quick();
    timeouts.absent = 20s; // the second waits for the first, however busy the machine is
    m_cluster->setTimeouts(timeouts);
    auto first = m_cluster->submit(requestFor(*m_slurm));
    auto second = m_cluster->submit(requestFor(*m_slurm));
    QCOMPARE(numberOf(settled(std::move(first))), QStringLiteral("101"));
    QCOMPARE(numberOf(settled(std::move(second))), QStringLiteral("101"));
    QCOMPARE(m_slurm->submissions(), 1);
}

void TestSubmitting::banner_isNotTakenForAJobId()
{
    m_slurm->answerWith("echo 'Welcome to the Stampede3 Supercomputer'; echo '--> OK'; echo "
                        "\"Submitted batch job $n\"\n");
    m_slurm->accepting();
    QCOMPARE(numberOf(settled(m_cluster->submit(requestFor(*m_slurm)))), QStringLiteral("101"));
}

void TestSubmitting::refusal_isASentence_andMayBeRepeated()
{
    m_slurm->program("sbatch",
        "echo 'sbatch: error: Batch job submission failed: Invalid qos specification' >&2; exit "
        "1\n");
    const auto refused = settled(m_cluster->submit(requestFor(*m_slurm)));
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Refused);
    QVERIFY(refused.error().detail.contains("Invalid qos"));
    m_slurm->accepting();
    QVERIFY(settled(m_cluster->submit(requestFor(*m_slurm))).ok());
}

void TestSubmitting::timeoutAfterAcceptance_isFoundByItsTag()
{
    m_slurm->answerWith("echo 'sbatch: error: Batch job submission failed: Socket timed out on "
                        "send/recv operation' >&2; exit 1\n");
    m_slurm->accepting();
    const auto id = settled(m_cluster->submit(requestFor(*m_slurm)));
    QVERIFY(id.ok());
    QCOMPARE(id->text, QStringLiteral("101"));
    QCOMPARE(numberOf(settled(m_cluster->submit(requestFor(*m_slurm)))), QStringLiteral("101"));
    QCOMPARE(m_slurm->submissions(), 1);
}

void TestSubmitting::timeoutWithoutAcceptance_isNotRepeatedBlindly()
{
    m_slurm->program("sbatch",
        "echo x >>'" + m_slurm->queueFile().toUtf8()
            + ".tries'\necho 'sbatch: error: Socket timed out on send/recv operation' >&2; exit "
              "1\n");
    const auto id = settled(m_cluster->submit(requestFor(*m_slurm)));
    QVERIFY(!id.ok());
    QCOMPARE(id.error().kind, ErrorKind::Timeout);
    QFile tries(m_slurm->queueFile() + QStringLiteral(".tries"));
    QVERIFY(tries.open(QIODevice::ReadOnly));
    QCOMPARE(tries.readAll(), QByteArray("x\n"));
}

void TestSubmitting::controllerDown_isATimeout()
{
    m_slurm->program("sbatch",
        "echo 'sbatch: error: Batch job submission failed: Unable to contact slurm controller "
        "(connect failure)' >&2; exit 1\n");
    QFile down(m_slurm->queueFile() + QStringLiteral(".down"));
    QVERIFY(down.open(QIODevice::WriteOnly));
    const auto id = settled(m_cluster->submit(requestFor(*m_slurm)));
    QCOMPARE(id.error().kind, ErrorKind::Timeout);
    QVERIFY(!id.error().remedy.isEmpty());
    down.remove();
    m_slurm->accepting();
    // The scheduler is back and knows no such job: now it may be submitted.
    QTest::qWait(1100);
    const auto again = settled(m_cluster->submit(requestFor(*m_slurm)));
    QVERIFY(again.ok() || again.error().kind == ErrorKind::Timeout);
    QVERIFY(settled(m_cluster->submit(requestFor(*m_slurm))).ok());
    QCOMPARE(m_slurm->submissions(), 1);
}

void TestSubmitting::deadSubmitter_isTakenOver()
{
    const auto request = requestFor(*m_slurm);
    QVERIFY(QDir(request.folder)
                .mkdir(QStringLiteral("submit.lock"))); // a call that died before sbatch
    m_slurm->accepting();
    QTest::qWait(2300); // its age is given in whole seconds
    const auto id = settled(m_cluster->submit(request));
    QVERIFY(id.ok());
    QCOMPARE(m_slurm->submissions(), 1);
}

void TestSubmitting::noFolder_isReported()
{
    auto request = requestFor(*m_slurm);
    request.folder = QStringLiteral("/nonexistent/slipway");
    QCOMPARE(settled(m_cluster->submit(request)).error().kind, ErrorKind::NotFound);
}

void TestSubmitting::cutLink_andSecondTry_submitOnce()
{
    m_slurm->accepting("sleep 0.3\n");
    for (const int after : {0, 20, 60, 120, 250, 400}) {
        auto request = requestFor(*m_slurm);
        request.folder += QString::number(after);
        request.tag += QString::number(after);
        QDir().mkpath(request.folder);
        const int before = m_slurm->submissions();
        auto shell = std::make_shared<LocalShell>();
        Cluster cut(shell);
        auto task = cut.submit(request);
        QTest::qWait(after);
        shell->close();
        (void)settled(std::move(task));
        QTest::qWait(500); // what the far side had begun goes on, as over SSH, or died
        auto id = settled(m_cluster->submit(request));
        for (int tries = 0; tries < 5 && !id.ok(); ++tries)
            id = settled(m_cluster->submit(request));
        QVERIFY2(id.ok(), id.ok() ? "" : qPrintable(id.error().text()));
        QCOMPARE(m_slurm->submissions(), before + 1);
    }
}

void TestSubmitting::allocation_isGranted()
{
    m_slurm->program("salloc",
        "echo \"$@\" >args\necho 'salloc: Pending job allocation 33' >&2\nsleep 0.2\n"
        "echo 'salloc: Granted job allocation 33' >&2\necho 'salloc: Nodes gpu01 are ready for "
        "job' >&2\n");
    QSignalSpy pending(m_cluster.get(), &Cluster::allocationPending);
    const auto got = settled(m_cluster->allocate(allocationFor(*m_slurm)));
    QVERIFY2(got.ok(), got.ok() ? "" : qPrintable(got.error().text()));
    QCOMPARE(got->id.text, QStringLiteral("33"));
    QCOMPARE(got->nodeList, QStringLiteral("gpu01"));
    QCOMPARE(pending.size(), 1);
    QFile args(m_slurm->runFolder() + QStringLiteral("/args"));
    QVERIFY(args.open(QIODevice::ReadOnly));
    QCOMPARE(
        args.readAll(), QByteArray("--no-shell --nodes=1 --job-name=it --comment=slipway:abc-2\n"));
}

void TestSubmitting::allocation_byABatchJobThatWaits()
{
    m_slurm->program("sbatch",
        "printf '%s\\n' \"$@\" >args\necho '--> Verifying your account...OK'\necho "
        "'34;frontera'\n");
    m_slurm->program("squeue",
        "case $* in *-j*) echo x >>asked; [ $(wc -l <asked) -ge 3 ] && echo 'R c101-[01-02]' || "
        "echo 'PD ' ;; esac\n");
    AllocateRequest request = allocationFor(*m_slurm);
    request.byBatchJob = true;
    const auto got = settled(m_cluster->allocate(request));
    QVERIFY2(got.ok(), got.ok() ? "" : qPrintable(got.error().text()));
    QCOMPARE(got->id.text, QStringLiteral("34"));
    QCOMPARE(got->nodeList, QStringLiteral("c101-[01-02]"));
    QFile args(m_slurm->runFolder() + QStringLiteral("/args"));
    QVERIFY(args.open(QIODevice::ReadOnly));
    QCOMPARE(args.readAll(),
        QByteArray("--parsable\n--output=/dev/null\n--wrap=while sleep 3600; do :; "
                   "done\n--nodes=1\n--job-name=it\n--comment=slipway:abc-2\n"));
}

void TestSubmitting::allocation_byABatchJobIsRefused()
{
    m_slurm->program("sbatch",
        "echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' "
        ">&2\nexit 1\n");
    AllocateRequest request = allocationFor(*m_slurm);
    request.byBatchJob = true;
    const auto got = settled(m_cluster->allocate(request));
    QVERIFY(!got.ok());
    QVERIFY2(got.error().kind == ErrorKind::Refused, qPrintable(got.error().text()));
}

void TestSubmitting::allocation_refusedAndCancelled_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("refused") << QByteArray(
        "salloc: error: Job submit/allocate failed: Invalid partition name specified")
                             << ErrorKind::Refused;
    QTest::newRow("cancelled while pending, 24.11") << QByteArray(
        "salloc: Pending job allocation 8\nsalloc: job 8 queued and waiting for resources\nsalloc: "
        "Job has been cancelled\n"
        "salloc: error: Job submit/allocate failed: Job/step already completing or completed")
                                                    << ErrorKind::Cancelled;
    QTest::newRow("revoked") << QByteArray(
        "salloc: Pending job allocation 8\nsalloc: Job allocation 8 has been revoked.")
                             << ErrorKind::Cancelled;
    QTest::newRow("says nothing") << QByteArray() << ErrorKind::Refused;
}

void TestSubmitting::allocation_refusedAndCancelled()
{
    QFETCH(QByteArray, text);
    QFETCH(ErrorKind, kind);
    m_slurm->program("salloc", "cat >&2 <<'X'\n" + text + "\nX\nexit 1\n");
    const auto got = settled(m_cluster->allocate(allocationFor(*m_slurm)));
    QVERIFY(!got.ok());
    QCOMPARE(got.error().kind, kind);
    QVERIFY(!got.error().summary.isEmpty());
}

void TestSubmitting::secondAllocate_waitsForTheSameOne()
{
    m_slurm->program("salloc",
        "echo x >>tries\necho 'salloc: Pending job allocation 33' >&2\nsleep 0.5\necho 'salloc: "
        "Granted job allocation 33' >&2\n");
    auto first = m_cluster->allocate(allocationFor(*m_slurm));
    QTest::qWait(150);
    auto shell = std::make_shared<LocalShell>();
    Cluster other(shell);
    other.setTimeouts(quick());
    QCOMPARE(numberOf(settled(other.allocate(allocationFor(*m_slurm)))), QStringLiteral("33"));
    QCOMPARE(numberOf(settled(std::move(first))), QStringLiteral("33"));
    QCOMPARE(QFileInfo(m_slurm->runFolder() + QStringLiteral("/tries")).size(), qint64(2));
}

void TestSubmitting::cancel_isConfirmedByState()
{
    m_slurm->queue("7|R|c|/f\n");
    m_slurm->program("scancel",
        "(sleep 0.2; echo '7|CA|c|/f' >'" + m_slurm->queueFile().toUtf8()
            + "') >/dev/null 2>&1 &\n");
    auto timeouts = quick();
    timeouts.cancel = 20s;
    m_cluster->setTimeouts(timeouts);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(settled(m_cluster->cancel(JobId{QStringLiteral("7")})).ok());
    QVERIFY(timer.elapsed() >= 200);
    m_slurm->program("scancel", "exit 0\n");
    m_slurm->queue("7|R|c|/f\n");
    timeouts.cancel = 200ms;
    m_cluster->setTimeouts(timeouts);
    QCOMPARE(
        settled(m_cluster->cancel(JobId{QStringLiteral("7")})).error().kind, ErrorKind::Timeout);
    m_slurm->program("scancel",
        "echo 'scancel: error: Kill job error on job id 7: Access/permission denied' >&2; exit "
        "1\n");
    QCOMPARE(
        settled(m_cluster->cancel(JobId{QStringLiteral("7")})).error().kind, ErrorKind::Refused);
}

void TestSubmitting::orphans_areThoseWithOurTag()
{
    m_slurm->queue("7|R|slipway:a|/f\n8|PD|slipway:b|/g\n9|CD|slipway:c|/h\n10|R|other|/i\n");
    const auto list = settled(m_cluster->orphans(QStringLiteral("slipway:")));
    QVERIFY(list.ok());
    QCOMPARE(list->size(), std::size_t(2));
    QCOMPARE(list->front().id.text, QStringLiteral("7"));
    QCOMPARE(list->back().folder, QStringLiteral("/g"));
}

void TestSubmitting::step_runsOnce_andTellsItsCode()
{
    m_slurm->program("srun", "while [ \"${1#--}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n");
    const QString folder = requestFor(*m_slurm).folder;
    QDir(folder).mkdir(QStringLiteral("steps"));
    QFile script(folder + QStringLiteral("/steps/01-x.sh"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("echo ran; sleep 0.3; exit 5\n");
    script.close();
    StepRequest step;
    step.folder = folder;
    step.job.text = QStringLiteral("33");
    step.stepFile = QStringLiteral("steps/01-x.sh");
    step.logFile = QStringLiteral("steps.log");
    step.name = QStringLiteral("x");
    QVERIFY(!settled(m_cluster->stepState(step))->started);
    QVERIFY(settled(m_cluster->startStep(step)).ok());
    QVERIFY(settled(m_cluster->startStep(step)).ok());
    QVERIFY(settled(m_cluster->stepState(step))->started);
    const auto code = settled(m_cluster->stepResult(step));
    QVERIFY(code.ok());
    QCOMPARE(*code, 5);
    QFile log(folder + QStringLiteral("/steps.log"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    QCOMPARE(log.readAll(), QByteArray("ran\n"));
}

void TestSubmitting::step_thatWasReplacedIsNotStarted()
{
    m_slurm->program("srun", "echo started; exit 0\n");
    const QString folder = requestFor(*m_slurm).folder;
    QDir(folder).mkdir(QStringLiteral("steps"));
    const QByteArray sent = "echo mine\n";
    for (const bool isReplaced : {false, true}) {
        const QString name = isReplaced ? QStringLiteral("02-x") : QStringLiteral("01-x");
        StepRequest step;
        step.folder = folder;
        step.job.text = QStringLiteral("33");
        step.stepFile = u"steps/" + name + u".sh";
        step.logFile = name + QStringLiteral(".log");
        step.name = QStringLiteral("x");
        step.sha256 = QCryptographicHash::hash(sent, QCryptographicHash::Sha256).toHex();
        QFile script(folder + u'/' + step.stepFile);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(isReplaced ? QByteArray("echo somebody else's\n") : sent);
        script.close();
        QVERIFY(settled(m_cluster->startStep(step)).ok());
        const auto code = settled(m_cluster->stepResult(step));
        QVERIFY(code.ok());
        QCOMPARE(*code != 0, isReplaced);
        QFile log(folder + u'/' + step.logFile);
        QVERIFY(log.open(QIODevice::ReadOnly));
        QCOMPARE(log.readAll().contains("started"), !isReplaced);
    }
}

void TestSubmitting::invalidRequests_areRefusedLocally()
{
    auto shell = std::make_shared<ScriptedShell>();
    Cluster cluster(shell);
    QVERIFY(!settled(cluster.cancel(JobId{QStringLiteral("7; rm -rf /")})).ok());
    QVERIFY(!settled(
        cluster.submit({QStringLiteral("relative"), QStringLiteral("job.sh"), QStringLiteral("t")}))
                 .ok());
    QVERIFY(!settled(
        cluster.submit({QStringLiteral("/a"), QStringLiteral("../job.sh"), QStringLiteral("t")}))
                 .ok());
    StepRequest step;
    step.folder = QStringLiteral("/a");
    step.stepFile = QStringLiteral("../x.sh");
    QVERIFY(!settled(cluster.startStep(step)).ok());
    QVERIFY(shell->scripts().isEmpty());
}

SLIPWAY_TEST(TestSubmitting, cluster_submitting)
#include "tst_submitting.moc"
