// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testsites.h"

#include "app/runs/runstory.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <unistd.h>

using namespace slipway;

/// A scratch folder that others may write to: what they put into the run folder while the job
/// waits, or in the place of an image, is never run.
class TestPlanted : public QObject {
    Q_OBJECT

private slots:
    void init();
    void untouchedRun_begins();
    void plantedFile_isNotRun_data();
    void plantedFile_isNotRun();
    void ownChange_runsWhenRequested();
    void ownChange_isReportedInAManualStep();
    void plantedEnvironment_isNotRead();
    void movedFolder_isNotRun();
    void image_mustBeYours_data();
    void image_mustBeYours();
    void digest_thatOthersCouldHaveWrittenIsNotBelieved_data();
    void digest_thatOthersCouldHaveWrittenIsNotBelieved();

private:
    QString path(const QString& name) const { return m_scratch->filePath(name); }
    QByteArray read(const QString& name) const;
    void shell(const QByteArray& script);
    void upload(LaunchMode mode = LaunchMode::Batch);
    int run(const QString& script, const QByteArrayList& environment = {});
    std::vector<StepMark> marks() const
    {
        return parseMarks(read(QStringLiteral("run/events.ndjson")));
    }

    std::unique_ptr<QTemporaryDir> m_scratch; ///< bin/, run/, images/ and the job as Slurm keeps it
    QByteArray m_printed;
};

void TestPlanted::init()
{
    m_scratch = std::make_unique<QTemporaryDir>();
    QVERIFY(m_scratch->isValid());
    shell("mkdir bin spool; mkdir -m 700 run\n"
          "printf '#!/bin/sh\\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\\nexec \"$@\"\\n' "
          ">bin/srun\n"
          "printf '#!/bin/sh\\n[ \"$1\" = exec ] || { for f; do :; done; echo image >\"${f%% *}\"; "
          "}\\n' >bin/apptainer\n"
          "chmod 755 bin/*; chmod 711 .\n"
          // Steps start a login shell, which sets its own path.
          "echo \"PATH='$PWD/bin':\\$PATH\" >.bash_profile");
}

QByteArray TestPlanted::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestPlanted::shell(const QByteArray& script)
{
    QProcess process;
    process.setWorkingDirectory(m_scratch->path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("bash"),
        {QStringLiteral("-euc"), QString::fromUtf8("umask 022\n" + script)});
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitCode() == 0, process.readAll());
}

