// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "mutations.h"
#include "remote/slurm/submission.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QTest>

using namespace slipway;

class TestSubmission : public QObject {
    Q_OBJECT

private slots:
    void submitted_isTheLastNumberLine_data();
    void submitted_isTheLastNumberLine();
    void salloc_isReadStepByStep();
    void salloc_revokedIsSeen_data();
    void salloc_revokedIsSeen();
    void refusals_haveASentenceAndARemedy_data();
    void refusals_haveASentenceAndARemedy();
    void realRefusals_areAllUnderstood();
    void siteFilter_isQuoted();
    void unknownRefusal_showsSlurmsWords();
    void timeouts_areAmbiguous();
    void tenThousandMutations_crashNothing();
};

void TestSubmission::submitted_isTheLastNumberLine_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("id");
    QTest::newRow("parsable") << QByteArray("123\n") << "123";
    QTest::newRow("with a cluster") << QByteArray("123;demo-2\n") << "123";
    QTest::newRow("sentence") << QByteArray("Submitted batch job 77\n") << "77";
    QTest::newRow("banner of TACC")
        << QByteArray("-----------\n  Welcome to the Stampede3 Supercomputer\n-----------\n"
                      "--> Verifying job request...OK\nSubmitted batch job 506955\n")
        << "506955";
    QTest::newRow("banner, then the number")
        << QByteArray("Welcome to Stampede3\n2\n--> OK\n506956\n") << "506956";
    QTest::newRow("carriage returns") << QByteArray("123\r\n") << "123";
    QTest::newRow("nothing") << QByteArray() << "";
    QTest::newRow("words only") << QByteArray("Stampede3 is down\n") << "";
    QTest::newRow("too long for a number") << QByteArray("123456789012345\n") << "";
}

void TestSubmission::submitted_isTheLastNumberLine()
{
    QFETCH(QByteArray, output);
    QFETCH(QString, id);
    QCOMPARE(parseSubmitted(output).value_or(JobId()).text, id);
}

void TestSubmission::salloc_isReadStepByStep()
{
    QByteArray text = "salloc: Pending job allocation 512998\nsalloc: job 512998 queued and "
                      "waiting for resources\n";
    QCOMPARE(parseSalloc(text).id.text, QStringLiteral("512998"));
    QVERIFY(!parseSalloc(text).granted);
    text +=
        "salloc: job 512998 has been allocated resources\nsalloc: Granted job allocation 512998\n"
        "salloc: Waiting for resource configuration\n";
    QVERIFY(parseSalloc(text).granted && !parseSalloc(text).ready);
    text += "salloc: Nodes x1008c7s6b1n0,x1008c7s6b1n1 are ready for job\n";
    QVERIFY(parseSalloc(text).ready);
    QCOMPARE(parseSalloc(text).nodeList, QStringLiteral("x1008c7s6b1n0,x1008c7s6b1n1"));
    QVERIFY(!parseSalloc("Welcome to Granted job allocation 7\n").granted);
}

void TestSubmission::salloc_revokedIsSeen_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("revoked") << QByteArray("salloc: Job allocation 8 has been revoked.");
    QTest::newRow("cancelled, 24.11") << QByteArray("salloc: Job has been cancelled");
    QTest::newRow("time limit") << QByteArray(
        "salloc: Job 8 has exceeded its time limit and its allocation has been revoked.");
}

void TestSubmission::salloc_revokedIsSeen()
{
    QFETCH(QByteArray, line);
    const auto progress = parseSalloc("salloc: Pending job allocation 8\n" + line + '\n');
    QVERIFY(progress.revoked);
    QCOMPARE(progress.id.text, QStringLiteral("8"));
}

