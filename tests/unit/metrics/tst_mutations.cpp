// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "logs.h"

#include "plots/metrics/seriesstore.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <cmath>

using namespace slipway;
using namespace slipway::test;

/// What a log says is hostile: ten thousand damaged logs, the same ones each time, must neither
/// crash nor hang nor yield anything that a chart cannot hold.
class TestMutations : public QObject {
    Q_OBJECT

private slots:
    void pipeline_survivesDamagedLogs();
};

namespace {

/// Patterns as recipes bring them, a costly one among them.
const std::vector<PatternSpec> patterns = {
    {QStringLiteral("Step \\[(?<step>\\d+)/\\d+\\].*Loss: (?<pattern_loss>\\S+)"),
        QStringLiteral("step")},
    {QStringLiteral("\\[(?<lane>[^\\]]*)\\].*?(?<time>[0-9.e+-]+) *us"), {},
        {{QStringLiteral("time"), QStringLiteral("us")}}, QStringLiteral("lane")},
    {QStringLiteral("^(?<a>(\\w+ ?)+)!$")},
};

void damage(QByteArray& log, std::mt19937& random, const std::vector<QByteArray>& corpus)
{
    static const QByteArray pieces[] = {"\r", "\n", "\b", "\x1b[", "\x1b]", "|", "[", "(", "'",
        "\"", ":", "=", ",", "nan", "1e308", "-", "2048x2048", "@slipway ", "step", "Epoch",
        "tf.Tensor(", "\xe2\x94\x82", "\xff", "[1/5]", "99999999999999999999"};
    for (unsigned i = 0, n = 1 + random() % 8; i < n && !log.isEmpty(); ++i) {
        const qsizetype at = qsizetype(random() % size_t(log.size()));
        switch (random() % 5) {
        case 0:
            log[at] = char(random() % 256);
            break;
        case 1:
            log.remove(at, qsizetype(random() % 40));
            break;
        case 2:
            log.insert(at, pieces[random() % std::size(pieces)]);
            break;
        case 3:
            log.insert(
                at, log.mid(qsizetype(random() % size_t(log.size())), qsizetype(random() % 200)));
            break;
        default:
            log.insert(at, corpus[random() % corpus.size()].mid(at, qsizetype(random() % 200)));
            break;
        }
    }
}

} // namespace

void TestMutations::pipeline_survivesDamagedLogs()
{
    std::vector<QByteArray> corpus;
    for (const QString& name : logNames())
        corpus.push_back(readLog(name).left(1500));
    corpus.push_back("@slipway "
                     "{\"sample\":\"flops\",\"lane\":\"a\",\"x\":2,\"x_name\":\"n\",\"y\":1,"
                     "\"low\":1,\"high\":2}\n");
    QVERIFY(corpus.size() > 20);
    std::mt19937 random(20261120);
    qint64 samples = 0;
    for (int round = 0; round < 10'000; ++round) {
        QByteArray log = corpus[random() % corpus.size()];
        damage(log, random, corpus);
        const Reading reading = readInChunks(
            log, [&] { return 1 + random() % 500; }, {},
            round % 2 ? patterns : std::vector<PatternSpec>());
        SeriesStore store;
        store.add(reading.samples);
        samples += qint64(reading.samples.size());
        for (const Sample& sample : reading.samples) {
            QVERIFY(!sample.series.isEmpty() && sample.series.size() <= 200
                && sample.lane.size() <= 200);
            QVERIFY(std::isfinite(sample.x) && !sample.xName.isNull());
            QVERIFY(sample.line >= 1 && sample.line <= reading.lines);
        }
    }
    QVERIFY(samples > 10'000); // the damage leaves most lines readable
}

SLIPWAY_TEST(TestMutations, metrics_mutations)
#include "tst_mutations.moc"
