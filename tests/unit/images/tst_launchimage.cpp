// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/launchimage.h"
#include "remote/base/quantities.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway;

/// What is said of an image before a launch. Only what the registry confirmed is “ok”.
class TestLaunchImage : public QObject {
    Q_OBJECT

private slots:
    void answers_areJudged_data();
    void answers_areJudged();
    void verdict_isThatOfThePartition_data();
    void verdict_isThatOfThePartition();
    void room_counts_data();
    void room_counts();
    void missingTag_namesTheNearest();
    void keptFile_isUsed();
    void hostileWords_areBounded();
};

namespace {

constexpr qint64 gibibyte = qint64(1) << 30;

ImageAnswer answerOf(ImageAnswer::State state)
{
    ImageAnswer answer;
    answer.state = state;
    answer.image = *ImageReference::parse(QStringLiteral("nvcr.io/nvidia/pytorch:2.99"));
    answer.why = QStringLiteral("nvcr.io says something.");
    return answer;
}

PartitionVerdict verdictOf(const char* partition, Verdict verdict, bool isOfPlatform = false)
{
    PartitionVerdict one;
    one.partition = QString::fromLatin1(partition);
    one.verdict = verdict;
    one.isOfPlatform = isOfPlatform;
    one.sentence = QStringLiteral("Because of %1.").arg(one.partition);
    return one;
}

ImageAnswer existing()
{
    ImageAnswer answer = answerOf(ImageAnswer::State::Exists);
    ImageInspection found;
    found.image.layers = {{QString(), 2 * gibibyte, QString()}};
    found.verdicts = {verdictOf("good", Verdict::Ok), verdictOf("bad", Verdict::Fail),
        verdictOf("open", Verdict::Unknown), verdictOf("power", Verdict::Fail, true)};
    answer.inspection = found;
    return answer;
}

QString standingOf(const ImageAnswer& answer, const QString& partition, bool hasGpu)
{
    return imageStandingName(judgeForLaunch(answer, partition, hasGpu).standing);
}

} // namespace

void TestLaunchImage::answers_areJudged_data()
{
    using State = ImageAnswer::State;
    QTest::addColumn<int>("state");
    QTest::addColumn<QString>("standing");
    QTest::addColumn<bool>("isCertain");
    QTest::newRow("unasked") << int(State::Unasked) << QStringLiteral("unknown") << false;
    QTest::newRow("asking") << int(State::Asking) << QStringLiteral("unknown") << false;
    QTest::newRow("missing") << int(State::Missing) << QStringLiteral("error") << true;
    QTest::newRow("private") << int(State::Unauthorized) << QStringLiteral("warning") << false;
    QTest::newRow("out of reach") << int(State::Unreachable) << QStringLiteral("unknown") << false;
    QTest::newRow("a file") << int(State::File) << QStringLiteral("unknown") << false;
    QTest::newRow("nothing with it") << int(State::Exists) << QStringLiteral("unknown") << false;
}

void TestLaunchImage::answers_areJudged()
{
    QFETCH(int, state);
    const auto answer = answerOf(ImageAnswer::State(state));
    const LaunchImageState judged = judgeForLaunch(answer, QStringLiteral("gpu"), true);
    QTEST(imageStandingName(judged.standing), "standing");
    QTEST(judged.isCertain, "isCertain");
    QVERIFY(state == int(ImageAnswer::State::Exists) || !judged.sentence.isEmpty());
}

void TestLaunchImage::verdict_isThatOfThePartition_data()
{
    QTest::addColumn<QString>("partition");
    QTest::addColumn<bool>("hasGpu");
    QTest::addColumn<QString>("standing");
    const auto row = [](const char* name, const char* partition, bool hasGpu,
                         const char* standing) {
        QTest::newRow(name) << QString::fromLatin1(partition) << hasGpu
                            << QString::fromLatin1(standing);
    };
    row("runs", "good", true, "ok");
    row("does not run", "bad", true, "error");
    row("not known", "open", true, "unknown");
    row("CUDA is of no use without a GPU", "bad", false, "ok");
    row("unknown CUDA as well", "open", false, "ok");
    row("other processors, without a GPU", "power", false, "error");
    row("no such partition", "other", true, "unknown");
    row("the scheduler's choice among different ones", "", true, "unknown");
}

