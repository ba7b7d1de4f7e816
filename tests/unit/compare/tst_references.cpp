// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/references.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "tests/unit/compare/racers.h"

#include <QtTest>

using namespace slipway;

class TestReferences : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void shippedFile_isWholeAndSourced();
    void card_isKnownByItsWords_data();
    void card_isKnownByItsWords();
    void farFromExpected_isNoted_data();
    void farFromExpected_isNoted();
    void publishedCurves_standBesideTheSameWork();
    void brokenFile_isNamed();

private:
    RaceReferences m_references;
};

void TestReferences::initTestCase()
{
    std::vector<Error> errors;
    m_references = loadRaceReferences(slipway::sourcePath(QStringLiteral("/resources")), &errors);
    QVERIFY2(errors.empty(), errors.empty() ? "" : qPrintable(errors[0].summary));
}

void TestReferences::shippedFile_isWholeAndSourced()
{
    QVERIFY(m_references.peaks.size() >= 8 && m_references.results.size() >= 5);
    for (const GpuPeak& peak : m_references.peaks) {
        QVERIFY2(
            !peak.source.isEmpty() && !peak.words.isEmpty() && peak.fp32, qPrintable(peak.name));
        QVERIFY2(*peak.fp32 > 1e12 && *peak.fp32 < 1e15, qPrintable(peak.name));
        QVERIFY2(!peak.bandwidth || (*peak.bandwidth > 1e11 && *peak.bandwidth < 1e13),
            qPrintable(peak.name));
    }
    for (const PublishedResult& result : m_references.results)
        QVERIFY2(!result.curve.source.isEmpty() && !result.curve.conditions.isEmpty()
                && !result.context.isEmpty() && !result.curve.points.empty(),
            qPrintable(result.label));
}

void TestReferences::card_isKnownByItsWords_data()
{
    QTest::addColumn<QString>("card");
    QTest::addColumn<QString>("peak"); // empty: none is known
    QTest::newRow("L40S") << QStringLiteral("NVIDIA L40S") << QStringLiteral("L40S");
    QTest::newRow("L40") << QStringLiteral("NVIDIA L40") << QStringLiteral("L40");
    QTest::newRow("A100") << QStringLiteral("NVIDIA A100-SXM4-80GB") << QStringLiteral("A100");
    QTest::newRow("V100") << QStringLiteral("Tesla V100-SXM2-32GB")
                          << QStringLiteral("Tesla V100 SXM2");
    QTest::newRow("V100 on PCIe has another clock")
        << QStringLiteral("Tesla V100-PCIE-16GB") << QString();
    QTest::newRow("H100 SXM") << QStringLiteral("NVIDIA H100 80GB HBM3")
                              << QStringLiteral("H100 SXM");
    QTest::newRow("H100 on PCIe") << QStringLiteral("NVIDIA H100 PCIe") << QString();
    QTest::newRow("H200") << QStringLiteral("NVIDIA H200") << QStringLiteral("H200 SXM");
    QTest::newRow("H200 NVL") << QStringLiteral("NVIDIA H200 NVL") << QString();
    QTest::newRow("RTX 5000") << QStringLiteral("Quadro RTX 5000")
                              << QStringLiteral("Quadro RTX 5000");
    QTest::newRow("another RTX 5000")
        << QStringLiteral("NVIDIA RTX 5000 Ada Generation") << QString();
    QTest::newRow("a part of a card")
        << QStringLiteral("NVIDIA A100-SXM4-40GB MIG 1g.5gb") << QString();
    QTest::newRow("nothing") << QString() << QString();
}

void TestReferences::card_isKnownByItsWords()
{
    QFETCH(QString, card);
    QFETCH(QString, peak);
    const GpuPeak* const found = m_references.peakOf(card);
    QCOMPARE(found ? found->name : QString(), peak);
}

