// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/cudarequirement.h"
#include "app/images/verdict.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace slipway;

/// Images against drivers, GPUs and processors: every row of resources/cuda-drivers.json, and the
/// rules in the order of NVIDIA's guide.
class TestVerdict : public QObject {
    Q_OBJECT

private slots:
    void driver_decides_data();
    void driver_decides();
    void everyRowOfTheTable_holds_data();
    void everyRowOfTheTable_holds();
    void everyGpuOfTheTable_holds_data();
    void everyGpuOfTheTable_holds();
    void gpu_decides_data();
    void gpu_decides();
    void failure_namesDriverAndWayOut();
    void rule_namesItsSource();
    void silentImage_isUnknown_data();
    void silentImage_isUnknown();
    void requirement_isRead_data();
    void requirement_isRead();
    void requirement_isBounded();
    void processor_decides_data();
    void processor_decides();
    void otherPlatformsCuda_isNotAssumed();
    void partitionWithoutGpu_isForCpus();
    void emulatedGpus_areSaid();
    void unknownGpus_areNotRefused();
    void clustersPartitions_comeFirst();
    void hardware_isSaid();
    void gpuNames_haveAKind_data();
    void gpuNames_haveAKind();
    void frameworks_areThoseThatItNames();
};

namespace {

const QString nvidiasRequirement = QStringLiteral(
    "cuda>=12.4 brand=tesla,driver>=470,driver<471 brand=nvidia,driver>=470,driver<471 "
    "brand=geforce,driver>=470,driver<471 brand=tesla,driver>=535,driver<536 "
    "brand=nvidia,driver>=535,driver<536 brand=geforce,driver>=535,driver<536");

/// An image for x86-64 with these variables: "CUDA_VERSION=12.4.1|NVIDIA_DISABLE_REQUIRE=1".
ImageDescription imageWith(const QString& variables)
{
    ImageDescription image;
    image.platform = {QStringLiteral("linux"), QStringLiteral("amd64"), {}};
    image.platforms = {image.platform};
    for (const QString& variable : variables.split(u'|', Qt::SkipEmptyParts))
        image.environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
    return image;
}

/// A site with one partition: "driver=550.54.15 cuda=12.4 seen=12.3 gpu=H100 cc=9.0
/// runtime=enroot".
Site siteOf(const QString& facts)
{
    QMap<QString, QString> values;
    for (const QString& fact : facts.split(u' ', Qt::SkipEmptyParts))
        values.insert(fact.section(u'=', 0, 0), fact.section(u'=', 1));
    Site site;
    site.driver = values.value(QStringLiteral("driver"));
    site.cuda = values.value(QStringLiteral("cuda"));
    site.cudaSeen = values.value(QStringLiteral("seen"));
    site.architecture = values.value(QStringLiteral("cpu"));
    site.runtime =
        runtimeNamed(values.value(QStringLiteral("runtime"))).value_or(RuntimeKind::Apptainer);
    SitePartition partition;
    partition.name = QStringLiteral("gpu");
    partition.gpusPerNode = 4;
    partition.gpuName = values.value(QStringLiteral("gpu"), QStringLiteral("H100"));
    partition.computeCapability = values.value(QStringLiteral("cc"));
    partition.cuda = values.value(QStringLiteral("own-cuda"));
    site.partitions = {partition};
    return site;
}

PartitionVerdict judged(const QString& variables, const QString& facts)
{
    return judgeImage(imageWith(variables), siteOf(facts), {}).front();
}

QByteArray shown(const PartitionVerdict& verdict)
{
    return (verdictName(verdict.verdict) + u": " + verdict.sentence + u" [" + verdict.rule + u"; "
        + verdict.source + u']')
        .toUtf8();
}

QJsonObject driverTable()
{
    return QJsonDocument::fromJson(
        contentOf(sourcePath(QStringLiteral("/resources/cuda-drivers.json"))))
        .object();
}

/// The driver with its last number changed by one: "525.60.12" of "525.60.13".
QString neighbour(const QString& driver, int difference)
{
    QStringList parts = driver.split(u'.');
    if (parts.size() == 1)
        return difference < 0 ? QStringLiteral("%1.99").arg(driver.toInt() - 1)
                              : driver + QStringLiteral(".01");
    parts.last() = QString::number(parts.last().toInt() + difference);
    return parts.join(u'.');
}

} // namespace

