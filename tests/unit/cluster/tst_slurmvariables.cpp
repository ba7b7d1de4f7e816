// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/cluster.h"
#include "remote/cluster/slurmcontext.h"
#include "remote/shell/localshell.h"
#include "settled.h"
#include "submissionrequests.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

using namespace slipway;

/// Variables of a person's start-up files with which Slurm's programs would answer otherwise.
class TestSlurmVariables : public QObject {
    Q_OBJECT

private slots:
    void variable_changesNothing_data();
    void variable_changesNothing();
};

namespace {

/// A shell of this computer in which `startUp` runs first.
class StartUpShell : public LocalShell {
public:
    explicit StartUpShell(QByteArray startUp)
        : m_startUp(std::move(startUp))
    {
    }
    std::unique_ptr<Process> start(Invocation invocation) override
    {
        invocation.script.prepend(m_startUp);
        return LocalShell::start(std::move(invocation));
    }

private:
    QByteArray m_startUp;
};

} // namespace

void TestSlurmVariables::variable_changesNothing_data()
{
    QTest::addColumn<QByteArray>("startUp");
    for (const char* set : {"SQUEUE_PARTITION=debug", "SQUEUE_STATES=CD", "SQUEUE_FORMAT=%i",
             "SQUEUE_FORMAT2=JobID", "SQUEUE_USERS=other", "SINFO_FORMAT=%P", "SINFO_PARTITION=x",
             "SACCT_FORMAT=jobid", "SBATCH_PARTITION=debug", "SBATCH_CLUSTERS=b",
             "SLURM_CLUSTERS=all", "SLURM_TIME_FORMAT=%s"})
        QTest::newRow(set) << QByteArray("export ").append(set).append('\n');
    QTest::newRow("function") << QByteArray(
        "set -a\nSQUEUE_STATES='a b'\nSINFO_FORMAT='$(x) *'\nset +a\n");
}

void TestSlurmVariables::variable_changesNothing()
{
    QFETCH(QByteArray, startUp);
    FakeSlurm slurm;
    const QTemporaryDir folder;
    const QString log = folder.filePath(QStringLiteral("log"));
    // Each program says what it was given; with any of it, it would not answer.
    const QByteArray noting = "{ echo \"called ${0##*/}\"; env | grep -E "
                              "'^(SQUEUE_|SINFO_|SACCT_|SBATCH_|SLURM_CLUSTERS|SLURM_TIME)' && "
                              "exit 1; } >>'"
        + log.toUtf8() + "'\n";
    const QByteArray squeue = contentOf(slurm.folder() + QStringLiteral("/squeue"));
    slurm.program("squeue", noting + squeue);
    for (const char* name : {"sinfo", "sacct", "scontrol", "sacctmgr", "sshare"})
        slurm.program(name, noting + "echo slurm 24.11.5\n");
    slurm.accepting(noting);
    Cluster cluster(std::make_shared<StartUpShell>(startUp));
    cluster.setTimeouts(quick());
    QCOMPARE(numberOf(settled(cluster.submit(requestFor(slurm)))), QStringLiteral("101"));
    const auto mine = settled(cluster.orphans(QStringLiteral("slipway:")));
    QVERIFY2(mine.ok(), qPrintable(mine.ok() ? QString() : mine.error().text()));
    QCOMPARE(int(mine->size()), 1);
    const auto none =
        settled(cluster.findSubmitted(QStringLiteral("slipway:none"), QStringLiteral("/nowhere")));
    QVERIFY2(
        none.ok() && !none->has_value(), qPrintable(none.ok() ? QString() : none.error().text()));
    (void)settled(cluster.discover({}));
    const QByteArray noted = contentOf(log);
    for (const char* program : {"squeue", "sbatch", "sinfo", "sacct", "scontrol"})
        QVERIFY2(noted.contains(QByteArray("called ").append(program)), noted.constData());
    for (const QByteArray& line : noted.split('\n'))
        QVERIFY2(line.isEmpty() || line.startsWith("called "), line.constData());
}

SLIPWAY_TEST(TestSlurmVariables, cluster_slurmvariables)
#include "tst_slurmvariables.moc"