void TestPlanted::upload(LaunchMode mode)
{
    Recipe recipe = builtInRecipe("run-a-command");
    QVERIFY(QDir(m_scratch->path()).mkpath(QStringLiteral("recipe")));
    shell("echo 'echo what was sent' >recipe/say.sh");
    recipe.folder = path(QStringLiteral("recipe"));
    recipe.files = QStringList{QStringLiteral("say.sh")};
    LaunchSpec spec;
    spec.mode = mode;
    spec.values = {
        {QStringLiteral("image"), {}}, {QStringLiteral("command"), QStringLiteral("bash say.sh")}};
    const auto files = launchFiles(makePlan(spec, recipe, builtInSite("demo"), {}));
    QVERIFY2(files.ok(), files.ok() ? "" : qPrintable(files.error().text()));
    QVERIFY(QDir(path(QStringLiteral("run"))).mkpath(QStringLiteral("steps")));
    for (const LaunchFile& one : *files) {
        // Slurm keeps a copy of the job script from the moment that it is submitted.
        QFile file(path((one.name == u"job.sh" ? u"spool/" : u"run/") + one.name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(one.bytes);
    }
}

int TestPlanted::run(const QString& script, const QByteArrayList& environment)
{
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    variables.insert(QStringLiteral("PATH"),
        path(QStringLiteral("bin")) + u':' + variables.value(QStringLiteral("PATH")));
    variables.insert(QStringLiteral("HOME"), m_scratch->path());
    for (const QByteArray& one : environment)
        variables.insert(
            QString::fromUtf8(one.split('=').value(0)), QString::fromUtf8(one.split('=').value(1)));
    process.setProcessEnvironment(variables);
    process.setWorkingDirectory(path(QStringLiteral("run")));
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("bash"), {script});
    if (!process.waitForFinished(60'000))
        return -1;
    m_printed = process.readAll();
    return process.exitCode();
}

void TestPlanted::untouchedRun_begins()
{
    upload();
    QVERIFY2(run(path(QStringLiteral("spool/job.sh"))) == 0, m_printed);
    QVERIFY2(m_printed.contains("what was sent"), m_printed);
    QVERIFY2(!m_printed.contains("Changed after the upload"), m_printed);
}

void TestPlanted::plantedFile_isNotRun_data()
{
    QTest::addColumn<QByteArray>("attack");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("slipway.sh replaced") << QByteArray("echo 'touch ../ran' >run/slipway.sh")
                                         << QByteArray("slipway.sh is not the file that was sent");
    QTest::newRow("a line more in slipway.sh") << QByteArray("echo 'touch ../ran' >>run/slipway.sh")
                                               << QByteArray("slipway.sh is not the file that was");
    QTest::newRow("slipway.sh gone") << QByteArray("rm run/slipway.sh")
                                     << QByteArray("slipway.sh is not the file that was sent");
    QTest::newRow("a file of the recipe") << QByteArray("echo 'touch ../ran' >run/say.sh")
                                          << QByteArray("Changed after the upload: say.sh: FAILED");
    QTest::newRow("a file of the recipe gone") << QByteArray(
        "rm run/say.sh") << QByteArray("Changed after the upload: say.sh: FAILED open");
    QTest::newRow("folder that others may write")
        << QByteArray("chmod 777 run") << QByteArray("other users may write to it");
}

void TestPlanted::plantedFile_isNotRun()
{
    QFETCH(QByteArray, attack);
    QFETCH(QByteArray, said);
    upload();
    shell(attack);
    QCOMPARE(run(path(QStringLiteral("spool/job.sh"))), 77);
    QVERIFY2(m_printed.contains(said), m_printed);
    QVERIFY2(m_printed.contains("Nothing was started"), m_printed);
    QVERIFY(!QFile::exists(path(QStringLiteral("ran"))));
    QVERIFY(!m_printed.contains("what was sent\n"));
    const auto events = marks();
    QCOMPARE(int(events.size()), 1);
    QCOMPARE(events.front().state, QStringLiteral("failed"));
    QCOMPARE(events.front().code, 77);
    EndFacts facts;
    facts.state = JobState::Failed;
    facts.marks = events;
    QVERIFY2(runEnd(facts).sentence.startsWith(u"Stopped before it started."),
        qPrintable(runEnd(facts).sentence));
}

void TestPlanted::ownChange_runsWhenRequested()
{
    upload();
    shell("echo 'echo changed by me' >run/say.sh");
    QCOMPARE(run(path(QStringLiteral("spool/job.sh"))), 77);
    QVERIFY2(m_printed.contains("SLIPWAY_CHANGED=yes sbatch job.sh"), m_printed);
    QVERIFY2(run(path(QStringLiteral("spool/job.sh")), {"SLIPWAY_CHANGED=yes"}) == 0, m_printed);
    QVERIFY2(m_printed.contains("changed by me"), m_printed);
    // A job that Slurm starts again may have changed its files in the first try.
    QVERIFY2(run(path(QStringLiteral("spool/job.sh")), {"SLURM_RESTART_COUNT=1"}) == 0, m_printed);
    QVERIFY2(m_printed.contains("Changed after the upload: say.sh"), m_printed);
}

void TestPlanted::ownChange_isReportedInAManualStep()
{
    upload(LaunchMode::Interactive);
    shell("echo 'echo changed by me' >run/say.sh");
    QVERIFY2(run(QStringLiteral("steps/01-run.sh")) == 0, m_printed);
    QVERIFY2(m_printed.contains("Changed after the upload: say.sh"), m_printed);
    QVERIFY2(m_printed.contains("changed by me"), m_printed);
}

void TestPlanted::plantedEnvironment_isNotRead()
{
    upload(LaunchMode::Interactive);
    shell("echo 'touch ../ran' >>run/env.sh");
    QCOMPARE(run(QStringLiteral("steps/01-run.sh")), 77);
    QVERIFY2(m_printed.contains("env.sh: FAILED"), m_printed);
    QVERIFY(!QFile::exists(path(QStringLiteral("ran"))));
}

/// The attack as it was made: another user moves the run folder away while the job waits, and puts
/// one of his own there.
void TestPlanted::movedFolder_isNotRun()
{
    QVERIFY2(::geteuid() == 0, "this test needs root, to act as another user");
    upload();
    shell(
        "cp -r run copy; chmod -R go+rX copy; echo precious >kept; chmod 777 .\n"
        "setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'mv run gone && cp -r copy run'\n"
        "setpriv --reuid=65534 --regid=65534 --clear-groups ln -s \"$PWD/kept\" run/events.ndjson\n"
        "setpriv --reuid=65534 --regid=65534 --clear-groups ln -s \"$PWD/kept\" "
        "run/exit.json.part");
    QCOMPARE(run(path(QStringLiteral("spool/job.sh"))), 77);
    QVERIFY2(m_printed.contains("The run folder belongs to another user"), m_printed);
    QVERIFY2(!m_printed.contains("what was sent\n"), m_printed);
    shell("setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'echo touch ../ran "
          ">run/slipway.sh'");
    QCOMPARE(run(path(QStringLiteral("spool/job.sh"))), 77);
    QVERIFY2(m_printed.contains("slipway.sh is not the file that was sent"), m_printed);
    QVERIFY(!QFile::exists(path(QStringLiteral("ran"))));
    QCOMPARE(
        read(QStringLiteral("kept")), QByteArray("precious\n")); // nothing is written through links
}

void TestPlanted::image_mustBeYours_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<bool>("taken");
    const auto row = [](const char* name, const char* before, bool taken) {
        QTest::newRow(name) << QByteArray(before) << taken;
    };
    row("nothing there", ":", true);
    row("yours", "mkdir -p images/a; echo x >images/a/x.sif", true);
    row("file that others may write",
        "mkdir -p images/a; echo x >images/a/x.sif; chmod 666 images/a/x.sif", false);
    row("folder that others may write", "mkdir -p images/a; chmod 777 images/a", false);
    row("folder above that others may write",
        "mkdir -p images/a; echo x >images/a/x.sif; chmod 777 images", false);
    row("folder above with the sticky bit",
        "mkdir -p images/a; echo x >images/a/x.sif; chmod 1777 images", true);
    row("folder with the sticky bit", "mkdir -p images/a; chmod 1777 images/a", true);
    row("all of it in a folder that nobody else can enter",
        "mkdir -p images/a; echo x >images/a/x.sif; chmod -R 777 images/a; chmod 700 images", true);
    if (::geteuid() == 0) {
        row("another's file",
            "mkdir -p images/a; echo x >images/a/x.sif; chown 65534 images/a/x.sif", false);
        row("another's folder", "mkdir -p images/a; chown 65534 images/a", false);
        row("another's file where others may add files",
            "mkdir -p images/a; chmod 1777 images/a; echo x >images/a/x.sif; chown 65534 "
            "images/a/x.sif",
            false);
    }
}

void TestPlanted::image_mustBeYours()
{
    QFETCH(QByteArray, before);
    QFETCH(bool, taken);
    upload(); // for a slipway.sh
    shell(before);
    shell("printf '. ./slipway.sh\\nbegin image Pull\\npull_once \"$HOME/images/a/x.sif\" cp "
          "slipway.sh \"$HOME/images/a/x.sif.part\"\\n"
          "end || exit\\necho used\\n' >run/pull.sh");
    QCOMPARE(run(QStringLiteral("pull.sh")), taken ? 0 : 77);
    QCOMPARE(m_printed.contains("\nused\n"), taken);
    QVERIFY2(taken || m_printed.contains("Other users may write to "), m_printed);
}

void TestPlanted::digest_thatOthersCouldHaveWrittenIsNotBelieved_data()
{
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<bool>("believed");
    QTest::newRow("yours") << QByteArray(":") << true;
    QTest::newRow("others may write to it") << QByteArray("chmod 666 \"$kept\"") << false;
    QTest::newRow("a link") << QByteArray("echo precious >kept; ln -sf \"$PWD/kept\" \"$kept\"")
                            << false;
}

void TestPlanted::digest_thatOthersCouldHaveWrittenIsNotBelieved()
{
    QFETCH(QByteArray, after);
    QFETCH(bool, believed);
    upload(); // for a slipway.sh
    const QByteArray zeros(64, '0');
    shell("mkdir -p images/a; echo x >images/a/x.sif; kept=images/a/x.sif.slipway-digest\n"
          "echo \""
        + zeros + " $(stat -Lc %s-%i-%.9Y images/a/x.sif)\" >\"$kept\"\n" + after);
    shell("printf '. ./slipway.sh\nbegin image Pull\npull_once \"$HOME/images/a/x.sif\" false\n"
          "end || exit\n' >run/pull.sh");
    QVERIFY2(run(QStringLiteral("pull.sh")) == 0, m_printed);
    // sha256sum of "x" and a newline
    const QByteArray real = "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac";
    QCOMPARE(
        marks().back().imageDigest, QString::fromLatin1("sha256:" + (believed ? zeros : real)));
    if (QFile::exists(path(QStringLiteral("kept"))))
        QCOMPARE(read(QStringLiteral("kept")), QByteArray("precious\n"));
}

SLIPWAY_TEST(TestPlanted, runs_planted)
#include "tst_planted.moc"
