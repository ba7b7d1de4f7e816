// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/seriesstore.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

/// The grammar that reads what no program's own recogniser claims: prefixes, names, pairs, columns.
/// The lines follow the print formats of the programs; their numbers are invented.
class TestGrammar : public QObject {
    Q_OBJECT

private slots:
    void prefix_isPeeledInAnyOrder_data();
    void prefix_isPeeledInAnyOrder();
    void name_hasItsMeaning_data();
    void name_hasItsMeaning();
    void names_areThoseOfTheFile();
    void names_reportWhatIsWrong();
    void lines_giveTheirNumbers_data();
    void lines_giveTheirNumbers();
    void ordinaryText_drawsNothing_data();
    void ordinaryText_drawsNothing();
    void documents_drawNothing_data();
    void documents_drawNothing();
    void namesAndTables_stayBounded();
    void reportOfNamesAndValues_givesWhatChanges();
    void reportOfNamesAndValues_onceIsADocument();
    void numberedLines_areNoSteps_data();
    void numberedLines_areNoSteps();
    void leadingNumber_counts_data();
    void leadingNumber_counts();
};

void TestGrammar::prefix_isPeeledInAnyOrder_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("rank");
    const auto row = [](const char* line, int rank = -1) {
        QTest::newRow(line) << QByteArray(line) << rank;
    };
    row("2026-03-12 08:22:45,549 - trainer - INFO - loss: 1");
    row("2026/03/12 08:22:45 INFO loss: 1");
    row("[2026-03-12 08:22:45,123] [INFO] [logging.py:96:log_dist] [Rank 3] loss: 1", 3);
    row("[rank2]: [2026-03-12 08:22:45] loss: 1", 2);
    row("[default5]:loss: 1", 5);
    row("[2026-03-12 08:22:45][INFO][trainer:768] - loss: 1");
    row("[gpu-node1:3]: loss: 1", 3);
    row("I0521 12:00:00.123456 1234 train.py:160] loss: 1");
    row("INFO:tensorflow:loss: 1");
    row("INFO 05-20 10:00:00 metrics.py:341] loss: 1");
    row("(EngineCore_0 pid=123) INFO 05-20 10:00:10 [loggers.py:111] loss: 1");
    row("2026-05-01 12:00:00.123 | INFO     | __main__:train:123 - loss: 1");
    row("nid001234: loss: 1");
    row("Nov 25 02:43:42 loss: 1");
    row("loss: 1");
}

void TestGrammar::prefix_isPeeledInAnyOrder()
{
    QFETCH(QByteArray, line);
    const LinePrefix prefix = peelPrefix({line.constData(), size_t(line.size())});
    QCOMPARE(QByteArray(prefix.text.data(), qsizetype(prefix.text.size())).trimmed(),
        QByteArray("loss: 1"));
    QTEST(prefix.rank, "rank");
}

void TestGrammar::name_hasItsMeaning_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("quantity");
    const auto row = [](const char* name, NameMeaning::Kind kind, const char* quantity = "") {
        QTest::newRow(name) << QByteArray(name) << int(kind) << QString::fromLatin1(quantity);
    };
    row("loss", NameMeaning::Metric, "loss");
    row("val/loss_epoch", NameMeaning::Metric, "loss");
    row("valid_1's auc", NameMeaning::Metric, "accuracy");
    row("RunningAvgSamplesPerSec", NameMeaning::Metric, "throughput");
    row("MaxMemAllocated", NameMeaning::Metric, "memory");
    row("elapsed time per iteration", NameMeaning::Metric, "step_time");
    row("Courant Number mean", NameMeaning::Metric, "courant");
    row("TotEng", NameMeaning::Metric, "energy");
    row("Train Epoch", NameMeaning::Counter);
    row("global_step", NameMeaning::Counter);
    row("batch_size", NameMeaning::Counter);
    row("Total number of MPI processes", NameMeaning::Counter);
    row("nthreads", NameMeaning::Counter);
    row("worker count", NameMeaning::Counter);
    row("number of steps", NameMeaning::Unknown);
    row("weight_decay", NameMeaning::Setting);
    row("total steps", NameMeaning::Setting);
    row("port", NameMeaning::Setting);
    row("weather", NameMeaning::Unknown);
}

void TestGrammar::name_hasItsMeaning()
{
    QFETCH(QByteArray, name);
    const NameMeaning meaning =
        MetricNames::builtIn().meaning({name.constData(), size_t(name.size())});
    QTEST(int(meaning.kind), "kind");
    QTEST(meaning.quantity ? meaning.quantity->id : QString(), "quantity");
}

