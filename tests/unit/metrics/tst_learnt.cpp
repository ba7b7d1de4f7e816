// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineshapes.h"
#include "plots/metrics/scan.h"

#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include "logs.h"

#include <QTest>

#include <random>
#include <set>

using namespace slipway;
using namespace slipway::test;

/// Lines of a form that was seen before are read without the grammar: that must never show.
class TestLearnt : public QObject {
    Q_OBJECT

private slots:
    void shapes_tellDigitsApartFromTheRest();
    void shapes_areForgottenOneByOne();
    void template_allowsFreeDigitsOnly();
    void decimals_areReadAsNumbers();
    void learning_changesNothing_data();
    void learning_changesNothing();
    void lines_readLikeTheirFirst_data();
    void lines_readLikeTheirFirst();
    void numbers_thatMeanSomethingElse_data();
    void numbers_thatMeanSomethingElse();
};

namespace {

/// `setUp`: what is done in vain.
Reading readAnew(const QByteArray& log, void (MetricsPipeline::*setUp)())
{
    MetricsPipeline pipeline;
    (pipeline.*setUp)();
    pipeline.feed(log);
    pipeline.finish();
    return {pipeline.takeSamples(), pipeline.takeEvents(), pipeline.linesSeen()};
}

/// As Sample's own, but NaN is like NaN.
bool isSame(const Sample& a, const Sample& b)
{
    const auto same = [](double x, double y) { return x == y || (x != x && y != y); };
    Sample withoutA = a, withoutB = b;
    withoutA.x = withoutA.y = withoutB.x = withoutB.y = 0;
    return same(a.x, b.x) && same(a.y, b.y) && withoutA == withoutB;
}

QByteArray described(const Sample& sample)
{
    return QStringLiteral("line %1: %2/%3 @ %4 %5: %6 %7")
        .arg(sample.line)
        .arg(sample.series, sample.lane, sample.xName)
        .arg(sample.x)
        .arg(sample.y)
        .arg(sample.unit)
        .toUtf8();
}

void compareWith(const Reading& learnt, const Reading& anew)
{
    for (size_t i = 0; i < std::min(learnt.samples.size(), anew.samples.size()); ++i) {
        if (!isSame(learnt.samples[i], anew.samples[i]))
            QFAIL(QByteArray(
                "learnt: " + described(learnt.samples[i]) + ", anew: " + described(anew.samples[i]))
                      .constData());
    }
    QCOMPARE(learnt.samples.size(), anew.samples.size());
    QVERIFY(learnt.events == anew.events);
}

void compare(const QByteArray& log)
{
    const Reading learnt = readWhole(log);
    compareWith(learnt, readAnew(log, &MetricsPipeline::learnNothing));
    compareWith(learnt, readAnew(log, &MetricsPipeline::askAboutEveryLine));
}

} // namespace

void TestLearnt::shapes_tellDigitsApartFromTheRest()
{
    LineFilter filter;
    filter.add({.first = "s"});
    LineShapes shapes;
    const auto id = [&](std::string_view line) { return shapes.find(line, filter)->id; };
    const uint64_t first = id("step 12, loss 0.5931 \xc3\xa9");
    QCOMPARE(id("step 98, loss 7.0000 \xc3\xa9"), first);
    QVERIFY(id("step 98; loss 7.0000 \xc3\xa9") != first);
    QVERIFY(id("step 198, loss 7.000 \xc3\xa9") != first);
    // The bytes beside the digits, and those that differ from one in the upper half.
    for (const char c : {'/', ':', 'p', '\x10', '\xb0', '\xb9', 'y'})
        QVERIFY2(id(std::string("step 12, loss 0.593") + c + " \xc3\xa9") != first, &c);
    QCOMPARE(id(""), id(""));
    QVERIFY(!shapes.find(std::string(LineShapes::longest + 1, 'x'), filter));
    QVERIFY(shapes.find(std::string(LineShapes::longest, '7'), filter));
    QCOMPARE(shapes.find("step 98, loss 7.0000 \xc3\xa9", filter)->candidates, 1u);
}

void TestLearnt::shapes_areForgottenOneByOne()
{
    LineFilter filter;
    LineShapes shapes;
    std::set<uint64_t> ids;
    for (int round = 0; round < 2; ++round) {
        for (char32_t i = 0; i < 3 * LineShapes::most; ++i) {
            std::string line = "line ";
            for (char32_t rest = i; rest > 0; rest /= 26)
                line += static_cast<char>('a' + rest % 26);
            const LineShape* const shape = shapes.find(line, filter);
            QVERIFY(shape->slot < LineShapes::most);
            QCOMPARE(shapes.find(line, filter)->id, shape->id);
            ids.insert(shape->id);
        }
    }
    QVERIFY(ids.size() > 3 * LineShapes::most); // a forgotten one is new again
}

