// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "tests/support/testsites.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace slipway;

/// Scripts that are run by bash, with small stand-ins for srun and apptainer on the path: what the
/// values become, what the helper notes, and how failures, signals and two jobs at once are taken.
class TestScript : public QObject {
    Q_OBJECT

private slots:
    void init();
    void values_arriveAsTheyAre();
    void run_notesStagesAndEnd();
    void lesson_saysSoHoweverItEnds();
    void lanes_failAlone();
    void image_failureEndsTheJob();
    void image_isPulledOnceByTwoJobs();
    void digest_isOfTheImageFile();
    void digest_ofANamedFileLeavesNothingBesideIt();
    void sigterm_isNoted();
    void sigterm_duringASubstitution_isNoted();
    void helper_survivesSetU();
    void helper_notesTheTimesOfTheLog();
    void step_recordsItsEndOnly();
    void check_isOfNodeAndContainer();
    void check_stopsBeforeThePull();
    void check_saysWhereTheProbeCannotRun();
    void check_worksWithoutTheProbe();
    void check_namesTheContainersRuntime_data();
    void check_namesTheContainersRuntime();
    void ranks_areNotStartedInEnrootWithoutItsHook();
    void enroot_handsOnWhatIsTheTasks();
    void overlays_areRemovedWithTheJob();
    void overlays_ofKeptNodesAreRemovedAtRelease();
    void overlays_areInaccessibleToOthers();
    void secrets_reachTheProgramAndAreRemoved();
    void secrets_areKeptForASecondAttempt();
    void secrets_thatOthersCanReadAreNotUsed();
    void secrets_stayWhileAnAllocationLasts();
    void secrets_areNamedForEnroot();
    void python_partsThatNeedNoTorch();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& bytes, bool executable = false);
    QByteArray read(const QString& name);
    void upload(const Plan& plan);
    std::unique_ptr<QProcess> start(const QStringList& arguments);
    int run(const QStringList& arguments = {QStringLiteral("job.sh")}, int atMost = 60'000);
    void playOverlays(
        LaunchMode mode); ///< a run with them, and a container that says where they are
    /// A launch that names HF_TOKEN, with its value where an upload puts it; the command prints the
    /// length of the value.
    void uploadWithSecret(
        const QMap<QString, QString>& more = {}, LaunchMode mode = LaunchMode::Batch);
    void putProbe(
        const QByteArray& script); ///< as a run puts it: beside, and named by probe.sha256
    QString rowWords(); ///< "probe.run skip container, …"
    QString lastDigest(); ///< of the image, in events.ndjson
    QStringList eventWords(); ///< "image begin", "run-cpu done"
    Plan plan(const char* recipe, const QMap<QString, QString>& values = {},
        LaunchMode mode = LaunchMode::Batch);

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_printed;
};

namespace {

/// Any bytes that a text can hold but NUL: controls, quotes, dollars, newlines, other scripts.
QString hostileText(QRandomGenerator& random)
{
    static const QString nasty =
        QStringLiteral("'\"\\$`!#&|;<>(){}[]*?~ \t\n\r\x01\x1b\x7f%=,:@-+^/aZ0é漢😀\u202e");
    const int length = random.bounded(24);
    QString text;
    for (int i = 0; i < length; ++i) {
        if (random.bounded(4) != 0)
            text += nasty.at(random.bounded(int(nasty.size())));
        else
            text += QChar(ushort(1 + random.bounded(0xd7fe)));
    }
    // Half of a surrogate pair has no bytes in UTF-8.
    return QString::fromUtf8(text.toUtf8());
}

} // namespace

void TestScript::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    // Stand-ins: srun starts what follows its options; apptainer pulls a file, and exec runs on the
    // spot.
    write(QStringLiteral("bin/srun"),
        "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n", true);
    // Steps of an interactive run start a login shell, which sets its own path and scratch.
    write(QStringLiteral(".bash_profile"),
        "export PATH='" + path(QStringLiteral("bin")).toUtf8() + "':$PATH SCRATCH='"
            + path(QStringLiteral("scratch")).toUtf8() + "'\n");
    write(QStringLiteral("bin/apptainer"),
        "#!/bin/sh\ncase $1 in\npull)\n  echo pull >>\"$PULLS\"; sleep \"${PULL_SECONDS:-0}\"; [ "
        "-z \"$PULL_FAILS\" ] || exit 255\n"
        "  while [ \"$1\" = pull ] || [ \"${1#-}\" != \"$1\" ]; do shift; done\n  echo image "
        ">\"$1\" ;;\n"
        "exec)\n  shift; while [ \"${1#-}\" != \"$1\" ]; do shift; done\n  [ -s \"$1\" ] || exit "
        "254\n  shift; exec \"$@\" ;;\nesac\n",
        true);
}

void TestScript::write(const QString& name, const QByteArray& bytes, bool executable)
{
    QDir().mkpath(QFileInfo(path(name)).path());
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    if (executable)
        file.setPermissions(file.permissions() | QFile::ExeOwner | QFile::ExeUser);
}

QByteArray TestScript::read(const QString& name)
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Plan TestScript::plan(const char* recipe, const QMap<QString, QString>& values, LaunchMode mode)
{
    LaunchSpec spec;
    spec.values = values;
    spec.mode = mode;
    return makePlan(spec, builtInRecipe(recipe), builtInSite("demo"), {});
}

