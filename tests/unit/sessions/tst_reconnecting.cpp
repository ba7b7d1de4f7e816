// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/noticingprompter.h"
#include "app/sessions/pathwatch.h"
#include "app/sessions/reconnecting.h"
#include "app/sessions/wakewatch.h"
#include "tests/support/awaited.h"
#include "tests/support/listprompter.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTest>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

/// Leads to a port of this computer, if it has one.
class PlaceConnector : public Connector {
public:
    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(ConnectTarget, Prompter*) override
    {
        co_return Result<std::shared_ptr<Shell>>(Error{ErrorKind::Network, {}});
    }
    QCoro::Task<Result<HostPort>> firstStop(ConnectTarget) override
    {
        ++asked;
        co_return port > 0 ? Result<HostPort>(HostPort{QStringLiteral("127.0.0.1"), port})
                           : Result<HostPort>(Error{ErrorKind::Unsupported, {}});
    }

    int port = 0;
    int asked = 0;
};

} // namespace

/// When a lost connection is tried again, with a clock that is played.
class TestReconnecting : public QObject {
    Q_OBJECT

private slots:
    void pauses_doubleToAMinuteAndGoOn();
    void jitter_staysWithinATwentiethOfTen();
    void loginThatAskedAPerson_isNeverRepeated();
    void errors_thatDoNotPassEndTheAttempts_data();
    void errors_thatDoNotPassEndTheAttempts();
    void success_beginsAnew();
    void waking_triesSoonButNotTwiceInFiveSeconds();
    void nobody_isAskedBehindThePersonsBack();
    void answers_areNoticed();
    void approvalsElsewhere_areNoticed();
    void sleep_isNoticed();
    void openPath_isNoticedOnce();
    void command_isNoPath();
};

void TestReconnecting::pauses_doubleToAMinuteAndGoOn()
{
    Reconnecting reconnecting;
    reconnecting.loggedIn(false);
    std::chrono::milliseconds now = 100s;
    auto due = reconnecting.lost(now, 0);
    QList<qint64> pauses;
    for (int i = 0; i < 500; ++i) {
        QVERIFY(due.has_value());
        pauses << (*due - now).count();
        now = *due + 2s;
        due = reconnecting.failed(Error{ErrorKind::Network, {}}, *due, now, 0);
    }
    QCOMPARE(pauses.mid(0, 8), (QList<qint64>{1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000}));
    QCOMPARE(pauses.last(), 60000);
    QCOMPARE(reconnecting.attempts(), 500);
}

void TestReconnecting::jitter_staysWithinATwentiethOfTen()
{
    for (const double jitter : {-5.0, -1.0, -0.3, 0.0, 0.7, 1.0, 9.0}) {
        Reconnecting reconnecting;
        reconnecting.loggedIn(false);
        const auto due = reconnecting.lost(0s, jitter);
        QVERIFY(due && *due >= 800ms && *due <= 1200ms);
    }
}

void TestReconnecting::loginThatAskedAPerson_isNeverRepeated()
{
    Reconnecting reconnecting;
    QVERIFY(!reconnecting.lost(0s, 0)); // before any login
    reconnecting.loggedIn(true);
    QVERIFY(!reconnecting.lost(0s, 0));
    QVERIFY(!reconnecting.woken(10s, 0));
    QCOMPARE(reconnecting.attempts(), 0);
}

void TestReconnecting::errors_thatDoNotPassEndTheAttempts_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("goesOn");
    QTest::newRow("network") << int(ErrorKind::Network) << true;
    QTest::newRow("timeout") << int(ErrorKind::Timeout) << true;
    QTest::newRow("link lost") << int(ErrorKind::LinkLost) << true;
    QTest::newRow("host key") << int(ErrorKind::HostKey) << false;
    QTest::newRow("authentication") << int(ErrorKind::Authentication) << false;
    QTest::newRow("refused") << int(ErrorKind::Refused) << false;
    QTest::newRow("unsupported") << int(ErrorKind::Unsupported) << false;
    QTest::newRow("cancelled") << int(ErrorKind::Cancelled) << false;
}

void TestReconnecting::errors_thatDoNotPassEndTheAttempts()
{
    QFETCH(int, kind);
    QFETCH(bool, goesOn);
    Reconnecting reconnecting;
    reconnecting.loggedIn(false);
    QVERIFY(reconnecting.lost(0s, 0));
    const auto due = reconnecting.failed(Error{ErrorKind(kind), {}}, 1s, 2s, 0);
    QCOMPARE(due.has_value(), goesOn);
    QCOMPARE(reconnecting.woken(3s, 0).has_value(), goesOn);
}

void TestReconnecting::success_beginsAnew()
{
    Reconnecting reconnecting;
    reconnecting.loggedIn(false);
    reconnecting.lost(0s, 0);
    reconnecting.failed(Error{ErrorKind::Network, {}}, 1s, 2s, 0);
    reconnecting.loggedIn(false);
    QCOMPARE(reconnecting.attempts(), 0);
    QCOMPARE(*reconnecting.lost(50s, 0), std::chrono::milliseconds(51s));
}

