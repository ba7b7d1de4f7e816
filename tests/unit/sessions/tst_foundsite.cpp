// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testsites.h"

#include "app/catalogue/ownsites.h"
#include "app/plan/makeplan.h"
#include "app/sessions/foundsite.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <random>

using namespace slipway;

/// From the survey of a cluster to a site file that can be read, used for launches and shared.
class TestFoundSite : public QObject {
    Q_OBJECT

private slots:
    void file_saysWhatWasFound();
    void file_saysWhatIsUnknown();
    void builds_needNamespacesAndIds();
    void wholeNodes_areInferred();
    void runtimes_areThoseThatAreThere_data();
    void runtimes_areThoseThatAreThere();
    void runtimes_areNamedWithTheirVersions();
    void enrootMpiHook_isKept();
    void names_areMadeUp_data();
    void names_areMadeUp();
    void oddAnswers_makeAReadableFile();
    void saving_isWholeOrNotAtAll();
    void savedSite_isLaunchedOnLikeAnyOther();
};

namespace {

FoundSite demoLike()
{
    FoundSite found;
    found.login.host = QStringLiteral("login.example.org");
    found.login.port = 2222;
    found.asked = QDate(2026, 11, 21);
    found.info.clusterName = QStringLiteral("Blue Whale");
    found.info.accounting = true;
    found.info.accounts = {QStringLiteral("proj1"), QStringLiteral("proj2")};
    found.info.qos = {QStringLiteral("normal")};
    found.info.mpiPlugins = {QStringLiteral("pmi2"), QStringLiteral("pmix")};
    PartitionInfo gpu;
    gpu.name = QStringLiteral("gpu");
    gpu.isDefault = true;
    gpu.nodes = 2;
    gpu.cpusPerNode = 64;
    gpu.memoryPerNode = MemorySize(512 * 1024);
    gpu.gpusPerNode = 4;
    gpu.gpuType = QStringLiteral("a100");
    gpu.timeLimit = WallTime(std::chrono::hours(4));
    found.info.partitions = {gpu};
    found.survey.config.selectType = QStringLiteral("select/cons_tres");
    found.survey.config.gresTypes = {QStringLiteral("gpu")};
    found.survey.config.memoryPerCpu = MemorySize(2048);
    found.survey.limits = {{QStringLiteral("gpu"), 2, MemorySize(1024)}};
    found.survey.architectures = {QStringLiteral("x86_64")};
    found.survey.runtimes = {
        {QStringLiteral("apptainer"), QStringLiteral("apptainer version 1.4.5")},
        {QStringLiteral("singularity"), {}}};
    found.survey.userNamespaces = true;
    found.survey.subordinateIds = true;
    found.survey.pyxis = false;
    found.survey.scratch = {{QStringLiteral("$SCRATCH"), QStringLiteral("/s/x"), true, false},
        {QStringLiteral("/scratch/$USER"), QStringLiteral("/scratch/ada"), true, true}};
    found.survey.quotas = {{QStringLiteral("/home"), QStringLiteral("1G"), QStringLiteral("50G")}};
    nameFoundSite(&found);
    return found;
}

Site read(const FoundSite& found)
{
    const QByteArray file = siteFile(found);
    const Result<Site> site = parseSite(file, QStringLiteral("found.json"));
    if (!site.ok())
        qWarning("%s\n%s", qPrintable(site.error().text()), file.constData());
    return site.ok() ? *site : Site();
}

} // namespace

