// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "tests/unit/compare/racers.h"

#include <QTimeZone>
#include <QtTest>

#include <functional>
#include <limits>

using namespace slipway;
using State = FairnessRule::State;

namespace {

using Change = std::function<void(CompareLane& gpu, CompareLane& cpu)>;

/// What one change does to each measurement of a lane.
Change each(bool ofGpu, std::function<void(Measurement&)> change)
{
    return [ofGpu, change](CompareLane& gpu, CompareLane& cpu) {
        for (Measurement& point : (ofGpu ? gpu : cpu).points)
            change(point);
    };
}

Change last(bool ofGpu, std::function<void(Measurement&)> change)
{
    return [ofGpu, change](
               CompareLane& gpu, CompareLane& cpu) { change((ofGpu ? gpu : cpu).points.back()); };
}

constexpr bool Gpu = true, Cpu = false;

} // namespace

Q_DECLARE_METATYPE(Change)
Q_DECLARE_METATYPE(FairnessRule::State)

class TestFairness : public QObject {
    Q_OBJECT

private slots:
    void fairRace_saysWhatWasDone();
    void oneRule_data();
    void oneRule();
    void twoCpuLanes_areAComparisonOfThreads();
    void oneThreadOfMany_isNotAFairRivalOfAGpu();
    void brokenRules_areAllNamed();
};

void TestFairness::fairRace_saysWhatWasDone()
{
    const Comparison race = compare(racers::gpu(), racers::cpu());
    QVERIFY2(race.fair(), qPrintable(race.refusal));
    QVERIFY(race.refusal.isEmpty());
    QStringList texts;
    for (const FairnessRule& rule : race.rules)
        texts << rule.sign() + u' ' + rule.text;
    const QStringList expected{
        QStringLiteral("✓ the same work on both: FP32 matrix product, n = 256 to 4096"),
        QStringLiteral("✓ FP32 on both"),
        QStringLiteral("✓ GPU synchronised before each timer reading"),
        QStringLiteral("✓ 2 warm-up runs before timing"),
        QStringLiteral("✓ 7 repeats, median shown"),
        QStringLiteral(
            "✓ results checked in a higher precision, off by 3\u00A0·\u00A010⁻⁷ at most"),
        QStringLiteral("✓ CPU, all threads used all 16 CPUs of the job, own"),
        QStringLiteral("✓ the GPU was not throttled by heat or power"),
        QStringLiteral("✓ both on the node c1"),
    };
    QCOMPARE(texts, expected);
}

