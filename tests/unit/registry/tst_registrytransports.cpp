// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"
#include "tests/unit/registry/registryrig.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <QTimer>

using namespace slipway;
using namespace std::chrono_literals;

class TestRegistryTransports : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { forgetProxies(); }
    void slowServer_isNotWaitedFor_data() { bothWays(); }
    void slowServer_isNotWaitedFor();
    void head_hasNoBody_data() { bothWays(); }
    void head_hasNoBody();
    void nobodyThere_isANetworkError_data() { bothWays(); }
    void nobodyThere_isANetworkError();
    void shellWithoutCurl_isUnsupported();
    void curl_seesNoSecretInItsArguments();
};

void TestRegistryTransports::slowServer_isNotWaitedFor()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.script("/v2/", {200, {}, "text/plain", {}, FakeAnswer::End::Silent});
    RegistryRequest request;
    request.url = QUrl::fromEncoded(registry.url("/v2/"));
    request.mostBytes = 1000;
    request.mostTime = 200ms; // curl counts whole seconds
    const auto answer = awaited(transportFor(overShell)->ask(request));
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().kind, ErrorKind::Timeout);
    QVERIFY(answer.error().summary.contains(overShell ? u"login1" : u"this computer"));
}

void TestRegistryTransports::head_hasNoBody()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.script(
        "/v2/", {200, QByteArray(5000, 'x'), "text/plain", {{"X-Mark", "1"}, {"X-Mark", "2"}}});
    RegistryRequest request;
    request.url = QUrl::fromEncoded(registry.url("/v2/"));
    request.mostBytes = 1000;
    request.headOnly = true;
    const auto answer = awaited(transportFor(overShell)->ask(request));
    QVERIFY2(answer.ok(), qPrintable(answer.ok() ? QString() : answer.error().text()));
    QCOMPARE(answer->status, 200);
    QVERIFY(answer->body.isEmpty());
    QCOMPARE(answer->headers.value("x-mark"), QByteArray("1, 2"));
    QCOMPARE(registry.requests().front().method, QByteArray("HEAD"));
}

void TestRegistryTransports::nobodyThere_isANetworkError()
{
    QFETCH(bool, overShell);
    QString gone;
    {
        const FakeRegistry registry;
        gone = registry.name();
    }
    const auto image = ImageReference::parse(gone + QStringLiteral("/demo/app:1.0"));
    QVERIFY(image.ok());
    for (const bool isPlain : {true, false}) {
        const RegistryClient client(
            transportFor(overShell), isPlain ? QStringList{gone} : QStringList());
        const auto described = awaited(client.describe(*image, amd));
        QVERIFY(!described.ok());
        QCOMPARE(described.error().kind, ErrorKind::Network);
    }
    // Where plain HTTP answers, TLS alone is spoken: nothing is sent in the clear.
    FakeRegistry plain;
    const auto known = ImageReference::parse(plain.name() + QStringLiteral("/demo/app:1.0"));
    const RegistryClient client(transportFor(overShell));
    const auto described = awaited(client.describe(*known, amd, me));
    QVERIFY(!described.ok());
    QCOMPARE(described.error().kind, ErrorKind::Network);
    QVERIFY(!wasToldASecret(plain));
}

void TestRegistryTransports::shellWithoutCurl_isUnsupported()
{
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    RegistryRequest request;
    request.url = QUrl(QStringLiteral("http://127.0.0.1:1/v2/"));
    request.mostBytes = 1000;
    const auto answer = awaited(transportFor(true)->ask(request));
    qputenv("PATH", path);
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().kind, ErrorKind::Unsupported);
    QVERIFY(answer.error().summary.contains(u"curl on login1"));
}

void TestRegistryTransports::curl_seesNoSecretInItsArguments()
{
    // The answer never comes, so that curl is there to be looked at; then the line is cut.
    auto registry = std::make_unique<FakeRegistry>();
    registry->script("/v2/", {200, {}, "text/plain", {}, FakeAnswer::End::Silent});
    QByteArray seen, received;
    const auto look = [&seen, &received, &registry] {
        bool hasCurl = false;
        for (const QString& process : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            QFile file(QStringLiteral("/proc/%1/cmdline").arg(process));
            if (!process.front().isDigit() || !file.open(QIODevice::ReadOnly))
                continue;
            const QByteArray line = file.readAll().replace('\0', ' ');
            seen += line + '\n';
            QFile variables(QStringLiteral("/proc/%1/environ").arg(process));
            if (!line.startsWith("curl -q") || !variables.open(QIODevice::ReadOnly))
                continue;
            hasCurl = true;
            seen += variables.readAll();
        }
        if (!hasCurl || !registry || registry->requests().empty())
            return;
        received = registry->requests().front().headers.value("authorization");
        registry.reset();
    };
    RegistryRequest request;
    request.url = QUrl::fromEncoded(registry->url("/v2/?in-the-address"));
    request.headers = {{"Authorization", "Bearer in-the-header"}};
    request.mostBytes = 1000;
    QTimer timer;
    connect(&timer, &QTimer::timeout, &timer, look);
    timer.start(20ms);
    const auto answer = awaited(transportFor(true)->ask(request));
    QVERIFY(!answer.ok());
    QCOMPARE(answer.error().kind, ErrorKind::Network);
    QVERIFY(!registry); // curl was seen
    QCOMPARE(received, QByteArray("Bearer in-the-header"));
    QVERIFY(!seen.contains("in-the-header"));
    QVERIFY(!seen.contains("in-the-address"));
}

SLIPWAY_TEST(TestRegistryTransports, registry_transports)
#include "tst_registrytransports.moc"
