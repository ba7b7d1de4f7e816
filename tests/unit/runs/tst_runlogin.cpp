// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runlogin.h"
#include "app/secrets/registrylogins.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// The logins that a job gets for its pulls: which, under which name, and who sees them there.
class TestRunLogin : public QObject {
    Q_OBJECT

private slots:
    void init();
    void name_isOfOneHost_data();
    void name_isOfOneHost();
    void name_isToldApart();
    void registries_areThoseOfThePlan();
    void file_hasTheLoginsOfThePlanOnly();
    void file_hasTheLoginsOfABuild();
    void file_isMissingWithoutALogin();
    void lockedKeychain_endsTheLaunch();
    void job_pullsWithTheLogin();
    void login_isForItsRegistryOnly_data();
    void login_isForItsRegistryOnly();
    void definition_isReadAlikeHereAndInTheJob_data();
    void definition_isReadAlikeHereAndInTheJob();
    void enroot_getsAFolderOfItsOwn();
    void openFile_isNotUsed();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    Plan plan(const QString& image) const;
    /// What a bash prints that has the functions of slipway.sh in the run folder.
    QByteArray bash(const QByteArray& script, int* code = nullptr);
    void putLogins(const std::vector<JobLogin>& logins, bool isOpen = false);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MemoryKeychain::Table> m_table;
    std::unique_ptr<SecretStore> m_secrets;
};

namespace {

const QString inCluster = QStringLiteral("docker://login:5000/demo/python:3.13");
const RegistryLogin hostile{QStringLiteral("$oauthtoken"), QStringLiteral("a'b \"$(id)`é\\")};

} // namespace

void TestRunLogin::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_table = std::make_shared<MemoryKeychain::Table>();
    m_secrets = std::make_unique<SecretStore>(path(QStringLiteral("config")));
    m_secrets->setKeychain(std::make_unique<MemoryKeychain>(m_table));
}

Plan TestRunLogin::plan(const QString& image) const
{
    LaunchSpec spec;
    spec.values = {{QStringLiteral("image"), image},
        {QStringLiteral("command"), QStringLiteral("sh show.sh")}};
    return makePlan(spec, builtInRecipe("run-a-command"), builtInSite("demo"), {});
}

void TestRunLogin::name_isOfOneHost_data()
{
    QTest::addColumn<QString>("registry");
    QTest::addColumn<QString>("name"); // empty: refused
    const auto row = [](const char* registry, const char* name) {
        QTest::newRow(registry) << QString::fromLatin1(registry) << QString::fromLatin1(name);
    };
    row("docker.io", "docker.io");
    row("index.docker.io", "docker.io");
    row("NVCR.io", "nvcr.io");
    row("https://registry.example.org:5000/", "registry.example.org:5000");
    row("login:5000", "login.demo.invalid:5000");
    row("registry", "registry.demo.invalid");
    row("[::1]:5000", "[::1]:5000");
    row("nvcr.io/nvidia", "");
    row("a b", "");
}

void TestRunLogin::name_isOfOneHost()
{
    QFETCH(QString, registry);
    QFETCH(QString, name);
    const Site site = builtInSite("demo");
    const Result<QString> found = registryLoginName(&site, registry);
    QCOMPARE(found.ok() ? *found : QString(), name);
}

void TestRunLogin::name_isToldApart()
{
    const RegistryLoginPlace place = registryLoginPlace(QStringLiteral("login.demo.invalid:5000"));
    QCOMPARE(place.registry, QStringLiteral("login:5000"));
    QCOMPARE(place.siteId, QStringLiteral("demo"));
    QCOMPARE(registryLoginPlace(QStringLiteral("nvcr.io")).registry, QStringLiteral("nvcr.io"));
    QVERIFY(registryLoginPlace(QStringLiteral("nvcr.io")).siteId.isEmpty());
    const Site here = builtInSite("demo"), other = builtInSite("kestrel");
    QVERIFY(*registryLoginName(&here, QStringLiteral("login:5000"))
        != *registryLoginName(&other, QStringLiteral("login:5000")));
}

