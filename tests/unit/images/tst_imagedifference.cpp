// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagedifference.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <algorithm>

using namespace slipway;

/// Two images side by side: which rows there are, and what the second pull adds.
class TestImageDifference : public QObject {
    Q_OBJECT

private slots:
    void layers_areSharedByDigest_data();
    void layers_areSharedByDigest();
    void rows_sayWhatDiffers_data();
    void rows_sayWhatDiffers();
    void labels_areListedWhereTheyDiffer();
    void files_areComparedByWhatIsKnown();
    void longTexts_areBounded();
};

namespace {

ComparedImage imageOf(const QString& layers, const QMap<QString, QString>& environment = {})
{
    ImageDescription description;
    for (const QChar name : layers)
        description.layers.push_back(
            {u"sha256:" + QString(64, name), 1000 * (name.unicode() - 'a' + 1), {}});
    description.environment = environment;
    ComparedImage image;
    image.name = layers;
    image.described = description;
    return image;
}

const ImageDifferenceRow* rowOf(const ImageDifference& difference, const QString& key)
{
    const auto found = std::find_if(difference.rows.begin(), difference.rows.end(),
        [&key](const ImageDifferenceRow& row) { return row.key == key; });
    return found == difference.rows.end() ? nullptr : &*found;
}

} // namespace

void TestImageDifference::layers_areSharedByDigest_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<int>("shared");
    QTest::addColumn<qint64>("sharedBytes");
    QTest::addColumn<int>("added");
    QTest::addColumn<qint64>("addedBytes");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("same") << "ab"
                          << "ab" << 2 << 3000ll << 0 << 0ll << "nothing more";
    QTest::newRow("one more")
        << "ab"
        << "abc" << 2 << 3000ll << 1 << 3000ll
        << "2 layers (2.9 KiB) are in both; where the first is in the cache, a "
           "pull of the second downloads 1 layer, 2.9 KiB.";
    QTest::newRow("one less") << "abc"
                              << "ab" << 2 << 3000ll << 0 << 0ll << "nothing more";
    QTest::newRow("nothing in common") << "ab"
                                       << "cd" << 0 << 0ll << 2 << 7000ll << "no layer";
    QTest::newRow("twice in the second") << "a"
                                         << "abb" << 1 << 1000ll << 1 << 2000ll << "1 layer";
    QTest::newRow("empty") << "a"
                           << "" << 0 << 0ll << 0 << 0ll << "nothing more";
}

void TestImageDifference::layers_areSharedByDigest()
{
    QFETCH(QString, first);
    QFETCH(QString, second);
    const ImageDifference difference = compareImages(imageOf(first), imageOf(second));
    QVERIFY(difference.layersKnown);
    QTEST(difference.sharedLayers, "shared");
    QTEST(difference.sharedBytes, "sharedBytes");
    QTEST(difference.addedLayers, "added");
    QTEST(difference.addedBytes, "addedBytes");
    QFETCH(QString, sentence);
    const QString text = sharedLayersSentence(difference);
    QVERIFY2(text.contains(sentence), qPrintable(text));
}

void TestImageDifference::rows_sayWhatDiffers_data()
{
    using State = ImageDifferenceRow::State;
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<int>("state");
    QTest::newRow("CUDA") << "cuda"
                          << "12.4.1"
                          << "13.0.0" << int(State::Differs);
    QTest::newRow("user, root where none is said") << "user"
                                                   << "root"
                                                   << "app" << int(State::Differs);
    QTest::newRow("entrypoint, none in the first") << "entrypoint"
                                                   << ""
                                                   << "/run me" << int(State::Differs);
    QTest::newRow("platforms, in any order") << "platforms"
                                             << "linux/amd64, linux/arm64"
                                             << "linux/amd64, linux/arm64" << int(State::Same);
    QTest::newRow("layers") << "layers"
                            << "2"
                            << "1" << int(State::Differs);
    QTest::newRow("created") << "created"
                             << "2026-05-01 10:00 UTC"
                             << "" << int(State::Differs);
}

