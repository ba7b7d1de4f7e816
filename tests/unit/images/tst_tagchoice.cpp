// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/tagchoice.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway;

/// Tags as versions and flavours, and which of them come next.
class TestTagChoice : public QObject {
    Q_OBJECT

private slots:
    void parts_data();
    void parts();
    void newest_data();
    void newest();
    void nearest_data();
    void nearest();
    void hostileTags_areHarmless();
};

namespace {

QString versionOf(const TagParts& parts)
{
    QStringList numbers;
    for (const int number : parts.version)
        numbers << QString::number(number);
    return numbers.join(u'.');
}

const QStringList torch{QStringLiteral("latest"), QStringLiteral("2.4.1-cuda12.1-cudnn9-runtime"),
    QStringLiteral("2.4.1-cuda12.4-cudnn9-runtime"), QStringLiteral("2.4.1-cuda12.4-cudnn9-devel"),
    QStringLiteral("2.10.0-cuda13.0-cudnn9-runtime"),
    QStringLiteral("2.9.0-cuda12.8-cudnn9-runtime"),
    QStringLiteral("2.9.0rc1-cuda12.8-cudnn9-runtime")};
const QStringList pythonTags{QStringLiteral("3"), QStringLiteral("3.9"), QStringLiteral("3.13"),
    QStringLiteral("3.13.1"), QStringLiteral("3.14"), QStringLiteral("3.13-slim"),
    QStringLiteral("3.15-rc"), QStringLiteral("latest"), QStringLiteral("20240101")};

} // namespace

void TestTagChoice::parts_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<QString>("flavour");
    QTest::addColumn<bool>("isPreRelease");
    const auto row = [](const char* tag, const char* version, const char* flavour,
                         bool pre = false) {
        QTest::newRow(tag) << QString::fromLatin1(version) << QString::fromLatin1(flavour) << pre;
    };
    row("2.4.1-cuda12.1-cudnn9-runtime", "2.4.1", "-cuda*-cudnn*-runtime");
    row("24.03-py3", "24.3", "-py3");
    row("12.4.1-devel-ubuntu22.04", "12.4.1", "-devel-ubuntu22.04");
    row("12.4.1-cudnn-runtime-rockylinux9", "12.4.1", "-cudnn-runtime-rockylinux9");
    row("2.15.0-gpu", "2.15.0", "-gpu");
    row("2.16.0rc0-gpu", "2.16.0", "-gpu", true);
    row("1.0-beta2", "1.0", "", true);
    row("v1.2", "1.2", "");
    row("latest-gpu", "", "-gpu");
    row("latest", "", "");
    row("edge", "", "edge");
    row("3.13-bookworm", "3.13", "-bookworm");
    row("1.0-a100", "1.0", "-a100");
    row("99999999999.1", "", "99999999999.1");
}

void TestTagChoice::parts()
{
    const TagParts parts = tagParts(QString::fromLatin1(QTest::currentDataTag()));
    QTEST(versionOf(parts), "version");
    QTEST(parts.flavour, "flavour");
    QTEST(parts.isPreRelease, "isPreRelease");
}

void TestTagChoice::newest_data()
{
    QTest::addColumn<QStringList>("tags");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("other CUDA, same flavour")
        << torch << QStringLiteral("2.4.1-cuda11.8-cudnn9-runtime")
        << QStringList{torch[4], torch[5], torch[2]};
    QTest::newRow("devel") << torch << torch[3] << QStringList{torch[3]};
    QTest::newRow("as precise") << pythonTags << QStringLiteral("3.12")
                                << QStringList{QStringLiteral("3.14"), QStringLiteral("3.13"),
                                       QStringLiteral("3.9")};
    QTest::newRow("latest") << pythonTags << QStringLiteral("latest")
                            << QStringList{QStringLiteral("20240101"), QStringLiteral("3.14"),
                                   QStringLiteral("3.13.1")};
    QTest::newRow("no such flavour")
        << pythonTags << QStringLiteral("3.13-alpine") << QStringList();
    QTest::newRow("nothing") << QStringList() << QStringLiteral("1") << QStringList();
}

void TestTagChoice::newest()
{
    QFETCH(QStringList, tags);
    QFETCH(QString, asked);
    QTEST(newestTags(tags, asked, 3), "expected");
}

void TestTagChoice::nearest_data()
{
    QTest::addColumn<QStringList>("tags");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("expected");
    QTest::newRow("too new") << pythonTags << QStringLiteral("3.99") << QStringLiteral("3.14");
    QTest::newRow("between") << pythonTags << QStringLiteral("3.12") << QStringLiteral("3.9");
    QTest::newRow("too old") << pythonTags << QStringLiteral("3.1") << QStringLiteral("3.9");
    QTest::newRow("other precision")
        << torch << QStringLiteral("2.99-cuda12.4-cudnn9-runtime") << torch[4];
    QTest::newRow("misspelled") << pythonTags << QStringLiteral("lates")
                                << QStringLiteral("latest");
    QTest::newRow("nothing like it") << pythonTags << QStringLiteral("zzz") << QString();
}

void TestTagChoice::nearest()
{
    QFETCH(QStringList, tags);
    QFETCH(QString, asked);
    QTEST(nearestTags(tags, asked, 3).value(0), "expected");
}

void TestTagChoice::hostileTags_areHarmless()
{
    QStringList tags;
    for (int i = 0; i < 2000; ++i)
        tags << QStringLiteral("1.").repeated(60) + QString::number(i);
    tags << QString() << QStringLiteral("-") << QStringLiteral("cuda") << QString(128, u'9');
    QCOMPARE(newestTags(tags, QStringLiteral("latest"), 6).size(), 6);
    QCOMPARE(nearestTags(tags, QStringLiteral("1.1"), 3).size(), 3);
    QVERIFY(nearestTags(tags, QString(), 3).size() <= 3);
}

SLIPWAY_TEST(TestTagChoice, images_tagchoice)
#include "tst_tagchoice.moc"
