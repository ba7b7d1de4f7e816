// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagestorescan.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"
#include "tests/unit/images/namesof.h"

#include <QtTest>

#include <algorithm>

using namespace slipway;

/// What the output of the scan says of images and caches, good and hostile.
class TestImageStoreScan : public QObject {
    Q_OBJECT

private slots:
    void rows_areRead();
    void lastRead_isSaidOnlyWhereItIsKnown_data();
    void lastRead_isSaidOnlyWhereItIsKnown();
    void deletionDay_isTheEarliest_data();
    void deletionDay_isTheEarliest();
    void digest_belongsToTheFileThatItWasMadeOf();
    void runs_areThoseThatUsedTheFile();
    void images_inUseAreThoseOfActiveRuns();
    void hostileRows_nameNothing_data();
    void hostileRows_nameNothing();
    void absurdNumbers_areNotBelieved();
    void truncatedOutput_isAnError();
    void folder_thatCannotBeReadIsAnError_data();
    void folder_thatCannotBeReadIsAnError();
    void plan_namesItsImages();
    void clearedCaches_areCounted();
};

namespace {

const QByteArray zero(1, '\0');
const QByteArray sum(64, 'a');

/// What the script prints of a folder with these rows.
QByteArray answerWith(const QByteArrayList& rows, const QByteArray& mount = "rw,relatime")
{
    return zero + "folder ok 0 0 0 /scratch/me/slipway/images" + zero + "free 1000 0 0 0 -" + zero
        + "mount " + mount + " 0 0 0 -" + zero + rows.join(zero) + zero + "end 0 0 0 0 -" + zero;
}

QByteArray fileRow(const QByteArray& name, const QByteArray& bytes = "3000",
    const QByteArray& modified = "1790000000.1234567890",
    const QByteArray& read = "1790086400.0000000000")
{
    return "file " + modified + ' ' + read + ' ' + bytes + " 77 " + name;
}

ImageScan knownScan()
{
    ImageScan scan;
    scan.scratch = QStringLiteral("/scratch/me");
    return scan;
}

ImageUse useOf(const char* run, const char* name, bool isActive = false)
{
    ImageUse use;
    use.runId = QString::fromLatin1(run);
    use.name = QString::fromLatin1(name);
    use.from = QStringLiteral("docker://python:3.13");
    use.isActive = isActive;
    return use;
}

} // namespace