void TestGrammar::names_areThoseOfTheFile()
{
    QFile file(slipway::sourcePath(QStringLiteral("/resources/metric-names.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Result<MetricNames> names = MetricNames::parse(file.readAll());
    QVERIFY(names.ok());
    for (const char* name : {"loss", "tokens_per_second", "epoch", "seed"})
        QCOMPARE(int(names->meaning(name).kind), int(MetricNames::builtIn().meaning(name).kind));
    QVERIFY(MetricNames::builtIn().meaning("loss").quantity);
}

void TestGrammar::names_reportWhatIsWrong()
{
    for (const char* json : {"", "[]", "{\"counters\": [{\"names\": [\"a\"]}]}",
             "{\"quantities\": [{\"names\": [\"a\"]}]}",
             "{\"units\": [{\"written\": [\"x\"], \"unit\": \"y\", \"quantity\": \"none\"}]}",
             "{\"units\": [{\"written\": [\"x\"], \"unit\": \"y\", \"factor\": 0}]}"}) {
        const Result<MetricNames> names = MetricNames::parse(json);
        QVERIFY2(!names.ok(), json);
        QVERIFY(names.error().summary.contains(QLatin1String("metric-names.json")));
    }
}

void TestGrammar::lines_giveTheirNumbers_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QStringList>("samples");
    QTest::newRow("several lines in an epoch, in their order")
        << QByteArray("Epoch 0\nLoss = 4.5, gnorm = 2.5\nLoss = 4.25, gnorm = 2.25\n"
                      "Epoch 1\nLoss = 3.5, gnorm = 1.5\nLoss = 3.25, gnorm = 1.25\n"
                      "Loss = 3.25, gnorm = 1.25\nLoss = 2.75, gnorm = 1.125\n"
                      "Epoch 2\nLoss = 2.5, gnorm = 0.5\nLoss = 2.25, gnorm = 0.25\n")
        << lines({"loss/ @ epoch=0: 4.5", "loss/ @ epoch=0.666666666667: 4.25",
               "loss/ @ epoch=1: 3.5", "loss/ @ epoch=1.5: 3.25", "loss/ @ epoch=1.75: 2.75",
               "loss/ @ epoch=2: 2.5", "loss/ @ epoch=2.33333333333: 2.25", "gnorm/ @ epoch=0: 2.5",
               "gnorm/ @ epoch=0.666666666667: 2.25", "gnorm/ @ epoch=1: 1.5",
               "gnorm/ @ epoch=1.5: 1.25", "gnorm/ @ epoch=1.75: 1.125", "gnorm/ @ epoch=2: 0.5",
               "gnorm/ @ epoch=2.33333333333: 0.25"});
    QTest::newRow("printed twice, by two handlers of a logger")
        << QByteArray("INFO: step 1: loss = 4.5\nINFO: step 1: loss = 4.5\n"
                      "INFO: step 2: loss = 3.5\nINFO: step 2: loss = 3.5\n")
        << lines({"loss/ @ step=1: 4.5", "loss/ @ step=2: 3.5"});
    QTest::newRow("iperf -f M, and a row that was cut")
        << QByteArray("[ ID] Interval           Transfer     Bitrate\n"
                      "[  5]   0.00-1.00   sec  2.00 MBytes  2.00 MBytes/sec\n"
                      "[  5]   1.00-2.00   sec  4.00 MBytes  4.00 MBytes/sec\n"
                      "[  5]   2.00-3.00   sec  3.75 MBytes  31.5 M\n")
        << lines({"transferred/stream 5 @ seconds=1: 2097152 B",
               "transferred/stream 5 @ seconds=2: 4194304 B",
               "bitrate/stream 5 @ seconds=1: 2097152 B/s",
               "bitrate/stream 5 @ seconds=2: 4194304 B/s"});
    QTest::newRow("printed twice, and proven by the second")
        << QByteArray("epoch 1 score 4.5\nepoch 1 score 4.5\nepoch 2 score 3.5\n"
                      "epoch 2 score 3.5\nepoch 3 score 3.25\nepoch 3 score 3.25\n")
        << lines({"score/ @ epoch=1: 4.5", "score/ @ epoch=2: 3.5", "score/ @ epoch=3: 3.25"});
    QTest::newRow("epochs and steps in brackets without a name")
        << QByteArray("[0/2][0/100]\tLoss_D: 1.5\n[0/2][50/100]\tLoss_D: 1.25\n"
                      "[1/2][0/100]\tLoss_D: 0.75\n[1/2][50/100]\tLoss_D: 0.5\n")
        << lines({"loss_d/ @ step=0: 1.5", "loss_d/ @ step=50: 1.25", "loss_d/ @ step=100: 0.75",
               "loss_d/ @ step=150: 0.5"});
    QTest::newRow("an epoch and its step in one bracket")
        << QByteArray("[1,  2000] loss: 1.5\n[1,  4000] loss: 1.25\n"
                      "[2,  2000] loss: 0.75\n[2,  4000] loss: 0.5\n")
        << lines({"loss/ @ step=2000: 1.5", "loss/ @ step=4000: 1.25", "loss/ @ step=6000: 0.75",
               "loss/ @ step=8000: 0.5"});
    QTest::newRow("everything in brackets of its own, with totals")
        << QByteArray("[Epoch 1/200] [Batch 10/50] [D loss: 0.5] [G loss: 0.25]\n"
                      "[Epoch 1/200] [Batch 20/50] [D loss: 0.75] [G loss: 0.125]\n"
                      "[Epoch 2/200] [Batch 10/50] [D loss: 1.5] [G loss: 1.25]\n")
        << lines({"d_loss/ @ batch=10: 0.5", "d_loss/ @ batch=20: 0.75", "d_loss/ @ batch=60: 1.5",
               "g_loss/ @ batch=10: 0.25", "g_loss/ @ batch=20: 0.125",
               "g_loss/ @ batch=60: 1.25"});
    QTest::newRow("epochs in brackets, steps without a total")
        << QByteArray("[0/2][0] D_Loss: 1.5\n[0/2][1] D_Loss: 1.25\n"
                      "[1/2][0] D_Loss: 0.75\n[1/2][1] D_Loss: 0.5\n")
        << lines({"d_loss/ @ step=0: 1.5", "d_loss/ @ step=1: 1.25", "d_loss/ @ step=2: 0.75",
               "d_loss/ @ step=3: 0.5"});
    QTest::newRow("an epoch and its steps in brackets")
        << QByteArray("[1][10/20] loss: 1.5\n[1][20/20] loss: 1.25\n"
                      "[2][10/20] loss: 0.75\n[2][20/20] loss: 0.5\n")
        << lines({"loss/ @ step=10: 1.5", "loss/ @ step=20: 1.25", "loss/ @ step=30: 0.75",
               "loss/ @ step=40: 0.5"});
    QTest::newRow("printed by R") << QByteArray(
        "[1] \"epoch 1 loss 0.5\"\n[1] \"epoch 2 loss 0.25\"\n")
                                  << lines({"train_loss/ @ epoch=1: 0.5",
                                         "train_loss/ @ epoch=2: 0.25"});
    QTest::newRow("a value and, behind the sign, its name")
        << QByteArray(
               "\t-2.5\t = Validation score   (-mae)\n\t-2.25\t = Validation score   (-mae)\n"
               "\t-2.75\t = Validation score   (-mae)\n\t-2.125\t = Validation score   (-mae)\n"
               "\t-2.375\t = Validation score   (-mae)\n")
        << lines({"valid_score/ @ line=1: -2.5", "valid_score/ @ line=2: -2.25",
               "valid_score/ @ line=3: -2.75", "valid_score/ @ line=4: -2.125",
               "valid_score/ @ line=5: -2.375"});
    QTest::newRow("a quotient of norms, assigned nothing")
        << QByteArray("  0 KSP true resid norm 2.5e-01 ||r(i)||/||b|| 1.0e+00\n"
                      "  1 KSP true resid norm 2.5e-02 ||r(i)||/||b|| 1.0e-01\n")
        << lines({"ksp_true_resid_norm/ @ iteration=0: 0.25",
               "ksp_true_resid_norm/ @ iteration=1: 0.025"});
    QTest::newRow("a rank of mpirun behind the time, and words of another below the heading")
        << QByteArray("Sun Nov 01 09:52:05 2026[1,0]<stdout>:# Size          Latency (us)\n"
                      "Sun Nov 01 09:52:05 2026[1,1]<stdout>:thread level: 3\n"
                      "Sun Nov 01 09:52:05 2026[1,0]<stdout>:0                       2.5\n"
                      "Sun Nov 01 09:52:05 2026[1,0]<stdout>:1                       1.5\n"
                      "Sun Nov 01 09:52:05 2026[1,0]<stdout>:2                       4.5\n"
                      "Sun Nov 01 09:52:05 2026[1,0]<stdout>:4                       8.5\n")
        << lines({"latency/ @ size=0: 2.5e-06 s", "latency/ @ size=1: 1.5e-06 s",
               "latency/ @ size=2: 4.5e-06 s", "latency/ @ size=4: 8.5e-06 s"});
    QTest::newRow("a heading of two lines that leaves room for the time")
        << QByteArray("           Time    Speed        Read   Mapped   Mapped Unmapped\n"
                      "                    M/hr      number   unique    multi   multi+\n"
                      "Nov 09 23:03:52      0.5      113000    88.5%    10.5%     0.5%\n"
                      "Nov 09 23:05:14      2.5      791000    87.5%    10.25%    0.25%\n"
                      "Nov 09 23:06:14      1.5      891000    86.5%    10.75%    0.75%\n"
                      "Nov 09 23:07:14      3.5      991000    85.5%    10.125%   0.125%\n")
        << lines({"speed_m_hr/ @ step=113000: 0.5", "speed_m_hr/ @ step=791000: 2.5",
               "speed_m_hr/ @ step=891000: 1.5", "speed_m_hr/ @ step=991000: 3.5",
               "mapped_unique/ @ step=113000: 88.5", "mapped_unique/ @ step=791000: 87.5",
               "mapped_unique/ @ step=891000: 86.5", "mapped_unique/ @ step=991000: 85.5",
               "mapped_multi/ @ step=113000: 10.5", "mapped_multi/ @ step=791000: 10.25",
               "mapped_multi/ @ step=891000: 10.75", "mapped_multi/ @ step=991000: 10.125",
               "unmapped_multi/ @ step=113000: 0.5", "unmapped_multi/ @ step=791000: 0.25",
               "unmapped_multi/ @ step=891000: 0.75", "unmapped_multi/ @ step=991000: 0.125"});
    QTest::newRow("a share in the column that counts, and spans of time")
        << QByteArray("Step (% Done)      Train Iter (time)   ETA (time)   Train Rays / Sec\n"
                      "------------------------------------------------------------------\n"
                      "8590 (28.63%)      60.5 ms             21 m 41 s    67.5\n"
                      "8600 (28.67%)      62.5 ms             22 m 10 s    66.5\n"
                      "8610 (28.70%)      63.5 ms             22 m 42 s    64.5\n"
                      "8620 (28.73%)      64.5 ms             22 m 43 s    63.5\n")
        << lines({"train_iter_time/ @ step=8590: 0.0605 s",
               "train_iter_time/ @ step=8600: 0.0625 s", "train_iter_time/ @ step=8610: 0.0635 s",
               "train_iter_time/ @ step=8620: 0.0645 s", "train_rays_sec/ @ step=8590: 67.5",
               "train_rays_sec/ @ step=8600: 66.5", "train_rays_sec/ @ step=8610: 64.5",
               "train_rays_sec/ @ step=8620: 63.5"});
    QTest::newRow("share of an epoch, and its evaluation")
        << QByteArray("Train Epoch: 1 [0/60000 (0%)]\tLoss: 2.5\n"
                      "Train Epoch: 1 [30000/60000 (50%)]\tLoss: 1.5\n\n"
                      "Test set: Average loss: 0.5, Accuracy: 9800/10000 (98%)\n\n"
                      "Train Epoch: 2 [30000/60000 (50%)]\tLoss: 1.0\n\n"
                      "Test set: Average loss: 0.25, Accuracy: 9900/10000 (99%)\n")
        << lines({"train_loss/ @ epoch=0: 2.5", "train_loss/ @ epoch=0.5: 1.5",
               "train_loss/ @ epoch=1.5: 1", "test_loss/ @ epoch=1: 0.5",
               "test_accuracy/ @ epoch=1: 98 %", "test_loss/ @ epoch=2: 0.25",
               "test_accuracy/ @ epoch=2: 99 %"});
    QTest::newRow("counters, units, settings")
        << QByteArray(
               " iteration      100/  5000 | consumed samples:        25600 | elapsed time per "
               "iteration (ms): 500.0 | learning rate: 1.5E-06 | global batch size:   256 | lm "
               "loss: 9.5E+00 |\n")
        << lines({"elapsed_time_per_iteration/ @ iteration=100: 0.5 s",
               "lr/ @ iteration=100: 1.5e-06", "lm_loss/ @ iteration=100: 9.5"});
    QTest::newRow("numbers in the words of arrays")
        << QByteArray("step: 1 | loss: Array(2.5, dtype=float32) | lr: np.float64(0.5)\n"
                      "step: 2 | loss: Array(1.5, dtype=float32) | lr: tensor(0.25, "
                      "device='cuda:0')\n")
        << lines({"loss/ @ step=1: 2.5", "lr/ @ step=1: 0.5", "loss/ @ step=2: 1.5",
               "lr/ @ step=2: 0.25"});
    QTest::newRow("a logger's prefix, an own kind of x")
        << QByteArray("[10]\ttrain-rmse:0.5\teval-rmse:0.75\n[12:00:01] "
                      "[20]\ttrain-rmse:0.25\teval-rmse:0.5\n")
        << lines({"train_rmse/ @ iteration=10: 0.5", "eval_rmse/ @ iteration=10: 0.75",
               "train_rmse/ @ iteration=20: 0.25", "eval_rmse/ @ iteration=20: 0.5"});
    QTest::newRow("a time in brackets is no counter, a counter in brackets is no prefix")
        << QByteArray("[ITER 7000] Evaluating test: L1 0.5 PSNR 25.5 [26/11 12:03:14]\n"
                      "[ITER 7000] Evaluating train: L1 0.25 PSNR 27.5 [26/11 12:03:15]\n"
                      "[ITER 9000] Evaluating test: L1 0.4 PSNR 26.5 [26/11 12:18:14]\n"
                      "[ITER 9000] Evaluating train: L1 0.2 PSNR 28.5 [26/11 12:18:15]\n")
        << lines({"test_l1/ @ iteration=7000: 0.5", "test_psnr/ @ iteration=7000: 25.5",
               "train_l1/ @ iteration=7000: 0.25", "train_psnr/ @ iteration=7000: 27.5",
               "test_l1/ @ iteration=9000: 0.4", "test_psnr/ @ iteration=9000: 26.5",
               "train_l1/ @ iteration=9000: 0.2", "train_psnr/ @ iteration=9000: 28.5"});
    QTest::newRow("data sets before a dash, and a rate below them")
        << QByteArray("Epoch 1/2\nTrain - Loss: 0.75, Acc: 91.5%\nVal   - Loss: 0.5, Acc: 90.5%\n"
                      "Learning Rate: 0.001\n"
                      "Epoch 2/2\nTrain - Loss: 0.5, Acc: 92.5%\nVal   - Loss: 0.25, Acc: 91.5%\n"
                      "Learning Rate: 0.0005\n")
        << lines({"train_loss/ @ epoch=1: 0.75", "train_accuracy/ @ epoch=1: 91.5 %",
               "train_loss/ @ epoch=2: 0.5", "train_accuracy/ @ epoch=2: 92.5 %",
               "valid_loss/ @ epoch=1: 0.5", "valid_accuracy/ @ epoch=1: 90.5 %",
               "valid_loss/ @ epoch=2: 0.25", "valid_accuracy/ @ epoch=2: 91.5 %",
               "lr/ @ epoch=1: 0.001", "lr/ @ epoch=2: 0.0005"});
    QTest::newRow("a number before what it counts, data sets in brackets, durations")
        << QByteArray(
               "[gpu01] 2026-11-01 10:00:30,123 (trainer:732) INFO: "
               "1epoch:train:1-500batch: loss=2.5, acc=0.25, train_time=0.5\n"
               "[gpu01] 2026-11-01 10:15:30,123 (trainer:338) INFO: 1epoch results: [train] "
               "loss=2.0, time=15 minutes and 3.5 seconds, [valid] loss=1.5, time=20.5 "
               "seconds\n"
               "[gpu01] 2026-11-01 10:30:30,123 (trainer:732) INFO: "
               "2epoch:train:1-500batch: loss=1.25, acc=0.5, train_time=0.5\n"
               "[gpu01] 2026-11-01 10:45:30,123 (trainer:338) INFO: 2epoch results: [train] "
               "loss=1.0, time=1 hour, 2 minutes and 1 seconds, [valid] loss=0.75, time=21.5 "
               "seconds\n")
        << lines({"train_loss/ @ batch=500: 2.5", "train_accuracy/ @ batch=500: 0.25",
               "train_time/ @ batch=500: 0.5 s", "train_loss/ @ batch=1000: 1.25",
               "train_accuracy/ @ batch=1000: 0.5", "train_time/ @ batch=1000: 0.5 s",
               "train_loss/ @ batch=500: 2", "train_time/ @ batch=500: 903.5 s",
               "valid_loss/ @ batch=500: 1.5", "valid_time/ @ batch=500: 20.5 s",
               "train_loss/ @ batch=1000: 1", "train_time/ @ batch=1000: 3721 s",
               "valid_loss/ @ batch=1000: 0.75", "valid_time/ @ batch=1000: 21.5 s"});
    QTest::newRow("names in the brackets of another")
        << QByteArray("Epoch 1, batch 50, loss[loss=1.5, ctc_loss=1.25, over 7223.00 frames. ], "
                      "tot_loss[loss=2.5, ctc_loss=2.25, over 327123.00 frames. ], lr: 2.5e-02\n"
                      "Epoch 1, batch 100, loss[loss=1.0, ctc_loss=0.75, over 7223.00 frames. ], "
                      "tot_loss[loss=2.0, ctc_loss=1.75, over 327123.00 frames. ], lr: 2.5e-02\n")
        << lines({"loss/ @ batch=50: 1.5", "ctc_loss/ @ batch=50: 1.25",
               "tot_loss/ @ batch=50: 2.5", "tot_ctc_loss/ @ batch=50: 2.25",
               "lr/ @ batch=50: 0.025", "loss/ @ batch=100: 1", "ctc_loss/ @ batch=100: 0.75",
               "tot_loss/ @ batch=100: 2", "tot_ctc_loss/ @ batch=100: 1.75",
               "lr/ @ batch=100: 0.025"});
    QTest::newRow("thousands, and a share behind a unit")
        << QByteArray("[rank0]:[titan] 2026-11-01 10:00:30,123 - root - INFO - step: 10  loss:  "
                      "6.5  memory:  1.50GiB(1.52%)  tps: 181,241  mfu: 1.25%\n")
        << lines({"loss/ @ step=10: 6.5", "memory/ @ step=10: 1610612736 B",
               "tps/ @ step=10: 181241", "mfu/ @ step=10: 1.25 %"});
    QTest::newRow("a logger's columns")
        << QByteArray("2026-11-01 10:00:30.123\tnode01:0\tolmo.train:951\tINFO\t[step=10/7393,"
                      "epoch=0]\n    train/CrossEntropyLoss=10.5\n    train/Perplexity=24,800.5\n"
                      "2026-11-01 10:01:30.123\tnode01:0\tolmo.train:951\tINFO\t[step=20/7393,"
                      "epoch=0]\n    train/CrossEntropyLoss=9.5\n    train/Perplexity=9,136\n")
        << lines(
               {"train_crossentropyloss/ @ step=10: 10.5", "train_crossentropyloss/ @ step=20: 9.5",
                   "train_perplexity/ @ step=10: 24800.5", "train_perplexity/ @ step=20: 9136"});
    QTest::newRow("data sets side by side, by a number before all names")
        << QByteArray("0:\tlearn: 0.75\ttest: 0.5\tbest: 0.5 (0)\ttotal: 61.2ms\tremaining: 1m 1s\n"
                      "100:\tlearn: 0.5\ttest: 0.25\tbest: 0.25 (100)\ttotal: 3.2s\tremaining: "
                      "28.5s\n")
        << lines({"best/ @ iteration=0: 0.5", "train_value/ @ iteration=0: 0.75",
               "test_value/ @ iteration=0: 0.5", "best/ @ iteration=100: 0.25",
               "train_value/ @ iteration=100: 0.5", "test_value/ @ iteration=100: 0.25"});
    QTest::newRow("a unit says what the words do not; a line of more names is of the same kind")
        << QByteArray("iteration 10/ 320 | approx flops per GPU: 51.5TFLOPS | loss: 9.5 |\n"
                      "iteration 20/ 320 | approx flops per GPU: 52.5TFLOPS | loss: 8.5 |\n"
                      "2026-11-01 10:03:00 | INFO | valid | epoch 001 | valid on 'valid' subset | "
                      "loss 9.5 | ppl 419.5 | wps 61000 | "
                      "bsz 112 | num_updates 1102\n"
                      "2026-11-01 10:06:00 | INFO | valid | epoch 002 | valid on 'valid' subset | "
                      "loss 7.5 | ppl 148.5 | wps 61200 | "
                      "bsz 112 | num_updates 2204 | best_loss 7.5\n")
        << lines({"approx_flops_per_gpu/ @ iteration=10: 5.15e+13 FLOP/s",
               "loss/ @ iteration=10: 9.5", "approx_flops_per_gpu/ @ iteration=20: 5.25e+13 FLOP/s",
               "loss/ @ iteration=20: 8.5", "valid_loss/ @ step=1102: 9.5",
               "valid_ppl/ @ step=1102: 419.5", "valid_wps/ @ step=1102: 61000 words/s",
               "valid_loss/ @ step=2204: 7.5", "valid_ppl/ @ step=2204: 148.5",
               "valid_wps/ @ step=2204: 61200 words/s", "valid_best_loss/ @ step=2204: 7.5"});
    QTest::newRow(
        "a data set's name is that of the number behind it, and a name of a set is strong")
        << QByteArray(
               "Epoch 0/24\n----------\ntrain Loss: 0.75 Acc: 0.5\nval Loss: 0.5 Acc: 0.75\n"
               "Epoch 1/24\n----------\ntrain Loss: 0.5 Acc: 0.75\nval Loss: 0.25 Acc: 1.0\n")
        << lines({"train_loss/ @ epoch=0: 0.75", "train_accuracy/ @ epoch=0: 0.5",
               "train_loss/ @ epoch=1: 0.5", "train_accuracy/ @ epoch=1: 0.75",
               "valid_loss/ @ epoch=0: 0.5", "valid_accuracy/ @ epoch=0: 0.75",
               "valid_loss/ @ epoch=1: 0.25", "valid_accuracy/ @ epoch=1: 1"});
    QTest::newRow("names without a colon, and times with a unit")
        << QByteArray("2026-11-26 10:00:00.123456: Epoch 0\n2026-11-26 10:02:00.123456: train_loss "
                      "-0.25\n2026-11-26 10:02:00.123456: Epoch time: 120.5 s\n"
                      "2026-11-26 10:02:00.123456: Epoch 1\n2026-11-26 10:04:00.123456: train_loss "
                      "-0.5\n2026-11-26 10:04:00.123456: Epoch time: 118.5 s\n")
        << lines({"train_loss/ @ epoch=0: -0.25", "train_loss/ @ epoch=1: -0.5",
               "epoch_time/ @ epoch=0: 120.5 s", "epoch_time/ @ epoch=1: 118.5 s"});
    QTest::newRow("rows with a word that their heading lacks")
        << QByteArray("       N       E                     dE             rms          rms(c)\n"
                      "DAV:   1     0.262500000000E+03    0.26296E+03   0.140E+03\n"
                      "DAV:   2    -0.147500000000E+02   -0.27774E+03   0.300E+02    0.250E+01\n"
                      "   1 F= -.14750000E+02 E0= -.14500000E+02  d E =-.250000E+00\n"
                      "       N       E                     dE             rms          rms(c)\n"
                      "RMM:   1    -0.150000000000E+02   -0.25000E+00   0.100E+01    0.500E+00\n"
                      "   2 F= -.15000000E+02 E0= -.14750000E+02  d E =-.125000E+00\n")
        << lines({"e/DAV @ iteration=1: 262.5", "de/DAV @ iteration=1: 262.96",
               "rms/DAV @ iteration=1: 140", "e/DAV @ iteration=2: -14.75",
               "de/DAV @ iteration=2: -277.74", "rms/DAV @ iteration=2: 30",
               "rms_c/DAV @ iteration=2: 2.5", "f/ @ iteration=1: -14.75",
               "e0/ @ iteration=1: -14.5", "d_e/ @ iteration=1: -0.25", "e/RMM @ iteration=3: -15",
               "de/RMM @ iteration=3: -0.25", "rms/RMM @ iteration=3: 1",
               "rms_c/RMM @ iteration=3: 0.5", "f/ @ iteration=2: -15", "e0/ @ iteration=2: -14.75",
               "d_e/ @ iteration=2: -0.125"});
    QTest::newRow("the time of the day is no measurement")
        << QByteArray("      Step     Time          Energy          fmax\n"
                      "BFGS:    0 10:00:00       -3.2500       1.2500\n"
                      "BFGS:    1 10:00:01       -3.5000       0.7500\n")
        << lines({"energy/BFGS @ step=0: -3.25", "fmax/BFGS @ step=0: 1.25",
               "energy/BFGS @ step=1: -3.5", "fmax/BFGS @ step=1: 0.75"});
    QTest::newRow("a table by size that repeats its iterations")
        << QByteArray("# Size       Avg Latency(us)   Iterations\n4          16.50       1000\n"
                      "8          16.25       1000\n")
        << lines(
               {"average_latency/ @ size=4: 1.65e-05 s", "average_latency/ @ size=8: 1.625e-05 s"});
    QTest::newRow("a heading's units say what its words do not")
        << QByteArray("Function    MBytes/sec  Min (sec)   Max         Average     \n"
                      "Copy        1500000.0   0.00040     0.00042     0.00041     \n"
                      "Triad       1250000.0   0.00060     0.00062     0.00061     \n")
        << lines(
               {"bandwidth/Copy @ line=2: 1.5e+12 B/s", "bandwidth/Triad @ line=3: 1.25e+12 B/s"});
    QTest::newRow("a long date before a logger, days that remain, a counter behind the set")
        << QByteArray("I20261126 10:00:00 12345 dinov2 helpers.py:102] Training  [     0/125000]  "
                      "eta: 3 days, 1:12:12  lr: 0.5 (0.5)  total_loss: 11.5 (11.5)\n")
        << lines({"lr/ @ step=0: 0.5", "train_total_loss/ @ step=0: 11.5"});
    QTest::newRow("nan with a unit")
        << QByteArray("step:1/5100 train_loss:15.5 train_time:272ms step_avg:nanms\n")
        << lines({"train_loss/ @ step=1: 15.5", "time/ @ step=1: 0.272 s",
               "step_avg/ @ step=1: nan s"});
    QTest::newRow("own names beside known ones in a table, and a remark in it")
        << QByteArray("ITER       Energy         Delta-E        Max-DP      RMS-DP\n"
                      "               ***  Starting incremental Fock matrix formation  ***\n"
                      "  0    -76.2500000000   0.000000000000 0.04000000  0.00300000\n"
                      "  1    -76.5000000000  -0.250000000000 0.03000000  0.00200000\n")
        << lines({"energy/ @ step=0: -76.25", "delta_e/ @ step=0: 0", "max_dp/ @ step=0: 0.04",
               "rms_dp/ @ step=0: 0.003", "energy/ @ step=1: -76.5", "delta_e/ @ step=1: -0.25",
               "max_dp/ @ step=1: 0.03", "rms_dp/ @ step=1: 0.002"});
    QTest::newRow("a counter before many spaces is no rank, numbers count nouns")
        << QByteArray("[1]     train-rmse:4.25      eval-rmse:4.5\n"
                      "[2]     train-rmse:4.0      eval-rmse:4.25\n"
                      "Info: Benchmark time: 1 CPUs 0.5 s/step 6.25 days/ns 342.5 MB memory\n"
                      "Info: Benchmark time: 1 CPUs 0.25 s/step 3.125 days/ns 342.5 MB memory\n")
        << lines({"train_rmse/ @ iteration=1: 4.25", "eval_rmse/ @ iteration=1: 4.5",
               "train_rmse/ @ iteration=2: 4", "eval_rmse/ @ iteration=2: 4.25"});
    QTest::newRow("times of a line whose first words name the unit, a counter behind a slash")
        << QByteArray("epoch=0/micro_step=34/global_step=34, RunningAvgSamplesPerSec=7.75\n"
                      "time (ms) | forward: 650.0 | backward: 2163.0\n"
                      "epoch=0/micro_step=35/global_step=35, RunningAvgSamplesPerSec=7.5\n"
                      "time (ms) | forward: 660.0 | backward: 2164.0\n")
        << lines({"runningavgsamplespersec/ @ step=34: 7.75",
               "runningavgsamplespersec/ @ step=35: 7.5", "forward/ @ step=34: 0.65 s",
               "backward/ @ step=34: 2.163 s", "forward/ @ step=35: 0.66 s",
               "backward/ @ step=35: 2.164 s"});
    QTest::newRow("results that are printed once")
        << QByteArray("Request throughput (req/s):              50.5      \n"
                      "Mean TTFT (ms):                          4238.0   \n")
        << lines({"request_throughput/ @ line=1: 50.5 req/s", "mean_ttft/ @ line=2: 4.238 s"});
    QTest::newRow("a log of an evaluation alone, with percentages that agree")
        << QByteArray("Test: [0/2500]  Time 2.5 (2.5)      Loss 0.5 (0.5)    Acc@1 0.5 (0.5)   "
                      "Acc@5 1.5 (1.5)\n"
                      "Test: [10/2500] Time 0.5 (1.5)      Loss 0.25 (0.375)    Acc@1 90.0 (85.0)  "
                      " Acc@5 95.0 (90.0)\n")
        << lines({"test_time/ @ step=0: 2.5 s", "test_loss/ @ step=0: 0.5",
               "test_acc@1/ @ step=0: 0.5 %", "test_acc@5/ @ step=0: 1.5 %",
               "test_time/ @ step=10: 1.5 s", "test_loss/ @ step=10: 0.375",
               "test_acc@1/ @ step=10: 85 %", "test_acc@5/ @ step=10: 90 %"});
    QTest::newRow("a remark below a heading, a sentence is no name")
        << QByteArray(
               "# Size      Bandwidth (MB/s)\n# Datatype: MPI_CHAR.\n4       2.5\n8       5.5\n"
               "Epoch 5: LearningRateScheduler setting learning rate to 0.01.\n"
               "Epoch 6: LearningRateScheduler setting learning rate to 0.005.\n")
        << lines({"bandwidth/ @ size=4: 2500000 B/s", "bandwidth/ @ size=8: 5500000 B/s"});
    QTest::newRow("names behind their numbers")
        << QByteArray(
               "step    1/19560 | loss 11.5 (+nanz)| lr 8.5e-07 | 2853.78 ms | 48.25% bf16 MFU "
               "| 183713 tok/s\n"
               "step    2/19560 | loss 10.5 (+0.12z)| lr 1.5e-06 | 2753.78 ms | 48.5% bf16 MFU "
               "| 184713 tok/s\n")
        << lines({"loss/ @ step=1: 11.5", "lr/ @ step=1: 8.5e-07", "bf16_mfu/ @ step=1: 48.25 %",
               "throughput/ @ step=1: 183713 tokens/s", "step_time/ @ step=1: 2.85378 s",
               "loss/ @ step=2: 10.5", "lr/ @ step=2: 1.5e-06", "bf16_mfu/ @ step=2: 48.5 %",
               "throughput/ @ step=2: 184713 tokens/s", "step_time/ @ step=2: 2.75378 s"});
    QTest::newRow("a verb, a tuple, a brace, a dash")
        << QByteArray("Training epoch 1, cost is  -81.5\nTraining epoch 2, cost is  -74.25\n"
                      "episode: 10 R: 10.5 statistics: [('average_q', 0.25), ('average_loss', 0)]\n"
                      "episode: 20 R: 11.5 statistics: [('average_q', 0.5), ('average_loss', 1)]\n"
                      "iter=200 {Test loss}=2.5\niter=400 {Test loss}=0.25\n"
                      "epoch 3: dice_loss - 0.5, iou_score - 0.75\n"
                      "epoch 4: dice_loss - 0.25, iou_score - 0.875\n")
        << lines({"train_cost/ @ epoch=1: -81.5", "train_cost/ @ epoch=2: -74.25",
               "r/ @ episode=10: 10.5", "average_q/ @ episode=10: 0.25",
               "average_loss/ @ episode=10: 0", "r/ @ episode=20: 11.5",
               "average_q/ @ episode=20: 0.5", "average_loss/ @ episode=20: 1",
               "test_loss/ @ iteration=200: 2.5", "test_loss/ @ iteration=400: 0.25",
               "dice_loss/ @ epoch=3: 0.5", "iou_score/ @ epoch=3: 0.75",
               "dice_loss/ @ epoch=4: 0.25", "iou_score/ @ epoch=4: 0.875"});
    QTest::newRow("what counts before the number; more words behind the name")
        << QByteArray("Latency of step 2: 1.5 ms\nLatency of step 3: 2.5 ms\n"
                      "Epoch 0, Iteration 50\n"
                      "Train set accuracy for a single minibatch: 25.5%\n"
                      "Epoch 0, Iteration 100\n"
                      "Train set accuracy for a single minibatch: 75.5%\n")
        << lines({"latency/ @ step=2: 0.0015 s", "latency/ @ step=3: 0.0025 s",
               "train_accuracy/ @ iteration=50: 25.5 %",
               "train_accuracy/ @ iteration=100: 75.5 %"});
    QTest::newRow("a number with a colon before rates and fractions")
        << QByteArray("3073: done 3 games, mean reward -20.500, speed 574.25 f/s, eps 0.97\n"
                      "3971: done 4 games, mean reward -20.250, speed 573.75 f/s, eps 0.96\n")
        << lines({"mean_reward/ @ iteration=3073: -20.5",
               "speed/ @ iteration=3073: 574.25 frames/s", "mean_reward/ @ iteration=3971: -20.25",
               "speed/ @ iteration=3971: 573.75 frames/s"});
    QTest::newRow("Julia's single precision")
        << QByteArray("(iter = 4, accuracy = 0.25, wnorm = 0.5f0)\n"
                      "(iter = 8, accuracy = 0.5, wnorm = 2.5f-1)\n")
        << lines({"accuracy/ @ iteration=4: 0.25", "wnorm/ @ iteration=4: 0.5",
               "accuracy/ @ iteration=8: 0.5", "wnorm/ @ iteration=8: 0.25"});
    QTest::newRow("what never varies is a setting")
        << QByteArray("step 1 loss: 0.5, width: 64.0, depth: 2.5\n"
                      "step 2 loss: 0.25, width: 64.0, depth: 2.25\n"
                      "step 3 loss: 0.125, width: 64.0, depth: 2.0\n")
        << lines({"loss/ @ step=1: 0.5", "depth/ @ step=1: 2.5", "loss/ @ step=2: 0.25",
               "depth/ @ step=2: 2.25", "loss/ @ step=3: 0.125", "depth/ @ step=3: 2"});
    QTest::newRow("a column of remarks that is empty")
        << QByteArray("  iter             ELBO   delta_ELBO_mean   notes\n"
                      "   100           -6.125             1.000\n"
                      "   200           -6.500             0.500\n")
        << lines({"elbo/ @ step=100: -6.125", "delta_elbo_mean/ @ step=100: 1",
               "elbo/ @ step=200: -6.5", "delta_elbo_mean/ @ step=200: 0.5"});
    QTest::newRow("columns of one name below groups")
        << QByteArray("    |   Population Average    |     Best Individual     |\n"
                      " Gen   Length          Fitness   Length          Fitness\n"
                      "   0    11.50            0.125        5            0.625\n"
                      "   1     6.50            0.250        3            0.750\n")
        << lines({"population_average_length/ @ step=0: 11.5",
               "population_average_fitness/ @ step=0: 0.125", "best_individual_length/ @ step=0: 5",
               "best_individual_fitness/ @ step=0: 0.625",
               "population_average_length/ @ step=1: 6.5",
               "population_average_fitness/ @ step=1: 0.25", "best_individual_length/ @ step=1: 3",
               "best_individual_fitness/ @ step=1: 0.75"});
    QTest::newRow("a grid with empty cells, marks and remarks")
        << QByteArray(" Major Minors     Step   nCon Feasible  MeritFunction     nS Penalty\n"
                      "     0     28               1  9.0E-03  3.5000000E+02     15           r\n"
                      " Itn     28: Hessian set to a scaled identity matrix\n"
                      "     1      7  5.0E-01      2  8.0E-03  2.5000000E+03     17 7.5E-03   rl\n"
                      "     2      9  2.5E-01      3  7.0E-03  4.5000000E+02     15 1.5E-02 s  l\n"
                      "     3      8  1.0E+00      4  2.0E-03  1.5000000E+03     16 2.5E-02\n")
        << lines({"minors/ @ step=0: 28", "minors/ @ step=1: 7", "minors/ @ step=2: 9",
               "minors/ @ step=3: 8", "ncon/ @ step=0: 1", "ncon/ @ step=1: 2", "ncon/ @ step=2: 3",
               "ncon/ @ step=3: 4", "feasible/ @ step=0: 0.009", "feasible/ @ step=1: 0.008",
               "feasible/ @ step=2: 0.007", "feasible/ @ step=3: 0.002",
               "meritfunction/ @ step=0: 350", "meritfunction/ @ step=1: 2500",
               "meritfunction/ @ step=2: 450", "meritfunction/ @ step=3: 1500", "ns/ @ step=0: 15",
               "ns/ @ step=1: 17", "ns/ @ step=2: 15", "ns/ @ step=3: 16",
               "penalty/ @ step=1: 0.0075", "penalty/ @ step=2: 0.015",
               "penalty/ @ step=3: 0.025"});
    QTest::newRow("a grid below a heading of two lines")
        << QByteArray("----------------------------------------------------- <-- SCF\n"
                      "SCF loop      Energy           Energy gain       Timer   <-- SCF\n"
                      "                               per atom          (sec)   <-- SCF\n"
                      "----------------------------------------------------- <-- SCF\n"
                      "Initial   4.50000000E+002                         0.25  <-- SCF\n"
                      "      1  -7.50000000E+002   1.25000000E+002       0.63  <-- SCF\n"
                      "      2  -8.50000000E+002   1.50000000E+001       0.91  <-- SCF\n"
                      "      3  -8.75000000E+002   2.50000000E-001       1.18  <-- SCF\n"
                      "      4  -8.62500000E+002  -1.25000000E-001       1.52  <-- SCF\n")
        << lines({"energy/ @ step=1: -750", "energy/ @ step=2: -850", "energy/ @ step=3: -875",
               "energy/ @ step=4: -862.5", "energy_gain_per_atom/ @ step=1: 125",
               "energy_gain_per_atom/ @ step=2: 15", "energy_gain_per_atom/ @ step=3: 0.25",
               "energy_gain_per_atom/ @ step=4: -0.125", "timer/ @ step=1: 0.63 s",
               "timer/ @ step=2: 0.91 s", "timer/ @ step=3: 1.18 s", "timer/ @ step=4: 1.52 s"});
    QTest::newRow("a norm between bars")
        << QByteArray("cycle= 1 E= -76.25  delta_E= -0.5  |g|= 0.25\n"
                      "cycle= 2 E= -76.5  delta_E= -0.25  |g|= 0.125\n")
        << lines({"e/ @ iteration=1: -76.25", "delta_e/ @ iteration=1: -0.5",
               "g/ @ iteration=1: 0.25", "e/ @ iteration=2: -76.5", "delta_e/ @ iteration=2: -0.25",
               "g/ @ iteration=2: 0.125"});
    QTest::newRow("time of a simulation, several lines for each")
        << QByteArray("Time = 0.1\n\nCourant Number mean: 0.25 max: 0.5\n"
                      "smoothSolver:  Solving for Ux, Initial residual = 1, Final residual = 0.5, "
                      "No Iterations 19\n"
                      "Time = 0.2\n\nCourant Number mean: 0.125 max: 0.75\n"
                      "smoothSolver:  Solving for Ux, Initial residual = 0.5, Final residual = "
                      "0.25, No Iterations 9\n"
                      "smoothSolver:  Solving for Ux, Initial residual = 0.4, Final residual = "
                      "0.2, No Iterations 9\n")
        << lines({"courant_number_mean/ @ time=0.1: 0.25", "courant_number_max/ @ time=0.1: 0.5",
               "courant_number_mean/ @ time=0.2: 0.125", "courant_number_max/ @ time=0.2: 0.75",
               "initial_residual/Ux @ time=0.1: 1", "final_residual/Ux @ time=0.1: 0.5",
               "initial_residual/Ux @ time=0.2: 0.5", "final_residual/Ux @ time=0.2: 0.25"});
    QTest::newRow("columns") << QByteArray("Step Temp TotEng Press \n       0            3   -2.25 "
                                           "  -3.5 \n     100    1.5   -2.125   5.5 \n"
                                           "Loop time of 0.5 on 4 procs\n")
                             << lines({"temp/ @ step=0: 3", "toteng/ @ step=0: -2.25",
                                    "press/ @ step=0: -3.5", "temp/ @ step=100: 1.5",
                                    "toteng/ @ step=100: -2.125", "press/ @ step=100: 5.5"});
    QTest::newRow("right-aligned columns with spaces in their names")
        << QByteArray(
               "           Step           Time\n            500        1.00000\n\n"
               "    Kinetic En.   Total Energy    Temperature Pressure (bar)   Constr. rmsd\n"
               "    8.00000e+04   -4.00000e+05    3.00000e+02    1.25000e+01    1.00000e-06\n")
        << lines({"kinetic_en/ @ step=500: 80000", "total_energy/ @ step=500: -400000",
               "temperature/ @ step=500: 300 K", "pressure/ @ step=500: 12.5 bar",
               "constr_rmsd/ @ step=500: 1e-06"});
    QTest::newRow("columns of words and numbers")
        << QByteArray("Function    Best Rate MB/s  Avg time     Min time     Max time\n"
                      "Copy:           10000.0     0.25     0.125     0.5\n")
        << lines({"best_rate/Copy @ line=2: 10000000000 B/s", "average_time/Copy @ line=2: 0.25 s",
               "min_time/Copy @ line=2: 0.125 s", "max_time/Copy @ line=2: 0.5 s"});
    QTest::newRow("a row below a heading of unknown words is not one of the table above")
        << QByteArray("Epoch gpu_mem box_loss\n0/2 3.5G 0.5\nClass Images mA\nall 128 929\n")
        << lines({"gpu_mem/ @ epoch=0: 3500000000 B", "box_loss/ @ epoch=0: 0.5"});
    QTest::newRow("sizes") << QByteArray(
        "# Size      Bandwidth (MB/s)\n1                       2.5\n2                       4.5\n")
                           << lines({"bandwidth/ @ size=1: 2500000 B/s",
                                  "bandwidth/ @ size=2: 4500000 B/s"});
    QTest::newRow("evaluation by batches: its means count, at the end")
        << QByteArray("Train: 0 [   0/100 (  0%)]  Loss: 6.5 (6.5)  LR: 1.000e-05\n"
                      "Test: [   0/48]  Loss:  6.25 ( 6.25)  Acc@1:  1.5 ( 1.5)\n"
                      "Test: [  48/48]  Loss:  6.0 ( 6.125)  Acc@1:  2.0 ( 1.75)\n")
        << lines({"train_loss/ @ epoch=0: 6.5", "lr/ @ epoch=0: 1e-05",
               "test_loss/ @ epoch=0: 6.125", "test_acc@1/ @ epoch=0: 1.75 %"});
    QTest::newRow("an evaluation's name alone says so")
        << QByteArray("Iteration 1, loss = 2.5\nIteration 2, loss = 1.5\nValidation score: 0.5\n"
                      "Iteration 3, loss = 1.25\nValidation score: 0.75\n")
        << lines(
               {"loss/ @ iteration=1: 2.5", "loss/ @ iteration=2: 1.5", "loss/ @ iteration=3: 1.25",
                   "valid_score/ @ iteration=2: 0.5", "valid_score/ @ iteration=3: 0.75"});
    QTest::newRow("without a counter: by line, once it repeats")
        << QByteArray("INFO 05-20 10:00:00 metrics.py:341] Avg generation throughput: 100.5 "
                      "tokens/s, Running: 1 reqs\n"
                      "INFO 05-20 10:00:05 metrics.py:341] Avg generation throughput: 200.5 "
                      "tokens/s, Running: 2 reqs\n"
                      "INFO 05-20 10:00:10 metrics.py:341] Avg generation throughput: 300.5 "
                      "tokens/s, Running: 3 reqs\n")
        << lines({"average_generation_throughput/ @ line=1: 100.5 tokens/s", "running/ @ line=1: 1",
               "average_generation_throughput/ @ line=2: 200.5 tokens/s", "running/ @ line=2: 2",
               "average_generation_throughput/ @ line=3: 300.5 tokens/s", "running/ @ line=3: 3"});
    QTest::newRow("rounded epochs do not stack")
        << QByteArray("{'loss': 4.0, 'epoch': 0.01}\n{'loss': 3.0, 'epoch': 0.01}\n{'loss': 2.0, "
                      "'epoch': 0.02}\n")
        << lines({"loss/ @ epoch=0.01: 4", "loss/ @ epoch=0.015: 3", "loss/ @ epoch=0.02: 2"});
    QTest::newRow("a bar whose description changes is one series")
        << QByteArray("1|1|Loss: 1.5:   0%|          | 1/880 [00:02<30:00,  2.0it/s]\n"
                      "1|2|Loss: 1.25:   0%|          | 2/880 [00:04<30:00,  4.0it/s]\n")
        << lines({"rate/ @ step=1: 2 it/s", "loss/ @ step=1: 1.5", "rate/ @ step=2: 4 it/s",
               "loss/ @ step=2: 1.25"});
    QTest::newRow("a matrix of bandwidths")
        << QByteArray("Running device_to_device_memcpy_read_ce.\nmemcpy CE GPU(row) -> GPU(column) "
                      "bandwidth (GB/s)\n"
                      "           0         1\n 0       N/A    276.5\n 1    276.25       N/A\n")
        << lines({"bandwidth/device_to_device_memcpy_read_ce, row 0 @ column=1: 276500000000 B/s",
               "bandwidth/device_to_device_memcpy_read_ce, row 1 @ column=0: 276250000000 B/s"});
    QTest::newRow("MLPerf") << QByteArray(":::MLLOG {\"key\": \"global_batch_size\", \"value\": "
                                          "256, \"metadata\": {\"epoch_num\": 4}}\n"
                                          ":::MLLOG {\"key\": \"eval_accuracy\", \"value\": 0.75, "
                                          "\"metadata\": {\"epoch_num\": 4}}\n")
                            << lines({"eval_accuracy/ @ epoch=4: 0.75"});
    QTest::newRow("own names on a line that counts")
        << QByteArray("Episode 1\tLast length: 23\tAverage length: 2.5\n"
                      "Episode 2\tLast length: 13\tAverage length: 3.5\n"
                      "Episode 3\tLast length: 31\tAverage length: 4.5\n"
                      "Episode 4\tLast length: 28\tAverage length: 5.5\n")
        << lines({"last_length/ @ episode=1: 23", "last_length/ @ episode=2: 13",
               "last_length/ @ episode=3: 31", "last_length/ @ episode=4: 28",
               "average_length/ @ episode=1: 2.5", "average_length/ @ episode=2: 3.5",
               "average_length/ @ episode=3: 4.5", "average_length/ @ episode=4: 5.5"});
    QTest::newRow("spreads, and a bar behind a logger")
        << QByteArray("step 1 loss=0.5±0.01 acc=42.5±0.07%\nstep 2 loss=0.25±0.01 acc=43.5±0.07%\n"
                      "[08:03:35] [STDERR] steps: 10%|█| 1/10 [00:01<00:09, 2.0it/s]\n"
                      "[08:03:36] [STDERR] steps: 20%|█| 2/10 [00:02<00:08, 4.0it/s]\n")
        << lines({"loss/ @ step=1: 0.5", "loss/ @ step=2: 0.25", "accuracy/ @ step=1: 42.5 %",
               "accuracy/ @ step=2: 43.5 %", "rate/steps @ step=1: 2 it/s",
               "rate/steps @ step=2: 4 it/s"});
    QTest::newRow("Julia's logger")
        << QByteArray("[ Info: step 1 loss 0.5\n[ Info: step 2 loss 0.25\n"
                      "┌ Info: Epoch 3\n│   train_loss = 0.5\n└   valid_acc = 0.75\n"
                      "┌ Info: Epoch 4\n│   train_loss = 0.25\n└   valid_acc = 0.8\n"
                      "┌ Info: Epoch 5\n│   train_loss = 0.125\n└   valid_acc = 0.9\n")
        << lines({"loss/ @ step=1: 0.5", "loss/ @ step=2: 0.25", "train_loss/ @ epoch=3: 0.5",
               "train_loss/ @ epoch=4: 0.25", "train_loss/ @ epoch=5: 0.125",
               "valid_accuracy/ @ epoch=3: 0.75", "valid_accuracy/ @ epoch=4: 0.8",
               "valid_accuracy/ @ epoch=5: 0.9"});
    QTest::newRow("a name and its number alone")
        << QByteArray("loss: 0.5\nloss: 0.25\nloss: 0.125\nloss: 0.25\nloss: 0.0625\n")
        << lines({"loss/ @ line=1: 0.5", "loss/ @ line=2: 0.25", "loss/ @ line=3: 0.125",
               "loss/ @ line=4: 0.25", "loss/ @ line=5: 0.0625"});
    QTest::newRow("names and numbers side by side")
        << QByteArray("1/9 Dis/Gen Cost: 0.5/0.75\n2/9 Dis/Gen Cost: 0.25/1.5\n"
                      "step 3 loss, acc: 0.5, 0.75\nstep 4 loss, acc: 0.25, 0.5\n")
        << lines({"dis/ @ step=1: 0.5", "dis/ @ step=2: 0.25", "cost/ @ step=1: 0.75",
               "cost/ @ step=2: 1.5", "loss/ @ step=3: 0.5", "accuracy/ @ step=3: 0.75",
               "loss/ @ step=4: 0.25", "accuracy/ @ step=4: 0.5"});
    QTest::newRow("rates of things that nobody knows")
        << QByteArray(
               "step 1 loss: 0.5 games/sec/core: 12.5\nstep 2 loss: 0.25 games/sec/core: 13.5\n")
        << lines({"loss/ @ step=1: 0.5", "loss/ @ step=2: 0.25", "games_sec_core/ @ step=1: 12.5",
               "games_sec_core/ @ step=2: 13.5"});
    QTest::newRow("blocks of lines")
        << QByteArray("Loop number :    1\n Fermi       :    0.5\n  iterations : 7\n"
                      "Loop number :    2\n Fermi       :    0.25\n  iterations : 8\n"
                      "Loop number :    3\n Fermi       :    0.125\n  iterations : 9\n")
        << lines({"fermi/ @ iteration=1: 0.5", "fermi/ @ iteration=2: 0.25",
               "fermi/ @ iteration=3: 0.125"});
    QTest::newRow("a whole number among the fractions of a block")
        << QByteArray("Loop number :    1\n Fermi       :    0.5\n  count : 7\n"
                      "Loop number :    2\n Fermi       :    0.25\n  count : 8\n"
                      "Loop number :    3\n Fermi       :    1\n  count : 9\n"
                      "Loop number :    4\n Fermi       :    0.125\n  count : 9\n")
        << lines({"fermi/ @ iteration=1: 0.5", "fermi/ @ iteration=2: 0.25",
               "fermi/ @ iteration=3: 1", "fermi/ @ iteration=4: 0.125"});
    QTest::newRow("blocks below steps without a mark")
        << QByteArray("Step 10\n  mach_max = 1.5\n  rho, q\nStep 20\n  mach_max = 1.25\n"
                      "Step 30\n  mach_max = 1.125\nStep 40\n  mach_max = 1.0\n")
        << lines({"mach_max/ @ step=10: 1.5", "mach_max/ @ step=20: 1.25",
               "mach_max/ @ step=30: 1.125", "mach_max/ @ step=40: 1"});
    QTest::newRow("blocks set in columns, of a process")
        << QByteArray(
               "(PID.TID 0000.0001) %MON time_tsnumber  =  2\n(PID.TID 0000.0001) mass   1.5\n"
               "(PID.TID 0000.0001) %MON time_tsnumber  =  4\n(PID.TID 0000.0001) mass   1.25\n"
               "(PID.TID 0000.0001) %MON time_tsnumber  =  6\n(PID.TID 0000.0001) mass   1.5\n")
        << lines({"mass/ @ step=2: 1.5", "mass/ @ step=4: 1.25", "mass/ @ step=6: 1.5"});
    QTest::newRow("norms and expressions as names")
        << QByteArray("  0 Nonlinear |R| = 8.5e+00\n  1 Nonlinear |R| = 1.0e+00\n"
                      "At iterate    1    f=  9.5D+00    |proj g|=  4.5D-01\n"
                      "At iterate    2    f=  7.5D+00    |proj g|=  4.25D-01\n")
        << lines({"nonlinear_r/ @ iteration=0: 8.5", "nonlinear_r/ @ iteration=1: 1",
               "f/ @ iteration=1: 9.5", "proj_g/ @ iteration=1: 0.45", "f/ @ iteration=2: 7.5",
               "proj_g/ @ iteration=2: 0.425"});
    QTest::newRow("an expression on a line that counts")
        << QByteArray(
               "   Iteration :   0  (B r, r) = 0.5\n   Iteration :   1  (B r, r) = 0.25\n"
               "   Iteration :   2  (B r, r) = 0.125\n   Iteration :   3  (B r, r) = 0.0625\n")
        << lines({"b_r_r/ @ iteration=0: 0.5", "b_r_r/ @ iteration=1: 0.25",
               "b_r_r/ @ iteration=2: 0.125", "b_r_r/ @ iteration=3: 0.0625"});
    QTest::newRow("lines that begin with a time that goes on")
        << QByteArray("Time:       0, kinetic energy:  0.125, dissipation:  0.5\n"
                      "Time:   0.1, kinetic energy:  0.25, dissipation:  0.25\n"
                      "Time:   0.2, kinetic energy:  0.5, dissipation:  0.75\n")
        << lines({"kinetic_energy/ @ time=0: 0.125", "dissipation/ @ time=0: 0.5",
               "kinetic_energy/ @ time=0.1: 0.25", "dissipation/ @ time=0.1: 0.25",
               "kinetic_energy/ @ time=0.2: 0.5", "dissipation/ @ time=0.2: 0.75"});
    QTest::newRow("lines that begin with the time that each took")
        << QByteArray("Time: 0.5, loss: 0.125\nTime: 0.25, loss: 0.5\nTime: 0.75, loss: 0.25\n")
        << lines({"loss/ @ line=1: 0.125", "loss/ @ line=2: 0.5", "loss/ @ line=3: 0.25",
               "time/ @ line=1: 0.5 s", "time/ @ line=2: 0.25 s", "time/ @ line=3: 0.75 s"});
    QTest::newRow("a unit as a name, own names between bars")
        << QByteArray(
               "| epoch 1 | 100/170 batches | ms/batch 750.0 | loss 1.5 | mre 2.5 |gepc 73.5 |\n"
               "| epoch 1 | 150/170 batches | ms/batch 500.0 | loss 1.25 | mre 2.25 |gepc 53.5 |\n")
        << lines({"step_time/ @ step=100: 0.75 s", "loss/ @ step=100: 1.5", "mre/ @ step=100: 2.5",
               "gepc/ @ step=100: 73.5", "step_time/ @ step=150: 0.5 s", "loss/ @ step=150: 1.25",
               "mre/ @ step=150: 2.25", "gepc/ @ step=150: 53.5"});
    QTest::newRow("running means alone")
        << QByteArray(
               "Iter 1/12  data (0.5)  mae 0.25 (0.25)\nIter 2/12  data (0.25)  mae 0.5 (0.75)\n")
        << lines({"data/ @ iteration=1: 0.5 s", "mae/ @ iteration=1: 0.25",
               "data/ @ iteration=2: 0.25 s", "mae/ @ iteration=2: 0.5"});
    QTest::newRow("two words before one name, and a list without colons")
        << QByteArray(
               "Updates 10, FPS 663\nLast 10 training episodes: mean/median reward 3.25/3.5\n"
               "The dist entropy 3.5, the value loss 0.5, the action loss 1.25\n"
               "Updates 20, FPS 672\nLast 10 training episodes: mean/median reward 4.25/4.75\n"
               "The dist entropy 3.75, the value loss 8.5, the action loss -3.5\n"
               "Updates 30, FPS 673\nLast 10 training episodes: mean/median reward 4.5/4.5\n"
               "The dist entropy 3.25, the value loss 7.5, the action loss -2.5\n")
        << lines({"fps/ @ update=10: 663 frames/s", "mean_reward/ @ update=10: 3.25",
               "median_reward/ @ update=10: 3.5", "dist_entropy/ @ update=10: 3.5",
               "value_loss/ @ update=10: 0.5", "action_loss/ @ update=10: 1.25",
               "fps/ @ update=20: 672 frames/s", "mean_reward/ @ update=20: 4.25",
               "median_reward/ @ update=20: 4.75", "dist_entropy/ @ update=20: 3.75",
               "value_loss/ @ update=20: 8.5", "action_loss/ @ update=20: -3.5",
               "fps/ @ update=30: 673 frames/s", "mean_reward/ @ update=30: 4.5",
               "median_reward/ @ update=30: 4.5", "dist_entropy/ @ update=30: 3.25",
               "value_loss/ @ update=30: 7.5", "action_loss/ @ update=30: -2.5"});
    QTest::newRow("tables with a title above each")
        << QByteArray("+----------------------------------------+\n"
                      "|             Zone 0 (Fluid)             |\n"
                      "+----------------------------------------+\n"
                      "|  Inner_Iter|      rms[P]|      rms[U]|\n"
                      "+----------------------------------------+\n"
                      "|           0|        -4.5|      -0.5  |\n"
                      "|          10|        -5.5|      -1.5  |\n"
                      "+----------------------------------------+\n"
                      "|             Zone 1 (Solid)             |\n"
                      "+----------------------------------------+\n"
                      "|  Inner_Iter|      rms[U]|      rms[R]|\n"
                      "+----------------------------------------+\n"
                      "|           0|        -2.5|      -3.5  |\n"
                      "|          10|        -3.5|      -4.5  |\n")
        << lines({"rms_p/Zone 0 (Fluid) @ step=0: -4.5", "rms_p/Zone 0 (Fluid) @ step=10: -5.5",
               "rms_r/Zone 1 (Solid) @ step=0: -3.5", "rms_r/Zone 1 (Solid) @ step=10: -4.5",
               "rms_u/Zone 0 (Fluid) @ step=0: -0.5", "rms_u/Zone 0 (Fluid) @ step=10: -1.5",
               "rms_u/Zone 1 (Solid) @ step=0: -2.5", "rms_u/Zone 1 (Solid) @ step=10: -3.5"});
    QTest::newRow("a drawn heading of two lines, and cells that hold nothing")
        << QByteArray("|  Epoch  |  Iteration  |  Elapsed   |  Mini-batch  |  Validation  |\n"
                      "|         |             | (hh:mm:ss) |     Loss     |     Loss     |\n"
                      "|=================================================================|\n"
                      "|       1 |           1 |   00:00:30 |       1.5    |       1.25   |\n"
                      "|       1 |          50 |   00:01:00 |       0.75   |              |\n"
                      "|       2 |         100 |   00:01:30 |       0.5    |       0.625  |\n")
        << lines({"elapsed_hh_mm_ss/ @ step=1: 30", "elapsed_hh_mm_ss/ @ step=50: 60",
               "elapsed_hh_mm_ss/ @ step=100: 90", "mini_batch_loss/ @ step=1: 1.5",
               "mini_batch_loss/ @ step=50: 0.75", "mini_batch_loss/ @ step=100: 0.5",
               "valid_loss/ @ step=1: 1.25", "valid_loss/ @ step=100: 0.625"});
    QTest::newRow("numbers with a colon before rows whose heading lacks a name for them")
        << QByteArray("         pcost       dcost       gap    pres   dres\n"
                      "     0:  0.5000e+00 -1.0000e+00  1e+05  1e-01  4e-02\n"
                      "     1:  2.2500e-01  1.5000e-01  8e+03  8e-03  3e-03\n"
                      "     2:  1.9000e-01  2.3500e-01  1e+03  1e-03  4e-04\n"
                      "     3:  1.5000e-01  2.2500e-01  1e+02  1e-04  4e-05\n")
        << lines({"dcost/ @ step=0: -1", "dcost/ @ step=1: 0.15", "dcost/ @ step=2: 0.235",
               "dcost/ @ step=3: 0.225", "dres/ @ step=0: 0.04", "dres/ @ step=1: 0.003",
               "dres/ @ step=2: 0.0004", "dres/ @ step=3: 4e-05", "gap/ @ step=0: 100000",
               "gap/ @ step=1: 8000", "gap/ @ step=2: 1000", "gap/ @ step=3: 100",
               "pcost/ @ step=0: 0.5", "pcost/ @ step=1: 0.225", "pcost/ @ step=2: 0.19",
               "pcost/ @ step=3: 0.15", "pres/ @ step=0: 0.1", "pres/ @ step=1: 0.008",
               "pres/ @ step=2: 0.001", "pres/ @ step=3: 0.0001"});
    QTest::newRow("a word before the number that counts, below other names")
        << QByteArray("                       Volume            Mass        Pressure\n"
                      " step:      0      0.5000E+03      0.2500E+02      0.7500E-01\n"
                      "\n"
                      " something else\n"
                      "                       Volume            Mass        Pressure\n"
                      " step:     10      0.2500E+03      0.1250E+02      0.5000E-01\n")
        << lines({"mass/ @ step=0: 25", "mass/ @ step=10: 12.5", "pressure/ @ step=0: 0.075",
               "pressure/ @ step=10: 0.05", "volume/ @ step=0: 500", "volume/ @ step=10: 250"});
    QTest::newRow("words in the first column, as wide as its dashes")
        << QByteArray("   convergence    iter        energy       DeltaE   RMS-Dens    time\n"
                      " ---------------- ----- ----------------- --------- ---------  ------\n"
                      " d= 0,ls=0.0,diis     1   -139.5000000000 -1.50D+02  2.50D-02     0.5\n"
                      "                                                     4.65D-02\n"
                      " d= 0,ls=0.5,diis     2   -138.5000000000  3.50D-01  1.25D-02     0.5\n")
        << lines({"deltae/ @ step=1: -150", "deltae/ @ step=2: 0.35", "energy/ @ step=1: -139.5",
               "energy/ @ step=2: -138.5", "rms_dens/ @ step=1: 0.025",
               "rms_dens/ @ step=2: 0.0125", "time/ @ step=1: 0.5 s", "time/ @ step=2: 0.5 s"});
    QTest::newRow("units behind the numbers of a table, by size")
        << QByteArray("     data set   exec time     spread        Eff. bw       DRAM read\n"
                      "         4 kB       500ms       1.5%    9000.5 GB/s         5 GB/s \n"
                      "         8 kB       250ms       6.5%    8000.5 GB/s         0 GB/s \n")
        << lines({"dram_read/ @ size=4000: 5000000000 B/s", "dram_read/ @ size=8000: 0 B/s",
               "eff_bw/ @ size=4000: 9.0005e+12 B/s", "eff_bw/ @ size=8000: 8.0005e+12 B/s",
               "exec_time/ @ size=4000: 0.5 s", "exec_time/ @ size=8000: 0.25 s",
               "spread/ @ size=4000: 1.5 %", "spread/ @ size=8000: 6.5 %"});
    QTest::newRow("numbers before names with their numbers")
        << QByteArray("     0,       0.000,     0, En 7.5E+01, CFL  0.50000, Me  0.50E+00\n"
                      "   288,       1.000,     0, En 6.5E+01, CFL  0.25000, Me  2.50E-01\n"
                      "   576,       2.000,     0, En 5.5E+01, CFL  0.12500, Me  1.25E-01\n")
        << lines({"cfl/ @ iteration=0: 0.5", "cfl/ @ iteration=288: 0.25",
               "cfl/ @ iteration=576: 0.125", "en/ @ iteration=0: 75", "en/ @ iteration=288: 65",
               "en/ @ iteration=576: 55", "me/ @ iteration=0: 0.5", "me/ @ iteration=288: 0.25",
               "me/ @ iteration=576: 0.125"});
    QTest::newRow("how many of the last are meant; what was done in total counts")
        << QByteArray("Avg return in last 50 episodes: -188.5\t Episode return: -200\t Total "
                      "steps: 15431\n"
                      "Avg return in last 50 episodes: -186.5\t Episode return: -142\t Total "
                      "steps: 16251\n")
        << lines({"average_return/ @ step=15431: -188.5", "average_return/ @ step=16251: -186.5",
               "episode_return/ @ step=15431: -200", "episode_return/ @ step=16251: -142"});
    QTest::newRow("Julia: symbols, numbers of single precision")
        << QByteArray("(:epoch, 0, :trn, 0.75f0, :tst, 0.5f0)\n"
                      "(:epoch, 10, :trn, 1.25f-1, :tst, 2.5f-1)\n")
        << lines({"test_value/ @ epoch=0: 0.5", "test_value/ @ epoch=10: 0.25",
               "train_value/ @ epoch=0: 0.75", "train_value/ @ epoch=10: 0.125"});
    QTest::newRow("finished bars, each with a number in its description")
        << QByteArray("Loss: 0.75: 100%|██████████| 8/8 [00:01<00:00,  7.25it/s]\n"
                      "Loss: 0.5: 100%|██████████| 8/8 [00:01<00:00,  7.5it/s]\n"
                      "Loss: 0.25: 100%|██████████| 8/8 [00:01<00:00,  7.75it/s]\n")
        << lines({"loss/ @ step=8: 0.75", "loss/ @ step=16: 0.5", "loss/ @ step=24: 0.25",
               "rate/ @ step=8: 7.25 it/s", "rate/ @ step=16: 7.5 it/s",
               "rate/ @ step=24: 7.75 it/s"});
    QTest::newRow("an epoch, its loss, and times of data sets")
        << QByteArray("Epoch 001 loss 4042.5 | train 5.5s | infer 9.5s\n"
                      "Epoch 002 loss 3674.5 | train 5.25s | infer 9.25s\n")
        << lines({"infer/ @ epoch=1: 9.5 s", "infer/ @ epoch=2: 9.25 s", "loss/ @ epoch=1: 4042.5",
               "loss/ @ epoch=2: 3674.5", "train_time/ @ epoch=1: 5.5 s",
               "train_time/ @ epoch=2: 5.25 s"});
    QTest::newRow("brackets behind the words of a data set")
        << QByteArray("epoch 0 training [time: 0.5s, loss: 13.5]\n"
                      "epoch 0 evaluating [time: 0.25s, score: 0.5]\n"
                      "epoch 1 training [time: 0.75s, loss: 12.5]\n"
                      "epoch 1 evaluating [time: 0.5s, score: 0.75]\n")
        << lines({"eval_score/ @ epoch=0: 0.5", "eval_score/ @ epoch=1: 0.75",
               "eval_time/ @ epoch=0: 0.25 s", "eval_time/ @ epoch=1: 0.5 s",
               "train_loss/ @ epoch=0: 13.5", "train_loss/ @ epoch=1: 12.5",
               "train_time/ @ epoch=0: 0.5 s", "train_time/ @ epoch=1: 0.75 s"});
    QTest::newRow("a solver's iterations, and of what")
        << QByteArray("Time step 1 at t=4.5\n"
                      "   u-equation: 8 CG iterations.\n"
                      "   9 GMRES iterations for Stokes subsystem.\n"
                      "Time step 2 at t=5\n"
                      "   u-equation: 7 CG iterations.\n"
                      "   8 GMRES iterations for Stokes subsystem.\n")
        << lines({"cg_iterations/u-equation @ step=1: 8", "cg_iterations/u-equation @ step=2: 7",
               "gmres_iterations/Stokes subsystem @ step=1: 9",
               "gmres_iterations/Stokes subsystem @ step=2: 8"});
    QTest::newRow("a solver's table that begins again goes on")
        << QByteArray(" iter      E        gap\n"
                      "   1    -1.5      0.25\n"
                      "   2    -2.5      0.5\n"
                      "CYCLE 2\n"
                      " iter      E        gap\n"
                      "   1    -3.5      0.25\n"
                      "   2    -4.5      0.5\n")
        << lines({"e/ @ step=1: -1.5", "e/ @ step=2: -2.5", "e/ @ step=3: -3.5",
               "e/ @ step=4: -4.5", "gap/ @ step=1: 0.25", "gap/ @ step=2: 0.5",
               "gap/ @ step=3: 0.25", "gap/ @ step=4: 0.5"});
    QTest::newRow("a Greek name in parentheses behind an epoch")
        << QByteArray("Epoch: 0 \tTrain Loss: 1.5 | Test Accuracy: 0.75 |(ε = 0.875)\n"
                      "Epoch: 1 \tTrain Loss: 1.25 | Test Accuracy: 0.875 |(ε = 0.9375)\n")
        << lines({"test_accuracy/ @ epoch=0: 0.75", "test_accuracy/ @ epoch=1: 0.875",
               "train_loss/ @ epoch=0: 1.5", "train_loss/ @ epoch=1: 1.25", "ε/ @ epoch=0: 0.875",
               "ε/ @ epoch=1: 0.9375"});
    QTest::newRow("not every word with a bar is a unit")
        << QByteArray("step  loss  M/hr\n"
                      "   1   3.5   5.5\n"
                      "   2   3.25  6.5\n")
        << lines({"loss/ @ step=1: 3.5", "loss/ @ step=2: 3.25", "m_hr/ @ step=1: 5.5",
               "m_hr/ @ step=2: 6.5"});
    QTest::newRow("times that are not known in a drawn table")
        << QByteArray("Iter  |  Posterior |  elapsed  |     ETA    |\n"
                      "0     |     -1.5   | 00:00:00  |  --:--:--  |\n"
                      "100   |     -2.5   | 00:00:00  |  00:00:10  |\n")
        << lines({"elapsed/ @ step=0: 0 s", "elapsed/ @ step=100: 0 s", "posterior/ @ step=0: -1.5",
               "posterior/ @ step=100: -2.5"});
    QTest::newRow("numbers below groups of signs: some rows lack one")
        << QByteArray("  Bat./Gen.      k            Average k\n"
                      "  =========   ========   ====================\n"
                      "        1/1    1.50000\n"
                      "        2/1    1.25000\n"
                      "        3/1    1.12500    1.18750 +/- 0.03000\n"
                      "        4/1    1.25000    1.21875 +/- 0.02000\n")
        << lines({"average_k/ @ step=3: 1.1875", "average_k/ @ step=4: 1.21875", "k/ @ step=1: 1.5",
               "k/ @ step=2: 1.25", "k/ @ step=3: 1.125", "k/ @ step=4: 1.25"});
    QTest::newRow("what is left of a bar behind a row and a heading")
        << QByteArray(
               "      Epoch    GPU_mem   box_loss   obj_loss   Instances       Size\n"
               "      0/2        1.5G     0.25       0.125           63        640: 100% 3/3 "
               "[00:05<00:00,  1.75s/it]\n"
               "                 Class     Images  Instances          P          R      mAP50: "
               "100% 1/1 [00:01<00:00,  1.82s/it]\n"
               "                   all         23         35       0.25     0.0625      0.125\n")
        << lines({"box_loss/ @ epoch=0: 0.25", "gpu_mem/ @ epoch=0: 1500000000 B",
               "map50/all @ epoch=0: 0.125", "obj_loss/ @ epoch=0: 0.125",
               "precision/all @ epoch=0: 0.25", "recall/all @ epoch=0: 0.0625"});
    QTest::newRow("how many iterations a solve took does not count")
        << QByteArray("    0 SNES Function norm 2.562500000000e+01\n"
                      "      Linear solve converged due to CONVERGED_ATOL iterations 23\n"
                      "    1 SNES Function norm 1.250000000000e-09\n"
                      "    Nonlinear solve converged due to CONVERGED_FNORM_ABS iterations 1\n"
                      "    0 SNES Function norm 1.562500000000e+01\n"
                      "      Linear solve converged due to CONVERGED_ATOL iterations 34\n"
                      "    1 SNES Function norm 1.125000000000e-08\n"
                      "    Nonlinear solve converged due to CONVERGED_FNORM_ABS iterations 2\n")
        << lines({"linear_iterations/ @ iteration=0: 23", "linear_iterations/ @ iteration=2: 34",
               "nonlinear_iterations/ @ iteration=1: 1", "nonlinear_iterations/ @ iteration=3: 2",
               "snes_function_norm/ @ iteration=0: 25.625",
               "snes_function_norm/ @ iteration=1: 1.25e-09",
               "snes_function_norm/ @ iteration=2: 15.625",
               "snes_function_norm/ @ iteration=3: 1.125e-08"});
    QTest::newRow("many numbers with units between words")
        << QByteArray(
               "At iteration 100/100/100, Mean rms=5.5%, delta=54.5%, char train=99.25%, word "
               "train=72.5%, skip ratio=0%,  New best char error = 99.25 wrote checkpoint.\n"
               "At iteration 200/200/200, Mean rms=5.25%, delta=51.25%, char train=82.5%, word "
               "train=74.25%, skip ratio=0%,  New worst char error = 82.5 wrote checkpoint.\n")
        << lines({"char_train/ @ iteration=100: 99.25 %", "char_train/ @ iteration=200: 82.5 %",
               "delta/ @ iteration=100: 54.5 %", "delta/ @ iteration=200: 51.25 %",
               "error/ @ iteration=100: 99.25", "error/ @ iteration=200: 82.5",
               "mean_rms/ @ iteration=100: 5.5 %", "mean_rms/ @ iteration=200: 5.25 %",
               "word_train/ @ iteration=100: 72.5 %", "word_train/ @ iteration=200: 74.25 %"});
    QTest::newRow("how long a step is does not count")
        << QByteArray("iter      cost      |gradient|   |step|    tr_ratio\n"
                      "   0  4.500000e+06    2.50e+07   0.50e+00   0.50e+00\n"
                      "   1  1.500000e+05    5.50e+06   2.50e+03   9.50e-01\n")
        << lines({"cost/ @ step=0: 4500000", "cost/ @ step=1: 150000",
               "gradient/ @ step=0: 25000000", "gradient/ @ step=1: 5500000",
               "step_norm/ @ step=0: 0.5", "step_norm/ @ step=1: 2500", "tr_ratio/ @ step=0: 0.5",
               "tr_ratio/ @ step=1: 0.95"});
    QTest::newRow("a mark before the row of a drawn table")
        << QByteArray(" time | node  | left  |LP iter| dualbound   | primalbound  |  gap\n"
                      "T  0.5s|     1 |     0 |      0 | 0.500000e+00 | 2.400000e+01 |    Inf\n"
                      "   1.0s|     2 |     0 |     20 | 1.500000e+01 | 2.200000e+01 |  38.50%\n"
                      "   1.5s|     3 |     0 |     30 | 1.750000e+01 | 2.200000e+01 |  37.50%\n")
        << lines({"dualbound/ @ time=0.5: 0.5", "dualbound/ @ time=1: 15",
               "dualbound/ @ time=1.5: 17.5", "gap/ @ time=0.5: inf", "gap/ @ time=1: 38.5",
               "gap/ @ time=1.5: 37.5", "lp_iter/ @ time=0.5: 0", "lp_iter/ @ time=1: 20",
               "lp_iter/ @ time=1.5: 30", "primalbound/ @ time=0.5: 24",
               "primalbound/ @ time=1: 22", "primalbound/ @ time=1.5: 22"});
    QTest::newRow("rates of messages by size")
        << QByteArray("  #bytes     #iterations    BW average[MB/sec]   MsgRate[Mpps]\n"
                      "  2          5000             4.50               2.5\n"
                      "  4          5000             8.50               2.25\n")
        << lines({"bw_average/ @ size=2: 4500000 B/s", "bw_average/ @ size=4: 8500000 B/s",
               "msgrate/ @ size=2: 2.5", "msgrate/ @ size=4: 2.25"});
    QTest::newRow("short words of a translator")
        << QByteArray("[2018-12-02 00:06:06] Ep. 1 : Up. 1000 : Sen. 70,000 : Cost 147.5 : Time "
                      "4824.0s : 428.5 words/s : L.r. 1.8750e-05\n"
                      "[2018-12-02 02:00:46] Ep. 1 : Up. 2000 : Sen. 140,000 : Cost 125.5 : Time "
                      "6880.5s : 300.5 words/s : L.r. 3.7500e-05\n")
        << lines({"cost/ @ update=1000: 147.5", "cost/ @ update=2000: 125.5",
               "l_r/ @ update=1000: 1.875e-05", "l_r/ @ update=2000: 3.75e-05",
               "throughput/ @ update=1000: 428.5 words/s",
               "throughput/ @ update=2000: 300.5 words/s", "time/ @ update=1000: 4824 s",
               "time/ @ update=2000: 6880.5 s"});
    QTest::newRow("llama.cpp") << QByteArray(
        "llama_perf_context_print:        eval time =  4500.00 ms /    99 runs   (   45.45 ms per "
        "token,    22.00 tokens per second)\n"
        "[1]4.5,[2]4.25,\n")
                               << lines({"tokens_per_second/eval @ line=1: 22 tokens/s",
                                      "perplexity/ @ chunk=1: 4.5", "perplexity/ @ chunk=2: 4.25"});
}

void TestGrammar::lines_giveTheirNumbers()
{
    QFETCH(QByteArray, log);
    QFETCH(QStringList, samples);
    // A program's own names come once they vary: only the order within a curve is certain.
    const auto bySeries = [](QStringList list) {
        std::stable_sort(list.begin(), list.end(), [](const QString& a, const QString& b) {
            return a.section(u'@', 0, 0) < b.section(u'@', 0, 0);
        });
        return list;
    };
    QCOMPARE(bySeries(texts(readWhole(log).samples)), bySeries(samples));
}

void TestGrammar::ordinaryText_drawsNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const char* text) {
        QTest::newRow(name) << QByteArray(text);
    };
    row("a table of a document, with units",
        "| GPU | Memory | Bandwidth |\n|---|---|---|\n| A100 | 80 GB | 2039 GB/s |\n"
        "| V100 | 32 GB | 900 GB/s |\n| T4 | 16 GB | 320 GB/s |\n| H100 | 80 GB | 3350 GB/s |\n");
    row("a table of partitions",
        "Partition  Nodes  Memory   Limit\nshort      10     96 GB    4 h\n"
        "long       20     192 GB   48 h\nbig        4      768 GB   24 h\n");
    row("groups of signs below another heading than that of the rows",
        "time  step     a     b\n----  ----  ----  ----\nx 1    1.5   2.5   3.5\n"
        "one   two   three\n---   ---   ---\nfour words are here\n 7  8.5\n 9  9.5   1.5\n");
    row("settings", "batch_size: 32\nlr: 0.001\nseed: 42\nlr: 0.001\nepochs: 10\n");
    row("arguments", "Namespace(lr=0.01, momentum=0.9, batch_size=64, epochs=14, seed=1)\n");
    row("code",
        "acc = 0\nfor i in range(10):\n    acc += 1\nloss = 0\nrate = 22050\nrate = 0\nloss = 1\n");
    row("a guide",
        "Step 1: get the data\nStep 2: train; an accuracy of 95% is usual\nStep 3: done\n");
    row("pip",
        "Downloading numpy-2.0.1-cp311.whl (19.5 MB)\n   19.5/19.5 MB 12.3 MB/s eta 0:00:00\n"
        "Downloading torch-2.4.1-cp311.whl (797.1 MB)\n   797.1/797.1 MB 3.1 MB/s eta 0:00:00\n");
    row("ls",
        "total 16\n-rw-r--r-- 1 root root  1024 Nov 25 02:43 loss.csv\n-rw-r--r-- 1 root root  "
        "2048 Nov 25 02:44 acc.csv\n");
    row("cmake",
        "-- Found OpenMP: TRUE (found version \"4.5\")\n[ 12%] Building CXX object a.cpp.o\n[ 25%] "
        "Building CXX object b.cpp.o\n");
    row("a table of results",
        "| Model | Top-1 | Top-5 |\n|---|---|---|\n| resnet50 | 76.1 | 92.8 |\n");
    row("valgrind",
        "40 bytes in 1 blocks are lost in loss record 17 of 35\n8 bytes in 1 blocks are lost in "
        "loss record 2 of 35\n"
        "16 bytes in 1 blocks are lost in loss record 3 of 35\n");
    row("the same of each step",
        "Step 1\n  scale = 0.5\nStep 2\n  scale = 0.5\nStep 3\n  scale = 0.5\n");
    row("a norm in code", "12  norm = ||r|| + 0.5\n13  x = |a|\n14  |r| = 0.5\n");
    row("two of many, in prose",
        "precision/recall trade-off 0.5/0.7\nThe read/write ratio 0.5, the hit ratio 0.7\n");
    row("assignments of several", "x, loss = 0.5, 0.75\nx, loss = 0.25, 0.5\nx, loss = 1.5, 2.5\n");
    row("a list of words and numbers", "Iteration, 3 examples, more: 0.5, 0.7\n");
    row("four losses", "loss: 0.5\nloss: 0.25\nloss: 0.125\nloss: 0.0625\n");
    row("two losses in turn",
        "loss: 0.5\nloss: 0.25\nloss: 0.5\nloss: 0.25\nloss: 0.5\nloss: 0.25\n");
    row("counts", "errors: 5\nerrors: 4\nerrors: 3\nerrors: 2\nerrors: 1\n");
    row("two examples", "Step 1\n  scale = 0.5\nStep 2\n  scale = 0.25\n");
    row("one example many times",
        "Step 2\n  scale = 0.5\nStep 2\n  scale = 0.25\nStep 2\n  scale = 0.125\n");
    row("a name more than once in a block",
        "Step 1\n  a = 0.5\n  a = 0.25\nStep 2\n  a = 0.125\n  a = 1.5\nStep 3\n  a = 2.5\n");
    row("one number at all ranks",
        "GPU memory: 80 GiB\nGPU memory: 80 GiB\nGPU memory: 80 GiB\nGPU memory: 80 GiB\n");
}

