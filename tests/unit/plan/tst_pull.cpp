// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/stepimages.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

using namespace slipway;

/// The pull of an image as the job does it, with a stand-in for apptainer that writes where
/// apptainer writes: what is noted, and what is left when it ends, fails or is ended.
class TestPull : public QObject {
    Q_OBJECT

private slots:
    void init();
    void pull_notesItsProgress();
    void pull_isReused();
    void cancelledPull_leavesNothing();
    void signalForTheProgram_doesNotEndThePull();
    void failedPull_leavesNothing();
    void tooLargeFile_leavesNothing();
    void tooLittleRoom_isToldBefore();
    void killedPull_isTidiedByTheNext();
    void cacheWithTemporaryFiles_isNotCountedTwice();
    void imageBytes_nameTheSteps();
    void buildsOfOneImage_takeTurns();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& bytes, bool executable = false);
    QByteArray read(const QString& name) const;
    std::unique_ptr<QProcess> start(const QMap<QString, QString>& variables = {});
    /// Runs the job to its end; its exit code.
    int run(const QMap<QString, QString>& variables = {});
    std::vector<QJsonObject> rows(const QString& state) const; ///< of events.ndjson
    /// Files of the images, the cache and the temporary folder, without those that are empty.
    QStringList left() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_printed;
};

namespace {

const QString pulledImage = QStringLiteral("images/x.sif");

} // namespace

void TestPull::write(const QString& name, const QByteArray& bytes, bool executable)
{
    QDir().mkpath(QFileInfo(path(name)).path());
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    if (executable)
        file.setPermissions(file.permissions() | QFile::ExeOwner | QFile::ExeUser);
}

QByteArray TestPull::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestPull::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QFile helper(QStringLiteral(":/slipway/job/slipway.sh"));
    QVERIFY(helper.open(QIODevice::ReadOnly));
    write(QStringLiteral("run/slipway.sh"), helper.readAll().replace("{sums}", ""));
    write(QStringLiteral("run/job.sh"),
        "cd '" + path(QStringLiteral("run")).toUtf8()
            + "' && . ./slipway.sh || exit\ntrap : USR1\nimage=$IMAGES/x.sif\nbegin image \"Pull "
              "the image\"\n"
              "pull_once \"$image\" \\\n    apptainer pull --force \"$image.part\" docker://x\n"
              "end || exit\nbegin inside \"Look inside\"\necho was inside\nend || exit\n");
    // A layer, in parts; then the unpacked files; then the image file, in two parts.
    write(QStringLiteral("bin/apptainer"), R"SH(#!/bin/bash
blobs=$APPTAINER_CACHEDIR/cache/blob
mkdir -p "$blobs"
for ((part = 0; part < ${PARTS:-1}; part++)); do
    head -c 1000000 /dev/zero >>"$blobs/oci-put-blob7" && sleep "${PART_SECONDS:-0}"
done
[ -z "${NOTED:-}" ] || until grep -q '"progress"' "$NOTED"; do sleep 0.1; done
mv "$blobs/oci-put-blob7" "$blobs/layer"
mkdir -p "$APPTAINER_TMPDIR/build-temp-1/rootfs/usr"
head -c 3000000 /dev/zero >"$APPTAINER_TMPDIR/build-temp-1/rootfs/file"
chmod 555 "$APPTAINER_TMPDIR/build-temp-1/rootfs"
head -c 500000 /dev/zero >"$3" || exit
[ -z "${FAILS:-}" ] || { echo "write $3: no space left on device" >&2; exit 255; }
head -c 500000 /dev/zero >>"$3"
)SH",
        true);
    for (const char* folder : {"images", "cache", "tmp"})
        QVERIFY(QDir().mkpath(path(QLatin1String(folder))));
}

