// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/imagemanifest.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

class TestManifest : public QObject {
    Q_OBJECT

private slots:
    void dockerManifest_isRead();
    void ociIndex_isReadWithoutAttestations();
    void platforms_areNamedOnce();
    void entry_isTheOneThatFits_data();
    void entry_isTheOneThatFits();
    void documents_areRefused_data();
    void documents_areRefused();
    void limits_areOfTheSizeThatTheySay();
    void config_isRead();
    void config_mayBeEmpty_data();
    void config_mayBeEmpty();
    void config_isRefused_data();
    void config_isRefused();
    void origins_areNamedOnlyWhereTheyAreSure();
    void texts_haveNoControlCharacters();
    void creation_isNotADateOfLongAgo_data();
    void creation_isNotADateOfLongAgo();
};

namespace {

QByteArray digest(char c)
{
    return "sha256:" + QByteArray(64, c);
}

QByteArray descriptor(char c, const QByteArray& size = "7", const QByteArray& more = {})
{
    return R"({"digest":")" + digest(c) + R"(","size":)" + size + more + '}';
}

QByteArray platform(const QByteArray& architecture, const QByteArray& variant = {})
{
    return R"(,"platform":{"os":"linux","architecture":")" + architecture
        + (variant.isEmpty() ? QByteArray() : QByteArray(R"(","variant":")" + variant)) + "\"}";
}

QByteArray index(const QByteArray& entries)
{
    return R"({"schemaVersion":2,"manifests":[)" + entries + "]}";
}

QByteArray manifest(const QByteArray& layers, const QByteArray& config = descriptor('c'))
{
    return R"({"schemaVersion":2,"config":)" + config + R"(,"layers":[)" + layers + "]}";
}

QByteArray repeated(const QByteArray& piece, int times)
{
    return QByteArray(piece + ',').repeated(times - 1) + piece;
}

} // namespace

void TestManifest::dockerManifest_isRead()
{
    const auto read = parseManifest(R"({"schemaVersion":2,
        "mediaType":"application/vnd.docker.distribution.manifest.v2+json",
        "config":{"mediaType":"application/vnd.docker.container.image.v1+json","size":7023,
            "digest":")"
        + digest('c') + R"("},
        "layers":[{"mediaType":"application/vnd.docker.image.rootfs.diff.tar.gzip",
            "size":10000000000,"digest":")"
        + digest('1') + R"("},)" + descriptor('2', "32") + "]}");
    QVERIFY2(read.ok(), qPrintable(read.ok() ? QString() : read.error().text()));
    QVERIFY(!read->index);
    QCOMPARE(read->manifest.configDigest, QString::fromLatin1(digest('c')));
    QCOMPARE(read->manifest.configBytes, 7023);
    QCOMPARE(read->manifest.layers.size(), size_t(2));
    QCOMPARE(read->manifest.layers[0].bytes, 10'000'000'000);
    QCOMPARE(read->manifest.layers[1].digest, QString::fromLatin1(digest('2')));
    QCOMPARE(describedImage(read->manifest, {}).compressedBytes(), 10'000'000'032);
}

void TestManifest::ociIndex_isReadWithoutAttestations()
{
    const QByteArray note =
        R"(,"annotations":{"vnd.docker.reference.type":"attestation-manifest"})";
    const auto read = parseManifest(index(descriptor('1', "7", platform("amd64")) + ','
        + descriptor('2', "7", platform("arm64", "v8")) + ','
        + descriptor('3', "7", R"(,"platform":{"os":"unknown","architecture":"unknown"})") + ','
        + descriptor('4', "7", note)));
    QVERIFY(read.ok());
    QVERIFY(read->index);
    QCOMPARE(read->index->entries.size(), size_t(2));
    QCOMPARE(read->index->entries[1].platform.text(), QStringLiteral("linux/arm64/v8"));
}

void TestManifest::platforms_areNamedOnce()
{
    const auto read = parseManifest(
        index(repeated(descriptor('1', "7", platform("amd64")), 3) + ',' + descriptor('2')));
    QVERIFY(read.ok());
    QCOMPARE(read->index->entries.size(), size_t(4));
    QCOMPARE(read->index->platforms().size(), size_t(1));
    QCOMPARE(read->index->platforms().front().text(), QStringLiteral("linux/amd64"));
}

void TestManifest::entry_isTheOneThatFits_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("variant");
    QTest::addColumn<char>("chosen");
    QTest::newRow("in the middle") << "arm64"
                                   << "" << '2';
    QTest::newRow("its own variant") << "arm"
                                     << "v7" << '4';
    QTest::newRow("another variant") << "arm"
                                     << "v6" << '3';
    QTest::newRow("any variant") << "arm"
                                 << "" << '3';
    QTest::newRow("none: the first") << "riscv64"
                                     << "" << '1';
}