void TestRunLogin::registries_areThoseOfThePlan()
{
    const PlanRegistries one = planRegistries(plan(inCluster));
    QCOMPARE(one.registries, QStringList{QStringLiteral("login:5000")});
    QCOMPARE(one.lastStep, QStringLiteral("image"));
    QCOMPARE(planRegistries(plan(QStringLiteral("docker://python:3.13"))).registries,
        QStringList{QStringLiteral("docker.io")});
    QVERIFY(planRegistries(plan(QStringLiteral("/scratch/x.sif"))).registries.isEmpty());
    QVERIFY(planRegistries(plan({})).registries.isEmpty());
    LaunchSpec spec;
    spec.project = m_folder->path();
    spec.values = {{QStringLiteral("definition"), QStringLiteral("own.def")}};
    const Plan build = makePlan(spec, builtInRecipe("own-image"), builtInSite("demo"), {});
    const PlanRegistries built = planRegistries(build,
        QStringLiteral("Bootstrap: docker\nFrom: nvcr.io/a/b:1\nStage: one\n\n"
                       "bootstrap: localimage\nFrom: /scratch/x.sif\n"));
    QCOMPARE(built.registries, QStringList{QStringLiteral("nvcr.io")});
    QCOMPARE(built.lastStep, QStringLiteral("build"));
    QVERIFY(planRegistries(build).registries.isEmpty());
}

void TestRunLogin::file_hasTheLoginsOfThePlanOnly()
{
    RegistryLogins logins(m_secrets.get());
    QVERIFY(awaited(logins.keep(QStringLiteral("nvcr.io"), hostile)).ok());
    QVERIFY(awaited(logins.keep(QStringLiteral("ghcr.io"),
                        {QStringLiteral("me"), QStringLiteral("for another")}))
                .ok());
    const auto file =
        awaited(registryLoginFile(m_secrets.get(), plan(QStringLiteral("docker://nvcr.io/a/b:1"))));
    QVERIFY(file.ok() && *file);
    QCOMPARE((*file)->name, QStringLiteral("registry.env"));
    QCOMPARE((*file)->mode, 0600);
    const QList<QByteArray> lines = (*file)->bytes.split('\n');
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[0], QByteArray("last image"));
    QCOMPARE(lines[2],
        QByteArray("login nvcr.io " + hostile.user.toUtf8().toBase64() + ' '
            + hostile.secret.toUtf8().toBase64()));
    // Its checksum, which others can see, is another one each time.
    const auto again =
        awaited(registryLoginFile(m_secrets.get(), plan(QStringLiteral("docker://nvcr.io/a/b:1"))));
    QVERIFY(again.ok() && *again);
    QVERIFY(lines[1].startsWith("salt ") && lines[1] != (*again)->bytes.split('\n')[1]);
}

/// What a person's definition file starts from is found in the file.
void TestRunLogin::file_hasTheLoginsOfABuild()
{
    RegistryLogins logins(m_secrets.get());
    QVERIFY(awaited(logins.keep(QStringLiteral("nvcr.io"), hostile)).ok());
    putFile(path(QStringLiteral("own.def")), "Bootstrap: docker\nFrom: nvcr.io/a/b:1\n");
    LaunchSpec spec;
    spec.project = m_folder->path();
    spec.values = {{QStringLiteral("definition"), QStringLiteral("own.def")},
        {QStringLiteral("requeue"), QStringLiteral("true")}};
    const Plan build = makePlan(spec, builtInRecipe("own-image"), builtInSite("demo"), {});
    const auto file = awaited(registryLoginFile(m_secrets.get(), build));
    QVERIFY(file.ok() && *file);
    QVERIFY2((*file)->bytes.startsWith("last build requeue\nsalt "), (*file)->bytes);
    QVERIFY2((*file)->bytes.contains("\nlogin nvcr.io "), (*file)->bytes);
    QVERIFY(renderScript(build).contains("slipway_with_login plain_http own.def "));
}

void TestRunLogin::file_isMissingWithoutALogin()
{
    const Plan here = plan(inCluster);
    const auto none = awaited(registryLoginFile(m_secrets.get(), here));
    QVERIFY(none.ok() && !*none);
    const auto nowhere = awaited(registryLoginFile(nullptr, here));
    QVERIFY(nowhere.ok() && !*nowhere);
    // That of another cluster's registry with the same name is not for this one.
    const Site other = builtInSite("kestrel");
    RegistryLogins logins(m_secrets.get());
    QVERIFY(awaited(logins.keep(*registryLoginName(&other, QStringLiteral("login:5000")), hostile))
                .ok());
    const auto foreign = awaited(registryLoginFile(m_secrets.get(), here));
    QVERIFY(foreign.ok() && !*foreign);
}

