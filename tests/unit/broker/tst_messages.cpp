// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/fairstreams.h"
#include "remote/broker/message.h"
#include "remote/broker/messagefields.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;
using namespace std::chrono_literals;

/// What programs and the broker say to each other, and who makes room for whom: values only.
class TestMessages : public QObject {
    Q_OBJECT

private slots:
    void frames_areReadInPiecesOfAnySize_data();
    void frames_areReadInPiecesOfAnySize();
    void foreignBytes_breakTheReader_data();
    void foreignBytes_breakTheReader();
    void questions_arriveAsTheyWereAsked();
    void foreignFields_areEmptyAndSaySo_data();
    void foreignFields_areEmptyAndSaySo();
    void answers_arriveAsTheyWereGiven_data();
    void answers_arriveAsTheyWereGiven();
    void errors_fitAMessage();
    void streams_makeRoom_data();
    void streams_makeRoom();
};

void TestMessages::frames_areReadInPiecesOfAnySize_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {1, 2, 7, 13, 1000, 1000000})
        QTest::addRow("%d", size) << size;
}

void TestMessages::frames_areReadInPiecesOfAnySize()
{
    QFETCH(int, size);
    const std::vector<Message> sent{{MessageType::Hello, 0, "x"}, {MessageType::Write, 1, {}},
        {MessageType::Answer, 7, bytesOf(QStringList{QStringLiteral("secret")})},
        {MessageType::Output, ~0ull, QByteArray(100'000, '\xff')}, {MessageType::End, 3, "end"}};
    QByteArray all;
    for (const Message& message : sent)
        all += frameOf(message);
    MessageReader reader;
    std::vector<Message> got;
    for (qsizetype at = 0; at < all.size(); at += size) {
        reader.feed(all.mid(at, size));
        while (auto message = reader.next())
            got.push_back(*message);
    }
    QVERIFY(!reader.isBroken());
    QCOMPARE(got.size(), sent.size());
    for (size_t i = 0; i < sent.size(); ++i) {
        QCOMPARE(got[i].type, sent[i].type);
        QCOMPARE(got[i].id, sent[i].id);
        QCOMPARE(got[i].bytes, sent[i].bytes);
    }
}

void TestMessages::foreignBytes_breakTheReader_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("too long") << QByteArray::fromHex("00100001 01 0000000000000000");
    QTest::newRow("as long as can be said") << QByteArray::fromHex("ffffffff 01 0000000000000000");
    QTest::newRow("no type") << QByteArray::fromHex("00000000 00 0000000000000000");
    QTest::newRow("unknown type") << QByteArray::fromHex("00000000 40 0000000000000000");
    QTest::newRow("another protocol") << QByteArray("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

void TestMessages::foreignBytes_breakTheReader()
{
    QFETCH(QByteArray, bytes);
    MessageReader reader;
    reader.feed(bytes);
    QVERIFY(!reader.next());
    QVERIFY(reader.isBroken());
    reader.feed(frameOf({MessageType::Hello}));
    QVERIFY(!reader.next());
}

void TestMessages::questions_arriveAsTheyWereAsked()
{
    PromptRound round;
    round.kind = PromptRound::Kind::Password;
    round.host = QStringLiteral("login.example");
    round.user = QStringLiteral("ada");
    round.keyFile = QStringLiteral("/home/ada/.ssh/id");
    round.title = QStringLiteral("Title");
    round.instruction = QStringLiteral("<b>two\nlines</b>");
    round.prompts = {{QStringLiteral("Password: "), false}, {QStringLiteral("User: "), true}};
    round.attempt = 3;
    LoginQuestion asked;
    asked.round = round;
    const auto got = questionIn(bytesOf(asked));
    QVERIFY(got.round && !got.key && !got.command);
    QCOMPARE(got.round->kind, round.kind);
    QCOMPARE(got.round->host, round.host);
    QCOMPARE(got.round->user, round.user);
    QCOMPARE(got.round->keyFile, round.keyFile);
    QCOMPARE(got.round->title, round.title);
    QCOMPARE(got.round->instruction, round.instruction);
    QCOMPARE(got.round->attempt, 3);
    QCOMPARE(got.round->prompts.size(), size_t(2));
    QCOMPARE(got.round->prompts[0].text, round.prompts[0].text);
    QVERIFY(!got.round->prompts[0].echo && got.round->prompts[1].echo);

    LoginQuestion key;
    key.key = HostKeyQuestion{
        QStringLiteral("h"), 2222, QStringLiteral("ssh-ed25519"), QStringLiteral("SHA256:abc")};
    const auto gotKey = questionIn(bytesOf(key));
    QVERIFY(gotKey.key && !gotKey.round);
    QCOMPARE(gotKey.key->port, 2222);
    QCOMPARE(gotKey.key->sha256, key.key->sha256);

    LoginQuestion command;
    command.command = CommandQuestion{
        QStringLiteral("h"), QStringLiteral("ProxyCommand"), QStringLiteral("nc %h \"x\"")};
    const auto gotCommand = questionIn(bytesOf(command));
    QVERIFY(gotCommand.command && !gotCommand.round);
    QCOMPARE(gotCommand.command->command, command.command->command);

    ConnectTarget target{QStringLiteral("kestrel"), 22, QStringLiteral("ada"),
        QStringLiteral("/id"), QStringLiteral("/known"), false, QStringLiteral("a,b")};
    MessageFields fields(bytesOf(target));
    const ConnectTarget same = targetIn(fields);
    QVERIFY(fields.ok());
    QCOMPARE(same.host, target.host);
    QCOMPARE(same.port, 22);
    QCOMPARE(same.user, target.user);
    QCOMPARE(same.identityFile, target.identityFile);
    QCOMPARE(same.knownHostsFile, target.knownHostsFile);
    QCOMPARE(same.useSshConfig, false);
    QCOMPARE(same.jump, target.jump);
}

void TestMessages::foreignFields_areEmptyAndSaySo_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no array") << QByteArray::fromHex("a0");
    QTest::newRow("cut off") << fieldsOf({QStringLiteral("host"), 22}).chopped(1);
    QTest::newRow("too few") << fieldsOf({QStringLiteral("host")});
    QTest::newRow("other types") << fieldsOf({1, QStringLiteral("x"), true, 2, 3, 4, 5});
}

void TestMessages::foreignFields_areEmptyAndSaySo()
{
    QFETCH(QByteArray, bytes);
    MessageFields fields(bytes);
    targetIn(fields);
    QVERIFY(!fields.ok());
    const LoginQuestion question = questionIn(bytes);
    QVERIFY(!question.round && !question.key && !question.command);
}

void TestMessages::answers_arriveAsTheyWereGiven_data()
{
    QTest::addColumn<bool>("given");
    QTest::addColumn<QStringList>("answers");
    QTest::newRow("declined") << false << QStringList();
    QTest::newRow("none wanted") << true << QStringList();
    QTest::newRow("an empty one") << true << QStringList{QString()};
    QTest::newRow("two") << true
                         << QStringList{QStringLiteral("pass wörd"), QStringLiteral("123456")};
}

void TestMessages::answers_arriveAsTheyWereGiven()
{
    QFETCH(bool, given);
    QFETCH(QStringList, answers);
    const QByteArray bytes = bytesOf(given ? std::optional(answers) : std::nullopt);
    const auto got = answersIn(bytes);
    QCOMPARE(got.has_value(), given);
    if (given)
        QCOMPARE(*got, answers);
    for (qsizetype cut = 0; cut < bytes.size(); ++cut)
        QVERIFY(!answersIn(bytes.left(cut)));
}

void TestMessages::errors_fitAMessage()
{
    const Error error{ErrorKind::HostKey, QString(1'000'000, u'ä'), QStringLiteral("Compare."),
        QByteArray(5'000'000, 'x')};
    QCborArray out;
    appendError(out, error);
    const QByteArray bytes = fieldsOf(out);
    QVERIFY(bytes.size() < largestMessage);
    MessageFields fields(bytes);
    const Error got = fields.error();
    QVERIFY(fields.ok());
    QCOMPARE(got.kind, ErrorKind::HostKey);
    QCOMPARE(got.remedy, error.remedy);
    QVERIFY(error.summary.startsWith(got.summary));
}

void TestMessages::streams_makeRoom_data()
{
    QTest::addColumn<std::vector<SharedStream>>("streams");
    QTest::addColumn<int>("ends");
    using Streams = std::vector<SharedStream>;
    QTest::newRow("nothing waits") << Streams{{1, false, false, 0s}, {1, true, false, 0s}} << -1;
    QTest::newRow("it has not waited long")
        << Streams{{1, false, false, 0s}, {2, false, true, 97s}} << -1;
    QTest::newRow("a persistent shell first")
        << Streams{{1, false, false, 0s}, {1, true, false, 99s}, {2, false, true, 90s}} << 1;
    QTest::newRow("of the program that has most, the oldest") << Streams{{1, false, false, 10s},
        {2, false, false, 30s}, {2, false, false, 20s}, {3, false, true, 90s}}
                                                              << 2;
    QTest::newRow("of equal programs, the oldest")
        << Streams{{1, false, false, 30s}, {2, false, false, 20s}, {3, false, true, 90s}} << 1;
    QTest::newRow("it has not had its time")
        << Streams{{1, false, false, 96s}, {2, false, true, 90s}} << -1;
    QTest::newRow("the waiting program has as many")
        << Streams{{1, false, false, 0s}, {2, false, false, 0s}, {2, false, true, 90s}} << -1;
    QTest::newRow("a persistent shell may wait")
        << Streams{{1, false, false, 0s}, {2, true, true, 0s}} << -1;
}

void TestMessages::streams_makeRoom()
{
    QFETCH(std::vector<SharedStream>, streams);
    QFETCH(int, ends);
    const auto chosen = streamToEnd(streams, 100s);
    QCOMPARE(chosen ? int(*chosen) : -1, ends);
}

SLIPWAY_TEST(TestMessages, broker_messages)
#include "tst_messages.moc"