void TestManifest::entry_isTheOneThatFits()
{
    QFETCH(QString, architecture);
    QFETCH(QString, variant);
    QFETCH(char, chosen);
    const auto read = parseManifest(index(descriptor('1', "7", platform("amd64")) + ','
        + descriptor('2', "7", platform("arm64", "v8")) + ','
        + descriptor('3', "7", platform("arm", "v6")) + ','
        + descriptor('4', "7", platform("arm", "v7"))));
    QVERIFY(read.ok());
    const ImagePlatform wanted{QStringLiteral("linux"), architecture, variant};
    QCOMPARE(read->index->entryFor(wanted).digest, QString::fromLatin1(digest(chosen)));
}

void TestManifest::documents_areRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<ErrorKind>("kind");
    const auto row = [](const char* name, const QByteArray& json,
                         ErrorKind kind = ErrorKind::Protocol) {
        QTest::newRow(name) << json << kind;
    };
    row("empty", "");
    row("a page", "<!DOCTYPE html><html><body>Sign in</body></html>");
    row("cut", manifest(descriptor('1')).chopped(9));
    row("a list", "[]");
    row("neither", R"({"schemaVersion":2})");
    row("both at once", R"({"manifests":[],"config":{},"layers":[]})");
    row("schema 1", R"({"schemaVersion":1,"name":"a","fsLayers":[{"blobSum":"x"}]})",
        ErrorKind::Unsupported);
    row("a chart",
        manifest(descriptor('1'),
            descriptor('c', "7", R"(,"mediaType":"application/vnd.cncf.helm.config.v1+json")")),
        ErrorKind::Unsupported);
    row("an artifact",
        R"({"mediaType":"application/vnd.oci.artifact.manifest.v1+json","blobs":[]})",
        ErrorKind::Unsupported);
    row("nothing in the index", index(""));
    row("only attestations",
        index(descriptor('3', "7", R"(,"platform":{"os":"unknown","architecture":"unknown"})")));
    row("the index is an object", R"({"manifests":{}})");
    row("entries are texts", R"({"manifests":["a"]})");
    row("platform is a text", index(descriptor('1', "7", R"(,"platform":"linux/amd64")")));
    row("architecture is a number",
        index(descriptor('1', "7", R"(,"platform":{"os":"linux","architecture":64})")));
    row("layers are a text", R"({"config":)" + descriptor('c') + R"(,"layers":"many"})");
    row("a size is negative", manifest(descriptor('1', "-1")));
    row("a size is a fraction", manifest(descriptor('1', "1.5")));
    row("a size is a text", manifest(descriptor('1', "\"7\"")));
    row("a size overflows", manifest(descriptor('1', "99999999999999999999")));
    row("a size is beyond all disks", manifest(descriptor('1', "9007199254740993")));
    row("no size", manifest(R"({"digest":")" + digest('1') + "\"}"));
    row("the configuration is huge", manifest(descriptor('1'), descriptor('c', "9000000")));
    row("no digest", manifest(R"({"size":7})"));
    row("a digest is a path", manifest(R"({"size":7,"digest":"../../etc/passwd"})"));
    row("a digest is another sum", manifest(descriptor('1'), R"({"size":7,"digest":"md5:0123"})"));
    row("a digest in capitals",
        manifest(R"({"size":7,"digest":"sha256:)" + QByteArray(64, 'A') + "\"}"));
    row("too many layers", manifest(repeated(descriptor('1'), 1001)));
    row("too many entries", index(repeated(descriptor('1', "7", platform("amd64")), 1001)));
    row("too deep", R"({"manifests":)" + QByteArray(2000, '[') + QByteArray(2000, ']') + '}');
    row("too many parts", R"({"manifests":[)" + repeated("[]", 60'000) + "]}");
    row("too many values", R"({"x":[)" + repeated("1", 400'000) + "]}");
    row("too long", R"({"x":")" + QByteArray(5 * 1024 * 1024, 'x') + "\"}");
    row("no UTF-8", "{\"manifests\":\"\xff\xfe\"}");
}

void TestManifest::documents_areRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(ErrorKind, kind);
    const auto read = parseManifest(json);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().kind, kind);
    QVERIFY(read.error().summary.endsWith(u'.'));
    QVERIFY(read.error().detail.size() <= 300);
}