void TestScript::upload(const Plan& plan)
{
    const Result<std::vector<LaunchFile>> files = launchFiles(plan);
    QVERIFY2(files.ok(), files.ok() ? "" : files.error().text().toUtf8());
    for (const LaunchFile& file : *files)
        write(file.name, file.bytes);
}

std::unique_ptr<QProcess> TestScript::start(const QStringList& arguments)
{
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"),
        path(QStringLiteral("bin")) + u':' + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("SCRATCH"), path(QStringLiteral("scratch")));
    environment.insert(QStringLiteral("PULLS"), path(QStringLiteral("pulls")));
    environment.insert(QStringLiteral("HOME"), m_folder->path());
    process->setProcessEnvironment(environment);
    process->setWorkingDirectory(m_folder->path());
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->start(QStringLiteral("bash"), arguments);
    return process;
}

int TestScript::run(const QStringList& arguments, int atMost)
{
    const std::unique_ptr<QProcess> process = start(arguments);
    if (!process->waitForFinished(atMost))
        return -1;
    m_printed = process->readAll();
    return process->exitCode();
}

void TestScript::putProbe(const QByteArray& script)
{
    write(QStringLiteral("scratch/slipway-probe"), script, true);
    const QByteArray sum = QCryptographicHash::hash(script, QCryptographicHash::Sha256).toHex();
    write(QStringLiteral("probe.sha256"),
        sum + "  " + path(QStringLiteral("scratch/slipway-probe")).toUtf8() + '\n');
}

QString TestScript::rowWords()
{
    QStringList words;
    for (const QByteArray& line : read(QStringLiteral("probe.ndjson")).split('\n')) {
        const QJsonObject row = QJsonDocument::fromJson(line).object();
        if (!line.isEmpty())
            words << row.value(u"id").toString(QStringLiteral("broken line")) + u' '
                    + row.value(u"state").toString() + u' ' + row.value(u"where").toString();
    }
    return words.join(QStringLiteral(", "));
}

QStringList TestScript::eventWords()
{
    QStringList words;
    for (const QByteArray& line : read(QStringLiteral("events.ndjson")).split('\n')) {
        const QJsonObject event = QJsonDocument::fromJson(line).object();
        if (!line.isEmpty())
            words << event.value(u"step").toString(QStringLiteral("broken line")) + u' '
                    + event.value(u"state").toString();
    }
    return words;
}

QString TestScript::lastDigest()
{
    QString digest;
    for (const QByteArray& line : read(QStringLiteral("events.ndjson")).split('\n')) {
        const QJsonObject event = QJsonDocument::fromJson(line).object();
        if (event.value(u"step").toString() == u"image")
            digest = event.value(u"image_digest").toString();
    }
    return digest;
}

void TestScript::values_arriveAsTheyAre()
{
    constexpr int each = 2000, rounds = 50; // 100 000 values
    Recipe recipe = builtInRecipe("run-a-command");
    recipe.parameters.clear();
    recipe.steps.front().kind = RecipeStep::Kind::Host;
    recipe.steps.front().command = QStringLiteral("printf '%s\\0'");
    for (int i = 0; i < each; ++i) {
        Parameter parameter;
        parameter.key = QStringLiteral("p%1").arg(i);
        recipe.parameters.push_back(parameter);
        recipe.steps.front().command += QStringLiteral(" {p%1}").arg(i);
    }
    recipe.steps.front().command += QStringLiteral(" >printed");
    const Site site = builtInSite("demo");
    const quint32 seed = QRandomGenerator::global()->generate();
    QRandomGenerator random(seed);
    for (int round = 0; round < rounds; ++round) {
        LaunchSpec spec;
        QByteArray expected;
        for (int i = 0; i < each; ++i) {
            const QString value = hostileText(random);
            spec.values.insert(QStringLiteral("p%1").arg(i), value);
            expected += value.toUtf8() + '\0';
        }
        const Plan hostile = makePlan(spec, recipe, site, {});
        upload(hostile);
        QCOMPARE(run(), 0);
        QVERIFY2(read(QStringLiteral("printed")) == expected, QByteArray::number(seed));
    }
}

void TestScript::run_notesStagesAndEnd()
{
    upload(plan("run-a-command",
        {{QStringLiteral("command"), QStringLiteral("echo \"a 'b' $((1+1))\" | tr a-z A-Z")}}));
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(m_printed.contains("A 'B' 2\n"), m_printed);
    QCOMPARE(eventWords(),
        (QStringList{QStringLiteral("node done"), QStringLiteral("image begin"),
            QStringLiteral("image done"), QStringLiteral("run begin"),
            QStringLiteral("run done")}));
    const QJsonObject end = QJsonDocument::fromJson(read(QStringLiteral("exit.json"))).object();
    QCOMPARE(end.value(u"code").toInt(-1), 0);
    QCOMPARE(end.value(u"stage").toString(), QStringLiteral("running"));
    QVERIFY(end.value(u"t").toDouble() > 1.6e9);
    QCOMPARE(end.value(u"restart").toInt(-1), 0);
    QVERIFY(!end.value(u"node").toString().isEmpty());
    QVERIFY(QFile::exists(
        path(QStringLiteral("scratch/slipway/images/login_5000/demo/python_3.13.sif"))));
}