void TestImageDifference::rows_sayWhatDiffers()
{
    const QString cuda = QStringLiteral("CUDA_VERSION");
    ComparedImage first = imageOf(QStringLiteral("ab"), {{cuda, QStringLiteral("12.4.1")}});
    ComparedImage second = imageOf(QStringLiteral("a"), {{cuda, QStringLiteral("13.0.0")}});
    const ImagePlatform amd = ImagePlatform::ofNodes(QStringLiteral("x86_64"));
    const ImagePlatform arm = ImagePlatform::ofNodes(QStringLiteral("aarch64"));
    first.described->platforms = {amd, arm};
    second.described->platforms = {arm, amd};
    first.described->created = QDateTime({2026, 5, 1}, {10, 0}, Qt::UTC);
    second.described->user = QStringLiteral("app");
    second.described->entrypoint = {QStringLiteral("/run"), QStringLiteral("me")};
    const ImageDifference difference = compareImages(first, second);
    QFETCH(QString, key);
    const ImageDifferenceRow* const row = rowOf(difference, key);
    QVERIFY(row);
    QTEST(row->first, "first");
    QTEST(row->second, "second");
    QTEST(int(row->state), "state");
    QVERIFY(!rowOf(difference, QStringLiteral("cmd"))); // neither says one
}

void TestImageDifference::labels_areListedWhereTheyDiffer()
{
    ComparedImage first = imageOf(QStringLiteral("a")), second = imageOf(QStringLiteral("a"));
    first.described->labels = {{QStringLiteral("same"), QStringLiteral("1")},
        {QStringLiteral("version"), QStringLiteral("24.03")},
        {QStringLiteral("gone"), QStringLiteral("x")}};
    second.described->labels = {{QStringLiteral("same"), QStringLiteral("1")},
        {QStringLiteral("version"), QStringLiteral("24.05")}};
    ImageDifference difference = compareImages(first, second);
    QVERIFY(!rowOf(difference, QStringLiteral("label same")));
    QVERIFY(rowOf(difference, QStringLiteral("label gone")));
    const ImageDifferenceRow* const row = rowOf(difference, QStringLiteral("label version"));
    QVERIFY(row && row->second == u"24.05");
    for (int i = 0; i < 500; ++i)
        second.described->labels.insert(QString::number(i), QStringLiteral("x"));
    difference = compareImages(first, second);
    QVERIFY(difference.rows.size() < 80);
    QCOMPARE(difference.labelsLeftOut, 502 - 40);
}

void TestImageDifference::files_areComparedByWhatIsKnown()
{
    ComparedImage file;
    file.stored = StoredImage();
    file.stored->bytes = 5000;
    const ImageDifference difference = compareImages(file, imageOf(QStringLiteral("a")));
    QVERIFY(!difference.layersKnown);
    const ImageDifferenceRow* const bytes = rowOf(difference, QStringLiteral("file_bytes"));
    QVERIFY(bytes && bytes->state == ImageDifferenceRow::State::Unknown);
    const ImageDifferenceRow* const layers = rowOf(difference, QStringLiteral("layers"));
    QVERIFY(layers && layers->state == ImageDifferenceRow::State::Unknown);
    QVERIFY(sharedLayersSentence(difference).contains(u"not known"));
}

void TestImageDifference::longTexts_areBounded()
{
    ComparedImage first = imageOf(QStringLiteral("a")), second = imageOf(QStringLiteral("a"));
    first.described->entrypoint = {QString(100'000, u'x')};
    second.described->user = QStringLiteral("line\nbreak");
    const ImageDifference difference = compareImages(first, second);
    QVERIFY(rowOf(difference, QStringLiteral("entrypoint"))->first.size() <= 301);
    QCOMPARE(rowOf(difference, QStringLiteral("user"))->second, QStringLiteral("line break"));
}

SLIPWAY_TEST(TestImageDifference, images_imagedifference)
#include "tst_imagedifference.moc"