void TestFoundSite::file_saysWhatWasFound()
{
    const FoundSite found = demoLike();
    const Site site = read(found);
    QCOMPARE(site.id, QStringLiteral("blue-whale"));
    QCOMPARE(site.name, QStringLiteral("Blue Whale"));
    QCOMPARE(site.logins.front().host, QStringLiteral("login.example.org"));
    QCOMPARE(site.logins.front().port, 2222);
    QCOMPARE(site.partitions.size(), std::size_t(1));
    const SitePartition& gpu = site.partitions.front();
    QVERIFY(gpu.isDefault);
    QCOMPARE(gpu.gpusPerNode, 4);
    QCOMPARE(gpu.gpuType, QStringLiteral("a100"));
    QCOMPARE(gpu.mostNodes, 2);
    QCOMPARE(gpu.timeLimit.slurmText(), QStringLiteral("04:00:00"));
    QCOMPARE(gpu.memoryPerNode, MemorySize(512 * 1024));
    QVERIFY(site.gpuRequestKnown);
    QCOMPARE(site.gpuRequest, GpuRequestStyle::Gres);
    QCOMPARE(site.mpi, QStringLiteral("pmix"));
    QVERIFY((site.runtimes == std::vector{RuntimeKind::Apptainer}));
    QCOMPARE(site.runtimeOnLogin, std::optional(true));
    QCOMPARE(site.builds, BuildRule::Fakeroot);
    QCOMPARE(site.architecture, QStringLiteral("x86_64"));
    QCOMPARE(site.scratch, QStringLiteral("/scratch/$USER"));
    QCOMPARE(site.account, AccountRule::IfSeveral);
    QCOMPARE(site.defaultMemoryPerCpu,
        MemorySize(1024)); // the partition's, which is less than the scheduler's
    QVERIFY(site.driver.isEmpty() && site.cuda.isEmpty() && !site.outboundNetwork);
    QVERIFY(site.sources.size() >= 4);
    for (const SiteSource& source : site.sources) {
        QCOMPARE(source.source, QStringLiteral("queried on 2026-11-21"));
        QCOMPARE(source.date, QStringLiteral("2026-11-21"));
    }
    const QByteArray file = siteFile(found);
    QVERIFY2(!file.contains("proj1") && !file.contains("ada"), file); // it may be shared
    QVERIFY(site.quirks.join(u'\n').contains(u"The quota per person is 50G on /home."));
}

void TestFoundSite::file_saysWhatIsUnknown()
{
    FoundSite found;
    found.login.host = QStringLiteral("10.0.0.1");
    found.asked = QDate(2026, 11, 21);
    nameFoundSite(&found);
    const Site site = read(found);
    QCOMPARE(site.id, QStringLiteral("my-cluster"));
    QVERIFY(!site.gpuRequestKnown && site.scratch.isEmpty() && site.mpi.isEmpty()
        && !site.runtimeOnLogin);
    QCOMPARE(site.builds, BuildRule::Unknown);
    QCOMPARE(site.account, AccountRule::None);
    const QString words = site.quirks.join(u'\n');
    for (const char* part : {"How to request GPUs is unknown", "No container runtime was found",
             "No writable scratch folder", "partitions are unknown", "driver of its GPUs",
             "definition files"})
        QVERIFY2(words.contains(QLatin1String(part)), part);
    QCOMPARE(unknownFacts(found).size(), 8);
    QVERIFY(foundFacts(found).empty());
}

void TestFoundSite::builds_needNamespacesAndIds()
{
    FoundSite found = demoLike();
    found.survey.subordinateIds = false;
    QVERIFY(!buildsWithFakeroot(found.survey));
    QCOMPARE(read(found).builds, BuildRule::Unknown);
    found.survey.tools = {QStringLiteral("fakeroot")}; // Apptainer takes it instead
    QCOMPARE(read(found).builds, BuildRule::Fakeroot);
    found.survey.runtimes = {{QStringLiteral("singularity"), {}}};
    QVERIFY(!buildsWithFakeroot(found.survey));
    found.survey.subordinateIds = true;
    QVERIFY(buildsWithFakeroot(found.survey));
    found.survey.userNamespaces = false;
    QVERIFY(!buildsWithFakeroot(found.survey));
}

void TestFoundSite::wholeNodes_areInferred()
{
    FoundSite found = demoLike();
    found.survey.config.selectType = QStringLiteral("select/linear");
    found.survey.tools = {QStringLiteral("ibrun"), QStringLiteral("idev")};
    const Site site = read(found);
    QCOMPARE(site.gpuRequest, GpuRequestStyle::WholeNode);
    QCOMPARE(site.launcher, LauncherKind::Ibrun);
    QCOMPARE(site.interactive, InteractiveStyle::Idev);
}