void TestLearnt::template_allowsFreeDigitsOnly()
{
    LineTemplate line;
    const std::string_view text = "epoch 12 of 99, top1 loss 0.5931";
    line.set(text);
    line.setFree(line.text().substr(6, 2));
    line.setFree(line.text().substr(26));
    QVERIFY(line.fits(text));
    QVERIFY(line.fits("epoch 77 of 99, top1 loss 1.0000"));
    QVERIFY(!line.fits("epoch 77 of 98, top1 loss 1.0000"));
    QVERIFY(!line.fits("epoch 77 of 99, top5 loss 1.0000"));
    QVERIFY(!line.fits("epoch 77 of 99, top1 loss 1.000"));
}

void TestLearnt::decimals_areReadAsNumbers()
{
    for (const char* text : {"0", "112", "0.7057", "-0.7057", "95.", "-3", "000012.50",
             "123456789012345", "0.00000000000001", "999999999999.999"}) {
        const DecimalForm form = DecimalForm::of(text);
        QVERIFY2(form.digits > 0, text);
        QCOMPARE(form.read(text), *wholeNumber(text));
    }
    for (const char* text : {"", "-", ".5", "1.2.3", "1e5", "nan", "+1", "1234567890123456", "--1"})
        QVERIFY2(DecimalForm::of(text).digits == 0, text);
}

void TestLearnt::learning_changesNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* part : {"logs", "outputs"}) {
        const QDir folder(sourcePath(QStringLiteral("/tests/data/") + QLatin1String(part)));
        for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files))
            QTest::addRow("%s/%s", part, qPrintable(name)) << contentOf(folder.filePath(name));
    }
}

