// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/imagedescription.h"
#include "remote/registry/registryaddress.h"
#include "remote/registry/shelltransport.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

class TestAddresses : public QObject {
    Q_OBJECT

private slots:
    void platform_isThatOfTheNodes_data();
    void platform_isThatOfTheNodes();
    void variant_mattersWhereBothHaveOne();
    void registry_isFound_data();
    void registry_isFound();
    void login_goesOnlyWhereItMay_data();
    void login_goesOnlyWhereItMay();
    void curlSettings_areQuoted();
    void request_thatCannotBeSent_isRefused_data();
    void request_thatCannotBeSent_isRefused();
    void curlOutput_isRead_data();
    void curlOutput_isRead();
};

void TestAddresses::platform_isThatOfTheNodes_data()
{
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("text");
    QTest::newRow("x86_64") << "x86_64"
                            << "linux/amd64";
    QTest::newRow("aarch64") << "aarch64"
                             << "linux/arm64";
    QTest::newRow("ppc64le") << "ppc64le"
                             << "linux/ppc64le";
    QTest::newRow("not said") << ""
                              << "linux/amd64";
    QTest::newRow("already translated") << "arm64"
                                        << "linux/arm64";
    QTest::newRow("in capitals") << "AArch64"
                                 << "linux/arm64";
    QTest::newRow("one of tomorrow") << "riscv64"
                                     << "linux/riscv64";
}

void TestAddresses::platform_isThatOfTheNodes()
{
    QFETCH(QString, node);
    QFETCH(QString, text);
    QCOMPARE(ImagePlatform::ofNodes(node).text(), text);
}

void TestAddresses::variant_mattersWhereBothHaveOne()
{
    const auto arm = [](const char* variant) {
        return ImagePlatform{
            QStringLiteral("linux"), QStringLiteral("arm"), QString::fromLatin1(variant)};
    };
    QVERIFY(arm("v7").fits(arm("v7")));
    QVERIFY(arm("v7").fits(arm("")));
    QVERIFY(arm("").fits(arm("v7")));
    QVERIFY(!arm("v6").fits(arm("v7")));
    QVERIFY(!ImagePlatform::ofNodes(QStringLiteral("x86_64"))
                 .fits(ImagePlatform::ofNodes(QStringLiteral("aarch64"))));
    ImageDescription image;
    QVERIFY(!image.offers(arm("")));
    image.platforms = {ImagePlatform::ofNodes({}), arm("v7")};
    QVERIFY(image.offers(arm("")));
    QVERIFY(!image.offers(arm("v6")));
}

void TestAddresses::registry_isFound_data()
{
    QTest::addColumn<QString>("registry");
    QTest::addColumn<QString>("url"); ///< of the image python
    QTest::newRow("not named") << ""
                               << "https://registry-1.docker.io/library/python";
    QTest::newRow("docker.io") << "docker.io"
                               << "https://registry-1.docker.io/library/python";
    QTest::newRow("as docker login has it") << "https://index.docker.io/v1/"
                                            << "https://registry-1.docker.io/library/python";
    QTest::newRow("NGC") << "nvcr.io"
                         << "https://nvcr.io/python";
    QTest::newRow("in capitals") << "Quay.IO"
                                 << "https://quay.io/python";
    QTest::newRow("a port") << "registry.example.org:5000"
                            << "https://registry.example.org:5000/python";
    QTest::newRow("without TLS") << "login:5000"
                                 << "http://login:5000/python";
    QTest::newRow("TLS even so") << "http://other:5000"
                                 << "https://other:5000/python";
    QTest::newRow("IPv6") << "[::1]:5000"
                          << "https://[::1]:5000/python";
    QTest::newRow("a path") << "example.org/v2" << QString();
    QTest::newRow("a login") << "me:secret@example.org" << QString();
    QTest::newRow("spaces") << "a b" << QString();
    QTest::newRow("no such port") << "example.org:99999" << QString();
}

void TestAddresses::registry_isFound()
{
    QFETCH(QString, registry);
    QFETCH(QString, url);
    const auto address = RegistryAddress::of(registry, {QStringLiteral("login:5000")});
    QCOMPARE(address.ok(), !url.isEmpty());
    if (!address.ok()) {
        QCOMPARE(address.error().kind, ErrorKind::Invalid);
        return;
    }
    QCOMPARE(address->url(u'/' + address->repositoryOf(QStringLiteral("python"))).toString(), url);
}

