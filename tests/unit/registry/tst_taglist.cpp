// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/taglist.h"
#include "tests/support/testmain.h"
#include "tests/unit/registry/registryrig.h"

using namespace slipway;

/// The tags of a repository: pages, bounds, and what a registry must not make Slipway ask.
class TestTagList : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { forgetProxies(); }
    void page_isRead_data();
    void page_isRead();
    void next_staysAtHome_data();
    void next_staysAtHome();
    void pages_areFollowed();
    void endlessPages_end();
    void missingRepository_isAnError();
    void login_isAskedForByToken();

private:
    static Result<TagList> tagsOf(const FakeRegistry& registry)
    {
        const auto image =
            ImageReference::parse(QStringLiteral("docker://") + registry.name() + u"/demo/app:1");
        const RegistryClient client(transportFor(false), {registry.name()});
        return awaited(client.tags(*image));
    }
};

namespace {

const QByteArray listPath = "/v2/demo/app/tags/list";

} // namespace

void TestTagList::page_isRead_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("tags"); // "error": none can be read
    const auto row = [](const char* name, const QByteArray& json, const char* tags) {
        QTest::newRow(name) << json << QString::fromLatin1(tags);
    };
    row("usual", R"({"name":"a","tags":["1","2-gpu"]})", "1 2-gpu");
    row("none", R"({"name":"a","tags":null})", "");
    row("no list", R"({"name":"a","tags":"1"})", "error");
    row("not an object", "[1]", "error");
    row("not JSON", "<html>", "error");
    row("hostile names", R"({"tags":["1",5,{},"a b","../x","\u001b[2J","-x",""]})", "1");
    row("too long", QByteArray(R"({"tags":["1",")") + QByteArray(129, 'a') + R"("]})", "1");
}

void TestTagList::page_isRead()
{
    QFETCH(QByteArray, json);
    const auto read = parseTagPage(json);
    QTEST(read.ok() ? read->join(u' ') : QStringLiteral("error"), "tags");
}

void TestTagList::next_staysAtHome_data()
{
    QTest::addColumn<QByteArray>("link");
    QTest::addColumn<QString>("next");
    const auto row = [](const char* name, const QByteArray& link, const char* next) {
        QTest::newRow(name) << link << QString::fromLatin1(next);
    };
    row("relative", R"(</v2/a/tags/list?last=b&n=2>; rel="next")", "/v2/a/tags/list?last=b&n=2");
    row("absolute", R"(<https://r.io/v2/a/tags/list?last=b>; rel="next")",
        "/v2/a/tags/list?last=b");
    row("none", "", "");
    row("of another relation", R"(</v2/a/tags/list?last=b>; rel="prev")", "");
    row("another host", R"(<https://evil.io/v2/a/tags/list?last=b>; rel="next")", "");
    row("another port", R"(<https://r.io:444/v2/a/tags/list?last=b>; rel="next")", "");
    row("without TLS", R"(<http://r.io/v2/a/tags/list?last=b>; rel="next")", "");
    row("another repository", R"(</v2/b/tags/list?last=b>; rel="next")", "");
    row("itself", R"(</v2/a/tags/list?n=1000>; rel="next")", "");
    row("no address", R"(<%zz>; rel="next")", "");
}

void TestTagList::next_staysAtHome()
{
    QFETCH(QByteArray, link);
    QTEST(nextTagPage(link, QUrl(QStringLiteral("https://r.io/v2/a/tags/list?n=1000"))), "next");
}

void TestTagList::pages_areFollowed()
{
    FakeRegistry registry;
    FakeAnswer page;
    page.body = R"({"name":"demo/app","tags":["1","2"]})";
    registry.script(listPath, page);
    const auto list = tagsOf(registry);
    QVERIFY2(list.ok(), qPrintable(list.ok() ? QString() : list.error().text()));
    QCOMPARE(list->tags, (QStringList{QStringLiteral("1"), QStringLiteral("2")}));
    QVERIFY(list->complete);
    QCOMPARE(registry.requests().front().query, QByteArray("n=1000"));
}

void TestTagList::endlessPages_end()
{
    FakeRegistry registry;
    FakeAnswer page;
    page.body = R"({"name":"demo/app","tags":["1"]})";
    page.headers = {{"Link", "<" + listPath + "?last=1>; rel=\"next\""}};
    registry.script(listPath, page); // the second page leads to itself
    const auto list = tagsOf(registry);
    QVERIFY(list.ok());
    QCOMPARE(registry.requests().size(), size_t(2));
    QByteArray many = R"({"tags":["0")";
    for (int i = 1; i < 3000; ++i)
        many += ",\"" + QByteArray::number(i) + '"';
    page.body = many + "]}";
    registry.script(listPath, page);
    const auto bounded = tagsOf(registry);
    QVERIFY(bounded.ok());
    QCOMPARE(bounded->tags.size(), taglimits::mostTags);
    QVERIFY(!bounded->complete);
}

void TestTagList::missingRepository_isAnError()
{
    FakeRegistry registry;
    const auto list = tagsOf(registry);
    QVERIFY(!list.ok());
    QCOMPARE(list.error().kind, ErrorKind::NotFound);
}

void TestTagList::login_isAskedForByToken()
{
    FakeRegistry registry;
    registry.wantToken();
    const auto list = tagsOf(registry); // it has no list, and that is known only with a token
    QVERIFY(!list.ok());
    QCOMPARE(list.error().kind, ErrorKind::NotFound);
    QVERIFY(wasToldASecret(registry));
}

SLIPWAY_TEST(TestTagList, registry_taglist)
#include "tst_taglist.moc"
