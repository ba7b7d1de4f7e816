// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include "curves.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

/// Outputs as programs printed them elsewhere, each with its origin, and texts written for a rule;
/// and the curves that they must give.
class TestOutputs : public QObject {
    Q_OBJECT

private slots:
    void output_givesItsCurves_data();
    void output_givesItsCurves();
    void form_givesItsCurves_data();
    void form_givesItsCurves();
};

/// A row for each text of the folder, which has at least so many files.
static void addTexts(const QString& path, qsizetype least)
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("curves");
    const QDir folder(sourcePath(path));
    const QStringList names = folder.entryList({QStringLiteral("*.txt")}, QDir::Files, QDir::Name);
    QVERIFY(names.size() >= least);
    for (const QString& name : names) {
        const QByteArray file = '\n' + contentOf(folder.filePath(name));
        qsizetype number = 0;
        for (qsizetype at = file.indexOf("\n=== "); at >= 0;) {
            const qsizetype next = file.indexOf("\n=== ", at + 1);
            const qsizetype text = file.indexOf('\n', at + 1) + 1;
            const qsizetype rule = file.indexOf("\n---\n", text);
            QVERIFY2(rule > 0 && (next < 0 || rule < next), qPrintable(name));
            const qsizetype curves = rule + 4;
            QTest::addRow("%s %lld", qPrintable(name), qlonglong(++number))
                << file.sliced(text, rule + 1 - text)
                << QString::fromUtf8(
                       file.sliced(curves, (next < 0 ? file.size() : next) - curves).trimmed());
            at = next;
        }
    }
}

void TestOutputs::output_givesItsCurves_data()
{
    addTexts(QStringLiteral("/tests/data/outputs"), 30);
}

void TestOutputs::form_givesItsCurves_data()
{
    addTexts(QStringLiteral("/tests/data/forms"), 6);
}

void TestOutputs::form_givesItsCurves()
{
    output_givesItsCurves();
}

void TestOutputs::output_givesItsCurves()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, curves);
    const QString read = curvesOf(text).join(u'\n');
    QVERIFY2(read == curves, qPrintable(QStringLiteral("read:\n%1\n").arg(read)));
}

SLIPWAY_TEST(TestOutputs, metrics_outputs)
#include "tst_outputs.moc"