void TestRunLogin::lockedKeychain_endsTheLaunch()
{
    RegistryLogins logins(m_secrets.get());
    QVERIFY(awaited(logins.keep(QStringLiteral("nvcr.io"), hostile)).ok());
    m_table->refusal = Error{ErrorKind::Refused, QStringLiteral("It is locked.")};
    const auto file =
        awaited(registryLoginFile(m_secrets.get(), plan(QStringLiteral("docker://nvcr.io/a/b:1"))));
    QVERIFY(!file.ok());
    QVERIFY(file.error().remedy.contains(u"slipway-cli image logout nvcr.io"));
    const auto other = awaited(registryLoginFile(m_secrets.get(), plan(inCluster)));
    QVERIFY(other.ok() && !*other); // it is not asked
}

void TestRunLogin::putLogins(const std::vector<JobLogin>& logins, bool isOpen)
{
    const QString file = path(QStringLiteral("registry.env"));
    putFile(file, registryLoginLines(logins, QStringLiteral("image"), "a1"));
    QFile::setPermissions(file,
        QFile::ReadOwner | QFile::WriteOwner | (isOpen ? QFile::ReadOther : QFile::Permissions()));
}

void TestRunLogin::job_pullsWithTheLogin()
{
    putFile(path(QStringLiteral("bin/srun")),
        "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n");
    putFile(path(QStringLiteral("bin/apptainer")),
        "#!/bin/sh\ncase $1 in\npull)\n"
        "  printf '%s\\n%s\\n' \"$APPTAINER_DOCKER_USERNAME\" \"$APPTAINER_DOCKER_PASSWORD\" "
        ">../pull\n"
        "  while [ \"$1\" = pull ] || [ \"${1#-}\" != \"$1\" ]; do shift; done\n"
        "  echo image >\"$1\" ;;\n"
        "exec)\n  while [ \"${1##*.}\" != sif ]; do shift; done\n  shift\n  exec \"$@\" "
        ";;\nesac\n");
    for (const char* program : {"bin/srun", "bin/apptainer"})
        QFile::setPermissions(path(QString::fromLatin1(program)),
            QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QString place = path(QStringLiteral("run/"));
    const auto files = launchFiles(plan(inCluster));
    QVERIFY(files.ok());
    for (const LaunchFile& file : *files)
        putFile(place + file.name, file.bytes);
    putFile(place + u"show.sh", "env | grep -c DOCKER_PASSWORD; ls -A\n");
    putFile(place + u"registry.env",
        registryLoginLines(
            {{QStringLiteral("login:5000"), hostile}}, QStringLiteral("image"), "a1"));
    QFile::setPermissions(place + u"registry.env", QFile::ReadOwner | QFile::WriteOwner);
    QProcess job;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"),
        path(QStringLiteral("bin")) + u':' + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("SCRATCH"), path(QStringLiteral("scratch")));
    job.setProcessEnvironment(environment);
    job.setWorkingDirectory(place);
    job.setProcessChannelMode(QProcess::MergedChannels);
    job.start(QStringLiteral("bash"), {QStringLiteral("job.sh")});
    QVERIFY(job.waitForFinished(60'000));
    const QByteArray printed = job.readAll();
    QVERIFY2(job.exitCode() == 0, printed);
    QCOMPARE(contentOf(path(QStringLiteral("pull"))),
        hostile.user.toUtf8() + '\n' + hostile.secret.toUtf8() + '\n');
    QVERIFY2(printed.contains("Logging in to login:5000 as $oauthtoken\n"), printed);
    QVERIFY2(printed.contains("\n0\n"), printed); // the program has none of these variables
    QVERIFY2(
        !printed.contains("registry.env") && !printed.contains(hostile.secret.toUtf8()), printed);
    for (const QFileInfo& file : QDir(place).entryInfoList(QDir::Files | QDir::Hidden)) {
        const QByteArray content = contentOf(file.filePath());
        QVERIFY2(!content.contains(hostile.secret.toUtf8().toBase64())
                && !content.contains(hostile.secret.toUtf8()),
            qPrintable(file.fileName()));
    }
    QVERIFY(!QFile::exists(place + u"registry.env"));
}

QByteArray TestRunLogin::bash(const QByteArray& script, int* code)
{
    QFile helper(QStringLiteral(":/slipway/job/slipway.sh"));
    if (!helper.open(QIODevice::ReadOnly))
        return "no slipway.sh";
    // The functions, without what the file does when a job sources it.
    QByteArray functions = helper.readAll();
    functions = functions.left(functions.indexOf("\nslipway_compare\n") + 1);
    functions.replace("\ntrap slipway_ended EXIT\n", "\n");
    putFile(path(QStringLiteral("functions.sh")), functions);
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("bash"),
        {QStringLiteral("-c"),
            QString::fromUtf8("set -euo pipefail; . ./functions.sh\n"
                              "apptainer() { echo \"$* as ${APPTAINER_DOCKER_USERNAME-nobody} "
                              "${SINGULARITY_DOCKER_PASSWORD-}\"; }\n"
                              "enroot() { echo \"$*\"; cat \"$ENROOT_CONFIG_PATH/.credentials\"; "
                              "stat -c %a \"$ENROOT_CONFIG_PATH\" "
                              "\"$ENROOT_CONFIG_PATH/.credentials\"; return 3; }\n"
                + script)});
    if (!process.waitForFinished(60'000))
        return "it does not end";
    if (code)
        *code = process.exitCode();
    return process.readAll();
}

void TestRunLogin::login_isForItsRegistryOnly_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QByteArray>("user");
    const auto row = [](const char* command, const char* user) {
        QTest::newRow(command) << QByteArray(command) << QByteArray(user);
    };
    row("apptainer pull --force x.sif docker://login:5000/a/b:1", "demo secret");
    row("apptainer pull x.sif docker://nvcr.io/a/b:1", "$oauthtoken key");
    row("apptainer pull x.sif docker://nvcr.io/a/b@sha256:0123", "$oauthtoken key");
    row("apptainer pull x.sif docker://login:5001/a/b:1", "nobody ");
    row("apptainer pull x.sif docker://ghcr.io/nvcr.io/b:1", "nobody ");
    row("apptainer pull x.sif docker://python:3.13", "nobody ");
    row("apptainer build --force x.sif one.def", "$oauthtoken key");
    row("apptainer build --force x.sif two.def", "nobody "); // each registry would get it
    row("apptainer build --force x.sif none.def", "nobody ");
    row("apptainer build --force x.sif tight.def", "nobody ");
}

void TestRunLogin::login_isForItsRegistryOnly()
{
    QFETCH(QByteArray, command);
    QFETCH(QByteArray, user);
    putLogins({{QStringLiteral("login:5000"), {QStringLiteral("demo"), QStringLiteral("secret")}},
        {QStringLiteral("nvcr.io"), {QStringLiteral("$oauthtoken"), QStringLiteral("key")}}});
    const QByteArray from = "Bootstrap: docker\nFrom: nvcr.io/a/b:1\nStage: one\n\n";
    putFile(path(QStringLiteral("one.def")), from + from);
    putFile(path(QStringLiteral("two.def")), from + "bootstrap: docker\nfrom: debian:13");
    putFile(path(QStringLiteral("tight.def")), from + "Bootstrap:docker\nFrom :ghcr.io/a/b\n");
    putFile(path(QStringLiteral("none.def")), "Bootstrap: localimage\nFrom: nvcr.io/a/b.sif\n");
    const QByteArray printed = bash("slipway_with_login " + command + "\n");
    QVERIFY2(printed.contains(QByteArray(" as " + user + '\n')), printed);
}

void TestRunLogin::definition_isReadAlikeHereAndInTheJob_data()
{
    QTest::addColumn<QByteArray>("definition");
    QTest::addColumn<QByteArray>("registries"); // by name, with a blank between
    const auto row = [](const char* name, const char* definition, const char* registries) {
        QTest::newRow(name) << QByteArray(definition) << QByteArray(registries);
    };
    row("one", "Bootstrap: docker\nFrom: nvcr.io/a/b:1\n", "nvcr.io");
    row("two stages",
        "Bootstrap: docker\nFrom: nvcr.io/a/b:1\nStage: x\nBootstrap: oras\n"
        "From: ghcr.io/a/b:1",
        "ghcr.io nvcr.io");
    row("tight", "bootstrap:docker\n  FROM :login:5000/a/b\n", "login:5000");
    row("carriage returns", "Bootstrap: docker\r\nFrom: nvcr.io/a/b:1\r\n", "nvcr.io");
    row("of the hub", "Bootstrap: docker\nFrom: debian:13\n%post\n    true\n", "docker.io");
    row("a file", "Bootstrap: localimage\nFrom: nvcr.io/a/b.sif\n", "");
    row("in a script", "Bootstrap: docker\nFrom: debian:13\n%post\n    From: ghcr.io/a/b\n",
        "docker.io ghcr.io"); // no login might go to the wrong one
    row("tag of the build", "Bootstrap: docker\nFrom: nvcr.io/a/b:{{ TAG }}\n", "nvcr.io");
    row("name without value", "Bootstrap:\nFrom: nvcr.io/a/b:1\n", "");
}

void TestRunLogin::definition_isReadAlikeHereAndInTheJob()
{
    QFETCH(QByteArray, definition);
    QFETCH(QByteArray, registries);
    LaunchSpec spec;
    spec.project = m_folder->path();
    spec.values = {{QStringLiteral("definition"), QStringLiteral("own.def")}};
    const Plan build = makePlan(spec, builtInRecipe("own-image"), builtInSite("demo"), {});
    QStringList here = planRegistries(build, QString::fromUtf8(definition)).registries;
    here.sort();
    QCOMPARE(here.join(u' ').toUtf8(), registries);
    putFile(path(QStringLiteral("own.def")), definition);
    const QByteArray there =
        bash("slipway_asked_registries apptainer build x.sif own.def | sort -u\n");
    QCOMPARE(there.simplified(), registries);
    // A registry that only the build knows: here none, in the job one that no login is for.
    const QByteArray hidden = definition + "\nBootstrap: docker\nFrom: {{ BASE }}\n";
    QStringList same = planRegistries(build, QString::fromUtf8(hidden)).registries;
    same.sort();
    QCOMPARE(same, here);
    putFile(path(QStringLiteral("own.def")), hidden);
    QVERIFY(bash("slipway_asked_registries apptainer build x.sif own.def\n").contains("{{\n"));
}

void TestRunLogin::enroot_getsAFolderOfItsOwn()
{
    putLogins({{QStringLiteral("docker.io"), {QStringLiteral("me"), QStringLiteral("$a*")}},
        {QStringLiteral("nvcr.io"), {QStringLiteral("$oauthtoken"), QStringLiteral("key")}},
        {QStringLiteral("ghcr.io"), {QStringLiteral("me"), QStringLiteral("two words")}}});
    int code = 0;
    QByteArray printed =
        bash("slipway_with_login enroot import --output y docker://nvcr.io#a/b:1", &code);
    QCOMPARE(code, 3); // of enroot itself
    QVERIFY2(printed.contains("--output y docker://$oauthtoken@nvcr.io#a/b:1\n"
                              "machine nvcr.io login $oauthtoken password key\n700\n600\n"),
        printed);
    QVERIFY(!QFile::exists(path(QStringLiteral("registry.enroot"))));
    // A shell of enroot's reads what begins with a dollar sign: it gets a variable.
    printed = bash("slipway_with_login enroot import docker://library/python:3");
    QVERIFY2(printed.contains("machine auth.docker.io login me password $SLIPWAY_SECRET\n")
            && !printed.contains("$a*"),
        printed);
    printed = bash("ENROOT_CONFIG_PATH=/nowhere\n"
                   "slipway_with_login enroot import docker://ghcr.io#a/b 2>&1");
    QVERIFY2(printed.contains("The login is not used") && !printed.contains("two words"), printed);
}

void TestRunLogin::openFile_isNotUsed()
{
    putLogins({{QStringLiteral("nvcr.io"), {QStringLiteral("me"), QStringLiteral("key")}}}, true);
    const QByteArray command = "slipway_with_login apptainer pull x.sif docker://nvcr.io/a/b:1\n";
    QByteArray printed = bash(command);
    QVERIFY2(
        printed.contains("registry.env is not used") && printed.contains("as nobody"), printed);
    QFile::rename(path(QStringLiteral("registry.env")), path(QStringLiteral("elsewhere")));
    QFile::setPermissions(path(QStringLiteral("elsewhere")), QFile::ReadOwner | QFile::WriteOwner);
    QVERIFY(QFile::link(path(QStringLiteral("elsewhere")), path(QStringLiteral("registry.env"))));
    printed = bash(command);
    QVERIFY2(printed.contains("as nobody"), printed);
    printed = bash("slipway_forget_login image\n" + command);
    QVERIFY2(printed.endsWith("as nobody \n"), printed);
    QVERIFY(!QFile::exists(path(QStringLiteral("registry.env"))));
}

SLIPWAY_TEST(TestRunLogin, runs_runlogin)
#include "tst_runlogin.moc"