void TestScript::lesson_saysSoHoweverItEnds()
{
    // This line distinguishes expected failures from others.
    for (const auto& [command, code] : {std::pair("false", "1"), std::pair("true", "0")}) {
        Plan lesson = plan("run-a-command", {{QStringLiteral("command"), QLatin1String(command)}});
        lesson.steps.back().expect = RecipeStep::Expect::Either;
        upload(lesson);
        QVERIFY2(run() == 0, m_printed);
        const QByteArray said =
            QByteArray(": ended with exit code ") + code + ", which is what this step shows\n";
        QVERIFY2(m_printed.contains(said), m_printed);
    }
}

void TestScript::lanes_failAlone()
{
    // The program of the first lane fails; the second one succeeds.
    Plan race = plan("matmul-scaling");
    race.recipe.files.clear();
    upload(race);
    write(QStringLiteral("bin/python3"),
        "#!/bin/sh\ncase \"$*\" in *'--lane CPU, 1 thread') exit 0 ;; esac\nexit 3\n", true);
    QCOMPARE(run(), 3);
    QCOMPARE(eventWords().filter(QStringLiteral("run-")),
        (QStringList{QStringLiteral("run-cpu begin"), QStringLiteral("run-cpu failed"),
            QStringLiteral("run-cpu-1 begin"), QStringLiteral("run-cpu-1 done")}));
    QCOMPARE(
        QJsonDocument::fromJson(read(QStringLiteral("exit.json"))).object().value(u"code").toInt(),
        3);
    QVERIFY(m_printed.contains("failed with exit code 3"));
}

void TestScript::image_failureEndsTheJob()
{
    upload(plan("run-a-command"));
    qputenv("PULL_FAILS", "1");
    const int code = run();
    qunsetenv("PULL_FAILS");
    QCOMPARE(code, 255);
    QCOMPARE(eventWords().mid(1),
        (QStringList{QStringLiteral("image begin"), QStringLiteral("image failed")}));
    QCOMPARE(QJsonDocument::fromJson(read(QStringLiteral("exit.json")))
                 .object()
                 .value(u"stage")
                 .toString(),
        QStringLiteral("image"));
    QVERIFY(!QFile::exists(
        path(QStringLiteral("scratch/slipway/images/login_5000/demo/python_3.13.sif"))));
    QVERIFY(run() == 0 || !m_printed.isEmpty()); // and the next try is not in the way of the first
}

void TestScript::image_isPulledOnceByTwoJobs()
{
    upload(plan("run-a-command", {{QStringLiteral("command"), QStringLiteral("true")}}));
    qputenv("PULL_SECONDS", "1");
    const auto first = start({QStringLiteral("job.sh")}),
               second = start({QStringLiteral("job.sh")});
    qunsetenv("PULL_SECONDS");
    QVERIFY(first->waitForFinished() && second->waitForFinished());
    QCOMPARE(first->exitCode(), 0);
    QCOMPARE(second->exitCode(), 0);
    QCOMPARE(read(QStringLiteral("pulls")), QByteArray("pull\n"));
    QVERIFY(QByteArray(first->readAll() + second->readAll()).contains("Waiting for it."));
}

namespace {

QString digestOf(const QByteArray& bytes)
{
    return QStringLiteral("sha256:")
        + QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
}

} // namespace

void TestScript::digest_isOfTheImageFile()
{
    const QString image = QStringLiteral("scratch/slipway/images/login_5000/demo/python_3.13.sif");
    const QString kept = image + QStringLiteral(".slipway-digest");
    upload(plan("run-a-command", {{QStringLiteral("command"), QStringLiteral("true")}}));
    QVERIFY2(run() == 0, m_printed);
    QCOMPARE(lastDigest(), digestOf("image\n")); // what the stand-in pulls
    const QByteArray line = "Image digest: " + lastDigest().toUtf8() + '\n';
    QVERIFY2(m_printed.contains(line), m_printed);
    // It was kept beside the image, and is believed as long as the image is the same file.
    const QByteArray row = read(kept);
    QCOMPARE(row.left(65), QByteArray(digestOf("image\n").mid(7).toUtf8() + ' '));
    write(kept, QByteArray(64, '0') + row.mid(64));
    QVERIFY2(run() == 0, m_printed);
    QCOMPARE(lastDigest(), QString(u"sha256:" + QString(64, u'0')));
    write(image, "another image\n");
    QVERIFY2(run() == 0, m_printed);
    QCOMPARE(lastDigest(), digestOf("another image\n"));
    QVERIFY2(read(kept).startsWith(digestOf("another image\n").mid(7).toUtf8()), read(kept));
    write(kept, "no digest\n");
    QVERIFY2(run() == 0, m_printed);
    QCOMPARE(lastDigest(), digestOf("another image\n"));
    QCOMPARE(read(QStringLiteral("pulls")), QByteArray("pull\n"));
}

void TestScript::digest_ofANamedFileLeavesNothingBesideIt()
{
    write(QStringLiteral("mine/x.sif"), "mine\n");
    upload(plan("run-a-command",
        {{QStringLiteral("command"), QStringLiteral("true")},
            {QStringLiteral("image"), path(QStringLiteral("mine/x.sif"))}}));
    QVERIFY2(run() == 0, m_printed);
    QCOMPARE(lastDigest(), digestOf("mine\n"));
    QCOMPARE(QDir(path(QStringLiteral("mine"))).entryList(QDir::Files | QDir::Hidden),
        QStringList{QStringLiteral("x.sif")});
    // It would be read before each run, so a large one is not; its digest stays unknown.
    QFile large(path(QStringLiteral("mine/x.sif")));
    QVERIFY(large.resize(qint64(5) << 30)); // takes no space: it is one hole
    QVERIFY2(run() == 0, m_printed);
    QCOMPARE(lastDigest(), QString());
    QVERIFY2(m_printed.contains("larger than 4 GiB"), m_printed);
}

