// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/stepimages.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "tests/support/testsites.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace slipway;

/// The recipe that builds a person's own definition file: its script for every value, and what its
/// own scripts say on nodes that allow more or less, with stand-ins for the node's programs.
class TestOwnImage : public QObject {
    Q_OBJECT

private slots:
    void init();
    void script_buildsInTheFolder();
    void name_isThatOfTheDefinition_data();
    void name_isThatOfTheDefinition();
    void badValues_areRefused_data();
    void badValues_areRefused();
    void otherSites_needNoPlainHttp();
    void folder_isAskedFor();
    void enroot_cannotBuild();
    void route_isChosen_data();
    void route_isChosen();
    void missingDefinition_isNamed();
    void missingRuntime_isNamed();
    void definition_isKept();
    void plainHttp_isOfTheRegistryInTheFile();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& bytes, bool executable = false);
    QByteArray read(const QString& name) const;
    /// Runs bash in the folder, with its bin/ before the programs of this machine.
    int bash(const QStringList& words);
    int check(const QString& definition = QStringLiteral("code/a.def"));

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_printed;
};

namespace {

const QString scripts = slipway::sourcePath(QStringLiteral("/resources/recipes/own-image/"));

Plan imagePlan(QMap<QString, QString> values = {}, const char* site = "demo",
    const QString& folder = QStringLiteral("/home/ada/p"))
{
    if (!values.contains(QStringLiteral("definition")))
        values.insert(QStringLiteral("definition"), QStringLiteral("conf/tools.def"));
    LaunchSpec spec;
    spec.recipeId = QStringLiteral("own-image");
    spec.project = folder;
    spec.values = values;
    return makePlan(spec, builtInRecipe("own-image"), builtInSite(site), {});
}

QByteArray ownImageBody(const Plan& plan, const char* id)
{
    for (const PlanStep& step : plan.steps) {
        if (step.id == QLatin1String(id))
            return step.body;
    }
    return "no such step";
}

} // namespace

void TestOwnImage::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    write(QStringLiteral("code/a.def"), "Bootstrap: docker\nFrom: login:5000/demo/python:3.13\n");
    // A node with everything; rows of a test take away from it.
    write(QStringLiteral("bin/apptainer"),
        "#!/bin/sh\ncase $1 in --version) echo apptainer version 1.3.4 ;; buildcfg) echo "
        "\"$HOME/libexec\" ;; *) echo \"$0\" \"$@\" ;; esac\n",
        true);
    for (const char* name : {"unshare", "newuidmap", "newgidmap", "fakeroot"})
        write(QStringLiteral("bin/") + QLatin1String(name), "#!/bin/sh\nexit 0\n", true);
    write(QStringLiteral("bin/id"), "#!/bin/sh\ncase $1 in -un) echo ada ;; *) echo 1234 ;; esac\n",
        true);
    write(QStringLiteral("bin/getsubids"), "#!/bin/sh\nexit 1\n", true);
    write(QStringLiteral("root/etc/subuid"), "bob:100000:65536\nada:165536:65536\n");
    write(QStringLiteral("root/etc/subgid"), "1234:165536:65536\n");
    write(QStringLiteral("root/proc/sys/user/max_user_namespaces"), "1000\n");
}

void TestOwnImage::write(const QString& name, const QByteArray& bytes, bool executable)
{
    QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    if (executable)
        file.setPermissions(file.permissions() | QFile::ExeOwner | QFile::ExeUser);
}