void TestGrammar::ordinaryText_drawsNothing()
{
    QFETCH(QByteArray, text);
    QCOMPARE(texts(readWhole(text).samples), QStringList());
}

void TestGrammar::documents_drawNothing_data()
{
    QTest::addColumn<QString>("path");
    for (const char* path : {"README.md", "CONTRIBUTING.md", "CMakeLists.txt",
             "resources/hints.json", "resources/own-code.json", "resources/metric-names.json",
             "resources/gpu-references.json", "app/plan/job/slipway.sh", "tests/run"})
        QTest::newRow(path) << QString::fromLatin1(path);
}

void TestGrammar::documents_drawNothing()
{
    QFETCH(QString, path);
    QFile file(slipway::sourcePath(u'/' + path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(texts(readWhole(file.readAll()).samples), QStringList());
}

void TestGrammar::namesAndTables_stayBounded()
{
    QByteArray log;
    for (int i = 0; i < 20'000; ++i) {
        const QByteArray n = QByteArray::number(i);
        log += "loss_" + n + ": 0." + n + " tokens/s\n";
        log += "Step loss_" + n + "_loss\n" + n + " 0." + n + "\n";
    }
    SeriesStore store;
    store.add(readWhole(log).samples);
    QVERIFY(store.all().size() <= SeriesStore::mostSeries);
}

/// A table as trainings with an agent print it.
static QByteArray report(int step, const char* gamma, const char* novelty, int reward)
{
    return "------------------------------\n"
           "| time/              |       |\n"
           "|    total_timesteps | "
        + QByteArray::number(step)
        + "   |\n"
          "|    own_gamma       | "
        + gamma
        + "  |\n"
          "|    novelty         | "
        + novelty
        + "   |\n"
          "| rollout/           |       |\n"
          "|    ep_rew_mean     | "
        + QByteArray::number(reward)
        + "     |\n"
          "------------------------------\n";
}

void TestGrammar::reportOfNamesAndValues_givesWhatChanges()
{
    const QByteArray log =
        report(100, "0.99", "1.5", 1) + report(200, "0.99", "1.5", 2) + report(300, "0.99", "2", 3);
    QCOMPARE(texts(readWhole(log).samples),
        lines({"rollout_ep_rew_mean/ @ step=100: 1", "rollout_ep_rew_mean/ @ step=200: 2",
            "time_novelty/ @ step=100: 1.5", "time_novelty/ @ step=200: 1.5",
            "time_novelty/ @ step=300: 2", "rollout_ep_rew_mean/ @ step=300: 3"}));
}

void TestGrammar::reportOfNamesAndValues_onceIsADocument()
{
    const QByteArray once = report(100, "0.99", "1.5", 1);
    QCOMPARE(texts(readWhole(once).samples), QStringList());
    QCOMPARE(texts(readWhole(once + once).samples), QStringList()); // quoted twice
    const QByteArray unframed = "| name | value |\n|---|---|\n| steps | 1 |\n| loss | 0.5 |\n";
    QCOMPARE(texts(readWhole(unframed + unframed).samples), QStringList());
}

void TestGrammar::numberedLines_areNoSteps_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::newRow("listing") << QByteArray("12 loss = 0.5\n13 loss = 0.25\n14 loss = 0.125\n");
    QTest::newRow("prose") << QByteArray("2 models with loss = 0.5 and acc = 1 here\n"
                                         "3 models with loss = 0.4 and acc = 2 here\n");
    QTest::newRow("listing with pipes") << QByteArray("12 | loss = step(x)\n13 | acc = loss\n");
    QTest::newRow("list") << QByteArray("1 mean loss 2\n2 mean loss 3\n3 mean loss 4\n");
    QTest::newRow("intervals") << QByteArray(
        "[  5]   0.00-1.00   sec   984 KBytes\n[  5]   1.00-2.00   sec   999 KBytes\n");
    QTest::newRow("timings once") << QByteArray("Timing for main: time 2021-03-14_00:01:00 on "
                                                "domain   1:    2.81202 elapsed seconds\n");
    QTest::newRow("other timings")
        << QByteArray("Timing for Writing wrfout_d01_2021-03-14_00:00:00 for domain        1:    "
                      "1.20311 elapsed seconds\n")
               .repeated(3);
}

void TestGrammar::leadingNumber_counts_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("pipes") << QByteArray("10 | loss 9.5 | lr 3e-04 | 13597.73ms\n"
                                         "20 | loss 7.5 | lr 3e-04 | 13614.86ms\n")
                           << lines({"loss/ @ iteration=10: 9.5", "lr/ @ iteration=10: 0.0003",
                                  "step_time/ @ iteration=10: 13.59773 s",
                                  "loss/ @ iteration=20: 7.5", "lr/ @ iteration=20: 0.0003",
                                  "step_time/ @ iteration=20: 13.61486 s"});
    QTest::newRow("comma") << QByteArray("350, train_loss=0.25, time 17.5s\n"
                                         "360, train_loss=0.125, time 18.5s\n")
                           << lines({"train_loss/ @ iteration=350: 0.25",
                                  "time/ @ iteration=350: 17.5 s",
                                  "train_loss/ @ iteration=360: 0.125",
                                  "time/ @ iteration=360: 18.5 s"});
    QTest::newRow("solver") << QByteArray("  0 KSP Residual norm 2.5e-01\n"
                                          "  1 KSP Residual norm 1.5e-01\n"
                                          "  0 KSP Residual norm 1.25e-01\n")
                            << lines({"ksp_residual_norm/ @ iteration=0: 0.25",
                                   "ksp_residual_norm/ @ iteration=1: 0.15",
                                   "ksp_residual_norm/ @ iteration=2: 0.125"});
    QTest::newRow("fractions do not count")
        << QByteArray("Train Epoch: 0 [ 50/100 (50%)] Loss: 1.5 Batch (t): 0.5\n"
                      "Train Epoch: 1 [ 50/100 (50%)] Loss: 1.25 Batch (t): 0.25\n")
        << lines({"train_loss/ @ epoch=0.5: 1.5", "train_loss/ @ epoch=1.5: 1.25"});
    QTest::newRow("the end of a sentence is no name")
        << QByteArray("Batch(100/800) done. Loss: 6.5\nBatch(200/800) done. Loss: 5.5\n")
        << lines({"loss/ @ batch=100: 6.5", "loss/ @ batch=200: 5.5"});
    QTest::newRow("with a remark on one line, in order")
        << QByteArray("iter 1: loss 2.5 (optimizer step)\niter 2: loss 1.5\niter 3: loss 0.5\n")
        << lines({"loss/ @ iteration=1: 2.5", "loss/ @ iteration=2: 1.5",
               "loss/ @ iteration=3: 0.5"});
    QTest::newRow("in brackets, of two sets")
        << QByteArray("[0] train-rmspe:0.5 eval-rmspe:0.75\n[1] train-rmspe:0.25 "
                      "eval-rmspe:0.5\n")
        << lines({"train_rmspe/ @ iteration=0: 0.5", "eval_rmspe/ @ iteration=0: 0.75",
               "train_rmspe/ @ iteration=1: 0.25", "eval_rmspe/ @ iteration=1: 0.5"});
}

void TestGrammar::leadingNumber_counts()
{
    QFETCH(QByteArray, log);
    QFETCH(QStringList, expected);
    QCOMPARE(texts(readWhole(log).samples), expected);
}

void TestGrammar::numberedLines_areNoSteps()
{
    QFETCH(QByteArray, log);
    QCOMPARE(texts(readWhole(log).samples), QStringList());
}

SLIPWAY_TEST(TestGrammar, metrics_grammar)
#include "tst_grammar.moc"
