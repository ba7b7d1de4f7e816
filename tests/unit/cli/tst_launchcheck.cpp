// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"
#include "tests/unit/cli/clihome.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace slipway;

/// The image of a launch in the terminal, as far as that needs no network: the registry of the demo
/// cluster is known only inside it, and there is no connection.
class TestLaunchCheck : public QObject {
    Q_OBJECT

private slots:
    void unreachableRegistry_isNoError();
    void withoutTheOption_nobodyIsAsked();
    void pin_needsTheDigest();
    void misuse_isNamed_data();
    void misuse_isNamed();
    void sameImage_needsANotedDigest();

private:
    CliHome m_home;
};

void TestLaunchCheck::unreachableRegistry_isNoError()
{
    const QString lint = QStringLiteral("lint run-a-command --site demo --set command=true "
                                        "--image login:5000/demo/python:3.13 --ask-registry");
    QVERIFY2(m_home.run(lint + u" --json") == 0, qPrintable(m_home.err));
    const QString last = m_home.out.trimmed().section(u'\n', -1);
    const QJsonArray images =
        QJsonDocument::fromJson(last.toUtf8()).object().value(u"image_check").toArray();
    QVERIFY2(images.size() == 1, qPrintable(m_home.out));
    const QJsonObject image = images.first().toObject();
    QCOMPARE(
        image.value(u"image").toString(), QStringLiteral("docker://login:5000/demo/python:3.13"));
    QCOMPARE(image.value(u"registry").toString(), QStringLiteral("unreachable"));
    QCOMPARE(image.value(u"standing").toString(), QStringLiteral("unknown"));
    QVERIFY(image.value(u"digest").isNull());
    QVERIFY2(m_home.run(lint) == 0, qPrintable(m_home.err));
    QVERIFY2(m_home.out.contains(u"Unknown: The registry login:5000"), qPrintable(m_home.out));
}

void TestLaunchCheck::withoutTheOption_nobodyIsAsked()
{
    QCOMPARE(
        m_home.run(QStringLiteral("lint run-a-command --site demo --set command=true --json")), 0);
    QVERIFY2(!m_home.out.contains(u"image_check"), qPrintable(m_home.out));
}

void TestLaunchCheck::pin_needsTheDigest()
{
    QCOMPARE(m_home.run(QStringLiteral(
                 "lint run-a-command --site demo --set command=true --set pin=true")),
        1);
    QVERIFY2(
        m_home.out.contains(u"error: pin: The image cannot be pinned"), qPrintable(m_home.out));
    QVERIFY2(m_home.out.contains(u"--set pin=false"), qPrintable(m_home.out));
}

void TestLaunchCheck::misuse_isNamed_data()
{
    QTest::addColumn<QString>("words");
    QTest::newRow("run run-a-command --site demo --same-image")
        << QStringLiteral("--same-image requires --relaunch");
    QTest::newRow("image list --site demo --newest")
        << QStringLiteral("--newest is an option of “image inspect”");
}

void TestLaunchCheck::misuse_isNamed()
{
    QFETCH(QString, words);
    QCOMPARE(m_home.run(QString::fromLatin1(QTest::currentDataTag())), 2);
    QVERIFY2(m_home.err.contains(words), qPrintable(m_home.err));
}

void TestLaunchCheck::sameImage_needsANotedDigest()
{
    Run run;
    run.id = QStringLiteral("k3f9");
    run.tag = QStringLiteral("a-tag");
    run.phase = RunPhase::Done;
    run.spec.siteId = QStringLiteral("demo");
    run.spec.recipeId = QStringLiteral("run-a-command");
    run.created = QDateTime::currentDateTime();
    m_home.keep(run, {}, {});
    QCOMPARE(m_home.run(QStringLiteral("run --relaunch k3f9 --same-image")), 2);
    QVERIFY2(m_home.err.contains(u"has not noted which digest"), qPrintable(m_home.err));
    run.id = QStringLiteral("m2x7");
    run.tag = QStringLiteral("another-tag");
    run.registryDigest = u"sha256:" + QString(64, u'b');
    m_home.keep(run, {}, {});
    QCOMPARE(m_home.run(QStringLiteral("show m2x7 --json")), 0);
    QVERIFY2(m_home.out.contains(u"\"image_registry_digest\":\"" + run.registryDigest),
        qPrintable(m_home.out));
}

SLIPWAY_TEST(TestLaunchCheck, cli_launchcheck)
#include "tst_launchcheck.moc"