QByteArray TestOwnImage::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int TestOwnImage::bash(const QStringList& words)
{
    // Only these of this machine's programs, so that nothing else of it is found.
    for (const char* name : {"bash", "sh", "grep", "cat", "head", "df", "awk", "date", "stat",
             "cmp", "cp", "mkdir", "numfmt"}) {
        const QString there = QStandardPaths::findExecutable(QLatin1String(name));
        QFile::link(there, path(QStringLiteral("bin/") + QLatin1String(name)));
    }
    QProcess process;
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), path(QStringLiteral("bin")));
    environment.insert(QStringLiteral("HOME"), m_folder->path());
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder->path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStandardPaths::findExecutable(QStringLiteral("bash")), words);
    if (!process.waitForFinished(30'000))
        return -1;
    m_printed = process.readAll();
    return process.exitCode();
}

int TestOwnImage::check(const QString& definition)
{
    return bash(
        {scripts + QStringLiteral("build_check.sh"), definition, path(QStringLiteral("root"))});
}

void TestOwnImage::script_buildsInTheFolder()
{
    const Plan plan = imagePlan({{QStringLiteral("name"), QStringLiteral("mine")},
        {QStringLiteral("test"), QStringLiteral("python3 --version")}});
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    QStringList ids;
    for (const PlanStep& step : plan.steps)
        ids << step.id;
    QVERIFY2(ids.join(u' ').contains(u"route build keep"), qPrintable(ids.join(u' ')));
    QCOMPARE(ids.last(), QStringLiteral("test"));
    const QByteArray body = ownImageBody(plan, "build");
    QVERIFY2(body.simplified().replace("\\ ", "").contains(
                 "(cd code && slipway_with_login plain_http conf/tools.def login:5000 login:5001 "
                 "-- apptainer build --force"),
        body);
    QVERIFY2(body.contains("--fakeroot") && body.contains("\"$built_name.part\""), body);
    QVERIFY2(body.contains("mv \"$built_name.part\" \"$built_name\""), body);
    const QByteArray script = renderScript(plan);
    QVERIFY2(script.contains("built_name=\"$SCRATCH/slipway/images/built/mine.sif\"\n"), script);
    QCOMPARE(ownImageBody(plan, "route"), QByteArray("bash build_check.sh code/conf/tools.def\n"));
    QCOMPARE(ownImageBody(plan, "keep"),
        QByteArray("bash keep_definition.sh code/conf/tools.def \"$built_name\"\n"));
    QVERIFY2(ownImageBody(plan, "test").contains("apptainer exec \"$built_name\""),
        ownImageBody(plan, "test"));
}

void TestOwnImage::name_isThatOfTheDefinition_data()
{
    QTest::addColumn<QString>("definition");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("file");
    const auto row = [](const char* definition, const char* name, const char* file) {
        QTest::addRow("%s, %s", definition, name)
            << QString::fromLatin1(definition) << QString::fromLatin1(name)
            << QString::fromLatin1(file);
    };
    row("a.def", "", "a.sif");
    row("conf/a.def", " ", "a.sif");
    row("Definition.nbody", "", "Definition.nbody.sif");
    row("a.def", "b", "b.sif");
    row("a.def", "b-1.2.sif", "b-1.2.sif");
}

void TestOwnImage::name_isThatOfTheDefinition()
{
    QFETCH(QString, definition);
    QFETCH(QString, name);
    QFETCH(QString, file);
    const Plan plan =
        imagePlan({{QStringLiteral("definition"), definition}, {QStringLiteral("name"), name}});
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    const std::vector<PlanImage> images = planImages(plan);
    QCOMPARE(images.size(), std::size_t(1));
    QCOMPARE(images.front().key, file);
    QCOMPARE(images.front().variable, QStringLiteral("built_name"));
}

void TestOwnImage::badValues_areRefused_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    for (const char* value : {"../a.def", "/etc/a.def", "a b.def", "$(id).def", "*.def"})
        QTest::addRow("definition %s", value)
            << QStringLiteral("definition") << QString::fromLatin1(value);
    for (const char* value : {"../a", "a/b.sif", "$(id)", "a\"b", ".sif", "a b"})
        QTest::addRow("name %s", value) << QStringLiteral("name") << QString::fromLatin1(value);
}

void TestOwnImage::badValues_areRefused()
{
    QFETCH(QString, field);
    QFETCH(QString, value);
    const Plan plan = imagePlan({{field, value}});
    QVERIFY(plan.hasErrors());
    const Problem* found = nullptr;
    for (const Problem& problem : plan.problems) {
        if (problem.field == field && problem.text.contains(u"cannot be the"))
            found = &problem;
    }
    QVERIFY2(found, problemsText(plan));
    if (found->fixValue)
        QVERIFY2(!imagePlan({{field, *found->fixValue}}).hasErrors(),
            problemsText(imagePlan({{field, *found->fixValue}})));
}

void TestOwnImage::otherSites_needNoPlainHttp()
{
    const QByteArray body = ownImageBody(imagePlan({}, "nv-slurm"), "build");
    QVERIFY2(!body.contains("plain_http") && body.contains("(cd code &&"), body);
}

void TestOwnImage::folder_isAskedFor()
{
    const Plan plan = imagePlan({}, "demo", {});
    QVERIFY(plan.hasErrors());
    QVERIFY2(problemsText(plan).contains("nothing to build"), problemsText(plan));
}

void TestOwnImage::enroot_cannotBuild()
{
    LaunchSpec spec;
    spec.project = QStringLiteral("/home/ada/p");
    spec.values.insert(QStringLiteral("definition"), QStringLiteral("a.def"));
    Site site = builtInSite("demo");
    site.runtime = RuntimeKind::Enroot;
    site.runtimes = {RuntimeKind::Enroot};
    const Plan plan = makePlan(spec, builtInRecipe("own-image"), site, {});
    QVERIFY2(problemsText(plan).contains("building from a definition file"), problemsText(plan));
    QVERIFY(plan.hasErrors());
}

