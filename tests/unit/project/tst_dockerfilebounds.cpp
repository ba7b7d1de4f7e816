// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/dockerfile.h"
#include "tests/support/cputime.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway;

/// What the conversion of a Dockerfile refuses, and that it ends in time whatever it is given.
class TestDockerfileBounds : public QObject {
    Q_OBJECT

private slots:
    void unusableText_isRefused_data();
    void unusableText_isRefused();
    void largeText_staysWithinItsTime_data();
    void largeText_staysWithinItsTime();
};

void TestDockerfileBounds::unusableText_isRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const QByteArray& text, ErrorKind kind,
                         const char* words) {
        QTest::newRow(name) << text << kind << QString::fromUtf8(words);
    };
    row("nothing", "", ErrorKind::Invalid, "no FROM");
    row("no FROM", "# only\n", ErrorKind::Invalid, "no FROM");
    row("RUN first", "RUN a", ErrorKind::Invalid, "before the first FROM");
    row("HTML", "<html>\n<body>", ErrorKind::Invalid, "Line 1");
    row("scratch", "FROM scratch", ErrorKind::Unsupported, "from nothing");
    row("a stage of scratch", "FROM scratch AS a\nFROM b\nCOPY --from=a /x /x",
        ErrorKind::Unsupported, "Line 1");
    row("no image", "FROM $A", ErrorKind::Invalid, "depends on A");
    row("a hostile image", "FROM 'a\tb'", ErrorKind::Invalid, "is not an image");
    row("a hostile stage", "FROM a AS b;c", ErrorKind::Invalid, "FROM IMAGE AS NAME");
    row("no end", "FROM a\nRUN <<E\nb", ErrorKind::Invalid, "does not end");
    row("large", QByteArray(1024 * 1024 + 1, '\n'), ErrorKind::Invalid, "1 MiB");
    row("many", "FROM a\n" + QByteArray("RUN a\n").repeated(2000), ErrorKind::Invalid, "2,000");
    row("a long line", "FROM a\nRUN " + QByteArray(40'000, 'a'), ErrorKind::Invalid, "Line 2");
    row("variables that double",
        "FROM a\nENV A=aaaaaaaa\n" + QByteArray("ENV A=$A$A\n").repeated(40), ErrorKind::Invalid,
        "variables");
    QByteArray chain = "FROM a AS s0\n";
    for (int i = 1; i < 200; ++i)
        chain += "FROM s" + QByteArray::number(i - 1) + " AS s" + QByteArray::number(i)
            + "\nCOPY --from=s" + QByteArray::number(i - 1) + " /x /x\n";
    row("stages that repeat each other", chain, ErrorKind::Invalid, "repeat each other");
}

void TestDockerfileBounds::unusableText_isRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, words);
    const Result<Conversion> conversion = convertDockerfile(text);
    QVERIFY(!conversion.ok());
    QCOMPARE(conversion.error().kind, kind);
    QVERIFY2(conversion.error().summary.contains(words), qPrintable(conversion.error().text()));
}

void TestDockerfileBounds::largeText_staysWithinItsTime_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const QByteArray& line, int count) {
        QTest::newRow(name) << QByteArray("FROM a\n" + QByteArray(line + '\n').repeated(count));
    };
    row("runs", "RUN if true; then a; fi && b", 900);
    row("flags", "RUN " + QByteArray("--a ").repeated(8000) + 'b', 30);
    row("variables", "ENV A=" + QByteArray("$B${C:-d}").repeated(3000), 8);
    row("defaults", "ENV A=" + QByteArray("${B:-").repeated(6000), 8);
    row("quotes", "RUN " + QByteArray("'\"").repeated(16'000), 8);
    row("continued lines", "RUN a" + QByteArray(" \\\nb").repeated(8000), 8);
    row("labels", "LABEL " + QByteArray("a=b ").repeated(8000), 8);
    row("sources", "COPY " + QByteArray("a ").repeated(490) + "/b", 60);
    row("here-documents", "RUN " + QByteArray("<<A ").repeated(8000), 1);
}

void TestDockerfileBounds::largeText_staysWithinItsTime()
{
    QFETCH(QByteArray, text);
    QVERIFY(text.size() <= 1024 * 1024);
    const CpuTime timer;
    (void)convertDockerfile(text);
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
}

SLIPWAY_TEST(TestDockerfileBounds, project_dockerfilebounds)
#include "tst_dockerfilebounds.moc"