void TestSubmission::refusals_haveASentenceAndARemedy_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ErrorKind>("kind");
    const auto row = [](const char* text, ErrorKind kind = ErrorKind::Refused) {
        QTest::newRow(text) << QByteArray("sbatch: error: Batch job submission failed: ") + text
                + "\n" << kind;
    };
    row("Invalid partition name specified");
    row("Invalid account or account/partition combination specified");
    row("Invalid qos specification");
    row("Requested node configuration is not available");
    row("Requested time limit is invalid (missing or exceeds some limit)");
    row("Invalid generic resource (gres) specification");
    row("More processors requested than permitted");
    row("Node count specification invalid");
    row("Access/permission denied");
    row("User's group not permitted to use this partition");
    row("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)");
    row("Access denied to requested reservation");
    row("Requested reservation is invalid");
    row("Memory required by task is not available");
    row("Required partition not available (inactive or drain)");
    row("No partition specified or system default partition");
    row("Requested GRES option unsupported by configured SelectType plugin");
    row("Job dependency problem");
    row("Rate limit exceeded, please retry momentarily");
    row("Unable to contact slurm controller (connect failure)", ErrorKind::Timeout);
    row("Socket timed out on send/recv operation", ErrorKind::Timeout);
    QTest::newRow("no slurm.conf")
        << QByteArray("sbatch: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\n"
                      "sbatch: error: fetch_config: DNS SRV lookup failed\n"
                      "sbatch: fatal: Could not establish a configuration source\n")
        << ErrorKind::Unsupported;
    QTest::newRow("no #!") << QByteArray(
        "sbatch: error: This does not look like a batch script.  The first\n")
                           << ErrorKind::Invalid;
    QTest::newRow("DOS") << QByteArray(
        "sbatch: error: Batch script contains DOS line breaks (\\r\\n)\n")
                         << ErrorKind::Invalid;
}

void TestSubmission::refusals_haveASentenceAndARemedy()
{
    QFETCH(QByteArray, text);
    QFETCH(ErrorKind, kind);
    for (const auto& spelling : {text, text.toUpper(), text.toLower()}) {
        const Error error = submitError(spelling);
        QCOMPARE(error.kind, kind);
        QVERIFY2(
            !error.summary.startsWith(u"The scheduler refused the job"), qPrintable(error.summary));
        QVERIFY(!error.remedy.isEmpty());
        QCOMPARE(error.detail, spelling);
    }
}

void TestSubmission::realRefusals_areAllUnderstood()
{
    QFile file(slipway::sourcePath(QStringLiteral("/tests/data/slurm/24.11.5/submit-errors.txt")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int refused = 0;
    for (const auto& part :
        QString::fromUtf8(file.readAll()).split(QStringLiteral("## "), Qt::SkipEmptyParts)) {
        if (part.contains(u"\nrc 0"))
            continue;
        ++refused;
        const Error error = submitError(part.section(u'\n', 1).toUtf8());
        QVERIFY2(!error.summary.startsWith(u"The scheduler refused the job"), qPrintable(part));
        QVERIFY(!isAmbiguousRefusal(part.toUtf8()));
    }
    QCOMPARE(refused, 12);
}

void TestSubmission::siteFilter_isQuoted()
{
    const Error error = submitError("sbatch: error: Accounts here begin with p_; yours is x.\n"
                                    "sbatch: error: Batch job submission failed: Invalid account "
                                    "or account/partition combination specified\n");
    QVERIFY(error.summary.contains(QStringLiteral("Slurm adds: Accounts here begin with p_")));
}

void TestSubmission::unknownRefusal_showsSlurmsWords()
{
    const Error error = submitError("sbatch: error: Batch job submission failed: Unspecified "
                                    "error\nslurm_load_partitions: No error\n");
    QCOMPARE(error.summary, QStringLiteral("The scheduler refused the job: Unspecified error"));
    QVERIFY(submitError("").summary.contains(u"no reason"));
}

void TestSubmission::timeouts_areAmbiguous()
{
    QVERIFY(isAmbiguousRefusal(
        "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"));
    QVERIFY(
        isAmbiguousRefusal("sbatch: error: Unable to contact slurm controller (connect failure)"));
    QVERIFY(!isAmbiguousRefusal(
        "sbatch: error: Batch job submission failed: Invalid qos specification"));
}

void TestSubmission::tenThousandMutations_crashNothing()
{
    Mutations mutations(31);
    const QByteArray salloc = "salloc: Pending job allocation 33\nsalloc: Granted job allocation "
                              "33\nsalloc: Nodes gpu01 are ready for job\n";
    const QByteArray error =
        "sbatch: error: a\nsbatch: error: Batch job submission failed: Invalid qos specification\n";
    for (int i = 0; i < 10'000; ++i) {
        parseSalloc(mutations.of(salloc));
        const auto id = parseSubmitted(mutations.of("Welcome\n123;demo\n"));
        QVERIFY(!id || id->isValid());
        QVERIFY(!submitError(mutations.of(error)).summary.isEmpty());
    }
}

SLIPWAY_TEST(TestSubmission, slurm_submission)
#include "tst_submission.moc"
