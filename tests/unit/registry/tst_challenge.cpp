// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/bearerchallenge.h"
#include "remote/registry/registrysession.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

class TestChallenge : public QObject {
    Q_OBJECT

private slots:
    void header_isRead_data();
    void header_isRead();
    void header_isReadWithinBounds();
    void token_isTakenFromTheAnswer_data();
    void token_isTakenFromTheAnswer();
    void scope_isForReading_data();
    void scope_isForReading();
};

namespace {

/// "bearer realm=https://a|service=b; basic realm=c"
QByteArray written(const std::vector<AuthChallenge>& challenges)
{
    QByteArray text;
    for (const AuthChallenge& challenge : challenges) {
        text += (text.isEmpty() ? "" : "; ") + challenge.scheme;
        char separator = ' ';
        for (auto it = challenge.parameters.begin(); it != challenge.parameters.end(); ++it) {
            text += separator + it.key() + '=' + it.value();
            separator = '|';
        }
    }
    return text;
}

} // namespace

void TestChallenge::header_isRead_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("read");
    const auto row = [](const char* name, const QByteArray& header, const QByteArray& read) {
        QTest::newRow(name) << header << read;
    };
    row("Docker Hub",
        R"(Bearer realm="https://auth.docker.io/token",service="registry.docker.io",)"
        R"(scope="repository:library/python:pull")",
        "bearer realm=https://auth.docker.io/token|scope=repository:library/python:pull|"
        "service=registry.docker.io");
    row("NGC",
        R"(Bearer realm="https://nvcr.io/proxy_auth",scope="repository:nvidia/cuda:pull,push")",
        "bearer realm=https://nvcr.io/proxy_auth|scope=repository:nvidia/cuda:pull,push");
    row("htpasswd", R"(Basic realm="Registry Realm")", "basic realm=Registry Realm");
    row("capitals", R"(BEARER Realm="a")", "bearer realm=a");
    row("a token as value", "Bearer realm=a, service=b", "bearer realm=a|service=b");
    row("spaces", "  Bearer\t realm = \"a\" ,  service=\"b\"  ", "bearer realm=a|service=b");
    row("quoted pairs", R"(Bearer realm="a\"b\\c")", R"(bearer realm=a"b\c)");
    row("several", R"(Negotiate, Basic realm="x", Bearer realm="y",service="z")",
        "negotiate; basic realm=x; bearer realm=y|service=z");
    row("a token68", R"(Negotiate YII/abc+==, Basic realm="x")", "negotiate; basic realm=x");
    row("a scheme alone", "Basic", "basic");
    row("empty elements", R"(, ,Basic realm="x",,)", "basic realm=x");
    row("the first counts", R"(Basic realm="x", realm="y")", "basic realm=x");
    row("an open quote", R"(Basic realm="x)", "basic");
    row("a backslash at the end", R"(Basic realm="x\)", "basic");
    row("a parameter without a scheme", R"(realm="x")", "");
    row("nonsense", "\x01\x02(((", "");
    row("nothing", "", "");
}

void TestChallenge::header_isRead()
{
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, read);
    QCOMPARE(written(parseChallenges(header)), read);
}

void TestChallenge::header_isReadWithinBounds()
{
    QVERIFY(parseChallenges(QByteArray("Basic, ").repeated(10'000)).size() <= 16);
    QByteArray many = "Bearer a0=b";
    for (int i = 1; i < 200; ++i)
        many += ",a" + QByteArray::number(i) + "=b";
    QVERIFY(parseChallenges(many).front().parameters.size() <= 32);
    QVERIFY(parseChallenges("Basic realm=\"" + QByteArray(1'000'000, 'x') + '"').size() <= 1);
}

void TestChallenge::token_isTakenFromTheAnswer_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("token");
    QTest::newRow("token") << QByteArray(R"({"token":"abc.d-e_f"})") << QByteArray("abc.d-e_f");
    QTest::newRow("OAuth") << QByteArray(R"({"access_token":"x"})") << QByteArray("x");
    QTest::newRow("both") << QByteArray(R"({"access_token":"x","token":"y"})") << QByteArray("y");
    QTest::newRow("none") << QByteArray("{}") << QByteArray();
    QTest::newRow("a number") << QByteArray(R"({"token":7})") << QByteArray();
    QTest::newRow("two lines") << QByteArray(R"({"token":"a\r\nX-Evil: b"})") << QByteArray();
    QTest::newRow("a space") << QByteArray(R"({"token":"a b"})") << QByteArray();
    QTest::newRow("not ASCII") << QByteArray("{\"token\":\"\xc3\xa4\"}") << QByteArray();
    QTest::newRow("endless") << QByteArray("{\"token\":\"" + QByteArray(100'000, 'x') + "\"}")
                             << QByteArray();
    QTest::newRow("no JSON") << QByteArray("<html>") << QByteArray();
}

void TestChallenge::token_isTakenFromTheAnswer()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, token);
    const auto read = parseToken(json);
    QCOMPARE(read.ok(), !token.isEmpty());
    if (read.ok())
        QCOMPARE(*read, token);
    else
        QCOMPARE(read.error().kind, ErrorKind::Protocol);
}

void TestChallenge::scope_isForReading_data()
{
    QTest::addColumn<QByteArray>("named");
    QTest::addColumn<QByteArray>("scope");
    QTest::newRow("none") << QByteArray() << QByteArray("repository:a/b:pull");
    QTest::newRow("pull") << QByteArray("repository:x/y:pull") << QByteArray("repository:x/y:pull");
    QTest::newRow("push as well") << QByteArray("repository:a/b:pull,push")
                                  << QByteArray("repository:a/b:pull");
    QTest::newRow("everything") << QByteArray("registry:catalog:*")
                                << QByteArray("repository:a/b:pull");
    QTest::newRow("a word of its own") << QByteArray("aws") << QByteArray("aws");
}

void TestChallenge::scope_isForReading()
{
    QFETCH(QByteArray, named);
    QFETCH(QByteArray, scope);
    QCOMPARE(tokenScope(named, QStringLiteral("a/b")), scope);
}

SLIPWAY_TEST(TestChallenge, registry_challenge)
#include "tst_challenge.moc"