void TestFoundSite::runtimes_areThoseThatAreThere_data()
{
    QTest::addColumn<QStringList>("onPath");
    QTest::addColumn<QStringList>("modules");
    QTest::addColumn<bool>("pyxis");
    QTest::addColumn<QByteArray>("runtimes");
    QTest::addColumn<QStringList>("loaded");
    const QStringList none;
    const auto words = [](std::initializer_list<const char*> list) {
        QStringList result;
        for (const char* word : list)
            result << QLatin1String(word);
        return result;
    };
    QTest::newRow("none") << none << none << false << QByteArray() << none;
    QTest::newRow("a module") << none << words({"tacc-apptainer/1.3.3"}) << false
                              << QByteArray("apptainer") << words({"tacc-apptainer"});
    QTest::newRow("on the path and a module") << words({"apptainer"}) << words({"apptainer/1.2"})
                                              << false << QByteArray("apptainer") << none;
    QTest::newRow("singularity as an alias")
        << words({"apptainer", "singularity"}) << none << false << QByteArray("apptainer") << none;
    QTest::newRow("singularity alone")
        << words({"singularity"}) << none << false << QByteArray("singularity") << none;
    QTest::newRow("enroot and pyxis")
        << words({"enroot"}) << none << true << QByteArray("enroot pyxis") << none;
    QTest::newRow("pyxis alone") << none << none << true << QByteArray("pyxis") << none;
    QTest::newRow("modules of two") << none << words({"singularity-ce/4", "apptainer/1"}) << false
                                    << QByteArray("apptainer singularity") << words({"apptainer"});
}

void TestFoundSite::runtimes_areThoseThatAreThere()
{
    QFETCH(QStringList, onPath);
    QFETCH(QStringList, modules);
    QFETCH(bool, pyxis);
    QFETCH(QByteArray, runtimes);
    QFETCH(QStringList, loaded);
    FoundSite found = demoLike();
    found.survey.runtimes.clear();
    for (const QString& name : onPath)
        found.survey.runtimes.push_back({name, {}});
    found.survey.modules = modules;
    found.survey.pyxis = pyxis;
    const QJsonObject file = QJsonDocument::fromJson(siteFile(found)).object();
    QStringList names;
    for (const QJsonValue& name : file.value(u"runtimes").toArray())
        names << name.toString();
    QCOMPARE(names.join(u' ').toUtf8(), runtimes);
    QCOMPARE(read(found).modules, loaded);
}

void TestFoundSite::runtimes_areNamedWithTheirVersions()
{
    FoundSite found = demoLike();
    // enroot prints only its version number; a module shows no version.
    found.survey.runtimes = {
        {QStringLiteral("apptainer"), QStringLiteral("apptainer version 1.4.5")},
        {QStringLiteral("enroot"), QStringLiteral("4.1.2")}};
    found.survey.pyxis = true;
    const auto line = [&] {
        for (const FoundFact& fact : foundFacts(found)) {
            if (fact.name == u"Container runtimes")
                return fact.value;
        }
        return QString();
    };
    QCOMPARE(line(), QStringLiteral("apptainer version 1.4.5, enroot 4.1.2, pyxis"));
    found.survey.runtimes = {{QStringLiteral("enroot"), {}}};
    QCOMPARE(line(), QStringLiteral("enroot, pyxis"));
}

void TestFoundSite::enrootMpiHook_isKept()
{
    FoundSite found = demoLike();
    QVERIFY(!read(found).enrootMpiHook);
    for (const bool there : {false, true}) {
        found.survey.enrootMpiHook = there;
        QCOMPARE(read(found).enrootMpiHook, std::optional(there));
    }
}

void TestFoundSite::names_areMadeUp_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("id");
    QTest::newRow("its own") << QStringLiteral("kestrel") << QStringLiteral("k.org")
                             << QStringLiteral("kestrel");
    QTest::newRow("the default of Slurm")
        << QStringLiteral("cluster") << QStringLiteral("blue.hpc.org") << QStringLiteral("blue");
    QTest::newRow("none") << QString() << QStringLiteral("login1.hpc.org")
                          << QStringLiteral("login1");
    QTest::newRow("an address") << QString() << QStringLiteral("10.1.2.3")
                                << QStringLiteral("my-cluster");
    QTest::newRow("hostile") << QStringLiteral("../../x; rm -rf /\n") << QStringLiteral("h")
                             << QStringLiteral("x-rm-rf");
    QTest::newRow("no letter") << QStringLiteral("集群") << QStringLiteral("h")
                               << QStringLiteral("my-cluster");
}

void TestFoundSite::names_areMadeUp()
{
    QFETCH(QString, cluster);
    QFETCH(QString, host);
    FoundSite found;
    found.info.clusterName = cluster;
    found.login.host = host;
    nameFoundSite(&found);
    QTEST(found.id, "id");
    QVERIFY(!found.name.isEmpty());
}