void TestLaunchImage::verdict_isThatOfThePartition()
{
    QFETCH(QString, partition);
    QFETCH(bool, hasGpu);
    QFETCH(QString, standing);
    QCOMPARE(standingOf(existing(), partition, hasGpu), standing);
    const LaunchImageState judged = judgeForLaunch(existing(), partition, hasGpu);
    QCOMPARE(judged.isCertain, standing == u"error");
    if (hasGpu && partition == u"good")
        QVERIFY2(judged.sentence.contains(u"Because of good.")
                && judged.sentence.contains(ByteCount(2 * gibibyte).text()),
            qPrintable(judged.sentence));
}

void TestLaunchImage::room_counts_data()
{
    QTest::addColumn<qint64>("free"); // -1: not known
    QTest::addColumn<QString>("standing");
    QTest::newRow("not known") << qint64(-1) << QStringLiteral("ok");
    QTest::newRow("plenty") << 100 * gibibyte << QStringLiteral("ok");
    QTest::newRow("none for temporary files") << 5 * gibibyte << QStringLiteral("warning");
    QTest::newRow("none for the cache") << 3 * gibibyte << QStringLiteral("error");
    QTest::newRow("none") << qint64(0) << QStringLiteral("error");
}

void TestLaunchImage::room_counts()
{
    QFETCH(qint64, free);
    ImageAnswer answer = existing();
    if (free >= 0)
        answer.inspection->freeBytes = free;
    answer.inspection->folder = QStringLiteral("/scratch/images");
    const LaunchImageState judged = judgeForLaunch(answer, QStringLiteral("good"), true);
    QTEST(imageStandingName(judged.standing), "standing");
    QVERIFY(!judged.isCertain); // the image may be there already
    if (judged.standing == ImageStanding::Error)
        QVERIFY2(judged.sentence.contains(u"/scratch/images"), qPrintable(judged.sentence));
    // What is worse stays.
    QCOMPARE(standingOf(answer, QStringLiteral("bad"), true), QStringLiteral("error"));
    QVERIFY(judgeForLaunch(answer, QStringLiteral("bad"), true).isCertain);
}

void TestLaunchImage::missingTag_namesTheNearest()
{
    ImageAnswer answer = answerOf(ImageAnswer::State::Missing);
    answer.nearest = QStringList{QStringLiteral("2.9"), QStringLiteral("2.8")};
    const LaunchImageState judged = judgeForLaunch(answer, {}, true);
    QVERIFY2(judged.sentence.contains(u"2.99") && judged.sentence.contains(u"2.9, 2.8"),
        qPrintable(judged.sentence));
    QCOMPARE(judged.instead,
        (QStringList{QStringLiteral("docker://nvcr.io/nvidia/pytorch:2.9"),
            QStringLiteral("docker://nvcr.io/nvidia/pytorch:2.8")}));
    answer.nearest.clear();
    QCOMPARE(judgeForLaunch(answer, {}, true).sentence, answer.why);
}

void TestLaunchImage::keptFile_isUsed()
{
    ImageAnswer missing = answerOf(ImageAnswer::State::Missing);
    missing.keptSince = QStringLiteral("2026-01-02");
    const LaunchImageState judged = judgeForLaunch(missing, {}, true);
    QCOMPARE(imageStandingName(judged.standing), QStringLiteral("warning"));
    QVERIFY(!judged.isCertain);
    QVERIFY2(judged.sentence.startsWith(missing.why) && judged.sentence.contains(u"2026-01-02"),
        qPrintable(judged.sentence));
    // Nothing is pulled, so room does not matter; what does not run still does not.
    ImageAnswer answer = existing();
    answer.inspection->freeBytes = 0;
    answer.keptSince = missing.keptSince;
    QCOMPARE(standingOf(answer, QStringLiteral("good"), true), QStringLiteral("ok"));
    QCOMPARE(standingOf(answer, QStringLiteral("bad"), true), QStringLiteral("error"));
}

void TestLaunchImage::hostileWords_areBounded()
{
    ImageAnswer answer = answerOf(ImageAnswer::State::Unreachable);
    answer.why = QString(100'000, u'x') + u"\n\x1b[2J";
    QVERIFY(judgeForLaunch(answer, {}, true).sentence.size() < 1000);
}

SLIPWAY_TEST(TestLaunchImage, images_launchimage)
#include "tst_launchimage.moc"
