// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "plots/metrics/pipeline.h"

#include <QFile>
#include <QProcess>
#include <QTest>

#include <cmath>

using namespace slipway;

using namespace Qt::StringLiterals;

/// The helpers in resources/helpers with which a person's own program prints its numbers, run by
/// the real interpreters.
class TestHelpers : public QObject {
    Q_OBJECT

private slots:
    void python_printsWhatIsRead();
    void python_isOfTheOldestVersion();
    void shell_printsWhatIsRead();
    void page_showsTheSameLine();
};

namespace {

const QString helpers = sourcePath(u"/resources/helpers"_s);

QByteArray outputOf(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.setWorkingDirectory(helpers);
    process.start(program, arguments);
    if (!process.waitForFinished(30'000) || process.exitCode() != 0)
        return "failed: " + process.readAllStandardError();
    return process.readAllStandardOutput();
}

QByteArray contentOf(const QString& name)
{
    QFile file(helpers + u'/' + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

void TestHelpers::python_printsWhatIsRead()
{
    const QByteArray output = outputOf(u"python3"_s,
        {u"-B"_s, u"-c"_s,
            u"import slipway_metrics as m\n"
            "m.samples({'loss': 0.25, 'accuracy': float('nan')}, step=3)\n"
            "m.sample('bandwidth', 2e9, x=1024, x_name='size', unit='B/s', lane='gpu 0', low=1e9)\n"
            "m.sample('spoken', 1)\n"
            "m.event('checkpoint', 'Saved \"model\"', count=3)\n"_s});
    MetricsPipeline pipeline({u"slipway"_s});
    pipeline.feed(output);
    pipeline.finish();
    const auto samples = pipeline.takeSamples();
    QVERIFY2(samples.size() == 4, output.constData());
    QCOMPARE(samples[0].series, u"loss"_s);
    QCOMPARE(samples[0].x, 3.0);
    QCOMPARE(samples[0].xName, u"step"_s);
    QVERIFY(std::isnan(samples[1].y));
    QCOMPARE(samples[2].unit, u"B/s"_s);
    QCOMPARE(samples[2].lane, u"gpu 0"_s);
    QCOMPARE(samples[2].low.value_or(0), 1e9);
    QCOMPARE(samples[3].xName, u"line"_s);
    const auto events = pipeline.takeEvents();
    QCOMPARE(events.size(), size_t(1));
    QCOMPARE(events[0].text, u"Saved \"model\""_s);
    QCOMPARE(events[0].values.value(u"count"_s), u"3"_s);
}

void TestHelpers::python_isOfTheOldestVersion()
{
    QCOMPARE(outputOf(u"python3"_s,
                 {u"-c"_s,
                     u"import ast; ast.parse(open('slipway_metrics.py').read(), "
                     "feature_version=(3, 6)); print('ok')"_s}),
        "ok\n"_ba);
}

void TestHelpers::shell_printsWhatIsRead()
{
    const QByteArray output = outputOf(u"sh"_s,
        {u"-euc"_s,
            u". ./slipway_metrics.sh; slipway_sample residual 0.001 120; "
            "slipway_sample speed 3 '' img/s"_s});
    MetricsPipeline pipeline({u"slipway"_s});
    pipeline.feed(output);
    pipeline.finish();
    const auto samples = pipeline.takeSamples();
    QVERIFY2(samples.size() == 2, output.constData());
    QCOMPARE(samples[0].series, u"residual"_s);
    QCOMPARE(samples[0].x, 120.0);
    QCOMPARE(samples[0].y, 0.001);
    QCOMPARE(samples[1].unit, u"img/s"_s);
    QCOMPARE(samples[1].xName, u"line"_s);
}

void TestHelpers::page_showsTheSameLine()
{
    const QByteArray helper = contentOf(u"slipway_metrics.sh"_s);
    const QByteArray line = helper.mid(helper.indexOf("slipway_sample()")).trimmed();
    QVERIFY(line.size() > 50);
    QVERIFY(contentOf(u"README.md"_s).contains(line));
}

SLIPWAY_TEST(TestHelpers, records_helpers)
#include "tst_helpers.moc"