/// Each text several times, then with other digits: what is learnt from one is used for the next.
void TestLearnt::learning_changesNothing()
{
    QFETCH(QByteArray, text);
    if (text.size() > 100'000)
        text.truncate(text.lastIndexOf('\n', 100'000) + 1);
    std::mt19937 random(7);
    QByteArray log = text + '\n' + text + '\n';
    for (int round = 0; round < 3; ++round) {
        for (const char c : std::as_const(text)) {
            const bool change = c >= '0' && c <= '9' && random() % 4 == 0;
            log += change ? static_cast<char>('0' + random() % 10) : c;
        }
        log += '\n';
    }
    compare(log);
}

void TestLearnt::numbers_thatMeanSomethingElse_data()
{
    QTest::addColumn<QByteArrayList>("lines");
    const auto row = [](const char* name, const QByteArrayList& lines) {
        QTest::newRow(name) << lines;
    };
    row("a fraction counts nothing",
        {"step 100 loss 0.5", "step 4.0 loss 0.5", "step 4.5 loss 0.5"});
    row("beyond the total", {"Epoch: 3 [ 5/10] loss 0.51", "Epoch: 3 [70/10] loss 0.52"});
    row("no total", {"iter 5/10 loss: 0.51", "iter 6/00 loss: 0.52"});
    row("a share", {"[1/8] lr 1e-4 loss 0.5", "[0/8] lr 1e-4 loss 0.4", "[9/8] lr 1e-4 loss 0.4"});
    row("another name", {"Acc@1 12.50 loss 0.5 step 1", "Acc@5 12.50 loss 0.5 step 2"});
    row("other stray numbers",
        {"took 12 of 34 ms, loss: 0.5 at step 4", "took 99 of 11 ms, loss: 0.4 at step 5"});
    row("clocks", {"step: 12 eta: 1:02:03 loss: 0.5", "step: 13 eta: 1:02:99 loss: 0.4"});
    row("a host is no rank", {"node7: loss=0.5, step=11", "node0: loss=0.5, step=12"});
    row("ranks", {"[rank1]: loss=0.5, step=11", "[rank3]: loss=0.5, step=12"});
    row("too great", {"step 1e05 loss 2.0", "step 9e99 loss 2.0", "step 1e14 loss 2.0"});
    row("thousands", {"step: 1,234 loss: 2.0", "step: 2,234 loss: 1.0", "step: 0,000 loss: 1.0"});
    row("durations", {"step 12 time: 1m 05s loss 0.1", "step 13 time: 2m 59s loss 0.2"});
    row("epochs",
        {"Epoch 12, Loss: 0.5", "Epoch 13, Loss: 0.4", "Epoch 14, Loss: 150.",
            "Epoch 15, Loss: 0.4"});
    row("epochs with totals",
        {"Epoch [1/5], Step [10/90], Loss: 0.5", "Epoch [1/5], Step [20/90], Loss: 0.4",
            "Epoch [1/5], Step [30/00], Loss: 0.4", "Epoch [9/5], Step [40/90], Loss: 0.3"});
    row("beside a table",
        {"loss | acc | step", "0.5 | 0.9 | 11", "a=0.5 | b=0.9 | step=11", "0.4 | 0.9 | 12"});
    row("a row with gaps and words",
        {"step  loss  acc   rate  note  size", "   1   0.5  0.25   1.5   abc   2.5",
            "   2   0.5         def         2.5", "   3   abc        def         3.5"});
    row("below a line that begins alike",
        {"  validation accuracy:ng data", "  validation loss:\t\t2.303", "Epoch 3 of 9 took 4.5s"});
    row("first numbers",
        {"   1 F= -.371E+02 E0= -.371E+02", "   2 F= -.371E+02 E0= -.371E+02",
            "  10 F= -.371E+02 E0= -.371E+02"});
    row("a count without a measurement",
        {"  Time step     : 0.005", "  Time step     : 9.000",
            "Performance: 186957.167 tau/day, 772.463 timesteps/s"});
    row("a range that falls",
        {"Epoch[ 2 of 4]-Minibatch[  11-  20, 0.07%]: Loss = 0.61",
            "Epoch[ 2 of 4]-Minibatch[  37-  30, 7.12%]: Loss = 0.62",
            "Epoch[ 2 of 4]-Minibatch[  41-  50, 0.17%]: Loss = 0.63"});
    row("labels",
        {"[1] train-rmse:0.52 eval-rmse:0.61", "[2] train-rmse:0.42 eval-rmse:0.51",
            "[3] train-rmse:0.32 eval-rmse:0.41"});
}

/// What a recogniser would take is offered to it, and a row is one whether its form is known or
/// not.
void TestLearnt::lines_readLikeTheirFirst_data()
{
    QTest::addColumn<QByteArray>("log");
    const auto row = [](const char* name, const QByteArrayList& lines) {
        QTest::newRow(name) << lines.join('\n') + '\n';
    };
    row("a launcher's prefix alone",
        {"TACC: ", "TACC: Starting up job 6000002", "TACC: ", "TACC: Starting parallel tasks..."});
    row("a data set is no title",
        {"2019-02-19 18:37:13,162 TEST : loss 0.0407 - acc 0.5523",
            "2012-03-19 28:37:10,213 TEST : loss 0.0307 - acc 0.6523",
            "Threads: 3, Time: 0.96 seconds", "Threads: 1, Time: 0.51 seconds"});
    row("titles of a logger",
        {"2024-03-01 12:00:01 INFO serial version", "Threads: 1, Time: 0.96 seconds",
            "Threads: 2, Time: 0.51 seconds", "2024-03-01 12:00:02 INFO CUDA version",
            "Threads: 1, Time: 0.16 seconds", "Threads: 2, Time: 0.11 seconds",
            "2024-03-01 12:00:03 INFO serial version", "Threads: 1, Time: 0.95 seconds",
            "Threads: 2, Time: 0.52 seconds"});
    row("titles with a space",
        {"Kernel : naive 16", "N = 64: 0.96 s", "N = 128: 1.96 s", "Kernel : naive 32",
            "N = 64: 0.86 s", "N = 128: 1.86 s", "Kernel : naive 64", "N = 64: 0.76 s",
            "N = 128: 1.76 s"});
    row("a line with commas below a table",
        {"val, round, loss, acc, auc ===> 002, 0.88138, 0.54271, 0.55129,",
            "val, round, loss, acc, auc ===> 003, 0.77925, 0.48382, 0.50815,",
            "n the default GPU and once on the CPU)",
            "      0     0      239.9132   190      470.0000  ZeroHalf: 89     2081   48.95%",
            "val, round, loss, acc, auc ===> 006, 0.85274, 0.54032, 0.62233,"});
    row("a line that counts below a table",
        {"iter 0: loss 10.9807, time 38210.53ms, mfu -100.00%",
            "iter 0: loss 10.9807, time 38210.53ms, mfu -100.00%", "           Step           Time",
            "s_test @ epoch, 7: 16:0.4249", "salloc: Waiting for resource configuration",
            "iter 6: loss 14.9807, time 92911.59ms, mfu -106.08%"});
    row("a table by a letter",
        {"N          4099    0408    7098", "N          1024    2048    4096",
            "CPU time (s)   1.1    8.7    70.1"});
    row("rows of measurements before their heading",
        {"Epoch 1", "Loss: 0.91 | 1.02", "Loss: 0.93 | 1.03", "Loss: 0.92 | 1.04", "Epoch 2",
            "Train | Val", "Loss: 0.81 | 0.92", "Epoch 3", "Train | Val", "Loss: 0.71 | 0.82",
            "Epoch 4", "Train | Val", "Loss: 0.61 | 0.72"});
    row("what is no row of measurements ends them",
        {"Epoch 1", "top loss: 0.91", "top loss: 0.93", "Train | Val", "top loss: 0.94",
            "Acc: 0.81 | 0.92", "Epoch 2", "Train | Val", "top loss: 0.95", "Acc: 0.71 | 0.82",
            "Epoch 3", "Train | Val", "top loss: 0.96", "Acc: 0.61 | 0.72", "Epoch 4",
            "Train | Val", "top loss: 0.97", "Acc: 0.51 | 0.62"});
    row("a product with a factor of zero",
        {"Solved 100x000 system in 2.9990 s, residual 1.01e-00",
            "Solved 200x901 system in 2.1100 s, residual 1.96e-01",
            "Solved 010x000 system in 9.1090 s, residual 0.71e-91",
            "Solved 100x100 system in 1.8708 s, residual 8.84e-01"});
    row("two products with a factor of zero",
        {"Running test for matrix size: 0000x9196", "Running test for matrix size: 4091x0000",
            "Running test for matrix size: 8092x0112", "Estimated memory requirement: 0.10 GB",
            "Running test for matrix size: 4096x1006", "Estimated memory requirement: 0.12 GB"});
    row("a power of another number",
        {"N = 7^ 7 =      16: Speed  4.1 GigaFLOPS  ratio = 3.58",
            "N = 7^ 4 =      14: Speed  1.1 GigaFLOPS  ratio = 1.27",
            "N = 2^ 4 =      16: Speed  4.5 GigaFLOPS  ratio = 1.28"});
    row("bytes that are not whole",
        {"0.2KiB blocks:   6883 sectors/s,  3.013 MB/s",
            "7.5KiB blocks:   4416 sectors/s,  3.013 MB/s",
            "0.6KiB blocks:   4886 sectors/s,  3.033 MB/s",
            "0.5KiB blocks:   6886 sectors/s,  3.013 MB/s"});
    row("what is tried out is whole",
        {"Calculating total energy with cut-off of  129.005eV.",
            "Calculating total energy with cut-off of  117.207eV.",
            "Final free energy (E-TS)    =  -655.7843930185     eV",
            "Final free energy (E-TS)    =  -855.2542990165     eV",
            "Calculating total energy with cut-off of  445.000eV.",
            "Final free energy (E-TS)    =  -292.4645523374     eV"});
    row("rows before their heading",
        {"naive  fp32  16  0.5012", "naive  fp32  32  0.6012", "Kernel  dtype  N  Time(ms)",
            "tiled  fp32  16  0.4012", "tiled  fp32  32  0.4512", "naive  fp32  16  0.3012",
            "naive  fp32  32  0.2012"});
    row("rows with commas before their heading",
        {"alice,late,64,2.75", "alice,late,32,2.65", "user,part,n,seconds", "bobby,earl,16,0.40",
            "bobby,earl,32,0.45", "alice,late,64,2.70", "alice,late,32,2.60"});
    row("a size behind another sign",
        {"N -= 1000 time = 3.1424 s", "N -= 2000 time = 3.2424 s", "N -= 4000 time = 3.3424 s",
            "N -= 1000 time = 3.1424 s", "N -= 2000 time = 3.2424 s", "N -= 4000 time = 3.3424 s"});
}

void TestLearnt::lines_readLikeTheirFirst()
{
    QFETCH(QByteArray, log);
    compare(log);
}

void TestLearnt::numbers_thatMeanSomethingElse()
{
    QFETCH(QByteArrayList, lines);
    for (qsizetype i = 0; i < lines.size(); ++i) { // each of them is the one that is learnt
        QByteArray log;
        for (int times = 0; times < 3; ++times)
            log += lines[i] + '\n';
        for (int times = 0; times < 3; ++times)
            log += lines.join('\n') + '\n';
        compare(log);
    }
}

SLIPWAY_TEST(TestLearnt, metrics_learnt)
#include "tst_learnt.moc"
