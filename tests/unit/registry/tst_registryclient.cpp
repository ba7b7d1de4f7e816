// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"
#include "tests/unit/registry/registryrig.h"

#include <QTest>

using namespace slipway;

/// Every test that asks a server runs twice: from this computer, and with curl in a shell.
class TestRegistryClient : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { forgetProxies(); }
    void image_isDescribed_data() { bothWays(); }
    void image_isDescribed();
    void index_leadsToThePlatform_data() { bothWays(); }
    void index_leadsToThePlatform();
    void digest_isAskedForAndHeld_data() { bothWays(); }
    void digest_isAskedForAndHeld();
    void token_isFetchedWithoutALogin_data() { bothWays(); }
    void token_isFetchedWithoutALogin();
    void token_isFetchedWithALogin_data() { bothWays(); }
    void token_isFetchedWithALogin();
    void privateImage_wantsALogin_data() { bothWays(); }
    void privateImage_wantsALogin();
    void basicLogin_isSentOnlyWhenAsked_data() { bothWays(); }
    void basicLogin_isSentOnlyWhenAsked();
    void login_isChecked_data() { bothWays(); }
    void login_isChecked();
    void loginCheck_knowsNoMoreThanItWasTold_data();
    void loginCheck_knowsNoMoreThanItWasTold();
    void loginCheck_leavesForNoOtherHost();
    void login_goesToNoStrangeRealm_data() { bothWays(); }
    void login_goesToNoStrangeRealm();
    void redirect_keepsTheTokenAtHome_data() { bothWays(); }
    void redirect_keepsTheTokenAtHome();
    void redirects_end_data() { bothWays(); }
    void redirects_end();
    void dockerHub_isAskedByItsNames();
    void https_isNeverGivenUp();
    void otherSchemes_areUnsupported_data();
    void otherSchemes_areUnsupported();
};

namespace {

/// ScriptedTransport answers from a table and notes what it was asked; for addresses that no test
/// may ask. Owned by the test.
class ScriptedTransport : public RegistryTransport {
public:
    QMap<QString, RegistryAnswer> answers;
    std::vector<RegistryRequest> requests;

    QString place() const override { return QStringLiteral("a test"); }
    QCoro::Task<Result<RegistryAnswer>> ask(RegistryRequest request) override
    {
        requests.push_back(request);
        RegistryAnswer answer = answers.value(request.url.toString(QUrl::RemoveQuery));
        co_return answer;
    }
};

QByteArray authorizationOf(const RegistryRequest& request)
{
    for (const auto& [name, value] : request.headers)
        if (name == "Authorization")
            return value;
    return {};
}

} // namespace

void TestRegistryClient::image_isDescribed()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    const QByteArray digest = registry.addImage("demo/app", "1.0");
    const auto image = describe(overShell, registry);
    QVERIFY2(image.ok(), qPrintable(why(image)));
    QCOMPARE(image->digest, QString::fromLatin1(digest));
    QCOMPARE(image->manifestDigest, image->digest);
    QCOMPARE(image->platform.text(), QStringLiteral("linux/amd64"));
    QCOMPARE(image->platforms.size(), size_t(1));
    QCOMPARE(image->compressedBytes(), 3'000'000'500);
    QCOMPARE(image->layers[1].createdBy, QStringLiteral("RUN make"));
    QCOMPARE(image->environment.value(QStringLiteral("CUDA_VERSION")), QStringLiteral("12.4.1"));
    QCOMPARE(image->entrypoint, QStringList{QStringLiteral("/entry.sh")});
    QCOMPARE(image->reference.tag, QStringLiteral("1.0"));
    QCOMPARE(registry.requests().size(), size_t(2));
    const QByteArray accepted = registry.requests().front().headers.value("accept");
    for (const char* type : {"application/vnd.oci.image.index.v1+json",
             "application/vnd.docker.distribution.manifest.list.v2+json",
             "application/vnd.oci.image.manifest.v1+json",
             "application/vnd.docker.distribution.manifest.v2+json"})
        QVERIFY2(accepted.contains(type), type);
    QVERIFY(!wasToldASecret(registry));
}

