// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

/// The kernels are compiled by clang alone to PTX that drivers since CUDA 5.5 and 6.0 take. That
/// NVIDIA's own assembler takes it too, for every card, is the entry probe_ptxas of tests/run
/// --all.
class TestKernels : public QObject {
    Q_OBJECT

private slots:
    void head_data();
    void head();
    void heads_areTheOnlyDifference();
    void sharedMemory_isReadInFours();

private:
    QByteArray ptx(const QString& file, const QString& architecture);
    QTemporaryDir m_folder;
};

namespace {

const QStringList entries{QStringLiteral("verify"), QStringLiteral("sgemm"),
    QStringLiteral("dgemm"), QStringLiteral("triad"), QStringLiteral("nbody"),
    QStringLiteral("peak_fp32"), QStringLiteral("peak_fp64"), QStringLiteral("fill"),
    QStringLiteral("check"), QStringLiteral("compare")};
const QStringList tensorEntries{
    QStringLiteral("peak_tf32"), QStringLiteral("peak_fp16"), QStringLiteral("peak_bf16")};

/// The options with which the build names the version of PTX; see slipway_ptx() there.
QStringList versionOptions(const QString& architecture)
{
    static const QMap<QString, QString> versions{
        {QStringLiteral("sm_35"), QStringLiteral("+ptx32")},
        {QStringLiteral("sm_50"), QStringLiteral("+ptx40")},
        {QStringLiteral("sm_80"), QStringLiteral("+ptx70")}};
    const QString option = QStringLiteral("-target-feature"), pass = QStringLiteral("-Xclang");
    return {pass, option, pass, QStringLiteral("-ptx42"), pass, option, pass,
        versions.value(architecture)};
}

} // namespace

QByteArray TestKernels::ptx(const QString& file, const QString& architecture)
{
    const QString out = m_folder.filePath(file + architecture + QStringLiteral(".ptx"));
    QStringList arguments{QStringLiteral("-x"), QStringLiteral("cuda"),
        QStringLiteral("--cuda-device-only"), QStringLiteral("-nocudainc"),
        QStringLiteral("-nocudalib"), QStringLiteral("--cuda-path=/nonexistent"),
        QStringLiteral("--cuda-gpu-arch=") + architecture, QStringLiteral("-O3"),
        QStringLiteral("-ffp-contract=fast"), QStringLiteral("-std=c++20"), QStringLiteral("-S"),
        slipway::sourcePath(QStringLiteral("/remote/probe/kernels/")) + file, QStringLiteral("-o"),
        out};
    QProcess clang;
    clang.start(QStringLiteral(CLANG), arguments + versionOptions(architecture));
    clang.waitForFinished(60'000);
    QFile text(out);
    if (clang.exitCode() != 0 || !text.open(QIODevice::ReadOnly))
        qWarning("%s", clang.readAllStandardError().constData());
    return text.readAll();
}

void TestKernels::head_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QStringList>("names");
    QTest::newRow("Kepler") << "kernels.cu"
                            << "sm_35" << QByteArray(".version 3.2") << entries;
    QTest::newRow("all that came after") << "kernels.cu"
                                         << "sm_50" << QByteArray(".version 4.0") << entries;
    QTest::newRow("tensor cores") << "tensor.cu"
                                  << "sm_80" << QByteArray(".version 7.0") << tensorEntries;
}

void TestKernels::head()
{
    QFETCH(QString, file);
    QFETCH(QString, architecture);
    QFETCH(QByteArray, version);
    QFETCH(QStringList, names);
    const QByteArray text = ptx(file, architecture);
    QVERIFY(text.contains(QByteArray(version + '\n')));
    QVERIFY(text.contains(QByteArray(".target " + architecture.toLatin1() + '\n')));
    QVERIFY(text.contains(".address_size 64"));
    QStringList found;
    static const QRegularExpression entry(QStringLiteral(R"(\.visible \.entry (\w+)\()"));
    for (const auto& match : entry.globalMatch(QString::fromLatin1(text)))
        found << match.captured(1);
    found.sort();
    names.sort();
    QCOMPARE(found, names);
    QVERIFY2(!text.contains(".func"), "a kernel calls something that is not in it");
}

/// The probe holds the text for Kepler and puts the newer head on it.
void TestKernels::heads_areTheOnlyDifference()
{
    QByteArray old = ptx(QStringLiteral("kernels.cu"), QStringLiteral("sm_35"));
    QCOMPARE(old.count(".version 3.2\n"), 1);
    QCOMPARE(old.count(".target sm_35\n"), 1);
    old.replace(".version 3.2\n", ".version 4.0\n").replace(".target sm_35\n", ".target sm_50\n");
    QVERIFY(old == ptx(QStringLiteral("kernels.cu"), QStringLiteral("sm_50")));
}

void TestKernels::sharedMemory_isReadInFours()
{
    const QByteArray text = ptx(QStringLiteral("kernels.cu"), QStringLiteral("sm_50"));
    const qsizetype begin = text.indexOf(".entry sgemm("), end = text.indexOf(".entry ", begin + 1);
    const QByteArray sgemm = text.sliced(begin, end - begin);
    QVERIFY(sgemm.contains("ld.shared.v4.f32"));
    QVERIFY(!sgemm.contains("ld.shared.f32"));
    QVERIFY(sgemm.contains("ld.global.v4.f32"));
    QVERIFY(sgemm.contains("st.global.v4.f32"));
}

SLIPWAY_TEST(TestKernels, probe_kernels)
#include "tst_kernels.moc"