void TestReferences::farFromExpected_isNoted_data()
{
    QTest::addColumn<QString>("card");
    QTest::addColumn<double>("rate");
    QTest::addColumn<QString>("words"); // of the note; empty: none
    QTest::newRow("as expected") << QStringLiteral("NVIDIA L40S") << 60e12 << QString();
    QTest::newRow("more than the card can do")
        << QStringLiteral("NVIDIA L40S") << 120e12
        << QStringLiteral(
               "120 TFLOP/s of 91.6 TFLOP/s (NVIDIA L40S, data sheet); more than the card can do");
    QTest::newRow("too little") << QStringLiteral("NVIDIA L40S") << 20e12
                                << QStringLiteral("shared");
    QTest::newRow("far below what was published")
        << QStringLiteral("Quadro RTX 5000") << 3.5e12
        << QStringLiteral("4.78 TFLOP/s was published for this card (TACC");
    QTest::newRow("like the published") << QStringLiteral("Quadro RTX 5000") << 4.7e12 << QString();
    QTest::newRow("a card without a source") << QStringLiteral("NVIDIA Z1") << 1e18 << QString();
}

void TestReferences::farFromExpected_isNoted()
{
    QFETCH(QString, card);
    QFETCH(double, rate);
    QFETCH(QString, words);
    CompareLane gpu = racers::gpu();
    for (Measurement& point : gpu.points) {
        point.name = card;
        point.seconds = racers::around(*point.operations / rate);
    }
    Comparison race = compare(gpu, racers::cpu());
    const bool fair = race.fair();
    addReferences(race, m_references);
    const FairnessRule* const note = racers::rule(race, QStringLiteral("reference"));
    QCOMPARE(note != nullptr, !words.isEmpty());
    if (note)
        QVERIFY2(note->state == FairnessRule::State::Note && note->text.contains(words),
            qPrintable(note->text));
    QCOMPARE(race.fair(), fair);
}

void TestReferences::publishedCurves_standBesideTheSameWork()
{
    Comparison race = compare(racers::gpu(), racers::cpu());
    addReferences(race, m_references);
    QCOMPARE(race.references.size(), size_t(2));
    QCOMPARE(race.references[0].source, QStringLiteral("TACC, MPI and GPU Containers"));
    // References that were measured differently say so.
    const auto like = [&](bool comparable) {
        return std::count_if(race.references.begin(), race.references.end(),
            [&](const ReferenceSeries& one) { return one.notComparable.isEmpty() == comparable; });
    };
    QCOMPARE(like(true), 1);
    QCOMPARE(like(false), 1);
    QVERIFY2(race.protocol.filter(QStringLiteral("Not comparable: ")).size() == 1,
        qPrintable(race.protocol.join(u'\n')));
    CompareLane train = racers::gpu();
    train.work = QStringLiteral("train:tf-mnist");
    Comparison training = compare(train, train);
    addReferences(training, m_references);
    QCOMPARE(training.references.size(), size_t(2));
    QCOMPARE(training.references[0].points[0].y, 26.0);
    for (const ReferenceSeries& one : training.references)
        QVERIFY2(
            one.conditions.contains(u"one CPU (-n 1)") || one.conditions.contains(u"and one CPU"),
            qPrintable(one.conditions));
    train.work = QStringLiteral("train:train-digits");
    Comparison other = compare(train, train);
    addReferences(other, m_references);
    QVERIFY(other.references.empty());
}

void TestReferences::brokenFile_isNamed()
{
    const auto broken = parseRaceReferences(
        R"({"peaks": [{"name": "X", "words": ["X"], "fp32": "much"}], "results": [], "other": 1})",
        QStringLiteral("x.json"));
    QVERIFY(!broken.ok());
    const QString all = broken.error().summary + QString::fromUtf8(broken.error().detail);
    QVERIFY2(all.contains(u"fp32") && all.contains(u"source") && all.contains(u"other"),
        qPrintable(all));
}

SLIPWAY_TEST(TestReferences, compare_references)
#include "tst_references.moc"