void TestRegistryClient::index_leadsToThePlatform()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    const QByteArray forAmd = registry.addImage("demo/app", {}, "amd64");
    const QByteArray forArm = registry.addImage("demo/app", {}, "arm64");
    const QByteArray index =
        registry.addIndex("demo/app", "1.0", {{"amd64", forAmd}, {"arm64", forArm}});
    const auto image = describe(overShell, registry, {}, "demo/app:1.0", arm);
    QVERIFY2(image.ok(), qPrintable(why(image)));
    QCOMPARE(image->digest, QString::fromLatin1(index));
    QCOMPARE(image->manifestDigest, QString::fromLatin1(forArm));
    QCOMPARE(image->platform.text(), QStringLiteral("linux/arm64"));
    QCOMPARE(image->platforms.size(), size_t(2));
    QVERIFY(image->offers(amd) && image->offers(arm));

    const ImagePlatform power = ImagePlatform::ofNodes(QStringLiteral("ppc64le"));
    const auto other = describe(overShell, registry, {}, "demo/app:1.0", power);
    QVERIFY2(other.ok(), qPrintable(why(other)));
    QVERIFY(!other->offers(power));
    QCOMPARE(other->manifestDigest, QString::fromLatin1(forAmd));
}

void TestRegistryClient::digest_isAskedForAndHeld()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    const QByteArray digest = registry.addImage("demo/app", "1.0");
    const auto image = describe(overShell, registry, {}, "demo/app@" + digest);
    QVERIFY2(image.ok(), qPrintable(why(image)));
    QCOMPARE(registry.requests().front().path, "/v2/demo/app/manifests/" + digest);

    const QByteArray other = "sha256:" + QByteArray(64, '0');
    const FakeAnswer wrong{200, "{\"schemaVersion\":2}"};
    registry.script("/v2/demo/app/manifests/" + other, wrong);
    const auto refused = describe(overShell, registry, {}, "demo/app@" + other);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Protocol);
    QVERIFY(refused.error().detail.contains(other));
}

void TestRegistryClient::token_isFetchedWithoutALogin()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.addImage("demo/app", "1.0");
    registry.wantToken();
    const auto image = describe(overShell, registry);
    QVERIFY2(image.ok(), qPrintable(why(image)));
    const auto& asked = registry.requests();
    QCOMPARE(asked.size(), size_t(4));
    QVERIFY(!asked[0].headers.contains("authorization"));
    QCOMPARE(asked[1].path, QByteArray("/token"));
    QCOMPARE(QByteArray::fromPercentEncoding(asked[1].query),
        QByteArray("service=the \"fake\" registry&scope=repository:demo/app:pull"));
    QVERIFY(!asked[1].headers.contains("authorization"));
    QCOMPARE(asked[2].headers.value("authorization"), "Bearer " + registry.token());
    QCOMPARE(asked[3].headers.value("authorization"), "Bearer " + registry.token());
}

void TestRegistryClient::token_isFetchedWithALogin()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.addImage("demo/app", "1.0");
    registry.wantToken(mine);
    const auto image = describe(overShell, registry, me);
    QVERIFY2(image.ok(), qPrintable(why(image)));
    QCOMPARE(registry.requests()[1].headers.value("authorization"), "Basic " + mine.toBase64());

    const auto wrong =
        describe(overShell, registry, RegistryLogin{me.user, QStringLiteral("guessed")});
    QVERIFY(!wrong.ok());
    QCOMPARE(wrong.error().kind, ErrorKind::Authentication);
    QVERIFY(wrong.error().summary.contains(u"me"));
    QVERIFY(!wrong.error().text().contains(u"guessed"));
}

