// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/workerthread.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <atomic>
#include <memory>
#include <pthread.h>
#include <semaphore>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

std::atomic<bool> released = false;

/// What OpenSSL does with the generators of a thread, only slower.
void releaseSlowly(void*)
{
    std::this_thread::sleep_for(200ms);
    released = true;
}

} // namespace

class TestWorkerThread : public QObject {
    Q_OBJECT

private slots:
    void waiting_includesWhatLibrariesRelease();
    void waiting_endsAtItsLimit();
    void work_isReleasedBeforeTheThreadEnds();
    void abandonedThread_runsOn();
};

void TestWorkerThread::waiting_includesWhatLibrariesRelease()
{
    pthread_key_t key{};
    QCOMPARE(pthread_key_create(&key, releaseSlowly), 0);
    released = false;
    WorkerThread worker([key] { pthread_setspecific(key, &released); }, [] {});
    QVERIFY(worker.hasEndedWithin(20s));
    QVERIFY(released);
    QVERIFY(worker.hasEndedWithin(0ms)); // asked again
    pthread_key_delete(key);
}

void TestWorkerThread::waiting_endsAtItsLimit()
{
    std::binary_semaphore stop{0};
    WorkerThread worker([&stop] { stop.acquire(); }, [&stop] { stop.release(); });
    QVERIFY(!worker.hasEndedWithin(10ms));
    QVERIFY(!worker.wasStopped());
    worker.stop();
    QVERIFY(worker.wasStopped());
    QVERIFY(worker.hasEndedWithin(20s));
}

void TestWorkerThread::work_isReleasedBeforeTheThreadEnds()
{
    auto held = std::make_shared<int>(1);
    const std::weak_ptr<int> seen = held;
    WorkerThread worker([held = std::move(held)] {}, [] {});
    QVERIFY(worker.hasEndedWithin(20s));
    QVERIFY(seen.expired());
}

void TestWorkerThread::abandonedThread_runsOn()
{
    auto go = std::make_shared<std::binary_semaphore>(0);
    auto done = std::make_shared<std::atomic<bool>>(false);
    {
        WorkerThread worker(
            [go, done] {
                go->acquire();
                *done = true;
            },
            [] {});
        QVERIFY(!worker.hasEndedWithin(1ms));
    }
    go->release();
    QTRY_VERIFY(*done);
}

SLIPWAY_TEST(TestWorkerThread, ssh_workerthread)
#include "tst_workerthread.moc"