void TestScript::sigterm_isNoted()
{
    upload(plan("run-a-command", {{QStringLiteral("command"), QStringLiteral("sleep 2")}}));
    const auto job = start({QStringLiteral("job.sh")});
    QTRY_VERIFY_WITH_TIMEOUT(eventWords().contains(QStringLiteral("run begin")), 20'000);
    job->terminate();
    QVERIFY(job->waitForFinished());
    QCOMPARE(eventWords().last(), QStringLiteral("run failed"));
    QCOMPARE(
        QJsonDocument::fromJson(read(QStringLiteral("exit.json"))).object().value(u"code").toInt(),
        143);
}

/// bash 5.2 may run a trap while it reads a command substitution, of which mark has several.
void TestScript::sigterm_duringASubstitution_isNoted()
{
    upload(plan("run-a-command", {{QStringLiteral("command"), QStringLiteral("true")}}));
    QByteArray script = read(QStringLiteral("job.sh"));
    QVERIFY(script.contains("\nbegin run "));
    script.replace(
        "\nbegin run ", "\nwhile :; do mark running begin loop 0 loop; done\nbegin run ");
    write(QStringLiteral("job.sh"), script);
    for (int i = 0; i < 5; ++i) {
        QFile::remove(path(QStringLiteral("exit.json")));
        QFile::remove(path(QStringLiteral("events.ndjson")));
        const auto job = start({QStringLiteral("job.sh")});
        QTRY_VERIFY_WITH_TIMEOUT(eventWords().contains(QStringLiteral("loop begin")), 20'000);
        job->terminate();
        QVERIFY(job->waitForFinished());
        QVERIFY2(job->exitCode() == 143, job->readAll());
        const QByteArray end = read(QStringLiteral("exit.json"));
        QVERIFY2(end.contains("\"code\":143"), end);
    }
}

void TestScript::helper_survivesSetU()
{
    Plan careful = plan("run-a-command", {{QStringLiteral("command"), QStringLiteral("true")}});
    upload(careful);
    write(QStringLiteral("job.sh"),
        read(QStringLiteral("job.sh")).replace(". ./slipway.sh", "set -u\n. ./slipway.sh"));
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(read(QStringLiteral("exit.json")).startsWith("{\"code\":0,"), m_printed);
}

void TestScript::helper_notesTheTimesOfTheLog()
{
    qputenv("SLURM_JOB_ID", "77");
    const auto reset = qScopeGuard([] { qunsetenv("SLURM_JOB_ID"); });
    // A step that waits for its children does not wait for the helper.
    const QString command =
        u"printf 'and more' >>'" + path(QStringLiteral("slurm-77.out")) + u"'; sleep 0; wait";
    upload(plan("run-a-command", {{QStringLiteral("command"), command}}));
    write(QStringLiteral("slurm-77.out"), "begun\n");
    write(QStringLiteral("log.times"), "3 100\n"); // by an earlier attempt, whose log goes on
    QVERIFY2(run() == 0, m_printed);
    const qint64 end =
        QFileInfo(path(QStringLiteral("slurm-77.out"))).lastModified().toSecsSinceEpoch();
    const QList<QByteArray> lines = read(QStringLiteral("log.times")).split('\n');
    QVERIFY2(lines.size() >= 4 && lines[0] == "3 100" && lines[1].startsWith("6 "),
        read(QStringLiteral("log.times")));
    QCOMPARE(lines[lines.size() - 2], "14 " + QByteArray::number(end));
    // A log that has begun again takes its times with it.
    write(QStringLiteral("slurm-77.out"), {});
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(
        !read(QStringLiteral("log.times")).contains("3 100"), read(QStringLiteral("log.times")));
}

void TestScript::step_recordsItsEndOnly()
{
    upload(plan("run-a-command", {{QStringLiteral("command"), QStringLiteral("false")}},
        LaunchMode::Interactive));
    QVERIFY(!QFile::exists(path(QStringLiteral("job.sh"))));
    QVERIFY2(run({QStringLiteral("steps/01-image.sh")}) == 0, m_printed);
    QCOMPARE(run({QStringLiteral("steps/02-run.sh")}), 1);
    QCOMPARE(eventWords(),
        (QStringList{QStringLiteral("image begin"), QStringLiteral("image done"),
            QStringLiteral("run begin"), QStringLiteral("run failed")}));
    QVERIFY(!QFile::exists(path(QStringLiteral("exit.json")))); // the allocation goes on
}

namespace {

/// Writes a row for the given place, and exits with the given code.
QByteArray playedProbe(int code)
{
    return "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in --where) w=$2 ;; --rows) r=$2 ;; esac; "
           "shift; done\n"
           "echo \"{\\\"id\\\":\\\"cpu\\\",\\\"state\\\":\\\"ok\\\",\\\"where\\\":\\\"$w\\\"}\" "
           ">>\"$r\"\nexit "
        + QByteArray::number(code) + '\n';
}

} // namespace

void TestScript::check_isOfNodeAndContainer()
{
    upload(plan("run-a-command",
        {{QStringLiteral("command"), QStringLiteral("true")},
            {QStringLiteral("check"), QStringLiteral("report")}}));
    putProbe(playedProbe(1));
    QVERIFY2(run() == 0, m_printed); // it only reports
    QCOMPARE(rowWords(), QStringLiteral("cpu ok host, container ok container, cpu ok container"));
    QCOMPARE(eventWords(),
        (QStringList{QStringLiteral("node done"), QStringLiteral("check begin"),
            QStringLiteral("check failed"), QStringLiteral("image begin"),
            QStringLiteral("image done"), QStringLiteral("check-container begin"),
            QStringLiteral("check-container failed"), QStringLiteral("run begin"),
            QStringLiteral("run done")}));
    // Slurm started the job again: what was found before is void.
    qputenv("SLURM_RESTART_COUNT", "1");
    run();
    qunsetenv("SLURM_RESTART_COUNT");
    QVERIFY2(rowWords().contains(QStringLiteral("cpu ok container, begin ok host, cpu ok host")),
        qPrintable(rowWords()));
}

void TestScript::check_stopsBeforeThePull()
{
    upload(plan("run-a-command",
        {{QStringLiteral("command"), QStringLiteral("true")},
            {QStringLiteral("check"), QStringLiteral("stop")}}));
    putProbe(playedProbe(1));
    QCOMPARE(run(), 1);
    QCOMPARE(eventWords(),
        (QStringList{QStringLiteral("node done"), QStringLiteral("check begin"),
            QStringLiteral("check failed")}));
    QVERIFY(!QFile::exists(path(QStringLiteral("pulls"))));
    QCOMPARE(QJsonDocument::fromJson(read(QStringLiteral("exit.json")))
                 .object()
                 .value(u"stage")
                 .toString(),
        QStringLiteral("check"));
    putProbe(playedProbe(0));
    QVERIFY2(run() == 0, m_printed);
    QVERIFY(QFile::exists(path(QStringLiteral("pulls"))));
}

void TestScript::check_saysWhereTheProbeCannotRun()
{
    upload(plan("run-a-command",
        {{QStringLiteral("command"), QStringLiteral("true")},
            {QStringLiteral("check"), QStringLiteral("stop")}}));
    putProbe("#!/lib/ld-that-is-nowhere.so\n");
    QVERIFY2(run() == 0, m_printed); // what could not be looked at is no fault
    QCOMPARE(rowWords(),
        QStringLiteral("probe.run skip host, nvidia-smi skip host, container ok container, "
                       "probe.run skip container, nvidia-smi skip container"));
    QFile::remove(path(QStringLiteral("probe.ndjson")));
    putProbe("#!/bin/sh\nkill -9 $$\n");
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(rowWords().startsWith(QStringLiteral("probe.run warn host, nvidia-smi skip host")),
        qPrintable(rowWords()));
    // A container that does not start at all is one.
    QFile::remove(path(QStringLiteral("probe.ndjson")));
    write(QStringLiteral("bin/apptainer"), "#!/bin/sh\nexit 255\n", true);
    putProbe(playedProbe(0));
    QCOMPARE(run(), 1);
    QVERIFY2(
        rowWords().endsWith(QStringLiteral("container ok container, probe.run fail container")),
        qPrintable(rowWords()));
}

void TestScript::check_namesTheContainersRuntime_data()
{
    QTest::addColumn<RuntimeKind>("runtime");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("apptainer") << RuntimeKind::Apptainer << QByteArray("apptainer");
    QTest::newRow("enroot") << RuntimeKind::Enroot << QByteArray("enroot");
    QTest::newRow("pyxis") << RuntimeKind::Pyxis << QByteArray("pyxis");
}

/// Those of enroot carry no sign of it inside, so the probe gets it as an argument.
void TestScript::check_namesTheContainersRuntime()
{
    QFETCH(RuntimeKind, runtime);
    QFETCH(QByteArray, name);
    Site site = builtInSite("demo");
    site.runtime = runtime;
    site.runtimes = {runtime};
    LaunchSpec spec;
    spec.values = {{QStringLiteral("command"), QStringLiteral("true")},
        {QStringLiteral("check"), QStringLiteral("report")}};
    upload(makePlan(spec, builtInRecipe("run-a-command"), site, {}));
    write(QStringLiteral("bin/enroot"),
        "#!/bin/sh\ncase $1 in\nimport) echo image >\"$3\" ;;\nstart)\n  shift\n"
        "  while [ \"${1#-}\" != \"$1\" ]; do shift 2; done\n  shift; exec \"$@\" ;;\nesac\n",
        true);
    putProbe("#!/bin/sh\necho \"$@\"\n");
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(m_printed.contains("\ncheck --where host --rows "), m_printed);
    QVERIFY2(
        m_printed.contains(QByteArray("\ncheck --where container --runtime " + name + " --rows ")),
        m_printed);
}

void TestScript::ranks_areNotStartedInEnrootWithoutItsHook()
{
    Site site = builtInSite("demo");
    site.runtime = RuntimeKind::Enroot;
    site.runtimes = {RuntimeKind::Enroot};
    LaunchSpec spec;
    spec.values.insert(QStringLiteral("check"), QStringLiteral("none"));
    upload(makePlan(spec, builtInRecipe("pi-nodes"), site, {}));
    write(QStringLiteral("bin/enroot"),
        "#!/bin/sh\ncase $1 in\nimport) echo image >\"$3\" ;;\nstart) echo a rank starts "
        ";;\nesac\n",
        true);
    qputenv("ENROOT_SYSCONF_PATH", path(QStringLiteral("etc")).toUtf8());
    qputenv("ENROOT_CONFIG_PATH", path(QStringLiteral("own")).toUtf8());
    // Hooks for other things are none for this.
    write(QStringLiteral("etc/hooks.d/98-nvidia.sh"), "#!/bin/bash\n", true);
    const int without = run();
    const QByteArray said = m_printed;
    write(QStringLiteral("own/hooks.d/50-slurm-pmi.sh"),
        "#!/bin/bash\nfor var in $(compgen -e PMIX_); do :; done\n", true);
    const int with = run();
    qunsetenv("ENROOT_SYSCONF_PATH");
    qunsetenv("ENROOT_CONFIG_PATH");
    QVERIFY2(without == 1 && !said.contains("a rank starts"), said);
    QVERIFY2(said.contains("enroot here has no hook for MPI")
            && said.contains("/usr/share/enroot/hooks.d"),
        said);
    QVERIFY2(with == 0 && m_printed.contains("a rank starts"), m_printed);
}

/// The file that enroot sources before a container starts, with the variables of the task.
void TestScript::enroot_handsOnWhatIsTheTasks()
{
    Site site = builtInSite("demo");
    site.runtime = RuntimeKind::Enroot;
    site.runtimes = {RuntimeKind::Enroot};
    LaunchSpec spec;
    spec.values = {{QStringLiteral("command"), QStringLiteral("say this")},
        {QStringLiteral("check"), QStringLiteral("none")}};
    upload(makePlan(spec, builtInRecipe("run-a-command"), site, {}));
    write(QStringLiteral("bin/enroot"),
        "#!/bin/bash\nset -euo pipefail\ncase $1 in\nimport) echo image >\"$3\" ;;\n"
        "start)\n  conf=; shift\n  while [ \"${1#-}\" != \"$1\" ]; do [ \"$1\" != --conf ] || "
        "conf=$2; "
        "shift 2; done\n  shift\n"
        "  export SLURM_NNODES=2 SLURM_PROCID=1 SLURM_STEP_ID=3 SLURM_STEPID=3 SLURMD_NODENAME=n2 "
        "MINE=4\n"
        "  . \"$PWD/$conf\"; say() { echo \"said $*\"; }; env() { shift; \"$@\"; }\n"
        "  (unset -f env; environ); declare -f rc >rc.txt; rc \"$@\" ;;\nesac\n",
        true);
    write(QStringLiteral("bin/say"), "#!/bin/sh\necho \"said $*\"\n", true);
    QVERIFY2(run() == 0, m_printed);
    for (const char* line : {"\nSLURM_NNODES=2\n", "\nSLURM_PROCID=1\n", "\nSLURMD_NODENAME=n2\n"})
        QVERIFY2(m_printed.contains(line), m_printed);
    // A step's would make MPI look for a launcher that it cannot reach; the rest is the node's own.
    for (const char* line : {"SLURM_STEP", "MINE", "HOME="})
        QVERIFY2(!m_printed.contains(line), m_printed);
    QVERIFY2(m_printed.contains("\nsaid this\n"), m_printed);
    // enroot takes the lines between the braces for a script of its own.
    QCOMPARE(read(QStringLiteral("rc.txt")), QByteArray("rc () \n{ \n    exec \"$@\"\n}\n"));
}

void TestScript::playOverlays(LaunchMode mode)
{
    upload(plan("overlay-prototype", {{QStringLiteral("check"), QStringLiteral("none")}}, mode));
    // What overlayfs leaves behind: a folder that is closed to its owner too.
    write(QStringLiteral("bin/apptainer"),
        "#!/bin/sh\ncase $1 in\npull) while [ \"$1\" = pull ] || [ \"${1#-}\" != \"$1\" ]; do "
        "shift; done\n"
        "  echo image >\"$1\" ;;\n"
        "exec)\n  while [ $# -gt 0 ] && [ \"$1\" != --overlay ]; do shift; done\n  [ $# -gt 0 ] || "
        "exit 1\n"
        "  echo \"over $2 $(stat -c %a \"${2%/*}\")\"; mkdir -p \"$2/upper\" \"$2/work/work\" || "
        "exit\n"
        "  echo >>\"$2/upper/kept\"; wc -l <\"$2/upper/kept\"; chmod 000 \"$2/work/work\" "
        ";;\nesac\n",
        true);
    QVERIFY(QDir().mkpath(path(QStringLiteral("tmp"))));
    qputenv("TMPDIR", path(QStringLiteral("tmp")).toUtf8());
    qputenv("SLURM_JOB_ID", "77");
}

void TestScript::overlays_areRemovedWithTheJob()
{
    playOverlays(LaunchMode::Batch);
    QVERIFY(
        QDir().mkpath(path(QStringLiteral("tmp/slipway-77/overlay/upper")))); // of an earlier try
    write(QStringLiteral("tmp/slipway-77/overlay/upper/kept"), "old\n");
    const int code = run();
    const QByteArray place = path(QStringLiteral("tmp/slipway-77/overlay")).toUtf8();
    qunsetenv("TMPDIR");
    qunsetenv("SLURM_JOB_ID");
    QVERIFY2(code == 0, m_printed);
    QVERIFY2(m_printed.contains(QByteArray("\nover " + place + " 700\n1\n")),
        m_printed); // empty at first
    QVERIFY2(m_printed.contains(QByteArray("\nover " + place + " 700\n2\n")),
        m_printed); // and shared by the steps
    QVERIFY2(
        m_printed.contains(QByteArray("The overlay " + place + " contains 1 files")), m_printed);
    QVERIFY(!QFileInfo::exists(path(QStringLiteral("tmp/slipway-77"))));
    QVERIFY(!QFileInfo::exists(path(QStringLiteral("overlay"))));
}

void TestScript::overlays_ofKeptNodesAreRemovedAtRelease()
{
    playOverlays(LaunchMode::Interactive);
    const std::unique_ptr<QProcess> keeper = start({QStringLiteral("steps/overlays.sh")});
    const int installed = run({QStringLiteral("steps/02-install.sh")});
    const QByteArray first = m_printed;
    const int again = run({QStringLiteral("steps/04-run.sh")});
    qunsetenv("TMPDIR");
    qunsetenv("SLURM_JOB_ID");
    QVERIFY2(installed == 0 && first.contains(" 700\n1\n"), first);
    QVERIFY2(again == 0 && m_printed.contains(" 700\n2\n"), m_printed);
    QVERIFY(QFileInfo::exists(path(QStringLiteral("tmp/slipway-77/overlay/upper/kept"))));
    // Slurm ends every step of an allocation that is given back.
    const QByteArray waits = "/proc/" + QByteArray::number(keeper->processId());
    const auto child = [&waits] {
        QFile children(QString::fromLatin1(waits + "/task/" + waits.mid(6) + "/children"));
        QFile command(children.open(QIODevice::ReadOnly)
                ? QString::fromLatin1("/proc/" + children.readAll().trimmed() + "/cmdline")
                : QString());
        return command.open(QIODevice::ReadOnly) ? command.readAll() : QByteArray();
    };
    QTRY_VERIFY(child().startsWith("sleep"));
    keeper->terminate();
    QVERIFY(keeper->waitForFinished());
    QVERIFY2(!QFileInfo::exists(path(QStringLiteral("tmp/slipway-77"))), keeper->readAll());
}

void TestScript::overlays_areInaccessibleToOthers()
{
    playOverlays(LaunchMode::Batch);
    QVERIFY(QDir().mkpath(path(QStringLiteral("mine"))));
    QVERIFY(QFile::link(path(QStringLiteral("mine")), path(QStringLiteral("tmp/slipway-77"))));
    const int code = run();
    qunsetenv("TMPDIR");
    qunsetenv("SLURM_JOB_ID");
    QVERIFY2(code == 77 && m_printed.contains("belongs to another user"), m_printed);
    QVERIFY(QFileInfo::exists(path(QStringLiteral("mine"))));
}

void TestScript::check_worksWithoutTheProbe()
{
    upload(plan("run-a-command",
        {{QStringLiteral("command"), QStringLiteral("true")},
            {QStringLiteral("check"), QStringLiteral("report")}}));
    write(QStringLiteral("bin/nvidia-smi"), "#!/bin/sh\necho 'NVIDIA H100, 580.65.06, 81559 MiB'\n",
        true);
    QVERIFY2(run() == 0, m_printed);
    QCOMPARE(rowWords(),
        QStringLiteral("nvidia-smi ok host, container ok container, nvidia-smi ok container"));
    QVERIFY(m_printed.contains("NVIDIA H100, 580.65.06"));
    // A job with a GPU that nothing answers for.
    write(QStringLiteral("bin/nvidia-smi"), "#!/bin/sh\nexit 9\n", true);
    qputenv("SLURM_JOB_GPUS", "0");
    run();
    qunsetenv("SLURM_JOB_GPUS");
    QVERIFY2(rowWords().endsWith(QStringLiteral(
                 "nvidia-smi fail host, container ok container, nvidia-smi fail container")),
        qPrintable(rowWords()));
}

void TestScript::python_partsThatNeedNoTorch()
{
    QVERIFY2(!QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty(),
        "python3 is not installed; this test needs it");
    QVERIFY(QFile::copy(
        slipway::sourcePath(QStringLiteral("/resources/recipes/matmul-scaling/matmul_scaling.py")),
        path(QStringLiteral("matmul_scaling.py"))));
    write(QStringLiteral("check.py"),
        "import matmul_scaling as m\n"
        "rows = [{'n': n, 'median': t, 'flops': f} for n, t, f in ((2048, .1995, 86.13e9), (8192, "
        ".2252, 4.88e12))]\n"
        "print(m.drawn_table(m.table_rows(rows, 'float32')))\n"
        "assert m.flops_text(999.0) == '999.00 FLOPS' and m.flops_text(1e21) == '1000.00 EFLOPS'\n"
        "assert m.sizes_of('1, 2,3') == [1, 2, 3] and m.gigabytes(8192, 'float32') == 0.5\n"
        "assert m.is_out_of_memory(RuntimeError('CUDA out of memory. Tried')) and not "
        "m.is_out_of_memory(RuntimeError('x'))\n");
    write(QStringLiteral("python.sh"), "python3 check.py\n");
    QVERIFY2(run({QStringLiteral("python.sh")}) == 0, m_printed);
    QVERIFY2(m_printed.contains(
                 "│ 2048x2048   │ 0.03             │ 0.1995               │ 86.13 GFLOPS │"),
        m_printed);
    QVERIFY2(m_printed.contains(
                 "│ 8192x8192   │ 0.50             │ 0.2252               │ 4.88 TFLOPS  │"),
        m_printed);
}

void TestScript::uploadWithSecret(const QMap<QString, QString>& more, LaunchMode mode)
{
    QMap<QString, QString> values{{QStringLiteral("secrets"), QStringLiteral("HF_TOKEN")},
        {QStringLiteral("command"), QStringLiteral("echo \"length ${#HF_TOKEN}\"")}};
    values.insert(more);
    upload(plan("run-a-command", values, mode));
    write(QStringLiteral("secrets.env"), "# salt\nexport HF_TOKEN='it'\\''s $distinctive'\n");
    QFile::setPermissions(
        path(QStringLiteral("secrets.env")), QFile::ReadOwner | QFile::WriteOwner);
}

void TestScript::secrets_reachTheProgramAndAreRemoved()
{
    uploadWithSecret();
    // A person who looks for a mistake may have the script print its commands.
    QByteArray script = read(QStringLiteral("job.sh"));
    QVERIFY(script.contains("\nread_secrets HF_TOKEN || exit\n"));
    script.replace("\nread_secrets", "\nset -xv\nread_secrets");
    write(QStringLiteral("job.sh"), script);
    QVERIFY2(run() == 0, m_printed);
    QVERIFY2(m_printed.contains("length 17\n"), m_printed);
    QVERIFY2(!m_printed.contains("distinctive"), m_printed);
    QVERIFY(!QFile::exists(path(QStringLiteral("secrets.env"))));
    // Nothing that the job wrote contains the value.
    QProcess grep;
    grep.start(QStringLiteral("grep"),
        {QStringLiteral("-ra"), QStringLiteral("distinctive"), m_folder->path()});
    QVERIFY(grep.waitForFinished());
    QCOMPARE(grep.readAllStandardOutput(), QByteArray());
    // By hand, it says what is missing before anything starts.
    QCOMPARE(run(), 77);
    QVERIFY2(m_printed.contains("there is no value for HF_TOKEN"), m_printed);
}

void TestScript::secrets_areKeptForASecondAttempt()
{
    const QMap<QString, QString> ended{
        {QStringLiteral("command"), QStringLiteral("kill -TERM $PPID")}};
    uploadWithSecret(ended);
    QCOMPARE(run(), 143);
    QVERIFY(!QFile::exists(path(QStringLiteral("secrets.env"))));
    QMap<QString, QString> requeued = ended;
    requeued.insert(QStringLiteral("requeue"), QStringLiteral("true"));
    uploadWithSecret(requeued);
    QCOMPARE(run(), 143);
    QVERIFY(QFile::exists(path(QStringLiteral("secrets.env"))));
    // A program that requeues its own job and ends before Slurm's signal arrives.
    requeued.insert(
        QStringLiteral("command"), QStringLiteral("(sleep 0.1; kill -TERM $PPID) & exit 0"));
    uploadWithSecret(requeued);
    QVERIFY2(run() == 143, m_printed);
    QVERIFY(QFile::exists(path(QStringLiteral("secrets.env"))));
    QVERIFY(read(QStringLiteral("exit.json")).contains("\"code\":143"));
    uploadWithSecret({{QStringLiteral("requeue"), QStringLiteral("true")}});
    QVERIFY2(run() == 0, m_printed);
    QVERIFY(!QFile::exists(path(QStringLiteral("secrets.env"))));
}

void TestScript::secrets_thatOthersCanReadAreNotUsed()
{
    uploadWithSecret();
    QFile::setPermissions(path(QStringLiteral("secrets.env")),
        QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
    QCOMPARE(run(), 77);
    QVERIFY2(m_printed.contains("secrets.env is not used"), m_printed);
    uploadWithSecret();
    QVERIFY(QFile::rename(path(QStringLiteral("secrets.env")), path(QStringLiteral("elsewhere"))));
    QVERIFY(QFile::link(path(QStringLiteral("elsewhere")), path(QStringLiteral("secrets.env"))));
    QCOMPARE(run(), 77);
    QVERIFY2(!m_printed.contains("length"), m_printed);
}

void TestScript::secrets_stayWhileAnAllocationLasts()
{
    uploadWithSecret({{QStringLiteral("image"), QString()}}, LaunchMode::Interactive);
    for (int step = 0; step < 2; ++step) {
        QVERIFY2(run({QStringLiteral("steps/01-run.sh")}) == 0, m_printed);
        QVERIFY2(m_printed.contains("length 17\n"), m_printed);
        QVERIFY(QFile::exists(path(QStringLiteral("secrets.env"))));
    }
}

void TestScript::secrets_areNamedForEnroot()
{
    Site site = builtInSite("demo");
    site.runtime = RuntimeKind::Enroot;
    site.runtimes = {RuntimeKind::Enroot};
    LaunchSpec spec;
    const Recipe recipe = builtInRecipe("run-a-command");
    QVERIFY(!renderScript(makePlan(spec, recipe, site, {})).contains("secret"));
    spec.values.insert(QStringLiteral("secrets"), QStringLiteral("HF_TOKEN"));
    const QByteArray script = renderScript(makePlan(spec, recipe, site, {}));
    QVERIFY2(script.contains("--env HF_TOKEN"), script);
}

SLIPWAY_TEST(TestScript, plan_script)
#include "tst_script.moc"