void TestReconnecting::waking_triesSoonButNotTwiceInFiveSeconds()
{
    Reconnecting reconnecting;
    reconnecting.loggedIn(false);
    auto due = reconnecting.lost(0s, 0);
    std::chrono::milliseconds now = 0s;
    for (int i = 0; i < 8; ++i) {
        now = *due;
        due = reconnecting.failed(Error{ErrorKind::Network, {}}, now, now + 1s, 0);
    }
    // A night later, long before the minute is over for the clock that stood.
    QCOMPARE(*reconnecting.woken(now + 20s, 0), now + 21s);
    const auto began = now + 21s;
    QVERIFY(reconnecting.failed(Error{ErrorKind::Network, {}}, began, began + 100ms, 0));
    // Woken again and again: five seconds lie between two attempts.
    for (int i = 1; i < 4; ++i)
        QCOMPARE(*reconnecting.woken(began + i * 200ms, 0), began + 5s);
    noteTarget("T4",
        QStringLiteral("after waking: one attempt within 5 s, whatever announces it; "
                       "clock played"));
}

void TestReconnecting::nobody_isAskedBehindThePersonsBack()
{
    NoticingPrompter nobody(nullptr);
    PromptRound round;
    round.host = QStringLiteral("login.example");
    QVERIFY(!awaited(nobody.answer(round)));
    QVERIFY(nobody.declined().contains(QStringLiteral("login.example asks for")));
    QVERIFY(!awaited(nobody.acceptHostKey({QStringLiteral("login.example"), 22, {}, {}})));
    QVERIFY(!awaited(nobody.acceptCommand({})));
    nobody.showBanner(QStringLiteral("x"));
}

void TestReconnecting::answers_areNoticed()
{
    ListPrompter person;
    person.accept = true;
    person.answers = {{QStringLiteral("123456")}};
    NoticingPrompter noticing(&person);
    QVERIFY(awaited(noticing.acceptHostKey({})));
    QVERIFY(!noticing.asked()); // the key is known from now on
    QCOMPARE(awaited(noticing.answer({}))->first(), QStringLiteral("123456"));
    QVERIFY(noticing.asked());
    QVERIFY(noticing.declined().isEmpty());
}

/// A push on a phone and a touch of a key are of a person too: neither is sent again by itself.
void TestReconnecting::approvalsElsewhere_areNoticed()
{
    ListPrompter person;
    NoticingPrompter noticing(&person);
    noticing.showNotice(QStringLiteral("Logging in to the jump host gate (1 of 1)."));
    QVERIFY(!noticing.asked());
    noticing.noteApproval(QStringLiteral("Pushed a request to your phone."));
    QVERIFY(noticing.asked());
    QCOMPARE(person.approvals, QStringList{QStringLiteral("Pushed a request to your phone.")});
}

void TestReconnecting::sleep_isNoticed()
{
    std::chrono::milliseconds slept = 3s;
    WakeWatch watch(nullptr, [&slept] { return slept; });
    QSignalSpy woken(&watch, &WakeWatch::woken);
    QSignalSpy ticked(&watch, &WakeWatch::ticked);
    watch.start();
    QTRY_COMPARE(ticked.count(), 1);
    QCOMPARE(woken.count(), 0);
    slept += 8h;
    QTRY_COMPARE(woken.count(), 1);
    QTRY_VERIFY(ticked.count() > 2);
    QCOMPARE(woken.count(), 1);
    watch.stop();
}

void TestReconnecting::openPath_isNoticedOnce()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    PlaceConnector connector;
    connector.port = server.serverPort();
    server.close();
    PathWatch watch(&connector, nullptr, 20ms);
    QSignalSpy opened(&watch, &PathWatch::opened);
    watch.start({});
    watch.start({}); // as after each attempt: it goes on
    QTest::qWait(200);
    QCOMPARE(opened.count(), 0);
    QVERIFY(watch.isWatching());
    QVERIFY(server.listen(QHostAddress::LocalHost, quint16(connector.port)));
    QTRY_COMPARE(opened.count(), 1);
    QVERIFY(!watch.isWatching());
    QTRY_VERIFY(server.hasPendingConnections());
    QTcpSocket* const came = server.nextPendingConnection();
    QTRY_COMPARE(came->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(came->bytesAvailable(), qint64(0)); // nothing was sent
    QTest::qWait(200);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(connector.asked, 1);
    watch.start({});
    QTRY_COMPARE(opened.count(), 2);
}

void TestReconnecting::command_isNoPath()
{
    PlaceConnector connector;
    PathWatch watch(&connector, nullptr, 20ms);
    QSignalSpy opened(&watch, &PathWatch::opened);
    watch.start({});
    QTRY_VERIFY(!watch.isWatching());
    QTest::qWait(100);
    QCOMPARE(opened.count(), 0);
}

SLIPWAY_TEST(TestReconnecting, sessions_reconnecting)
#include "tst_reconnecting.moc"
