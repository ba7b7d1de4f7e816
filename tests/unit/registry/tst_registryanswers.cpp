// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"
#include "tests/unit/registry/registryrig.h"

#include <QTest>

using namespace slipway;
using namespace std::chrono_literals;

class TestRegistryAnswers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { forgetProxies(); }
    void answers_haveTheirErrors_data();
    void answers_haveTheirErrors();
    void changedBytes_areNoticed_data() { bothWays(); }
    void changedBytes_areNoticed();
    void indexOfItself_isNotFollowed_data() { bothWays(); }
    void indexOfItself_isNotFollowed();
};

void TestRegistryAnswers::answers_haveTheirErrors_data()
{
    QTest::addColumn<FakeAnswer>("answer");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    QTest::addColumn<bool>("overShell");
    const auto row = [](const char* name, const FakeAnswer& answer, ErrorKind kind,
                         const char* says) {
        for (const bool overShell : {false, true})
            QTest::addRow("%s%s", name, overShell ? ", with curl" : "")
                << answer << kind << QString::fromUtf8(says) << overShell;
    };
    using End = FakeAnswer::End;
    const QByteArray page = "<!DOCTYPE html><html><body>Sign in to WLAN</body></html>";
    row("no such tag", {404, R"({"errors":[{"code":"MANIFEST_UNKNOWN"}]})"}, ErrorKind::NotFound,
        "no image demo/app:1.0");
    row("no such repository", {404, R"({"errors":[{"code":"NAME_UNKNOWN"}]})"}, ErrorKind::NotFound,
        "no repository");
    row("no registry", {404, page, "text/html"}, ErrorKind::Protocol, "Sign in to WLAN");
    row("a page", {200, page, "text/html; charset=utf-8"}, ErrorKind::Protocol, "Sign in to WLAN");
    row("a page that calls itself JSON", {200, page}, ErrorKind::Protocol, "Sign in to WLAN");
    row("packed", {200, "\x1f\x8b", "application/json", {{"Content-Encoding", "gzip"}}},
        ErrorKind::Protocol, "something other");
    row("not JSON", {200, "hello"}, ErrorKind::Protocol, "not JSON");
    row("schema 1", {200, R"({"schemaVersion":1,"fsLayers":[]})"}, ErrorKind::Unsupported,
        "manifest schema 1");
    row("forbidden", {403, R"({"errors":[{"code":"DENIED"}]})"}, ErrorKind::Authentication,
        "without a login");
    row("rate limit",
        {429, R"({"errors":[{"code":"TOOMANYREQUESTS"}]})", "application/json",
            {{"Retry-After", "90"}}},
        ErrorKind::Refused, "1:30");
    row("a broken server", {503, "down for maintenance", "text/plain"}, ErrorKind::Network,
        "HTTP 503");
    row("a strange status", {418, "teapot", "text/plain"}, ErrorKind::Protocol, "HTTP 418");
    row("too large", {200, QByteArray(5 * 1024 * 1024, ' ')}, ErrorKind::Invalid, "4.0 MiB");
    row("without end", {200, {}, "application/json", {}, End::Endless}, ErrorKind::Invalid,
        "4.0 MiB");
    row("cut", {200, QByteArray(2000, ' '), "application/json", {}, End::Cut}, ErrorKind::Network,
        "before its answer was complete");
}

void TestRegistryAnswers::answers_haveTheirErrors()
{
    QFETCH(FakeAnswer, answer);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, says);
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.script(manifestPath, answer);
    const auto image = describe(overShell, registry);
    QVERIFY(!image.ok());
    QVERIFY2(image.error().kind == kind, qPrintable(why(image)));
    QVERIFY2(image.error().text().contains(says), qPrintable(why(image)));
    QVERIFY(image.error().detail.size() < 1000);
}

void TestRegistryAnswers::changedBytes_areNoticed()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.addImage("demo/app", "1.0");
    const auto image = describe(overShell, registry);
    QVERIFY2(image.ok(), qPrintable(why(image)));
    const QByteArray config = registry.requests().back().path;
    registry.script(config, {200, R"({"architecture":"amd64","os":"linux"})"});
    const auto changed = describe(overShell, registry);
    QVERIFY(!changed.ok());
    QCOMPARE(changed.error().kind, ErrorKind::Protocol);
    QVERIFY(changed.error().summary.contains(u"SHA-256"));

    const FakeAnswer manifest{200, "{}", "application/json",
        {{"Docker-Content-Digest", "sha256:" + QByteArray(64, 'a')}}};
    registry.script(manifestPath, manifest);
    const auto announced = describe(overShell, registry);
    QVERIFY(!announced.ok());
    QVERIFY(announced.error().summary.contains(u"SHA-256"));
}

void TestRegistryAnswers::indexOfItself_isNotFollowed()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    const QByteArray inner =
        registry.addIndex("demo/app", {}, {{"amd64", "sha256:" + QByteArray(64, '1')}});
    registry.addIndex("demo/app", "1.0", {{"amd64", inner}});
    const auto image = describe(overShell, registry);
    QVERIFY(!image.ok());
    QCOMPARE(image.error().kind, ErrorKind::Protocol);
    QVERIFY(image.error().summary.contains(u"another index"));
    QCOMPARE(registry.requests().size(), size_t(2));
}

SLIPWAY_TEST(TestRegistryAnswers, registry_answers)
#include "tst_registryanswers.moc"