void TestOwnImage::route_isChosen_data()
{
    QTest::addColumn<QStringList>("missing"); // files that the node lacks
    QTest::addColumn<QString>("version");
    QTest::addColumn<bool>("namespaces");
    QTest::addColumn<QString>("said");
    QTest::addColumn<int>("code");
    const QString ranges = QStringLiteral("root/etc/subuid"),
                  mapper = QStringLiteral("bin/newuidmap"),
                  fakeroot = QStringLiteral("bin/fakeroot"),
                  unshare = QStringLiteral("bin/unshare"), now = QStringLiteral("1.3.4");
    const auto row = [](const char* name, const QStringList& missing, const QString& version,
                         bool namespaces, const char* said, int code) {
        QTest::newRow(name) << missing << version << namespaces << QString::fromUtf8(said) << code;
    };
    row("everything", {}, now, true, "--fakeroot with subordinate IDs", 0);
    row("no range", {ranges}, now, true, "root-mapped namespace with the program fakeroot", 0);
    row("no range and no fakeroot", {ranges, fakeroot}, now, true, "root-mapped namespace alone",
        0);
    row("no newuidmap", {mapper}, now, true,
        "Ask the support of the cluster for the package uidmap", 1);
    row("no namespaces", {}, now, false, "user namespaces are switched off", 1);
    row("neither namespaces nor a range", {ranges}, now, false,
        "Ask the support of the cluster for unprivileged user namespaces", 1);
    row("old runtime without a range", {ranges}, QStringLiteral("1.0.3"), true,
        "an entry for ada in /etc/subuid", 1);
    row("no unshare", {unshare}, now, true, "Whether user namespaces work here is unknown", 0);
}

void TestOwnImage::route_isChosen()
{
    QFETCH(QStringList, missing);
    QFETCH(QString, version);
    QFETCH(bool, namespaces);
    QFETCH(QString, said);
    QFETCH(int, code);
    for (const QString& name : missing)
        QVERIFY(QFile::remove(path(name)));
    write(QStringLiteral("bin/apptainer"),
        "#!/bin/sh\n[ \"$1\" != --version ] || echo apptainer version " + version.toUtf8() + '\n',
        true);
    if (!namespaces) {
        write(QStringLiteral("bin/unshare"), "#!/bin/sh\nexit 1\n", true);
        write(QStringLiteral("root/proc/sys/user/max_user_namespaces"), "0\n");
    }
    QCOMPARE(check(), code);
    QVERIFY2(m_printed.contains(said.toUtf8()), m_printed);
    QVERIFY2(m_printed.contains("Runtime:"), m_printed);
    QCOMPARE(QFile::exists(path(QStringLiteral("build.begun"))), code == 0);
    if (code != 0)
        QVERIFY2(m_printed.contains("has no way to build an image without root"), m_printed);
}

void TestOwnImage::missingDefinition_isNamed()
{
    QCOMPARE(check(QStringLiteral("code/b.def")), 1);
    QVERIFY2(m_printed.contains("the folder that was sent has no file b.def"), m_printed);
}

void TestOwnImage::missingRuntime_isNamed()
{
    QVERIFY(QFile::remove(path(QStringLiteral("bin/apptainer"))));
    QCOMPARE(check(), 1);
    QVERIFY2(m_printed.contains("neither apptainer nor singularity"), m_printed);
}

void TestOwnImage::definition_isKept()
{
    write(QStringLiteral("x/tools.sif"), QByteArray(2048, 'x'));
    write(QStringLiteral("build.begun"), "1000\n");
    const QStringList words{scripts + QStringLiteral("keep_definition.sh"),
        QStringLiteral("code/a.def"), path(QStringLiteral("x/tools.sif"))};
    QVERIFY2(bash(words) == 0, m_printed);
    QVERIFY2(
        m_printed.contains(R"("sample":"image_bytes","x":1,"x_name":"image","y":2048)"), m_printed);
    QVERIFY2(m_printed.contains(R"("sample":"build_seconds")"), m_printed);
    const QString kept = QStringLiteral("slipway/definitions/tools.def");
    QCOMPARE(read(kept), read(QStringLiteral("code/a.def")));
    QVERIFY2(bash(words) == 0 && m_printed.contains("already kept"), m_printed);
    const QByteArray former = read(kept);
    write(QStringLiteral("code/a.def"), "Bootstrap: docker\nFrom: debian:12\n");
    QVERIFY2(bash(words) == 0, m_printed);
    QCOMPARE(read(kept), read(QStringLiteral("code/a.def")));
    QCOMPARE(read(kept + u".~1~"), former); // what was there is not lost
}

void TestOwnImage::plainHttp_isOfTheRegistryInTheFile()
{
    write(QStringLiteral("other.def"), "bootstrap: docker\n  FROM : login.example:5000/x\n");
    const QString helper = sourcePath(QStringLiteral("/app/plan/job/slipway.sh"));
    // Only the function: the rest of the file begins a job.
    const QString load =
        QStringLiteral("eval \"$(awk '/^plain_http\\(\\)/,/^}/' '%1')\"; ").arg(helper);
    QCOMPARE(bash({QStringLiteral("-c"),
                 load + u"plain_http code/a.def a:1 login:5000 -- apptainer build --force x"}),
        0);
    QVERIFY2(m_printed.contains("apptainer build --no-https --force x"), m_printed);
    QCOMPARE(bash({QStringLiteral("-c"),
                 load + u"plain_http other.def login:5000 -- apptainer build --force x"}),
        0);
    QVERIFY2(m_printed.contains("apptainer build --force x"), m_printed);
}

SLIPWAY_TEST(TestOwnImage, plan_ownimage)
#include "tst_ownimage.moc"