/// Whatever a scheduler says, the file is one that parseSite() takes.
void TestFoundSite::oddAnswers_makeAReadableFile()
{
    std::mt19937 random(7);
    const auto text = [&random] {
        static const QString pieces[]{QStringLiteral("gpu"), QStringLiteral("\"\n"),
            QStringLiteral("$(id)"), QStringLiteral("\\"), QString(QChar(0xd800)),
            QString(QChar(0)), QStringLiteral("é\x1b[2J"), QString()};
        QString out;
        for (unsigned i = 0, count = random() % 4; i < count; ++i)
            out += pieces[random() % std::size(pieces)];
        return out;
    };
    for (int i = 0; i < 500; ++i) {
        FoundSite found = demoLike();
        found.info.clusterName = text();
        found.info.mpiPlugins = {text(), QStringLiteral("pmi2")};
        found.info.qos = {text()};
        PartitionInfo strange;
        strange.name = text();
        strange.gpuType = text();
        strange.nodes = int(random()) % 100;
        strange.gpusPerNode = int(random()) % 9;
        strange.timeLimit = WallTime(std::chrono::seconds(random() % 100000));
        found.info.partitions.push_back(strange);
        found.survey.config.mpiDefault = text();
        found.survey.config.selectType = text();
        found.survey.modules = {text(), QStringLiteral("apptainer/1")};
        found.survey.quotas.push_back({text(), text(), text()});
        found.survey.architectures = {text()};
        nameFoundSite(&found);
        const Result<Site> site = parseSite(siteFile(found), QStringLiteral("found.json"));
        QVERIFY2(site.ok(), site.ok() ? "" : qPrintable(site.error().text()));
    }
}

void TestFoundSite::saving_isWholeOrNotAtAll()
{
    QTemporaryDir config;
    FoundSite found = demoLike();
    const QByteArray first = siteFile(found);
    const Result<QString> path = saveOwnSite(config.path(), found.id, first, false);
    QVERIFY2(path.ok(), path.ok() ? "" : qPrintable(path.error().text()));
    QCOMPARE(*path, config.filePath(QStringLiteral("sites/blue-whale.json")));
    found.name = QStringLiteral("Other");
    const Result<QString> again = saveOwnSite(config.path(), found.id, siteFile(found), false);
    QVERIFY(!again.ok() && again.error().summary.contains(u"is there already"));
    QFile file(*path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), first);
    QVERIFY(saveOwnSite(config.path(), found.id, siteFile(found), true).ok());
    QVERIFY(!saveOwnSite(config.path(), QStringLiteral("../x"), first, true).ok());
    QVERIFY(
        !saveOwnSite(config.path(), QStringLiteral("x"), first, true).ok()); // its id is another
    QVERIFY(
        !saveOwnSite(config.path(), QStringLiteral("blue-whale"), "{\"id\": \"blue-whale\"", true)
             .ok());
    QCOMPARE(QDir(config.filePath(QStringLiteral("sites"))).entryList(QDir::Files),
        QStringList{QStringLiteral("blue-whale.json")});
    QVERIFY(!saveOwnSite(QStringLiteral("/proc/none"), found.id, siteFile(found), false).ok());
}

void TestFoundSite::savedSite_isLaunchedOnLikeAnyOther()
{
    QTemporaryDir config;
    const FoundSite found = demoLike();
    QVERIFY(saveOwnSite(config.path(), found.id, siteFile(found), false).ok());
    const Resources resources =
        loadResources(slipway::sourcePath(QStringLiteral("/resources")), config.path());
    QVERIFY(resources.errors.empty());
    const auto site = std::find_if(resources.sites.begin(), resources.sites.end(),
        [](const Site& one) { return one.id == u"blue-whale"; });
    QVERIFY(site != resources.sites.end());
    LaunchSpec spec;
    spec.values.insert(QStringLiteral("gpus"), QStringLiteral("1"));
    const Plan plan = makePlan(spec, builtInRecipe("run-a-command"), *site, {});
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    const QByteArray script = renderScript(plan);
    QVERIFY2(
        script.contains("#SBATCH --partition=gpu\n") && script.contains("#SBATCH --gres=gpu:1 "),
        script);
}

SLIPWAY_TEST(TestFoundSite, sessions_foundsite)
#include "tst_foundsite.moc"
