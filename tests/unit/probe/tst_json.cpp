// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "show.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace slipway::probe;

/// What the probe writes is JSON that others read, whatever a driver put into a string.
class TestJson : public QObject {
    Q_OBJECT

private slots:
    void write_isReadByOthers();
    void numbers_loseNothing();
    void strings_areAlwaysUtf8();
    void unknownMembers_areLeftOut();
    void read_takesWhatWasWritten();
    void read_refusesWhatIsNone_data();
    void read_refusesWhatIsNone();
    void rows_goThereAndBack();
    void readable_isOneLine();
    void end_hasTheWorstState();
};

void TestJson::write_isReadByOthers()
{
    Json json;
    json.set("a", 1)
        .set("b", "x\"\\\n\t\x01y")
        .set("c", Json::list(std::vector<std::string>{"p", "q"}))
        .set("d", true)
        .set("e", 0.5);
    const QJsonObject object =
        QJsonDocument::fromJson(QByteArray::fromStdString(json.write())).object();
    QCOMPARE(object.value(QStringLiteral("a")).toInt(), 1);
    QCOMPARE(object.value(QStringLiteral("b")).toString(), QStringLiteral("x\"\\\n\t\x01y"));
    QCOMPARE(object.value(QStringLiteral("d")).toBool(), true);
    QCOMPARE(object.value(QStringLiteral("e")).toDouble(), 0.5);
    QCOMPARE(json.write().find('\n'), std::string::npos);
}

void TestJson::numbers_loseNothing()
{
    for (const double value :
        {0.1, 1e-7, 3.0000001e-7, 1760000000.123, 61.2e12, 2.0 / 3, 1e300, -0.25, 85899345920.0})
        QCOMPARE(Json::read(Json(value).write())->number(), value);
    QCOMPARE(Json(85899345920.0).write(), std::string("85899345920"));
    QCOMPARE(Json(std::nan("")).write(), std::string("null"));
    QCOMPARE(Json(std::numeric_limits<double>::infinity()).write(), std::string("null"));
    QCOMPARE(Json::read("9007199254740993")->integer(), 9007199254740993);
}

void TestJson::strings_areAlwaysUtf8()
{
    for (const char* bad :
        {"\xff", "a\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc0\x80"}) {
        QJsonParseError error;
        QJsonDocument::fromJson("[" + QByteArray::fromStdString(Json(bad).write()) + "]", &error);
        QCOMPARE(error.error, QJsonParseError::NoError);
    }
    QCOMPARE(Json("41 °C, 2 × ✓ 😀").write(), std::string("\"41 °C, 2 × ✓ 😀\""));
    QCOMPARE(Json("\xff").write(), std::string("\"\xef\xbf\xbd\""));
}

void TestJson::unknownMembers_areLeftOut()
{
    Json json;
    json.set("a", std::optional<double>()).set("b", Json()).set("c", std::optional<int>(0));
    QCOMPARE(json.write(), std::string("{\"c\":0}"));
}

void TestJson::read_takesWhatWasWritten()
{
    const std::string text = R"({"a":[1,2.5,"x",null,true,{}],"b":{"c":"é\"\\"},"d":[]})";
    QCOMPARE(Json::read(text)->write(), text);
    QCOMPARE(Json::read(" { \"a\" : [ 1 , 2 ] } ")->write(), std::string("{\"a\":[1,2]}"));
    QCOMPARE(Json::read(R"("\u00e9\ud83d\ude00\/")")->text(), std::string("é😀/"));
    QCOMPARE((*Json::read(R"({"a":1,"b":"x"})"))["b"].text(), std::string("x"));
}

void TestJson::read_refusesWhatIsNone_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "{", "[1,", "{\"a\"}", "{\"a\":}", "{a:1}", "\"", "\"\\u12\"",
             "\"\\ud800\\u0041\"", "01x", "-", "1e999", "nul", "[1] x", "{\"a\":1,}", "'a'"})
        QTest::newRow(text) << QByteArray(text);
    QTest::newRow("too deep") << QByteArray("[").repeated(100) + QByteArray("]").repeated(100);
}

void TestJson::read_refusesWhatIsNone()
{
    QFETCH(QByteArray, text);
    QVERIFY(!Json::read({text.constData(), size_t(text.size())}));
}

void TestJson::rows_goThereAndBack()
{
    Row row = Row::warn("ecc", "17 corrected", "It is so.", "Do this.");
    row.expected = "0";
    row.data.set("gpus", Json(Json::Array{Json().set("index", 1)}));
    row.ms = 1.5;
    row.more.set("lane", "gpu").set("seconds", Json(Json::Array{0.1, 0.2}));
    const std::optional<Row> back = Row::fromJson(*Json::read(row.toJson().write()));
    QVERIFY(back);
    QCOMPARE(back->toJson().write(), row.toJson().write());
    QVERIFY(*back == row);
    QVERIFY(!Row::fromJson(Json().set("stage", "cuInit")));
    QCOMPARE(
        Row::ok("a", "b").toJson().write(), std::string(R"({"id":"a","state":"ok","value":"b"})"));
}

void TestJson::readable_isOneLine()
{
    const std::string line =
        Row::fail("driver.cuda", "13.0", "It hangs.", "Request another node.").readable();
    QCOMPARE(line, std::string("fail  driver.cuda      13.0: It hangs. -> Request another node."));
    QCOMPARE(
        Row::skip("mig", "No card.").readable(), std::string("skip  mig              No card."));
}

void TestJson::end_hasTheWorstState()
{
    RowCount count;
    QCOMPARE(count.end(0).state, State::Skip);
    count.add(State::Skip);
    count.add(State::Ok);
    QCOMPARE(count.end(0).state, State::Ok);
    count.add(State::Warn);
    QCOMPARE(count.end(0).state, State::Warn);
    count.add(State::Fail);
    const Row end = count.end(1.23456);
    QCOMPARE(end.state, State::Fail);
    QCOMPARE(end.value, std::string("4 checks"));
    QCOMPARE(
        end.data.write(), std::string(R"({"ok":1,"warn":1,"fail":1,"skip":1,"seconds":1.235})"));
}

SLIPWAY_TEST(TestJson, probe_json)
#include "tst_json.moc"