std::unique_ptr<QProcess> TestPull::start(const QMap<QString, QString>& variables)
{
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"),
        path(QStringLiteral("bin")) + u':' + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("HOME"), m_folder->path());
    environment.insert(QStringLiteral("IMAGES"), path(QStringLiteral("images")));
    environment.insert(QStringLiteral("APPTAINER_CACHEDIR"), path(QStringLiteral("cache")));
    environment.insert(QStringLiteral("APPTAINER_TMPDIR"), path(QStringLiteral("tmp")));
    for (auto it = variables.begin(); it != variables.end(); ++it)
        environment.insert(it.key(), it.value());
    process->setProcessEnvironment(environment);
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->start(QStringLiteral("bash"), {path(QStringLiteral("run/job.sh"))});
    return process;
}

int TestPull::run(const QMap<QString, QString>& variables)
{
    const auto process = start(variables);
    const bool over = process->waitForFinished(60'000);
    m_printed = process->readAll();
    return over && process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1;
}

std::vector<QJsonObject> TestPull::rows(const QString& state) const
{
    std::vector<QJsonObject> found;
    for (const QByteArray& line : read(QStringLiteral("run/events.ndjson")).split('\n')) {
        const QJsonObject row = QJsonDocument::fromJson(line).object();
        if (row[u"state"].toString() == state)
            found.push_back(row);
    }
    return found;
}

QStringList TestPull::left() const
{
    QStringList names;
    for (const char* folder : {"images", "cache", "tmp"}) {
        QDirIterator files(
            path(QLatin1String(folder)), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            files.next();
            if (files.fileInfo().size() > 0)
                names << QDir(m_folder->path()).relativeFilePath(files.filePath());
        }
    }
    names.sort();
    return names;
}

void TestPull::pull_notesItsProgress()
{
    write(QStringLiteral("run/image.bytes"), "image-2 5\nimage 4000000\n");
    QVERIFY2(run({{QStringLiteral("PARTS"), QStringLiteral("3")},
                 {QStringLiteral("PART_SECONDS"), QStringLiteral("0.5")},
                 {QStringLiteral("NOTED"), path(QStringLiteral("run/events.ndjson"))}})
            == 0,
        m_printed);
    const auto noted = rows(QStringLiteral("progress"));
    QVERIFY(!noted.empty());
    QCOMPARE(noted.front()[u"phase"].toString(), QStringLiteral("download"));
    QCOMPARE(noted.front()[u"step"].toString(), QStringLiteral("image"));
    QCOMPARE(noted.front()[u"of"].toInt(), 4'000'000);
    const int bytes = noted.front()[u"bytes"].toInt();
    QVERIFY2(bytes >= 1'000'000 && bytes < 4'100'000, QByteArray::number(bytes));
    for (std::size_t i = 1; i < noted.size(); ++i) // one each two seconds
        QVERIFY(noted[i][u"t"].toDouble() - noted[i - 1][u"t"].toDouble() > 1.9);
    QCOMPARE(left(),
        (QStringList{QStringLiteral("cache/cache/blob/layer"), pulledImage,
            pulledImage + QStringLiteral(".slipway-digest")}));
    QVERIFY2(m_printed.contains("was inside"), m_printed);
}

void TestPull::pull_isReused()
{
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(!m_printed.contains("Already present"), m_printed);
    QVERIFY(rows(QStringLiteral("reused")).empty());
    QFile::remove(path(QStringLiteral("bin/apptainer")));
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(m_printed.contains("Already present: "), m_printed);
    QVERIFY2(m_printed.contains(", sha256:"), m_printed);
    QVERIFY2(m_printed.contains(" (pulled 20"), m_printed);
    QCOMPARE(rows(QStringLiteral("reused")).size(), size_t(1));
}

void TestPull::cancelledPull_leavesNothing()
{
    const auto process = start({{QStringLiteral("PARTS"), QStringLiteral("100")},
        {QStringLiteral("PART_SECONDS"), QStringLiteral("0.2")}});
    const QString half = path(QStringLiteral("cache/cache/blob/oci-put-blob7"));
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(half).size() > 1'500'000, 20'000);
    ::kill(pid_t(process->processId()), SIGTERM);
    QVERIFY(process->waitForFinished(20'000));
    QCOMPARE(process->exitCode(), 143);
    QCOMPARE(left(), QStringList());
    QCOMPARE(QDir(path(QStringLiteral("tmp"))).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
        QStringList());
    const QByteArray printed = process->readAll();
    QVERIFY2(printed.contains("what it has written is removed"), printed);
    QVERIFY2(!printed.contains("was inside"), printed);
    QVERIFY2(read(QStringLiteral("run/exit.json")).contains("\"code\":143"), printed);
    // The lock is free, and the next pull completes.
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(!m_printed.contains("Waiting"), m_printed);
    QCOMPARE(QFileInfo(path(pulledImage)).size(), 1'000'000);
}

/// The signal before the time limit ends bash's wait, though not what it waits for.
void TestPull::signalForTheProgram_doesNotEndThePull()
{
    const auto process = start({{QStringLiteral("PARTS"), QStringLiteral("5")},
        {QStringLiteral("PART_SECONDS"), QStringLiteral("0.3")}});
    const QString half = path(QStringLiteral("cache/cache/blob/oci-put-blob7"));
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(half).size() > 0, 20'000);
    ::kill(pid_t(process->processId()), SIGUSR1);
    QVERIFY(process->waitForFinished(60'000));
    const QByteArray printed = process->readAll();
    QVERIFY2(process->exitCode() == 0 && printed.contains("was inside"), printed);
    QCOMPARE(QFileInfo(path(pulledImage)).size(), 1'000'000);
}

void TestPull::failedPull_leavesNothing()
{
    QCOMPARE(run({{QStringLiteral("FAILS"), QStringLiteral("yes")}}), 255);
    QCOMPARE(left(), QStringList{QStringLiteral("cache/cache/blob/layer")}); // a whole layer
    QVERIFY2(!m_printed.contains("was inside"), m_printed);
    QCOMPARE(rows(QStringLiteral("failed")).size(), size_t(1));
    QVERIFY2(run() == 0, m_printed);
}

/// A write that the system refuses midway.
void TestPull::tooLargeFile_leavesNothing()
{
    write(QStringLiteral("run/limited.sh"),
        "ulimit -f 400\n. '" + path(QStringLiteral("run/job.sh")).toUtf8() + "'\n");
    QProcess process;
    const auto whole = start();
    QVERIFY(whole->waitForFinished(60'000)); // the layer is in the cache
    QVERIFY(QFile::remove(path(pulledImage)));
    process.setProcessEnvironment(whole->processEnvironment());
    process.start(QStringLiteral("bash"), {path(QStringLiteral("run/limited.sh"))});
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY(process.exitCode() != 0);
    QVERIFY(!QFile::exists(path(pulledImage)));
    QVERIFY(!QFile::exists(path(pulledImage + QStringLiteral(".part"))));
    QCOMPARE(QDir(path(QStringLiteral("tmp"))).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
        QStringList());
}

void TestPull::tooLittleRoom_isToldBefore()
{
    write(QStringLiteral("run/image.bytes"), "image 900000000000000\n"); // 900 TB
    QVERIFY(run() != 0);
    QVERIFY2(m_printed.contains("Error: not enough room for the image: "), m_printed);
    QVERIFY2(m_printed.contains("Nothing was pulled."), m_printed);
    QVERIFY2(!m_printed.contains("was inside"), m_printed);
    QCOMPARE(left(), QStringList());
    // What is no number is not known.
    write(QStringLiteral("run/image.bytes"), "image 9x\nimage -1\nimage $(id)\n");
    QVERIFY2(run() == 0, m_printed);
}

void TestPull::killedPull_isTidiedByTheNext()
{
    const auto process = start({{QStringLiteral("PARTS"), QStringLiteral("4")},
        {QStringLiteral("PART_SECONDS"), QStringLiteral("0.2")}});
    const QString half = path(QStringLiteral("cache/cache/blob/oci-put-blob7"));
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(half).size() > 0, 20'000);
    ::kill(pid_t(process->processId()), SIGKILL);
    QVERIFY(process->waitForFinished(20'000));
    // Its stand-in for apptainer ends by itself: in a job, Slurm ends it.
    QTRY_VERIFY_WITH_TIMEOUT(
        QFileInfo(path(pulledImage + QStringLiteral(".part"))).size() == 1'000'000, 30'000);
    QVERIFY(left().size() > 3); // unpacked files, the image without its name
    write(QStringLiteral("tmp/slipway-pull.other/lock"),
        path(QStringLiteral("images/y.sif.lock")).toUtf8() + '\n');
    QVERIFY2(run() == 0, m_printed);
    QVERIFY(!QFile::exists(path(pulledImage + QStringLiteral(".part"))));
    // That of another image may be in use: it is new.
    QCOMPARE(QDir(path(QStringLiteral("tmp"))).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
        QStringList{QStringLiteral("slipway-pull.other")});
}

void TestPull::cacheWithTemporaryFiles_isNotCountedTwice()
{
    write(QStringLiteral("cache/cache/blob/before"), QByteArray(2'000'000, 'x'));
    QVERIFY2(run({{QStringLiteral("APPTAINER_TMPDIR"), path(QStringLiteral("cache"))},
                 {QStringLiteral("PARTS"), QStringLiteral("3")},
                 {QStringLiteral("PART_SECONDS"), QStringLiteral("0.5")},
                 {QStringLiteral("NOTED"), path(QStringLiteral("run/events.ndjson"))}})
            == 0,
        m_printed);
    const auto noted = rows(QStringLiteral("progress"));
    QVERIFY(!noted.empty());
    const int bytes = noted.front()[u"bytes"].toInt();
    QVERIFY2(bytes >= 1'000'000 && bytes < 3'100'000, QByteArray::number(bytes));
}

void TestPull::imageBytes_nameTheSteps()
{
    LaunchSpec spec;
    spec.values = {
        {QStringLiteral("image"), QStringLiteral("docker://login:5000/demo/python:3.13")}};
    const Plan plan = makePlan(spec, builtInRecipe("pull-image"), builtInSite("demo"), {});
    const QString name = QStringLiteral("docker://login:5000/demo/python:3.13");
    QCOMPARE(imageBytesFile(plan, {{name, 12345}}), QByteArray("image 12345\n"));
    QCOMPARE(imageBytesFile(plan, {}), QByteArray());
}

/// The first job keeps its turn until the second one waits for it.
void TestPull::buildsOfOneImage_takeTurns()
{
    write(QStringLiteral("run/job.sh"),
        "cd '" + path(QStringLiteral("run")).toUtf8()
            + "' && . ./slipway.sh || exit\nimage=$IMAGES/x.sif\nbegin build Build\n"
              "one_build \"$image\" &&\n    { [ ! -e \"$image.part\" ] || echo both; } &&\n"
              "    : >\"$image.part\" &&\n    { [ -z \"$UNTIL\" ] ||\n"
              "        until [ -e \"$UNTIL\" ]; do sleep 0.05; done; } &&\n"
              "    mv \"$image.part\" \"$image\"\nend || exit\n");
    const QString sign = path(QStringLiteral("go"));
    const auto first = start({{QStringLiteral("UNTIL"), sign}});
    QTRY_VERIFY(QFile::exists(path(QStringLiteral("images/x.sif.part"))));
    const auto second = start({{QStringLiteral("UNTIL"), QString()}});
    QByteArray printed;
    QTRY_VERIFY((printed += second->readAll()).contains("Another job is building this image"));
    write(QStringLiteral("go"), {});
    for (QProcess* job : {first.get(), second.get()}) {
        QVERIFY(job->waitForFinished(30'000));
        printed += job->readAll();
        QVERIFY2(job->exitCode() == 0, printed);
    }
    QVERIFY2(!printed.contains("both"), printed);
}

SLIPWAY_TEST(TestPull, plan_pull)
#include "tst_pull.moc"