void TestImageStoreScan::rows_areRead()
{
    const auto list = readImageList("Welcome to the login node!\n"
            + answerWith({fileRow("docker.io/small.sif", "10"),
                fileRow("docker.io/a b.sqsh", "5000"), fileRow("docker.io/half.sif.part", "70"),
                "cache apptainer 60 0 0 /home/me/.apptainer/cache",
                "cache enroot - 0 0 /home/me/.cache/enroot"}),
        knownScan());
    QVERIFY(list.ok());
    QCOMPARE(list->folder, QStringLiteral("/scratch/me/slipway/images"));
    QCOMPARE(list->freeBytes, std::optional<qint64>(1'024'000));
    QCOMPARE(list->images.size(), size_t(3));
    QCOMPARE(list->images[0].path, QStringLiteral("/scratch/me/slipway/images/docker.io/a b.sqsh"));
    QCOMPARE(list->images[0].modified.toSecsSinceEpoch(), qint64(1'790'000'000));
    QVERIFY(list->images[1].isPartial && !list->images[0].isPartial);
    QCOMPARE(list->images[2].bytes, qint64(10)); // the largest come first
    QCOMPARE(list->bytes(), qint64(5080));
    QCOMPARE(list->caches.size(), size_t(2));
    QVERIFY(list->caches[0].known && list->caches[0].bytes == 60 * 1024);
    QVERIFY(!list->caches[1].known); // it took too long
    QVERIFY(list->command.contains(list->folder));
}

void TestImageStoreScan::lastRead_isSaidOnlyWhereItIsKnown_data()
{
    QTest::addColumn<QByteArray>("mount");
    QTest::addColumn<QByteArray>("read");
    QTest::addColumn<bool>("isKnown");
    const QByteArray later = "1790086400.0", same = "1790000000.1234567890";
    QTest::newRow("relatime") << QByteArray("rw,relatime") << later << true;
    QTest::newRow("strictatime") << QByteArray("rw,strictatime") << later << true;
    QTest::newRow("noatime") << QByteArray("rw,noatime,flock") << later << false;
    QTest::newRow("options unknown") << QByteArray("-") << later << false;
    QTest::newRow("not since") << QByteArray("rw,relatime") << same << false;
    QTest::newRow("before") << QByteArray("rw,relatime") << QByteArray("1700000000.0") << false;
    QTest::newRow("absurd") << QByteArray("rw,relatime") << QByteArray("9e99") << false;
}

void TestImageStoreScan::lastRead_isSaidOnlyWhereItIsKnown()
{
    QFETCH(QByteArray, mount);
    QFETCH(QByteArray, read);
    QFETCH(bool, isKnown);
    const QByteArray row = fileRow("x.sif", "1", "1790000000.1234567890", read);
    const auto list = readImageList(answerWith({row}, mount), knownScan());
    QVERIFY(list.ok() && list->images.size() == 1);
    QCOMPARE(list->images[0].lastRead.isValid(), isKnown);
}

void TestImageStoreScan::deletionDay_isTheEarliest_data()
{
    QTest::addColumn<int>("days");
    QTest::addColumn<QString>("scratch");
    QTest::addColumn<QByteArray>("mount");
    QTest::addColumn<int>("after"); ///< days after it was written; -1: no day
    const QString here = QStringLiteral("/scratch/me");
    QTest::newRow("ten days after the last read") << 10 << here << QByteArray("rw,relatime") << 11;
    QTest::newRow("reads are not noted") << 10 << here << QByteArray("rw,noatime") << 10;
    QTest::newRow("no rule") << 0 << here << QByteArray("rw,relatime") << -1;
    QTest::newRow("not in scratch") << 10 << QStringLiteral("/work") << QByteArray("rw") << -1;
    QTest::newRow("beside it") << 10 << QStringLiteral("/scratch/m") << QByteArray("rw") << -1;
    QTest::newRow("scratch unknown") << 10 << QString() << QByteArray("rw,relatime") << -1;
}

void TestImageStoreScan::deletionDay_isTheEarliest()
{
    QFETCH(int, days);
    QFETCH(QString, scratch);
    QFETCH(QByteArray, mount);
    QFETCH(int, after);
    ImageScan scan = knownScan();
    scan.purgeDays = days;
    scan.scratch = scratch;
    const QByteArray row = fileRow("x.sif", "1", "1790000000.0", "1790086400.0"); // a day later
    const auto list = readImageList(answerWith({row}, mount), scan);
    QVERIFY(list.ok() && list->images.size() == 1);
    const StoredImage& image = list->images[0];
    QCOMPARE(image.deletedOn.has_value(), after >= 0);
    if (after >= 0)
        QCOMPARE(*image.deletedOn, image.modified.date().addDays(after));
}

void TestImageStoreScan::digest_belongsToTheFileThatItWasMadeOf()
{
    const QByteArray of = "3000-77-1790000000.123456789";
    const auto digest = [](const QByteArray& noted, const QByteArray& made) {
        const auto list = readImageList(
            answerWith(
                {fileRow("a b.sif"), "note " + noted + ' ' + made + " 0 0 a b.sif.slipway-digest"}),
            knownScan());
        return list.ok() && list->images.size() == 1 ? list->images[0].digest
                                                     : QStringLiteral("no image");
    };
    QCOMPARE(digest(sum, of), QString::fromLatin1("sha256:" + sum));
    QCOMPARE(digest(sum, "3001-77-1790000000.123456789"), QString()); // of another file
    QCOMPARE(digest(sum.left(63), of), QString());
    QCOMPARE(digest("\x1b[31m" + sum, of), QString());
    QCOMPARE(digest("-", "-"), QString());
}

void TestImageStoreScan::runs_areThoseThatUsedTheFile()
{
    ImageScan scan = knownScan();
    scan.uses = {useOf("new1", "x.sif"), useOf("old1", "x.sif"), useOf("othr", "y.sif"),
        useOf("path", "/scratch/me/slipway/images/x.sif"), useOf("elsw", "copy-of-x.sif")};
    const QString digest = QString::fromLatin1("sha256:" + sum);
    scan.uses[0].digest = digest;
    scan.uses[1].digest = QStringLiteral("sha256:") + QString(64, u'b'); // a former pull
    scan.uses[4].digest = digest;
    const QByteArray note =
        "note " + sum + " 3000-77-1790000000.123456789 0 0 x.sif.slipway-digest";
    const auto list =
        readImageList(answerWith({fileRow("x.sif"), note, fileRow("x.sif.part", "5")}), scan);
    QVERIFY(list.ok() && list->images.size() == 2);
    QCOMPARE(list->images[0].runs,
        (QStringList{QStringLiteral("new1"), QStringLiteral("path"), QStringLiteral("elsw")}));
    QCOMPARE(list->images[0].from, QStringLiteral("docker://python:3.13"));
    QVERIFY(list->images[1].runs.isEmpty()); // no run used half a file
    QCOMPARE(list->images[1].from, QStringLiteral("docker://python:3.13"));
}

void TestImageStoreScan::images_inUseAreThoseOfActiveRuns()
{
    const QByteArray answer = answerWith({fileRow("a.sif", "40"), fileRow("b.sif.part", "30"),
        fileRow("named.sif", "20"), fileRow("free.sif", "10")});
    ImageScan scan = knownScan();
    scan.uses = {useOf("r1", "a.sif", true), useOf("r2", "b.sif", true), useOf("r3", "free.sif")};
    scan.activeTexts = {QStringLiteral("apptainer exec $SCRATCH/slipway/images/named.sif true")};
    auto list = readImageList(answer, scan);
    QVERIFY(list.ok() && list->images.size() == 4);
    for (const StoredImage& image : list->images)
        QCOMPARE(image.inUse, !image.path.endsWith(u"free.sif"));
    scan = knownScan();
    scan.allInUse = true;
    list = readImageList(answer, scan);
    QVERIFY(list.ok());
    for (const StoredImage& image : list->images)
        QVERIFY2(image.inUse, qPrintable(image.path));
}

void TestImageStoreScan::hostileRows_nameNothing_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::newRow("above") << fileRow("../x.sif");
    QTest::newRow("above, within") << fileRow("a/../../x.sif");
    QTest::newRow("absolute") << fileRow("/etc/x.sif");
    QTest::newRow("line break") << fileRow("a\nb.sif");
    QTest::newRow("escape") << fileRow("a\x1b[31m.sif");
    QTest::newRow("option") << fileRow("-rf.sif");
    QTest::newRow("right to left") << fileRow("a\xe2\x80\xae.sif");
    QTest::newRow("not UTF-8") << fileRow("\xff\xfe.sif");
    QTest::newRow("no image") << fileRow("passwd");
    QTest::newRow("nothing") << fileRow("");
    QTest::newRow("too few words") << QByteArray("file 1 2 x.sif");
    QTest::newRow("another kind") << QByteArray("fil 1 2 3 4 x.sif");
    QTest::newRow("cache above") << QByteArray("cache apptainer 1 0 0 /a/../b");
    QTest::newRow("cache without a folder") << QByteArray("cache apptainer 1 0 0 b");
}

void TestImageStoreScan::hostileRows_nameNothing()
{
    QFETCH(QByteArray, row);
    const auto list = readImageList(answerWith({row, fileRow("good.sif")}), knownScan());
    QVERIFY(list.ok());
    QCOMPARE(namesOf(*list), QStringList{QStringLiteral("good.sif")});
    QVERIFY(list->caches.empty());
}

void TestImageStoreScan::absurdNumbers_areNotBelieved()
{
    QByteArrayList rows;
    for (const char* bytes : {"-1", "99999999999999999999", "1e9", "", "9223372036854775807"})
        rows << fileRow("x.sif", bytes);
    rows << "cache apptainer 9223372036854775807 0 0 /c"
         << "cache enroot -5 0 0 /d"
         << "free 9223372036854775807 0 0 0 -";
    for (int i = 0; i < 6000; ++i)
        rows << fileRow(QByteArray::number(i) + ".sif", QByteArray::number(qint64(1) << 50));
    const auto list = readImageList(answerWith(rows), knownScan());
    QVERIFY(list.ok());
    QCOMPARE(list->images.size(), size_t(5000));
    QCOMPARE(list->leftOut, qint64(1005));
    QCOMPARE(list->bytes(), 5000 * (qint64(1) << 50)); // no overflow
    QVERIFY(!list->freeBytes);
    QVERIFY(list->caches.size() == 2 && !list->caches[0].known && !list->caches[1].known);
}

void TestImageStoreScan::truncatedOutput_isAnError()
{
    const QByteArray whole = answerWith({fileRow("x.sif")});
    QVERIFY(readImageList(whole, knownScan()).ok());
    for (const qsizetype length : {qsizetype(0), qsizetype(40), whole.size() - 14}) {
        const auto list = readImageList(whole.left(length), knownScan());
        QVERIFY(!list.ok());
        QCOMPARE(list.error().kind, ErrorKind::Protocol);
    }
    QVERIFY(!readClearedCaches(zero + "cache apptainer 1 0 0 /c" + zero, {}).ok());
}

void TestImageStoreScan::folder_thatCannotBeReadIsAnError_data()
{
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("a link") << QByteArray("folder link 0 0 0 /x") << ErrorKind::Refused;
    QTest::newRow("closed") << QByteArray("folder closed 0 0 0 /x") << ErrorKind::Io;
    QTest::newRow("slow") << QByteArray("folder ok 0 0 0 /x" + zero + "slow 0 0 0 0 -")
                          << ErrorKind::Timeout;
}

void TestImageStoreScan::folder_thatCannotBeReadIsAnError()
{
    QFETCH(QByteArray, rows);
    QFETCH(ErrorKind, kind);
    const auto list = readImageList(rows + zero + "end 0 0 0 0 -" + zero, knownScan());
    QVERIFY(!list.ok());
    QCOMPARE(list.error().kind, kind);
}

void TestImageStoreScan::plan_namesItsImages()
{
    LaunchSpec spec;
    spec.siteId = QStringLiteral("demo");
    spec.recipeId = QStringLiteral("run-a-command");
    spec.values.insert(QStringLiteral("command"), QStringLiteral("true"));
    const auto uses = [&spec](const QString& image) {
        spec.values.insert(QStringLiteral("image"), image);
        return imageUses(makePlan(spec, builtInRecipe("run-a-command"), builtInSite("demo"), {}));
    };
    const auto pulled = uses(QStringLiteral("docker://login:5000/demo/python:3.13"));
    QCOMPARE(pulled.size(), size_t(1));
    QCOMPARE(pulled[0].name, QStringLiteral("login_5000/demo/python_3.13.sif"));
    QCOMPARE(pulled[0].from, QStringLiteral("docker://login:5000/demo/python:3.13"));
    const auto named = uses(QStringLiteral("/scratch/me/own images/x.sif"));
    QCOMPARE(named.size(), size_t(1));
    QCOMPARE(named[0].name, QStringLiteral("/scratch/me/own images/x.sif"));
    QVERIFY(named[0].from.isEmpty());
    QVERIFY(uses(QString()).empty()); // on the node itself
    spec.recipeId = QStringLiteral("nbody-build");
    const auto built =
        imageUses(makePlan(spec, builtInRecipe("nbody-build"), builtInSite("demo"), {}));
    QVERIFY(std::any_of(built.begin(), built.end(), [](const ImageUse& use) {
        return use.name.startsWith(u"built/") && use.from == u"Definition.nbody";
    }));
}

void TestImageStoreScan::clearedCaches_areCounted()
{
    const std::vector<ImageCache> before{
        {QStringLiteral("apptainer"), QStringLiteral("/a"), 10'240, true},
        {QStringLiteral("enroot"), QStringLiteral("/b"), 0, false},
        {QStringLiteral("singularity"), QStringLiteral("/c"), 1024, true}};
    const auto freed = readClearedCaches(zero + "cache apptainer 4 0 0 /a" + zero
            + "cache enroot 4 0 0 /b" + zero + "cache singularity 7 0 0 /c" + zero
            + "left 0 0 0 0 some of its files could not be deleted" + zero + "end 0 0 0 0 -" + zero,
        before);
    QVERIFY(freed.ok());
    QCOMPARE(*freed, qint64(6144)); // what grew meanwhile does not count
}

SLIPWAY_TEST(TestImageStoreScan, images_imagestorescan)
#include "tst_imagestorescan.moc"