void TestFairness::oneRule_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("id");
    QTest::addColumn<State>("state");
    QTest::addColumn<QString>("words"); // that its text holds
    const auto row = [](const char* name, Change change, const char* id, State state,
                         const char* words) {
        QTest::newRow(name) << change << QString::fromUtf8(id) << state << QString::fromUtf8(words);
    };
    row("not synchronised", last(Gpu, [](Measurement& m) { m.synchronised = false; }),
        "synchronised", State::Broken, "before the GPU had finished");
    row("synchronised unknown", last(Gpu, [](Measurement& m) { m.synchronised.reset(); }),
        "synchronised", State::Unknown, "not known");
    row("CPU lanes need no synchronisation",
        each(Cpu, [](Measurement& m) { m.synchronised.reset(); }), "synchronised", State::Kept,
        "synchronised");
    row("wrong result", last(Gpu, [](Measurement& m) { m.verified = false; }), "verified",
        State::Broken, "wrong");
    row("wrong result on the CPU", last(Cpu, [](Measurement& m) { m.verified = false; }),
        "verified", State::Broken, "CPU, all threads");
    row("wrong result of a small size", each(Gpu, [](Measurement& m) { m.verified = m.x > 300; }),
        "verified", State::Broken, "n = 256");
    row("error above the bound", last(Gpu, [](Measurement& m) { m.error = 2e-3; }), "verified",
        State::Broken, "2\u00A0·\u00A010⁻³");
    row("error is no number",
        last(Gpu, [](Measurement& m) { m.error = std::numeric_limits<double>::quiet_NaN(); }),
        "verified", State::Broken, "off by");
    row("verified unknown", last(Cpu, [](Measurement& m) { m.verified.reset(); }), "verified",
        State::Unknown, "not known");
    row("verified without an error", each(Gpu, [](Measurement& m) { m.error.reset(); }), "verified",
        State::Kept, "higher precision");
    row("one thread of many", each(Cpu, [](Measurement& m) { m.threads = 1; }), "threads",
        State::Broken, "used 1 of 16 CPUs");
    row("one thread of two",
        each(Cpu,
            [](Measurement& m) {
                m.threads = 1;
                m.cpus = 2;
            }),
        "threads", State::Broken, "used 1 of 2 CPUs");
    row("few threads", each(Cpu, [](Measurement& m) { m.threads = 7; }), "threads", State::Broken,
        "used 7 of 16 CPUs");
    row("few threads at one size", last(Cpu, [](Measurement& m) { m.threads = 2; }), "threads",
        State::Broken, "used 2 of 16 CPUs");
    row("a thread a core", each(Cpu, [](Measurement& m) { m.threads = 8; }), "threads", State::Note,
        "used 8 of 16 CPUs");
    row("a job with one CPU", each(Cpu, [](Measurement& m) { m.threads = m.cpus = 1; }), "threads",
        State::Note, "a job with more");
    row("threads unknown", each(Cpu, [](Measurement& m) { m.threads.reset(); }), "threads",
        State::Unknown, "not known");
    row("CPUs unknown", each(Cpu, [](Measurement& m) { m.cpus.reset(); }), "threads",
        State::Unknown, "not known");
    row("hot", last(Gpu, [](Measurement& m) { m.throttle = QStringList{QStringLiteral("heat")}; }),
        "throttle", State::Broken, "heat");
    row("at its power limit",
        last(Gpu, [](Measurement& m) { m.throttle = QStringList{QStringLiteral("power limit")}; }),
        "throttle", State::Note, "power limit");
    row("power limit and heat",
        last(Gpu,
            [](Measurement& m) {
                m.throttle = QStringList{QStringLiteral("power limit"), QStringLiteral("heat")};
            }),
        "throttle", State::Broken, "heat");
    row("throttle unknown", last(Gpu, [](Measurement& m) { m.throttle.reset(); }), "throttle",
        State::Unknown, "not known");
    row("too few repeats", last(Cpu, [](Measurement& m) { m.seconds.resize(4); }), "repeats",
        State::Broken, "4 repeats of CPU, all threads at n = 4096; at least 5 are needed");
    row("five repeats", last(Cpu, [](Measurement& m) { m.seconds.resize(5); }), "repeats",
        State::Kept, "5 repeats");
    row("repeats unknown",
        each(Gpu,
            [](Measurement& m) {
                m.seconds.resize(1);
                m.fromCurve = true;
            }),
        "repeats", State::Unknown, "not known");
    row("no warm-up", each(Gpu, [](Measurement& m) { m.warmups = 0; }), "warm-up", State::Broken,
        "not warmed up");
    row("warm-up unknown", each(Cpu, [](Measurement& m) { m.warmups.reset(); }), "warm-up",
        State::Unknown, "not known");
    row(
        "other work", [](CompareLane& gpu, CompareLane&) { gpu.work = QStringLiteral("nbody"); },
        "same-work", State::Broken, "different work");
    row("other operations", last(Gpu, [](Measurement& m) { m.operations = *m.operations / 2; }),
        "same-work", State::Broken, "n = 4096");
    row(
        "other bytes",
        [](CompareLane& gpu, CompareLane& cpu) {
            gpu.points.back().bytes = 10;
            cpu.points.back().bytes = 20;
        },
        "same-work", State::Broken, "n = 4096");
    row(
        "other settings",
        [](CompareLane& gpu, CompareLane& cpu) {
            gpu.points.front().settings[QStringLiteral("batch")] = QStringLiteral("32");
            cpu.points.front().settings[QStringLiteral("batch")] = QStringLiteral("64");
        },
        "same-work", State::Broken, "batch 32 and 64");
    row("no size in common", each(Gpu, [](Measurement& m) { m.x += 1; }), "same-work",
        State::Broken, "no size");
    row(
        "nothing measured", [](CompareLane& gpu, CompareLane&) { gpu.points.clear(); }, "same-work",
        State::Broken, "no size");
    row(
        "a size more",
        [](CompareLane& gpu, CompareLane&) {
            gpu.points.push_back(racers::point(QStringLiteral("gpu"), 8192, 0.03));
        },
        "sizes", State::Note, "only GPU measured 8192");
    row(
        "FP32 against FP64",
        [](CompareLane&, CompareLane& cpu) { cpu.work = QStringLiteral("gemm-fp64"); }, "precision",
        State::Broken, "FP32 on GPU, FP64 on CPU, all threads");
    row(
        "TF32 against FP32",
        [](CompareLane& gpu, CompareLane&) { gpu.work = QStringLiteral("gemm-tf32"); }, "precision",
        State::Broken, "TF32");
    row(
        "number type unknown",
        [](CompareLane& gpu, CompareLane& cpu) { gpu.work = cpu.work = QStringLiteral("gemm"); },
        "precision", State::Unknown, "not known");
    row("other nodes", each(Gpu, [](Measurement& m) { m.node = QStringLiteral("g7"); }), "node",
        State::Note, "g7 and c1");
    row("node unknown", each(Gpu, [](Measurement& m) { m.node.clear(); }), "node", State::Note,
        "not known");
    row(
        "other days",
        [](CompareLane& gpu, CompareLane& cpu) {
            gpu.points.back().when = QDateTime(QDate(2026, 11, 20), QTime(12, 0), QTimeZone::utc());
            cpu.points.back().when = QDateTime(QDate(2026, 11, 21), QTime(12, 0), QTimeZone::utc());
        },
        "day", State::Note, "different days");
    row("the slower library",
        last(Cpu,
            [](Measurement& m) {
                m.otherLibrary = QStringLiteral("OpenBLAS 0.3.21");
                m.otherSeconds = racers::around(60e-3);
            }),
        "library", State::Broken, "OpenBLAS 0.3.21 is 2.1 × as fast here");
    row("the faster library",
        last(Cpu,
            [](Measurement& m) {
                m.otherLibrary = QStringLiteral("OpenBLAS 0.3.21");
                m.otherSeconds = racers::around(230e-3);
            }),
        "library", State::Kept, "own is 1.8 × as fast as OpenBLAS 0.3.21");
    row("equal libraries",
        last(Cpu,
            [](Measurement& m) {
                m.otherLibrary = QStringLiteral("BLIS");
                m.otherSeconds = racers::around(129e-3);
            }),
        "library", State::Kept, "equally fast");
    row("the GPU's faster library",
        last(Gpu,
            [](Measurement& m) {
                m.otherLibrary = QStringLiteral("cuBLAS 12.4");
                m.otherSeconds = racers::around(3e-3);
            }),
        "library", State::Note, "cuBLAS 12.4 is 1.3 × as fast here as own, which counts");
    row(
        "a size left out",
        [](CompareLane& gpu, CompareLane& cpu) {
            gpu.points.push_back(racers::point(QStringLiteral("gpu"), 8192, 0.03));
            cpu.leftOut[8192] = QStringLiteral("This size would take about 99 s.");
        },
        "sizes", State::Note, "8192");
    row("more than its peak",
        last(Gpu, [](Measurement& m) { m.peak = *m.operations / 4e-3 / 1.3; }), "reference",
        State::Note, "130 %");
}

