// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/cputime.h"
#include "tests/support/heartbeat.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

class TestHeartbeat : public QObject {
    Q_OBJECT

private slots:
    void idleLoop_isNotHeldUp();
    void waiting_holdsItUp();
    void work_holdsItUp();
};

void TestHeartbeat::idleLoop_isNotHeldUp()
{
    const Heartbeat heartbeat;
    QTest::qWait(100);
    QVERIFY2(heartbeat.worst() < 150, qPrintable(QString::number(heartbeat.worst())));
}

void TestHeartbeat::waiting_holdsItUp()
{
    const Heartbeat heartbeat;
    QTimer::singleShot(0, [] { QThread::msleep(800); });
    QTest::qWait(100);
    QVERIFY2(heartbeat.worst() > 200, qPrintable(QString::number(heartbeat.worst())));
}

void TestHeartbeat::work_holdsItUp()
{
    const Heartbeat heartbeat;
    QTimer::singleShot(0, [] {
        const CpuTime used;
        while (used.elapsed() < 800)
            continue;
    });
    QTest::qWait(100);
    QVERIFY2(heartbeat.worst() > 200, qPrintable(QString::number(heartbeat.worst())));
}

SLIPWAY_TEST(TestHeartbeat, base_heartbeat)
#include "tst_heartbeat.moc"