void TestRegistryClient::privateImage_wantsALogin()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.addImage("demo/app", "1.0");
    registry.wantToken(mine);
    const auto image = describe(overShell, registry);
    QVERIFY(!image.ok());
    QCOMPARE(image.error().kind, ErrorKind::Authentication);
    QVERIFY(image.error().summary.contains(u"demo/app:1.0"));
    QVERIFY(image.error().remedy.contains(registry.name()));
}

void TestRegistryClient::basicLogin_isSentOnlyWhenAsked()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.addImage("demo/app", "1.0");
    QVERIFY(describe(overShell, registry, me).ok());
    QVERIFY(!wasToldASecret(registry));

    registry.wantBasic(mine);
    const auto image = describe(overShell, registry, me);
    QVERIFY2(image.ok(), qPrintable(why(image)));
    FakeAnswer echo;
    echo.status = 500;
    echo.body = "{\"sent\": \"" + mine.toBase64() + "\"}";
    registry.script(registry.requests().back().path, echo); // of the configuration
    const auto echoed = describe(overShell, registry, me);
    QVERIFY(!echoed.ok());
    QVERIFY2(echoed.error().detail.contains("(hidden)")
            && !echoed.error().detail.contains(mine.toBase64()),
        echoed.error().detail);
    const auto without = describe(overShell, registry);
    QVERIFY(!without.ok());
    QCOMPARE(without.error().kind, ErrorKind::Authentication);
    const size_t before = registry.requests().size();
    const auto wrong =
        describe(overShell, registry, RegistryLogin{me.user, QStringLiteral("guessed")});
    QVERIFY(!wrong.ok());
    QCOMPARE(wrong.error().kind, ErrorKind::Authentication);
    QVERIFY(wrong.error().summary.contains(u"login of me"));
    QCOMPARE(registry.requests().size(), before + 2); // a login is tried once
}

void TestRegistryClient::login_isChecked()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    const RegistryClient client(transportFor(overShell), {registry.name()});
    const RegistryLogin wrong{me.user, QStringLiteral("guessed")};
    const auto open = awaited(client.checkLogin(registry.name(), me));
    QVERIFY(!open.ok());
    QCOMPARE(open.error().kind, ErrorKind::Unsupported);

    registry.wantBasic(mine);
    QVERIFY(awaited(client.checkLogin(registry.name(), me)).ok());
    const auto basic = awaited(client.checkLogin(registry.name(), wrong));
    QVERIFY(!basic.ok());
    QCOMPARE(basic.error().kind, ErrorKind::Authentication);

    FakeRegistry other;
    other.wantToken(mine);
    const RegistryClient asking(transportFor(overShell), {other.name()});
    QVERIFY(awaited(asking.checkLogin(other.name(), me)).ok());
    const auto refused = awaited(asking.checkLogin(other.name(), wrong));
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Authentication);
    for (const FakeRequest& one : other.requests())
        QVERIFY(one.path == "/v2/" || one.path == "/token"); // nothing is pulled
}