void TestAddresses::login_goesOnlyWhereItMay_data()
{
    QTest::addColumn<QString>("registry");
    QTest::addColumn<QString>("realm");
    QTest::addColumn<bool>("may");
    QTest::newRow("TLS") << "nvcr.io"
                         << "https://nvcr.io/proxy_auth" << true;
    QTest::newRow("another machine") << ""
                                     << "https://auth.docker.io/token" << true;
    QTest::newRow("no TLS") << "nvcr.io"
                            << "http://nvcr.io/proxy_auth" << false;
    QTest::newRow("the same without") << "login:5000"
                                      << "http://login:5000/token" << true;
    QTest::newRow("another port") << "login:5000"
                                  << "http://login:5001/token" << false;
    QTest::newRow("another without") << "login:5000"
                                     << "http://other:5000/token" << false;
    QTest::newRow("to TLS") << "login:5000"
                            << "https://other/token" << true;
    QTest::newRow("with a user") << "nvcr.io"
                                 << "https://x@nvcr.io/token" << false;
    QTest::newRow("a file") << "login:5000"
                            << "file:///etc/passwd" << false;
    QTest::newRow("nothing") << "nvcr.io"
                             << "" << false;
}

void TestAddresses::login_goesOnlyWhereItMay()
{
    QFETCH(QString, registry);
    QFETCH(QString, realm);
    QFETCH(bool, may);
    const auto address = RegistryAddress::of(registry, {QStringLiteral("login:5000")});
    QVERIFY(address.ok());
    QCOMPARE(mayAuthoriseAt(QUrl(realm, QUrl::StrictMode), *address), may);
}

void TestAddresses::curlSettings_areQuoted()
{
    RegistryRequest request;
    request.url = QUrl(QStringLiteral("https://nvcr.io/v2/a%22b/manifests/x?y=%5C"));
    request.headers = {{"Authorization", R"(Bearer a"b\c)"}, {"Accept", "a, b"}};
    QCOMPARE(curlSettings(request),
        QByteArray("url = \"https://nvcr.io/v2/a%22b/manifests/x?y=%5C\"\n"
                   "header = \"Authorization: Bearer a\\\"b\\\\c\"\n"
                   "header = \"Accept: a, b\"\n"));
}

void TestAddresses::request_thatCannotBeSent_isRefused_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("may");
    QTest::newRow("a usual one") << "https://a.b/v2/" << QByteArray("Accept") << QByteArray("x")
                                 << true;
    QTest::newRow("a file") << "file:///etc/passwd" << QByteArray("A") << QByteArray("x") << false;
    QTest::newRow("a user") << "https://me@a.b/" << QByteArray("A") << QByteArray("x") << false;
    QTest::newRow("two lines") << "https://a.b/" << QByteArray("A") << QByteArray("x\r\nB: y")
                               << false;
    QTest::newRow("NUL") << "https://a.b/" << QByteArray("A") << QByteArray("x\0y", 3) << false;
    QTest::newRow("an empty value") << "https://a.b/" << QByteArray("A") << QByteArray() << false;
    QTest::newRow("a file of headers")
        << "https://a.b/" << QByteArray("@/etc/passwd") << QByteArray("x") << false;
}

void TestAddresses::request_thatCannotBeSent_isRefused()
{
    QFETCH(QString, url);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(bool, may);
    RegistryRequest request;
    request.url = QUrl(url);
    request.headers = {{name, value}};
    const auto problem = requestProblem(request);
    QCOMPARE(!problem.has_value(), may);
    if (problem)
        QCOMPARE(problem->kind, ErrorKind::Invalid);
}

void TestAddresses::curlOutput_isRead_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<int>("status"); ///< 0: none
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* name, const QByteArray& output, int status,
                         const QByteArray& body = {}) {
        QTest::newRow(name) << output << status << body;
    };
    row("HTTP 1.1", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n{}\r\n\r\n", 200, "{}\r\n\r\n");
    row("HTTP 2", "HTTP/2 404 \r\na: b\r\n\r\nno", 404, "no");
    row("a proxy before it",
        "HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
        "HTTP/1.1 401 No\r\na: b\r\n\r\nx",
        401, "x");
    row("no body", "HTTP/1.1 204 None\r\na: b\r\n\r\n", 204);
    row("cut in the headers", "HTTP/1.1 200 OK\r\nA: b\r\n", 0);
    row("no status", "HTTP/1.1 abc\r\na: b\r\n\r\n", 0);
    row("another protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n", 0);
    row("answers without end", QByteArray("HTTP/1.1 100 Continue\r\n\r\n").repeated(50), 100,
        QByteArray("HTTP/1.1 100 Continue\r\n\r\n").repeated(44));
    row("nothing", "", 0);
}

void TestAddresses::curlOutput_isRead()
{
    QFETCH(QByteArray, output);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    const auto answer = parseCurlOutput(output);
    QCOMPARE(answer.ok(), status != 0);
    if (!answer.ok()) {
        QCOMPARE(answer.error().kind, ErrorKind::Protocol);
        return;
    }
    QCOMPARE(answer->status, status);
    QCOMPARE(answer->body, body);
    if (output.contains("b\r\n"))
        QCOMPARE(answer->headers.value("a"), QByteArray("b"));
}

SLIPWAY_TEST(TestAddresses, registry_addresses)
#include "tst_addresses.moc"