void TestFairness::oneRule()
{
    QFETCH(Change, change);
    QFETCH(QString, id);
    QFETCH(State, state);
    QFETCH(QString, words);
    CompareLane gpu = racers::gpu(), cpu = racers::cpu();
    change(gpu, cpu);
    const Comparison race = compare(gpu, cpu);
    const FairnessRule* const found = racers::rule(race, id);
    QVERIFY2(found, "no such rule");
    QVERIFY2(found->state == state, qPrintable(found->sign() + u' ' + found->text));
    QVERIFY2(found->text.contains(words), qPrintable(found->text));
    const bool stated = state == State::Kept || state == State::Note;
    QCOMPARE(race.fair(), stated);
    QCOMPARE(!race.headline.isEmpty(), stated);
    QCOMPARE(!race.sentence.isEmpty(), stated);
    QCOMPARE(race.refusal.isEmpty(), stated);
    if (!stated)
        QVERIFY2(race.refusal.contains(found->text), qPrintable(race.refusal));
    // One rule was broken, and no other.
    for (const FairnessRule& rule : race.rules)
        if (rule.id != id)
            QVERIFY2(rule.state == State::Kept || rule.state == State::Note
                    || id == QLatin1String("same-work"),
                qPrintable(rule.text));
}

void TestFairness::twoCpuLanes_areAComparisonOfThreads()
{
    CompareLane one = racers::cpu();
    one.key = QStringLiteral("k3f9:cpu-1:gemm-fp32");
    one.label = QStringLiteral("CPU, 1 thread");
    for (Measurement& point : one.points) {
        point.threads = 1;
        for (double& time : point.seconds)
            time *= 12;
    }
    const Comparison race = compare(racers::cpu(), one);
    QVERIFY2(race.fair(), qPrintable(race.refusal));
    QCOMPARE(race.sentence, QStringLiteral("CPU, all threads is 12 × as fast as CPU, 1 thread."));
    QVERIFY(!racers::rule(race, QStringLiteral("synchronised")));
    QVERIFY(!racers::rule(race, QStringLiteral("throttle")));
    QStringList threads;
    for (const FairnessRule& rule : race.rules)
        if (rule.id == QLatin1String("threads"))
            threads << rule.sign();
    QCOMPARE(threads, (QStringList{QStringLiteral("✓"), QStringLiteral("!")}));
}

void TestFairness::oneThreadOfMany_isNotAFairRivalOfAGpu()
{
    CompareLane one = racers::cpu();
    one.label = QStringLiteral("CPU, 1 thread");
    for (Measurement& point : one.points)
        point.threads = 1;
    const Comparison race = compare(racers::gpu(), one);
    QVERIFY(!race.fair());
    QCOMPARE(race.refusal,
        QStringLiteral("No speed-up is stated: CPU, 1 thread used 1 of 16 CPUs of the job, own."));
    QCOMPARE(race.reason, QStringLiteral("CPU, 1 thread used 1 of 16 CPUs of the job, own."));
    QVERIFY(!race.ratios.empty()); // the numbers are there, and what they are worth is said
}

void TestFairness::brokenRules_areAllNamed()
{
    CompareLane gpu = racers::gpu(), cpu = racers::cpu();
    for (Measurement& point : gpu.points) {
        point.synchronised = false;
        point.warmups = 0;
        point.verified.reset();
    }
    const Comparison race = compare(gpu, cpu);
    QVERIFY2(race.refusal.contains(u"before the GPU had finished")
            && race.refusal.contains(u"not warmed up"),
        qPrintable(race.refusal));
    QVERIFY2(!race.refusal.contains(u"not known"), qPrintable(race.refusal));
}

SLIPWAY_TEST(TestFairness, compare_fairness)
#include "tst_fairness.moc"
