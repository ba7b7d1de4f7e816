// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runmeasures.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// The peaks of memory that the samples of a run show.
class TestRunMeasures : public QObject {
    Q_OBJECT

private slots:
    void peak_isToldWithItsLimitAndTime();
    void whatWasNotSampled_isAbsent();
};

void TestRunMeasures::peak_isToldWithItsLimitAndTime()
{
    const auto sample = [](int t, qint64 host, qint64 gpu) -> QByteArray {
        return "{\"id\": \"sample\", \"t\": " + QByteArray::number(1'700'000'000 + t)
            + ", \"node\": \"n1\", \"gpus\": [{\"index\": 0, \"memory_used\": "
            + QByteArray::number(gpu) + ", \"memory_total\": 80000000000}], \"host\": "
            + "{\"memory_used\": " + QByteArray::number(host)
            + ", \"memory_total\": 8000000000}}\n";
    };
    const auto facts = measuredMemory(sample(0, 1'000'000'000, 20'400'000'000)
        + sample(1, 7'900'000'000, 79'100'000'000) + "broken {\n"
        + sample(2, 2'000'000'000, 100'000'000));
    QVERIFY2(
        facts.value(QStringLiteral("gpu_memory")).startsWith(u"79.1 of 80.0 GB were in use on "),
        qPrintable(facts.value(QStringLiteral("gpu_memory"))));
    QVERIFY2(facts.value(QStringLiteral("memory")).contains(u"used 7.9 of 8.0 GB on n1"),
        qPrintable(facts.value(QStringLiteral("memory"))));
}

void TestRunMeasures::whatWasNotSampled_isAbsent()
{
    QVERIFY(measuredMemory({}).isEmpty());
    QVERIFY(measuredMemory("{\"id\": \"sample\", \"t\": 1, \"node\": \"n1\", \"gpus\": []}\n\n[]\n")
                .isEmpty());
}

SLIPWAY_TEST(TestRunMeasures, runs_runmeasures)
#include "tst_runmeasures.moc"
