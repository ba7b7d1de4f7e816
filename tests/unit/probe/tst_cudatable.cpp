// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/cudadrivers.h"
#include "show.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QtTest>

using namespace slipway::probe;

/// Which image runs on which driver: the table, and the order in which its rules are asked.
class TestCudaTable : public QObject {
    Q_OBJECT

private slots:
    void theProgram_hasTheFileInside();
    void everyEntry_namesItsSource();
    void oldestDrivers();
    void nativeVersions();
    void architectures();
    void verdicts_data();
    void verdicts();
    void forwardCompatibility();
    void whatTheDriverSays_beatsTheTable();
    void unknown_isNotRefused();
};

namespace {

ImageOnNode pairOf(const char* cuda, const char* driver)
{
    ImageOnNode pair;
    pair.cuda = Version::of(cuda);
    pair.driver = Version::of(driver);
    return pair;
}

} // namespace

void TestCudaTable::theProgram_hasTheFileInside()
{
    QFile file(slipway::sourcePath(QStringLiteral("/resources/cuda-drivers.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const CudaDrivers fromFile = CudaDrivers::read(file.readAll().toStdString());
    QCOMPARE(CudaDrivers::own().native.size(), fromFile.native.size());
    QVERIFY(fromFile.families.size() >= 3 && fromFile.exact.size() >= 9
        && fromFile.native.size() >= 20 && fromFile.architectures.size() >= 15);
}

void TestCudaTable::everyEntry_namesItsSource()
{
    QFile file(slipway::sourcePath(QStringLiteral("/resources/cuda-drivers.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Json json = *Json::read(file.readAll().toStdString());
    for (const char* list : {"families", "exact", "native", "architectures"}) {
        QVERIFY(!json[list].items().empty());
        for (const Json& entry : json[list].items()) {
            QVERIFY2(json["sources"].has(entry["source"].text()), entry.write().c_str());
            QVERIFY2(entry["source"].text() != "general" || entry["unverified"].boolean(),
                entry.write().c_str());
        }
    }
}

void TestCudaTable::oldestDrivers()
{
    const CudaDrivers& table = CudaDrivers::own();
    QCOMPARE(table.oldestDriver(Version::of("13.1")).text(), std::string("580"));
    QCOMPARE(table.oldestDriver(Version::of("12.4.1")).text(), std::string("525.60.13"));
    QCOMPARE(table.oldestDriver(Version::of("11.8")).text(), std::string("450.80.02"));
    QCOMPARE(table.oldestDriver(Version::of("10.1")).text(), std::string("418.39"));
    QVERIFY(!table.oldestDriver(Version::of("14.0")));
    QVERIFY(!table.oldestDriver(Version::of("6.5")));
}

void TestCudaTable::nativeVersions()
{
    const CudaDrivers& table = CudaDrivers::own();
    QCOMPARE(table.nativeCuda(Version::of("535.104.05")).text(), std::string("12.2"));
    QCOMPARE(table.nativeCuda(Version::of("580.65.06")).text(), std::string("13.0"));
    QCOMPARE(table.nativeCuda(Version::of("470.199.02")).text(), std::string("11.4"));
    QCOMPARE(table.nativeCuda(Version::of("418.87")).text(), std::string("10.1"));
    QVERIFY(!table.nativeCuda(Version::of("340.1")));
}

void TestCudaTable::architectures()
{
    const CudaDrivers& table = CudaDrivers::own();
    QCOMPARE(table.architecture(7, 0)->last.text(), std::string("12.9"));
    QVERIFY(!table.architecture(9, 0)->last);
    QCOMPARE(table.architecture(8, 7)->name, std::string("Ampere"));
    QCOMPARE(table.architecture(12, 0)->first.text(), std::string("12.8"));
    QVERIFY(!table.architecture(2, 0));
}

void TestCudaTable::verdicts_data()
{
    QTest::addColumn<QByteArray>("cuda");
    QTest::addColumn<QByteArray>("driver");
    QTest::addColumn<int>("state");
    QTest::addColumn<QByteArray>("fix");
    const int ok = int(State::Ok), fail = int(State::Fail);
    QTest::newRow("older image on a newer driver")
        << QByteArray("11.8") << QByteArray("580.65.06") << ok << QByteArray();
    QTest::newRow("very old image on a new driver")
        << QByteArray("9.0") << QByteArray("580.65.06") << ok << QByteArray();
    QTest::newRow("the same") << QByteArray("12.2") << QByteArray("535.104.05") << ok
                              << QByteArray();
    QTest::newRow("newer minor, same family")
        << QByteArray("12.4") << QByteArray("535.104.05") << ok << QByteArray();
    QTest::newRow("same family, driver too old for it")
        << QByteArray("12.4") << QByteArray("520.10") << fail << QByteArray("CUDA 11.8 or older");
    QTest::newRow("next family") << QByteArray("13.0") << QByteArray("550.54.15") << fail
                                 << QByteArray("CUDA 12.4 or older");
    QTest::newRow("11 on 450") << QByteArray("11.7") << QByteArray("450.80.02") << ok
                               << QByteArray();
    QTest::newRow("no minor compatibility before 11")
        << QByteArray("10.2") << QByteArray("418.87") << fail << QByteArray("CUDA 10.1 or older");
}

void TestCudaTable::verdicts()
{
    QFETCH(QByteArray, cuda);
    QFETCH(QByteArray, driver);
    QFETCH(int, state);
    QFETCH(QByteArray, fix);
    const Row row = imageCudaRow(CudaDrivers::own(), pairOf(cuda.constData(), driver.constData()));
    const std::string said = row.toJson().write();
    QVERIFY2(int(row.state) == state, said.c_str());
    QVERIFY2(contains(row.fix, fix.toStdString()), said.c_str());
    QVERIFY2(!row.expected.empty(), said.c_str());
    if (row.state == State::Fail)
        QVERIFY2(contains(row.why, "The image needs driver")
                && contains(row.why, Version::of(driver.constData()).text()),
            said.c_str());
}

void TestCudaTable::forwardCompatibility()
{
    ImageOnNode pair = pairOf("13.0", "550.54.15");
    pair.driverCuda = Version::of("12.4");
    pair.compatPath = "/usr/local/cuda/compat/libcuda.so.1";
    pair.compatError = 0;
    pair.gpuNames = {"NVIDIA A100-SXM4-40GB"};
    JUDGED(imageCudaRow(CudaDrivers::own(), pair), Ok, "stands in", "");
    pair.gpuNames = {"NVIDIA GeForce RTX 3090"};
    JUDGED(imageCudaRow(CudaDrivers::own(), pair), Warn, "data-center", "LD_LIBRARY_PATH");
    pair.compatError = 804;
    JUDGED(imageCudaRow(CudaDrivers::own(), pair), Fail, "804", "LD_LIBRARY_PATH");
    // An old image whose compat folder is in the way of a driver that would do.
    pair.cuda = Version::of("12.2");
    JUDGED(imageCudaRow(CudaDrivers::own(), pair), Fail, "804", "LD_LIBRARY_PATH");
    pair.compatError = 0;
    JUDGED(imageCudaRow(CudaDrivers::own(), pair), Ok, "", "");
}

void TestCudaTable::whatTheDriverSays_beatsTheTable()
{
    ImageOnNode pair = pairOf("12.6", "550.54.15");
    pair.driverCuda = Version::of("12.6"); // the table says 12.4 of this driver, unverified
    const Row row = imageCudaRow(CudaDrivers::own(), pair);
    QCOMPARE(row.state, State::Ok);
    QVERIFY(row.why.empty());
}

void TestCudaTable::unknown_isNotRefused()
{
    QCOMPARE(imageCudaRow(CudaDrivers::own(), pairOf("12.4", "")).state, State::Skip);
    ImageOnNode future = pairOf("14.2", "");
    future.driverCuda = Version::of("14.0");
    QCOMPARE(imageCudaRow(CudaDrivers::own(), future).state, State::Ok);
    future.driverCuda = Version::of("13.0");
    JUDGED(imageCudaRow(CudaDrivers::own(), future), Fail, "CUDA 14.2", "CUDA 13.0 or older");
}

SLIPWAY_TEST(TestCudaTable, probe_cudatable)
#include "tst_cudatable.moc"