void TestRegistryClient::loginCheck_knowsNoMoreThanItWasTold_data()
{
    QTest::addColumn<FakeAnswer>("answer");
    QTest::addColumn<int>("state");
    const auto row = [](const char* name, const FakeAnswer& answer, LoginCheck::State state) {
        QTest::newRow(name) << answer << int(state);
    };
    const std::vector<std::pair<QByteArray, QByteArray>> basic{
        {"WWW-Authenticate", "Basic realm=\"x\""}};
    row("refuses", {401, "{}", "application/json", basic}, LoginCheck::State::Refused);
    row("forbids", {403, "{}"}, LoginCheck::State::Refused);
    row("asks nobody", {200, "{}"}, LoginCheck::State::Unknown);
    row("a page for people", {200, "<html>Log in</html>", "text/html"}, LoginCheck::State::Unknown);
    row("is ill", {503, "{}"}, LoginCheck::State::Unknown);
    row("limits", {429, "{}"}, LoginCheck::State::Unknown);
    row("too much", {200, QByteArray(300'000, ' ')}, LoginCheck::State::Unknown);
    row("another kind of login",
        {401, "{}", "application/json", {{"WWW-Authenticate", "Negotiate"}}},
        LoginCheck::State::Unknown);
}

void TestRegistryClient::loginCheck_knowsNoMoreThanItWasTold()
{
    QFETCH(FakeAnswer, answer);
    QFETCH(int, state);
    FakeRegistry registry;
    registry.script("/v2/", answer);
    const RegistryClient client(transportFor(false), {registry.name()});
    const LoginCheck check = loginCheck(awaited(client.checkLogin(registry.name(), me)));
    QCOMPARE(int(check.state), state);
    QVERIFY(check.why && !check.why->summary.isEmpty() && !check.why->remedy.isEmpty());
    QVERIFY(!check.why->text().contains(me.secret));
}

void TestRegistryClient::loginCheck_leavesForNoOtherHost()
{
    FakeRegistry registry, stranger;
    stranger.wantBasic(mine);
    registry.redirect("/v2/", stranger.url("/v2/"));
    const RegistryClient client(transportFor(false), {registry.name()});
    const LoginCheck check = loginCheck(awaited(client.checkLogin(registry.name(), me)));
    QVERIFY(check.state != LoginCheck::State::Accepted);
    QVERIFY(!wasToldASecret(stranger) && !wasToldASecret(registry));
}

void TestRegistryClient::login_goesToNoStrangeRealm()
{
    QFETCH(bool, overShell);
    FakeRegistry registry, stranger;
    registry.addImage("demo/app", "1.0");
    registry.wantToken(mine);
    registry.setRealm(stranger.url("/token"));
    const auto image = describe(overShell, registry, me);
    QVERIFY(!image.ok());
    QCOMPARE(image.error().kind, ErrorKind::Protocol);
    QVERIFY(stranger.requests().empty());
    QVERIFY(!wasToldASecret(registry));
}

void TestRegistryClient::redirect_keepsTheTokenAtHome()
{
    QFETCH(bool, overShell);
    FakeRegistry registry, store;
    registry.addImage("demo/app", "1.0");
    registry.wantToken(mine);
    QVERIFY(describe(overShell, registry, me).ok());
    const QByteArray blob = registry.requests().back().path;
    store.addImage("demo/app", "1.0"); // the same bytes, so the same digests
    registry.redirect(blob, store.url(blob + "?signature=x"));
    const auto image = describe(overShell, registry, me);
    QVERIFY2(image.ok(), qPrintable(why(image)));
    QCOMPARE(store.requests().size(), size_t(1));
    QCOMPARE(store.requests().front().query, QByteArray("signature=x"));
    QVERIFY(!wasToldASecret(store));

    // The other host asks for a login: it gets none.
    store.wantBasic(mine);
    const auto refused = describe(overShell, registry, me);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Authentication);
    QVERIFY(!wasToldASecret(store));

    // On its own host a token may be shown again.
    registry.redirect(blob, "/v2/moved");
    QVERIFY(!describe(overShell, registry, me).ok()); // there is nothing at that address
    QCOMPARE(registry.requests().back().path, QByteArray("/v2/moved"));
    QCOMPARE(
        registry.requests().back().headers.value("authorization"), "Bearer " + registry.token());
}

void TestRegistryClient::redirects_end()
{
    QFETCH(bool, overShell);
    FakeRegistry registry;
    registry.redirect(manifestPath, manifestPath);
    const auto image = describe(overShell, registry);
    QVERIFY(!image.ok());
    QCOMPARE(image.error().kind, ErrorKind::Protocol);
    QCOMPARE(registry.requests().size(), size_t(6));
    for (const char* target : {"file:///etc/passwd", "gopher://127.0.0.1/", "", "http://"}) {
        registry.redirect(manifestPath, target);
        const auto other = describe(overShell, registry);
        QVERIFY2(!other.ok() && other.error().kind == ErrorKind::Protocol, target);
    }
}

void TestRegistryClient::dockerHub_isAskedByItsNames()
{
    auto transport = std::make_shared<ScriptedTransport>();
    const QString manifest =
        QStringLiteral("https://registry-1.docker.io/v2/library/python/manifests/3.13");
    transport->answers[manifest] = {401,
        {{"www-authenticate",
            R"(Bearer realm="https://auth.docker.io/token",service="registry.docker.io")"}},
        {}};
    transport->answers[QStringLiteral("https://auth.docker.io/token")] = {
        200, {}, R"({"token":"hub-token"})"};
    const auto image = ImageReference::parse(QStringLiteral("python:3.13"));
    const RegistryClient client(transport);
    QVERIFY(!awaited(client.describe(*image, amd)).ok()); // the second 401 is a refusal
    QCOMPARE(transport->requests.size(), size_t(3));
    QCOMPARE(transport->requests[1].url.toString(),
        QStringLiteral("https://auth.docker.io/token?service=registry.docker.io&scope="
                       "repository%3Alibrary%2Fpython%3Apull"));
    QCOMPARE(authorizationOf(transport->requests[2]), QByteArray("Bearer hub-token"));

    transport->answers[manifest] = {429, {}, R"({"errors":[{"code":"TOOMANYREQUESTS"}]})"};
    const auto limited = awaited(client.describe(*image, amd));
    QVERIFY(!limited.ok());
    QCOMPARE(limited.error().kind, ErrorKind::Refused);
    QVERIFY(limited.error().summary.startsWith(u"Docker Hub limits anonymous pulls"));
}

void TestRegistryClient::https_isNeverGivenUp()
{
    auto transport = std::make_shared<ScriptedTransport>();
    const QString manifest = QStringLiteral("https://nvcr.io/v2/nvidia/cuda/manifests/12");
    transport->answers[manifest] = {302, {{"location", "http://nvcr.io/v2/"}}, {}};
    const auto image = ImageReference::parse(QStringLiteral("nvcr.io/nvidia/cuda:12"));
    const RegistryClient client(transport, {QStringLiteral("login:5000")});
    const auto redirected = awaited(client.describe(*image, amd, me));
    QVERIFY(!redirected.ok());
    QCOMPARE(redirected.error().kind, ErrorKind::Protocol);
    QCOMPARE(transport->requests.size(), size_t(1));

    transport->answers[manifest] = {
        401, {{"www-authenticate", R"(Bearer realm="http://nvcr.io/proxy_auth")"}}, {}};
    const auto asked = awaited(client.describe(*image, amd, me));
    QVERIFY(!asked.ok());
    QCOMPARE(asked.error().kind, ErrorKind::Protocol);
    QCOMPARE(transport->requests.size(), size_t(2));
    for (const RegistryRequest& request : transport->requests)
        QVERIFY(authorizationOf(request).isEmpty());
}

void TestRegistryClient::otherSchemes_areUnsupported_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("oras") << "oras://ghcr.io/a/b:1";
    QTest::newRow("library") << "library://a/b/c:1";
    QTest::newRow("shub") << "shub://a/b";
    QTest::newRow("a file") << "/scratch/me/a.sif";
}

void TestRegistryClient::otherSchemes_areUnsupported()
{
    QFETCH(QString, name);
    auto transport = std::make_shared<ScriptedTransport>();
    const auto image = ImageReference::parse(name);
    QVERIFY(image.ok());
    const auto described = awaited(RegistryClient(transport).describe(*image, amd));
    QVERIFY(!described.ok());
    QCOMPARE(described.error().kind, ErrorKind::Unsupported);
    QVERIFY(transport->requests.empty());
}

SLIPWAY_TEST(TestRegistryClient, registry_client)
#include "tst_registryclient.moc"