void TestVerdict::driver_decides_data()
{
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("facts");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const QString& image, const char* facts,
                         const char* verdict, const char* words) {
        QTest::newRow(name) << image << QString::fromLatin1(facts) << QString::fromLatin1(verdict)
                            << QString::fromUtf8(words);
    };
    const auto cuda = [](const char* version, const QString& more = {}) {
        return QStringLiteral("CUDA_VERSION=%1|%2").arg(QLatin1String(version), more);
    };
    const char* const kestrel = "driver=550.54.15 cuda=12.4";
    const char* const vermilion = "driver=460.106.00 cuda=11.2";
    row("the driver's own", cuda("12.4.1"), kestrel, "ok", "runs on driver 550.54.15");
    row("older minor", cuda("12.3.0"), kestrel, "ok", "runs on driver");
    row("older major", cuda("11.8.0"), kestrel, "ok", "runs on driver");
    row("much older", cuda("9.0"), "driver=580.65.06", "ok", "runs on driver");
    row("older than the table", cuda("6.5"), kestrel, "ok", "runs on driver");
    row("newer minor", cuda("12.6.3"), kestrel, "ok", "error 222");
    row("newer minor, four parts", cuda("12.6.3.004"), kestrel, "ok", "error 222");
    row("newer major", cuda("13.0.1"), kestrel, "fail", "needs driver 580 or newer");
    row("newer major by one branch", cuda("12.1.0"), vermilion, "fail", "525.60.13 or newer");
    row("same major of old", cuda("11.8.0"), vermilion, "ok", "both are CUDA 11");
    row("nv-slurm", cuda("12.4.1"), "driver=565.57.01 cuda=12.7", "ok", "runs on driver");
    row("of the future", cuda("14.0"), kestrel, "fail", "newer than 580");
    row("of the future, driver as well", cuda("14.0"), "driver=601.1", "unknown", "does not know");
    row("only CUDA known, older", cuda("12.2.0"), "cuda=12.4", "ok", "CUDA up to 12.4");
    row("only CUDA known, newer minor", cuda("12.6.0"), "cuda=12.4", "ok", "both are CUDA 12");
    row("only CUDA known, newer major", cuda("13.0.0"), "cuda=12.4", "fail", "up to 12.4");
    row("only CUDA known, before 11", cuda("10.2"), "cuda=10.1", "fail", "440.33 or newer");
    row("only CUDA known, equal before 11", cuda("10.1"), "cuda=10.1", "ok", "up to 10.1");
    row("CUDA 11.0 may be too old for 11.4", cuda("11.4"), "cuda=11.0", "unknown", "not certain");
    row("partition has its own CUDA", cuda("12.4"), "driver=550.54.15 cuda=12.4 own-cuda=11.2",
        "fail", "up to 11.2");
    row("branch without its minor numbers", cuda("12.4"), "driver=525", "unknown", "not certain");
    row("branch alone, surely older", cuda("12.4"), "driver=520", "fail", "525.60.13");
    row("nothing known", cuda("12.4"), "", "unknown", "The driver is not known");
    row("seen, older", cuda("12.1"), "seen=12.3", "ok", "CUDA 12.3 is known to have run");
    row("seen, newer minor", cuda("12.6"), "seen=12.3", "ok", "error 222");
    row("seen, newer major", cuda("13.0"), "seen=12.3", "unknown", "The newest CUDA that is known");
    // Forward compatibility: the libraries of cuda-compat in the image.
    const QString compat = QStringLiteral("NV_CUDA_COMPAT_PACKAGE=cuda-compat-13-0");
    row("compat on a data-center card", cuda("13.0", compat), kestrel, "ok", "LD_LIBRARY_PATH");
    row("compat of NGC", cuda("13.0", QStringLiteral("_CUDA_COMPAT_PATH=/usr/local/cuda/compat")),
        kestrel, "ok", "stand in");
    row("compat on the path",
        cuda("13.0", QStringLiteral("LD_LIBRARY_PATH=/usr/local/cuda/compat/lib:/usr/lib")),
        "cuda=12.4 gpu=A100", "ok", "stand in");
    row("compat not needed", cuda("12.6", compat), kestrel, "ok", "error 222");
    row("compat within a major below its minimum", cuda("12.4", compat),
        "driver=525.60.12 gpu=V100", "ok", "stand in");
    row("compat on GeForce", cuda("13.0", compat), "driver=550.54.15 gpu=GeForce-RTX-4090", "fail",
        "error 804");
    row("compat on a workstation card", cuda("13.0", compat),
        "driver=550.54.15 gpu=Quadro-RTX-5000", "unknown", "not known whether");
    row("compat on who knows", cuda("13.0", compat), "driver=550.54.15 gpu=Fancy", "unknown",
        "not known whether");
    row("compat, unknown driver", cuda("13.0", compat), "", "unknown", "The driver is not known");
    row("compat for other branches",
        cuda("12.4", compat + u"|NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement),
        "driver=460.106.00 gpu=A100", "fail", "not among those");
    row("compat for this branch",
        cuda("12.4", compat + u"|NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement),
        "driver=470.57.02 gpu=A100", "ok", "stand in");
    // NVIDIA_REQUIRE_CUDA.
    const QString requires13 = QStringLiteral("NVIDIA_REQUIRE_CUDA=cuda>=13.0");
    row("requirement instead of a version", requires13, kestrel, "fail",
        "CUDA 13.0, which NVIDIA_REQUIRE_CUDA asks for, needs driver 580");
    row("requirement is stricter", cuda("12.4", requires13), kestrel, "fail", "asks for");
    row("requirement is older", cuda("12.4", QStringLiteral("NVIDIA_REQUIRE_CUDA=cuda>=9.0")),
        kestrel, "ok", "CUDA 12.4 runs on driver 550.54.15.");
    row("requirement is off", cuda("12.4", requires13 + u"|NVIDIA_DISABLE_REQUIRE=1"), kestrel,
        "ok", "CUDA 12.4 runs");
    row("requirement of a driver alone", QStringLiteral("NVIDIA_REQUIRE_CUDA=driver>=470"), kestrel,
        "ok", "fulfilled");
    row("requirement of a newer driver", QStringLiteral("NVIDIA_REQUIRE_CUDA=driver>=560"), kestrel,
        "fail", "not fulfilled");
    row("requirement of an unknown driver", QStringLiteral("NVIDIA_REQUIRE_CUDA=driver>=560"),
        "cuda=12.4", "unknown", "too little is known");
    row("not checked by Apptainer", cuda("12.4", u"NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement),
        "driver=530.30.02 cuda=12.1", "ok", "do not check that");
    row("checked by enroot", cuda("12.4", u"NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement),
        "driver=530.30.02 cuda=12.1 runtime=enroot", "fail", "NVIDIA_DISABLE_REQUIRE=1");
    row("checked by pyxis, an alternative holds",
        cuda("12.4", u"NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement),
        "driver=535.104.05 cuda=12.2 runtime=pyxis", "ok", "error 222");
    row("checked by enroot, driver without its CUDA",
        cuda("12.4", u"NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement),
        "driver=530.30.02 runtime=enroot", "unknown", "which NVIDIA's hook checks");
    row("checked by enroot, seen", cuda("12.6", QStringLiteral("NVIDIA_REQUIRE_CUDA=cuda>=12.6")),
        "seen=12.3 runtime=enroot", "unknown", "which NVIDIA's hook checks");
    row("checked by enroot, the driver's own CUDA",
        cuda("12.4", u"NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement),
        "driver=550.54.15 runtime=enroot", "ok", "runs on driver");
    row("not checked by Apptainer, driver without its CUDA",
        cuda("12.4", u"NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement), "driver=530.30.02", "ok",
        "error 222");
    row("checked by enroot, but off",
        cuda("12.4", u"NVIDIA_DISABLE_REQUIRE=true|NVIDIA_REQUIRE_CUDA=" + nvidiasRequirement),
        "driver=530.30.02 cuda=12.1 runtime=enroot", "ok", "error 222");
}

void TestVerdict::driver_decides()
{
    QFETCH(QString, image);
    QFETCH(QString, facts);
    QFETCH(QString, verdict);
    QFETCH(QString, words);
    const PartitionVerdict found = judged(image, facts);
    QVERIFY2(verdictName(found.verdict) == verdict && found.sentence.contains(words), shown(found));
    QVERIFY(!found.isCpuOnly);
    QVERIFY2(!found.rule.isEmpty() && found.sentence.endsWith(u'.'), shown(found));
}

/// Just below, at and just above each minimum driver.
void TestVerdict::everyRowOfTheTable_holds_data()
{
    QTest::addColumn<QString>("cuda");
    QTest::addColumn<QString>("driver");
    QTest::addColumn<QString>("source");
    const QJsonObject table = driverTable(), sources = table[u"sources"].toObject();
    const auto add = [&](const QString& cuda, const QJsonObject& entry) {
        const QString name = cuda + u' ' + entry[u"driver"].toString();
        QTest::newRow(qPrintable(name)) << cuda << entry[u"driver"].toString()
                                        << sources[entry[u"source"].toString()].toString();
    };
    for (const auto& entry : table[u"families"].toArray()) // newer than what the driver runs itself
        add(QStringLiteral("%1.9").arg(entry[u"major"].toInt()), entry.toObject());
    for (const auto& entry : table[u"exact"].toArray())
        add(entry[u"cuda"].toString(), entry.toObject());
    // The facts themselves, so that a table that lost a row is noticed.
    QCOMPARE(table[u"families"].toArray().size(), 3);
    QCOMPARE(table[u"exact"].toArray().size(), 9);
}

void TestVerdict::everyRowOfTheTable_holds()
{
    QFETCH(QString, cuda);
    QFETCH(QString, driver);
    QFETCH(QString, source);
    const QString image = u"CUDA_VERSION=" + cuda;
    const auto below = judged(image, u"driver=" + neighbour(driver, -1));
    const auto at = judged(image, u"driver=" + driver);
    const auto above = judged(image, u"driver=" + neighbour(driver, 1));
    QVERIFY2(below.verdict == Verdict::Fail, shown(below));
    QVERIFY2(below.sentence.contains(u"needs driver " + driver), shown(below));
    QCOMPARE(below.source, source);
    QVERIFY2(at.verdict == Verdict::Ok, shown(at));
    QVERIFY2(above.verdict == Verdict::Ok, shown(above));
    if (cuda.endsWith(u".9"))
        QCOMPARE(at.rule,
            QStringLiteral("minor-version compatibility of CUDA %1").arg(cuda.section(u'.', 0, 0)));
}

/// An entry that was not verified is never the only reason for a refusal.
void TestVerdict::everyGpuOfTheTable_holds_data()
{
    QTest::addColumn<QJsonObject>("entry");
    const QJsonArray entries = driverTable()[u"architectures"].toArray();
    for (const auto& entry : entries)
        QTest::newRow(qPrintable(entry[u"capability"].toString())) << entry.toObject();
    QCOMPARE(entries.size(), 17);
}

void TestVerdict::everyGpuOfTheTable_holds()
{
    QFETCH(QJsonObject, entry);
    const QString facts = u"driver=999.1 cuda=99.0 cc=" + entry[u"capability"].toString();
    const QString first = entry[u"first"].toString(), last = entry[u"last"].toString();
    const auto with = [&](const QString& cuda) { return judged(u"CUDA_VERSION=" + cuda, facts); };
    QVERIFY2(with(first).verdict == Verdict::Ok, shown(with(first)));
    const auto before = with(QStringLiteral("1.0"));
    QVERIFY2(before.verdict == Verdict::Unknown && before.sentence.contains(u"PTX"), shown(before));
    if (last.isEmpty())
        return;
    QVERIFY2(with(last).verdict == Verdict::Ok, shown(with(last)));
    const QString next = QStringLiteral("%1.%2")
                             .arg(last.section(u'.', 0, 0))
                             .arg(last.section(u'.', 1).toInt() + 1);
    const auto after = with(next);
    const Verdict expected = entry[u"unverified"].toBool() ? Verdict::Unknown : Verdict::Fail;
    QVERIFY2(after.verdict == expected && after.sentence.contains(u"no longer"), shown(after));
    // nvcc 13 refuses all that is older than Turing.
    QVERIFY2(
        with(QStringLiteral("13.0")).verdict == Verdict::Fail, shown(with(QStringLiteral("13.0"))));
}

void TestVerdict::gpu_decides_data()
{
    QTest::addColumn<QString>("cuda");
    QTest::addColumn<QString>("facts");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* cuda, const char* facts, const char* verdict,
                         const char* words) {
        QTest::newRow(name) << QString::fromLatin1(cuda) << QString::fromLatin1(facts)
                            << QString::fromLatin1(verdict) << QString::fromLatin1(words);
    };
    row("V100 and CUDA 13", "13.0", "driver=580.65.06 gpu=V100 cc=7.0", "fail", "12.9 or older");
    row("V100 and CUDA 12.9", "12.9", "driver=580.65.06 gpu=V100 cc=7.0", "ok", "runs on driver");
    row("V100 and CUDA 13, unknown driver", "13.0", "gpu=V100 cc=7.0", "fail", "12.9 or older");
    row("K80 and CUDA 12", "12.4", "driver=550.54.15 gpu=K80 cc=3.7", "unknown", "said to have");
    row("H100 and CUDA 11.0", "11.0", "driver=550.54.15 cc=9.0", "unknown", "PTX");
    row("A40 and CUDA 11.0", "11.0", "driver=550.54.15 gpu=A40 cc=8.6", "ok", "others of their");
    row("Blackwell and CUDA 12.4", "12.4", "driver=580.65.06 gpu=B200 cc=10.0", "unknown", "12.8");
    row("Blackwell and CUDA 12.8", "12.8", "driver=580.65.06 gpu=B200 cc=10.0", "ok", "runs on");
    row("a GPU of the future", "13.0", "driver=580.65.06 cc=15.0", "unknown", "does not know");
    row("driver decides first", "13.0", "driver=550.54.15 gpu=V100 cc=7.0", "fail", "driver 580");
}

void TestVerdict::gpu_decides()
{
    QFETCH(QString, cuda);
    QFETCH(QString, facts);
    QFETCH(QString, verdict);
    QFETCH(QString, words);
    const PartitionVerdict found = judged(u"CUDA_VERSION=" + cuda, facts);
    QVERIFY2(verdictName(found.verdict) == verdict && found.sentence.contains(words), shown(found));
}

void TestVerdict::failure_namesDriverAndWayOut()
{
    const auto found =
        judged(QStringLiteral("CUDA_VERSION=13.0.1"), QStringLiteral("driver=550.54.15 cuda=12.4"));
    QCOMPARE(found.sentence,
        QStringLiteral("CUDA 13.0 needs driver 580 or newer, and the driver here is 550.54.15: "
                       "choose an image with CUDA 12.4 or older."));
    QCOMPARE(found.rule, QStringLiteral("minimum driver of CUDA 13"));
}

void TestVerdict::rule_namesItsSource()
{
    const QJsonObject sources = driverTable()[u"sources"].toObject();
    const QString kestrel = QStringLiteral("driver=550.54.15 cuda=12.4 cc=7.0");
    const auto source = [&](const char* cuda) {
        return judged(u"CUDA_VERSION=" + QString::fromLatin1(cuda), kestrel).source;
    };
    QCOMPARE(source("12.6"), sources[u"compatibility"].toString());
    QCOMPARE(source("13.0"), sources[u"compatibility"].toString());
    const auto volta =
        judged(QStringLiteral("CUDA_VERSION=13.0"), QStringLiteral("driver=580.65.06 cc=7.0"));
    QCOMPARE(volta.source, sources[u"nvcc"].toString());
    const auto old = judged(QStringLiteral("CUDA_VERSION=10.2"), QStringLiteral("driver=418.39"));
    QCOMPARE(old.source, sources[u"releases"].toString());
}

void TestVerdict::silentImage_isUnknown_data()
{
    QTest::addColumn<QString>("image");
    QTest::newRow("nothing") << QString();
    QTest::newRow("not a version") << QStringLiteral("CUDA_VERSION=latest");
    QTest::newRow("a version and more") << QStringLiteral("CUDA_VERSION=12.4; rm -rf /");
    QTest::newRow("major alone") << QStringLiteral("CUDA_VERSION=12");
    QTest::newRow("huge") << QStringLiteral("CUDA_VERSION=99999999999999999999.1");
    QTest::newRow("a requirement that says nothing") << QStringLiteral("NVIDIA_REQUIRE_CUDA=%%%");
    QTest::newRow("a requirement that is off")
        << QStringLiteral("NVIDIA_REQUIRE_CUDA=driver>=999|NVIDIA_DISABLE_REQUIRE=1");
}

void TestVerdict::silentImage_isUnknown()
{
    QFETCH(QString, image);
    ImageDescription description = imageWith(image);
    description.reference = *ImageReference::parse(QStringLiteral("nvidia/cuda:12.4.1-base"));
    const Site site = siteOf(QStringLiteral("driver=550.54.15 cuda=12.4 cc=9.0"));
    const auto found = judgeImage(description, site, {}).front();
    QVERIFY2(found.verdict == Verdict::Unknown, shown(found));
    QVERIFY2(!found.sentence.contains(u"12.4"), shown(found));
    QVERIFY(cudaOf(description).version.isEmpty());
}

void TestVerdict::requirement_isRead_data()
{
    using Held = CudaRequirement::Held;
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("least");
    QTest::addColumn<int>("held");
    const auto row = [](const char* text, const char* least, Held held) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(least) << int(held);
    };
    // On driver 535.104.05 with CUDA 12.2, an A100.
    row("", "", Held::Yes);
    row("cuda>=12.2", "12.2", Held::Yes);
    row("cuda>=12.2.2", "12.2.2", Held::Yes);
    row("cuda>=12.4", "12.4", Held::No);
    row("cuda>12.2", "12.2", Held::No);
    row("cuda==12.2", "12.2", Held::Yes);
    row("cuda=12.1", "12.1", Held::No);
    row("cuda!=12.2", "", Held::No);
    row("cuda<12", "", Held::No);
    row("cuda<=12.2", "", Held::Yes);
    row("cuda>=11.0,cuda<12.0", "11.0", Held::No);
    row("cuda>=12.4 cuda>=11.0", "11.0", Held::Yes);
    row("cuda>=12.4 brand=tesla,driver>=535,driver<536", "12.4", Held::Yes);
    row("cuda>=12.4 brand=nvidia,driver>=535,driver<536", "12.4", Held::Yes);
    row("cuda>=12.4 brand=geforce,driver>=535,driver<536", "12.4", Held::No);
    row("cuda>=12.4 brand=tesla,driver>=525,driver<526", "12.4", Held::No);
    row("brand!=geforce", "", Held::Yes);
    row("arch>=8.0", "", Held::Yes);
    row("arch>=9.0", "", Held::No);
    row("cuda>=12.4 weather=fine", "12.4", Held::Unknown);
    row("cuda>=12.4,weather=fine", "12.4", Held::No);
    row("cuda>=12.2,weather=fine", "12.2", Held::Unknown);
    row("cuda>=", "", Held::Unknown);
    row("brand>=tesla", "", Held::Unknown);
    row("  cuda>=12.2\t\n ", "12.2", Held::Yes);
}

void TestVerdict::requirement_isRead()
{
    QFETCH(QString, text);
    QFETCH(QString, least);
    QFETCH(int, held);
    GpuNode node;
    node.driver = QStringLiteral("535.104.05");
    node.cuda = QStringLiteral("12.2");
    node.capability = QStringLiteral("8.0");
    node.kind = GpuKind::DataCenter;
    const CudaRequirement requirement = CudaRequirement::parse(text);
    QCOMPARE(requirement.leastCuda(), least);
    QCOMPARE(int(requirement.heldBy(node)), held);
}

void TestVerdict::requirement_isBounded()
{
    const CudaRequirement many =
        CudaRequirement::parse(QStringLiteral("cuda>=99 ").repeated(100'000));
    QVERIFY(many.alternatives.size() < 1000);
    GpuNode node;
    node.cuda = QStringLiteral("12.2");
    // What was not read may hold.
    QCOMPARE(many.heldBy(node), CudaRequirement::Held::Unknown);
    const CudaRequirement wide =
        CudaRequirement::parse(QStringLiteral("cuda>=1,").repeated(100'000));
    QCOMPARE(wide.heldBy(node), CudaRequirement::Held::Unknown);
    ImageDescription image = imageWith({});
    image.environment.insert(QStringLiteral("NVIDIA_REQUIRE_CUDA"), QString(10'000'000, u'x'));
    QVERIFY(cudaOf(image).require.size() < 10'000);
    const Site site = siteOf(QStringLiteral("driver=550.54.15"));
    QVERIFY(judgeImage(image, site, {}).front().sentence.size() < 500);
}

void TestVerdict::processor_decides_data()
{
    QTest::addColumn<QString>("nodes");
    QTest::addColumn<QString>("image");
    QTest::addColumn<bool>("runs");
    QTest::newRow("same") << QStringLiteral("x86_64") << QStringLiteral("amd64") << true;
    QTest::newRow("not said of the nodes") << QString() << QStringLiteral("amd64") << true;
    QTest::newRow("POWER") << QStringLiteral("ppc64le") << QStringLiteral("amd64") << false;
    QTest::newRow("POWER on both")
        << QStringLiteral("ppc64le") << QStringLiteral("ppc64le") << true;
    QTest::newRow("Arm image") << QStringLiteral("x86_64") << QStringLiteral("arm64") << false;
    QTest::newRow("Arm on both") << QStringLiteral("aarch64") << QStringLiteral("arm64") << true;
}

void TestVerdict::processor_decides()
{
    QFETCH(QString, nodes);
    QFETCH(QString, image);
    QFETCH(bool, runs);
    ImageDescription description = imageWith(QStringLiteral("CUDA_VERSION=12.4"));
    description.platform.architecture = image;
    description.platforms = {description.platform};
    Site site = siteOf(QStringLiteral("driver=550.54.15 cpu=") + nodes);
    const auto found = judgeImage(description, site, {}).front();
    QVERIFY2(found.verdict == (runs ? Verdict::Ok : Verdict::Fail), shown(found));
    if (!runs)
        QVERIFY2(found.sentence.contains(u"built for linux/" + image)
                && found.sentence.contains(u"Exec format error"),
            shown(found));
    // The partition's own processor counts more than the site's.
    site.partitions[0].architecture = QStringLiteral("riscv64");
    QCOMPARE(judgeImage(description, site, {}).front().verdict, Verdict::Fail);
}

void TestVerdict::otherPlatformsCuda_isNotAssumed()
{
    ImageDescription image = imageWith(QStringLiteral("CUDA_VERSION=12.4"));
    image.platforms.push_back(ImagePlatform::ofNodes(QStringLiteral("aarch64")));
    const Site site = siteOf(QStringLiteral("driver=550.54.15 cpu=aarch64"));
    const auto found = judgeImage(image, site, {}).front();
    QVERIFY2(found.verdict == Verdict::Unknown, shown(found));
    image.platforms.clear();
    QVERIFY(judgeImage(image, site, {}).front().verdict == Verdict::Unknown);
}

void TestVerdict::partitionWithoutGpu_isForCpus()
{
    Site site = siteOf(QStringLiteral("driver=450.80.02"));
    site.partitions[0].gpusPerNode = 0;
    site.partitions[0].gpuName.clear();
    for (const char* image : {"", "CUDA_VERSION=13.0"}) {
        const auto found = judgeImage(imageWith(QString::fromLatin1(image)), site, {}).front();
        QVERIFY2(found.verdict == Verdict::Ok && found.isCpuOnly, shown(found));
        QCOMPARE(found.hardware, QStringLiteral("no GPU"));
    }
}

void TestVerdict::emulatedGpus_areSaid()
{
    Site site = siteOf({});
    site.gpusAreReal = false;
    const auto found = judgeImage(imageWith({}), site, {}).front();
    QVERIFY2(found.verdict == Verdict::Ok && found.isCpuOnly, shown(found));
    QVERIFY2(found.sentence.contains(u"emulated"), shown(found));
    QVERIFY(found.hardware.contains(u"emulated"));
}

void TestVerdict::unknownGpus_areNotRefused()
{
    Site site = siteOf(QStringLiteral("driver=450.80.02"));
    site.partitions[0].gpusPerNode = 0;
    site.partitions[0].gpusKnown = false;
    site.partitions[0].gpuName.clear();
    const auto found = judgeImage(imageWith(QStringLiteral("CUDA_VERSION=13.0")), site, {}).front();
    QVERIFY2(found.verdict == Verdict::Unknown && !found.isCpuOnly, shown(found));
    QVERIFY2(found.sentence.contains(u"If they do: CUDA 13.0 needs"), shown(found));
    const auto older = judgeImage(imageWith(QStringLiteral("CUDA_VERSION=11.0")), site, {}).front();
    QVERIFY2(older.verdict == Verdict::Unknown && !older.isCpuOnly, shown(older));
    QVERIFY2(older.sentence.contains(u"If they do: CUDA 11.0 runs"), shown(older));
}

void TestVerdict::clustersPartitions_comeFirst()
{
    const Site site = siteOf(QStringLiteral("driver=550.54.15"));
    ClusterInfo cluster;
    for (const char* name : {"cpu", "gpu", "new"}) {
        PartitionInfo partition;
        partition.name = QString::fromLatin1(name);
        partition.gpusPerNode = partition.name == u"cpu" ? 0 : 2;
        cluster.partitions.push_back(partition);
    }
    const auto found = judgeImage(imageWith(QStringLiteral("CUDA_VERSION=12.4")), site, cluster);
    QCOMPARE(found.size(), std::size_t(3));
    QCOMPARE(found[0].partition, QStringLiteral("cpu"));
    QVERIFY(found[0].isCpuOnly);
    QCOMPARE(found[1].hardware, QStringLiteral("2 × H100, driver 550.54.15"));
    QCOMPARE(found[2].verdict, Verdict::Ok);
}

void TestVerdict::hardware_isSaid()
{
    Site site = siteOf(QStringLiteral("cuda=12.4"));
    site.partitions[0].gpuName = QStringLiteral("A100 40 GB");
    site.partitions[0].gpusAtLeast = true;
    QCOMPARE(judgeImage(imageWith({}), site, {}).front().hardware,
        QStringLiteral("4+ × A100 40 GB, CUDA up to 12.4"));
}

void TestVerdict::gpuNames_haveAKind_data()
{
    QTest::addColumn<int>("kind");
    const auto rows = [](GpuKind kind, std::initializer_list<const char*> names) {
        for (const char* name : names)
            QTest::newRow(name) << int(kind);
    };
    rows(GpuKind::DataCenter,
        {"H100 SXM 80 GB", "A100-SXM4 40 GB", "a100_80gb", "K80 or P100", "L40S 46 GB or H100",
            "V100 32 GB", "GH200", "GB200", "Tesla T4", "A2", "NVIDIA A10G"});
    rows(GpuKind::Workstation, {"Quadro RTX 5000 16 GB", "RTX A6000", "RTX 6000 Ada"});
    rows(GpuKind::GeForce, {"GeForce RTX 4090", "rtx_3090", "rtx2080ti", "GTX 1080", "TITAN V"});
    rows(GpuKind::Unknown, {"GPU", "MI250X", "H100 or RTX 3090", "A1000"});
}

void TestVerdict::gpuNames_haveAKind()
{
    QFETCH(int, kind);
    QCOMPARE(int(gpuKindOf(QString::fromLatin1(QTest::currentDataTag()))), kind);
    QCOMPARE(int(gpuKindOf({})), int(GpuKind::Unknown));
}

void TestVerdict::frameworks_areThoseThatItNames()
{
    const ImageDescription ngc = imageWith(QStringLiteral(
        "PYTORCH_VERSION=2.9.0a0|NVIDIA_PYTORCH_VERSION=25.09|NVIDIA_PRODUCT_NAME=PyTorch|"
        "PYTHON_VERSION=3.12|NCCL_VERSION="));
    QCOMPARE(frameworksOf(ngc),
        (QStringList{QStringLiteral("PyTorch 2.9.0a0"), QStringLiteral("NVIDIA PyTorch 25.09"),
            QStringLiteral("Python 3.12")}));
    QCOMPARE(frameworksOf(imageWith(
                 QStringLiteral("TENSORFLOW_VERSION=2.15.0|NVIDIA_TENSORFLOW_VERSION=24.03-tf2"))),
        (QStringList{
            QStringLiteral("TensorFlow 2.15.0"), QStringLiteral("NVIDIA TensorFlow 24.03-tf2")}));
    ImageDescription labelled = imageWith(QStringLiteral("CUDNN_VERSION=9.1"));
    labelled.labels = {{QStringLiteral("com.nvidia.cudnn.version"), QStringLiteral("8.9")},
        {QStringLiteral("com.nvidia.nccl.version"), QStringLiteral("2.21")},
        {QStringLiteral("org.opencontainers.image.ref.name"), QStringLiteral("ubuntu")},
        {QStringLiteral("org.opencontainers.image.version"), QStringLiteral("22.04")},
        {QStringLiteral("com.nvidia.cuda.version"), QStringLiteral("9.0")}};
    QCOMPARE(frameworksOf(labelled),
        (QStringList{QStringLiteral("cuDNN 9.1"), QStringLiteral("NCCL 2.21"),
            QStringLiteral("ubuntu 22.04")}));
    QCOMPARE(cudaOf(labelled).version, QStringLiteral("9.0"));
    QVERIFY(frameworksOf(imageWith(QStringLiteral("NVIDIA_PRODUCT_NAME=HPC SDK")))
                .contains(QStringLiteral("NVIDIA HPC SDK")));
    // Neither its name nor what cannot stand in a line.
    ImageDescription hostile = imageWith(QStringLiteral("PYTORCH_VERSION=2.1\x1b[31m"));
    hostile.environment.insert(QStringLiteral("PYTHON_VERSION"), QString(10'000, u'3'));
    hostile.reference = *ImageReference::parse(QStringLiteral("pytorch/pytorch:2.4.1-cuda12.1"));
    QVERIFY(frameworksOf(hostile).isEmpty());
}

SLIPWAY_TEST(TestVerdict, images_verdict)
#include "tst_verdict.moc"
