// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/heartbeat.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <ctime>

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
    QVERIFY2(heartbeat.worst() < 50, qPrintable(QString::number(heartbeat.worst())));
}

void TestHeartbeat::waiting_holdsItUp()
{
    const Heartbeat heartbeat;
    QTimer::singleShot(0, [] { QThread::msleep(400); });
    QTest::qWait(100);
    QVERIFY2(heartbeat.worst() > 200, qPrintable(QString::number(heartbeat.worst())));
}

void TestHeartbeat::work_holdsItUp()
{
    const Heartbeat heartbeat;
    QTimer::singleShot(0, [] {
        timespec used{};
        const auto milliseconds = [&used] {
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
            return used.tv_sec * 1000 + used.tv_nsec / 1'000'000;
        };
        for (const auto begin = milliseconds(); milliseconds() < begin + 400;)
            continue;
    });
    QTest::qWait(100);
    QVERIFY2(heartbeat.worst() > 200, qPrintable(QString::number(heartbeat.worst())));
}

SLIPWAY_TEST(TestHeartbeat, base_heartbeat)
#include "tst_heartbeat.moc"