void TestManifest::limits_areOfTheSizeThatTheySay()
{
    QVERIFY(parseManifest(manifest(repeated(descriptor('1'), 1000))).ok());
    QVERIFY(parseManifest(index(repeated(descriptor('1', "7", platform("amd64")), 1000))).ok());
    const qint64 largest = manifestlimits::mostLayerBytes;
    const auto read =
        parseManifest(manifest(repeated(descriptor('1', QByteArray::number(largest)), 1000)));
    QVERIFY(read.ok());
    QCOMPARE(describedImage(read->manifest, {}).compressedBytes(), 1000 * largest);
    QVERIFY(parseManifest(manifest(R"({"size":7,"digest":"sha512:)" + QByteArray(128, 'a') + "\"}"))
                .ok());
    QVERIFY(parseManifest(manifest("")).ok()); // an image of nothing
}

void TestManifest::config_isRead()
{
    const auto read = parseImageConfig(R"({"architecture":"arm64","variant":"v8","os":"linux",
        "created":"2024-03-05T10:00:00.123456789Z","config":{"User":"1000:1000",
        "Env":["PATH=/usr/bin:/bin","EMPTY=","A=b=c","NOTHING","=x","A=last"],
        "Entrypoint":["/opt/entry.sh","--"],"Cmd":null,"WorkingDir":"/workspace",
        "Labels":{"com.nvidia.build.id":"85286408"}},"rootfs":{"type":"layers"}})");
    QVERIFY2(read.ok(), qPrintable(read.ok() ? QString() : read.error().text()));
    QCOMPARE(read->platform.text(), QStringLiteral("linux/arm64/v8"));
    QCOMPARE(read->created.toUTC().date(), QDate(2024, 3, 5));
    QCOMPARE(read->created.toUTC().time().hour(), 10);
    QCOMPARE(read->environment.keys(),
        QStringList({QStringLiteral("A"), QStringLiteral("EMPTY"), QStringLiteral("PATH")}));
    QCOMPARE(read->environment.value(QStringLiteral("A")), QStringLiteral("last"));
    QCOMPARE(read->labels.value(QStringLiteral("com.nvidia.build.id")), QStringLiteral("85286408"));
    QCOMPARE(
        read->entrypoint, QStringList({QStringLiteral("/opt/entry.sh"), QStringLiteral("--")}));
    QVERIFY(read->command.isEmpty());
    QCOMPARE(read->user, QStringLiteral("1000:1000"));
    QCOMPARE(read->workFolder, QStringLiteral("/workspace"));
}

void TestManifest::config_mayBeEmpty_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("nothing") << QByteArray("{}");
    QTest::newRow("nulls") << QByteArray(
        R"({"config":{"Env":null,"Labels":null,"Cmd":null},"history":null,"created":null})");
    QTest::newRow("no settings") << QByteArray(R"({"config":null})");
    QTest::newRow("no time") << QByteArray(R"({"created":"yesterday"})");
}

