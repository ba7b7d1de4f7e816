// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/testmain.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace slipway;

/// Images of the demo cluster's own registry, which only its login node reaches.
class TestImages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void inspect_saysWhatTheRegistryHas();
    void inspect_isReadable();
    void missingTag_isNamed_data();
    void missingTag_isNamed();

private:
    struct Printed {
        int code = -1;
        QByteArray out, err;
        QByteArray all() const { return "stdout:\n" + out + "stderr:\n" + err; }
    };
    Printed image(const QStringList& words) const;
    bool realGpus() const { return m_cluster.connection()[u"gpu"].toObject()[u"real"].toBool(); }

    DemoClusterFixture m_cluster;
};

namespace {

const QString python = QStringLiteral("login:5000/demo/python:3.13");

} // namespace

void TestImages::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
}

TestImages::Printed TestImages::image(const QStringList& words) const
{
    const auto process = m_cluster.terminal(QStringList{QStringLiteral("image")} + words
        + QStringList{QStringLiteral("--site"), QStringLiteral("demo")});
    process->closeWriteChannel();
    Printed printed;
    if (process->waitForFinished(120'000) && process->exitStatus() == QProcess::NormalExit)
        printed.code = process->exitCode();
    printed.out = process->readAllStandardOutput();
    printed.err = process->readAllStandardError();
    process->kill();
    process->waitForFinished();
    return printed;
}

void TestImages::inspect_saysWhatTheRegistryHas()
{
    const Printed printed = image({QStringLiteral("inspect"), python, QStringLiteral("--json")});
    QVERIFY2(printed.code == 0, printed.all());
    const QJsonObject object = QJsonDocument::fromJson(printed.out).object();
    QCOMPARE(object[u"image"].toString(), QString(u"docker://" + python));
    QCOMPARE(object[u"asked_from"].toString(), QStringLiteral("the login node of Demo cluster"));
    QCOMPARE(object[u"platforms"].toArray().size(), 1);
    QCOMPARE(object[u"layers"].toArray().size(), 1);
    QCOMPARE(
        object[u"bytes"].toInteger(), object[u"layers"].toArray().first()[u"bytes"].toInteger());
    QVERIFY2(object[u"bytes"].toInteger() > 1'000'000, printed.out);
    QVERIFY2(object[u"cuda"].isNull(), printed.out);
    QVERIFY2(object[u"free_bytes"].toInteger() > 0, printed.out);
    // What it shows to type gives the manifest of that digest.
    const auto manifest = m_cluster.ssh(object[u"command"].toString() + u" | sha256sum");
    QVERIFY2(
        object[u"digest"].toString() == u"sha256:" + QString::fromLatin1(manifest.out.left(64)),
        manifest.out);
    // Real GPUs are an open question for an image that says nothing of CUDA. Slurm counts those of
    // the nodes in each partition.
    const QString expected = realGpus() ? QStringLiteral("unknown") : QStringLiteral("ok");
    QMap<QString, QString> verdicts;
    for (const auto& partition : object[u"partitions"].toArray()) {
        verdicts.insert(partition[u"partition"].toString(), partition[u"verdict"].toString());
        QVERIFY2(!partition[u"sentence"].toString().isEmpty(), printed.out);
        QVERIFY2(!partition[u"rule"].toString().isEmpty(), printed.out);
    }
    QCOMPARE(verdicts,
        (QMap<QString, QString>{{QStringLiteral("cpu"), expected},
            {QStringLiteral("debug"), expected}, {QStringLiteral("gpu"), expected}}));
}

void TestImages::inspect_isReadable()
{
    const Printed printed = image({QStringLiteral("inspect"), python});
    QVERIFY2(printed.code == 0, printed.all());
    const char* const why = realGpus() ? "does not say which CUDA" : "The image runs on the CPUs";
    for (const char* text : {"docker://login:5000/demo/python:3.13\n", "\nDigest      sha256:",
             "compressed, 1 layer\n", "\nPARTITION ", "curl -sL -H 'Accept: ", why}) {
        const QByteArray missing = QByteArray(text) + " is not in\n" + printed.all();
        QVERIFY2(printed.out.contains(text), missing);
    }
}

void TestImages::missingTag_isNamed_data()
{
    QTest::addColumn<QString>("image");
    QTest::newRow("tag") << QStringLiteral("login:5000/demo/python:9.99");
    QTest::newRow("repository") << QStringLiteral("login:5000/demo/nothing:1");
}

void TestImages::missingTag_isNamed()
{
    QFETCH(QString, image);
    const Printed printed = this->image({QStringLiteral("inspect"), image});
    QVERIFY2(printed.code == 2, printed.all());
    QVERIFY2(printed.err.contains(image.section(u'/', 1).toUtf8()), printed.all());
    QVERIFY(printed.out.isEmpty());
}

SLIPWAY_TEST(TestImages, cluster_images)
#include "tst_images.moc"