void TestManifest::config_mayBeEmpty()
{
    QFETCH(QByteArray, json);
    const auto read = parseImageConfig(json);
    QVERIFY(read.ok());
    QVERIFY(read->environment.isEmpty() && read->labels.isEmpty() && read->command.isEmpty());
    QVERIFY(!read->created.isValid());
}

void TestManifest::config_isRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* name, const QByteArray& json) { QTest::newRow(name) << json; };
    row("not JSON", "gzip");
    row("a list", "[1]");
    row("settings are a list", R"({"config":["Env"]})");
    row("Env is an object", R"({"config":{"Env":{"A":"b"}}})");
    row("Env has numbers", R"({"config":{"Env":[1]}})");
    row("Labels are a list", R"({"config":{"Labels":["a"]}})");
    row("a label is an object", R"({"config":{"Labels":{"a":{}}}})");
    row("User is a number", R"({"config":{"User":0}})");
    row("history is a text", R"({"history":"long"})");
    row("too many variables", R"({"config":{"Env":[)" + repeated("\"A=b\"", 2001) + "]}}");
    row("too long a history", R"({"history":[)" + repeated("{}", 4001) + "]}");
    row("too deep", R"({"config":)" + QByteArray(40, '[') + QByteArray(40, ']') + '}');
    row("too long", R"({"author":")" + QByteArray(9 * 1024 * 1024, 'x') + "\"}");
}

void TestManifest::config_isRefused()
{
    QFETCH(QByteArray, json);
    const auto read = parseImageConfig(json);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().kind, ErrorKind::Protocol);
}

void TestManifest::origins_areNamedOnlyWhereTheyAreSure()
{
    const auto read = parseManifest(manifest(descriptor('1') + ',' + descriptor('2')));
    QVERIFY(read.ok());
    const auto config = parseImageConfig(R"({"history":[
        {"created_by":"/bin/sh -c #(nop) ADD file:9 in / "},
        {"created_by":"ENV A=b","empty_layer":true},
        {"created_by":"RUN /bin/sh -c make # buildkit"}]})");
    QVERIFY(config.ok());
    const ImageDescription image = describedImage(read->manifest, *config);
    QCOMPARE(image.layers[0].createdBy, QStringLiteral("ADD file:9 in /"));
    QCOMPARE(image.layers[1].createdBy, QStringLiteral("RUN /bin/sh -c make # buildkit"));

    const auto squashed = parseImageConfig(R"({"history":[{"created_by":"RUN make"}]})");
    QVERIFY(squashed.ok());
    for (const ImageLayer& layer : describedImage(read->manifest, *squashed).layers)
        QVERIFY(layer.createdBy.isEmpty());
}

void TestManifest::texts_haveNoControlCharacters()
{
    const auto read = parseImageConfig(
        R"({"config":{"User":"\u001b]0;evil\u0007","Env":["A=\u0000b\nc"],"WorkingDir":")"
        + QByteArray(100'000, 'x') + "\"}}");
    QVERIFY(read.ok());
    QCOMPARE(read->user, QStringLiteral(" ]0;evil "));
    QCOMPARE(read->environment.value(QStringLiteral("A")), QStringLiteral(" b\nc"));
    QCOMPARE(read->workFolder.size(), manifestlimits::longestText + 1);
}

void TestManifest::creation_isNotADateOfLongAgo_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isSaid");
    QTest::newRow("zero of Go") << QByteArray("0001-01-01T00:00:00Z") << false;
    QTest::newRow("zero of Unix") << QByteArray("1970-01-01T00:00:00Z") << false;
    QTest::newRow("buildpacks") << QByteArray("1980-01-01T00:00:01Z") << false;
    QTest::newRow("with a zone") << QByteArray("2023-11-02T23:30:00+02:00") << true;
    QTest::newRow("a real one") << QByteArray("2023-11-02T23:30:00Z") << true;
}

void TestManifest::creation_isNotADateOfLongAgo()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isSaid);
    const auto read = parseImageConfig(R"({"created":")" + text + "\"}");
    QVERIFY(read.ok());
    QCOMPARE(read->created.isValid(), isSaid);
}

SLIPWAY_TEST(TestManifest, registry_manifest)
#include "tst_manifest.moc"
