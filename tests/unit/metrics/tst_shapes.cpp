// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/seriesstore.h"
#include "tests/support/testmain.h"

#include "logs.h"

#include <QTest>

#include <cmath>

using namespace slipway;
using namespace slipway::test;

namespace {

constexpr int lineCount = 6;

double valueAt(int line, int column)
{
    return 3.0 * (column + 1) / (line + 2) + 0.0101 * line * (column + 1) + 0.0007 * line;
}

QByteArray numberAt(int line, int column)
{
    return QByteArray::number(valueAt(line, column), 'f', 4);
}

/// What is wrong with the curves that are read from a log in which each of so many names has a
/// value on each line; empty: nothing.
QByteArray wrongCurves(const QByteArray& log, int names)
{
    SeriesStore store;
    store.add(readWhole(log).samples);
    if (int(store.all().size()) != names)
        return QByteArray::number(qsizetype(store.all().size())) + " curves";
    for (int column = 0; column < names; ++column) {
        const MetricSeries& series = *store.all()[size_t(column)];
        const QByteArray name = series.series().toUtf8();
        if (series.size() != lineCount)
            return name + " has " + QByteArray::number(qsizetype(series.size())) + " points";
        if (series.xName() == QLatin1String("line"))
            return name + " is drawn by line";
        for (int i = 0; i < lineCount; ++i) {
            const SeriesPoint point = series.at(size_t(i));
            if (std::abs(point.y - valueAt(i, column)) > 6e-5)
                return name + " is " + QByteArray::number(point.y);
            if (i > 0 && !(point.x > series.at(size_t(i) - 1).x))
                return name + " does not go on";
        }
    }
    return {};
}

QByteArray wrongIn(const QByteArray& log, int names)
{
    const QByteArray wrong = wrongCurves(log, names);
    return wrong.isEmpty() ? wrong : QByteArray(wrong + '\n' + log);
}

/// "epoch %1/10" with its number.
QByteArray counterAt(QByteArray counter, int line)
{
    return counter.replace("%1", QByteArray::number(line + 1))
        .replace("%C", QByteArray::number(100 * (line + 1)));
}

/// A log of such lines: "%1" is the counter, "%A" and "%B" are the values, written as `form` says.
QByteArray logOf(const QByteArray& line, const QByteArray& form = "%V")
{
    QByteArray log;
    for (int i = 0; i < lineCount; ++i) {
        QByteArray text = line;
        text.replace("%A", QByteArray(form).replace("%V", numberAt(i, 0)))
            .replace("%B", QByteArray(form).replace("%V", numberAt(i, 1)));
        log += counterAt(text, i) + '\n';
    }
    return log;
}

/// How a table is drawn.
struct TableStyle {
    enum Align { None, Left, Right };
    enum Rule { NoRule, Below, ByColumn, Around };

    QByteArray between;
    bool isFramed = false;
    QList<Align> aligns;
    QList<Rule> rules;

    static QList<TableStyle> all()
    {
        const QList<Rule> rules = {NoRule, Below, ByColumn, Around};
        return {{" | ", true, {None, Left, Right}, rules},
            {" | ", false, {None, Left, Right}, rules}, {"|", false, {None, Right}, rules},
            {"   ", false, {Left, Right}, rules}, {"\t", false, {None}, {NoRule}},
            {",", false, {None}, {NoRule}}, {", ", false, {None}, {NoRule}}};
    }

    QByteArray line(QByteArrayList cells, qsizetype width, Align align) const
    {
        for (QByteArray& cell : cells) {
            if (align != None)
                cell = align == Left ? cell.leftJustified(width) : cell.rightJustified(width);
        }
        const QByteArray line = cells.join(between);
        return isFramed ? QByteArray("| " + line + " |") : line;
    }

    QByteArray draw(const QList<QByteArrayList>& rows, Align align, Rule rule) const
    {
        qsizetype width = 0;
        for (const QByteArrayList& row : rows) {
            for (const QByteArray& cell : row)
                width = std::max(width, cell.size());
        }
        QByteArrayList lines;
        for (const QByteArrayList& row : rows)
            lines += line(row, width, align);
        const qsizetype length = lines[0].size();
        if (rule == Around)
            lines.insert(0, QByteArray(length, '='));
        if (rule == Around || rule == Below)
            lines.insert(rule == Around ? 2 : 1, QByteArray(length, rule == Around ? '=' : '-'));
        if (rule == ByColumn)
            lines.insert(
                1, line(QByteArrayList(rows[0].size(), QByteArray(width, '-')), width, align));
        return lines.join('\n') + '\n';
    }
};

/// The heading and the rows of the first columns. `doubles`: the first one, from row to row.
QList<QByteArrayList> rowsOf(const QByteArrayList& names, qsizetype columns, bool doubles)
{
    QList<QByteArrayList> rows = {names.mid(0, columns)};
    for (int i = 0; i < lineCount; ++i) {
        QByteArrayList row = {QByteArray::number(doubles ? 1 << i : i + 1)};
        for (int k = 0; k + 1 < columns; ++k)
            row += numberAt(i, k);
        rows += row;
    }
    return rows;
}

} // namespace

/// Programs write the same in many ways: a counter, names and numbers, with whatever is between
/// them. Each way of each part is combined with those of the others; lines only with every few of
/// them, which are others for each counter.
class TestShapes : public QObject {
    Q_OBJECT

private slots:
    void line_isReadHoweverItIsWritten_data();
    void line_isReadHoweverItIsWritten();
    void line_isReadBehindEveryPrefix_data();
    void line_isReadBehindEveryPrefix();
    void value_isReadHoweverItIsWritten_data();
    void value_isReadHoweverItIsWritten();
    void block_isReadHoweverItIsHeaded_data();
    void block_isReadHoweverItIsHeaded();
    void sweep_isReadHoweverItIsWritten_data();
    void sweep_isReadHoweverItIsWritten();
    void variant_isALane_data();
    void variant_isALane();
    void table_isReadHoweverItIsDrawn_data();
    void table_isReadHoweverItIsDrawn();
    void comparison_givesACurveEach_data();
    void comparison_givesACurveEach();
};

void TestShapes::line_isReadHoweverItIsWritten_data()
{
    QTest::addColumn<QByteArray>("counter");
    for (const char* counter : {"Epoch %1", "Epoch: %1", "Epoch=%1", "epoch %1/10", "Epoch [%1/10]",
             "[Epoch %1]", "[Epoch %1/10]", "Epoch #%1", "epoch:%1", "Epoch (%1/10)", "[%1/10]",
             "(%1/10)", "%1/10", "Step %C", "step=%C", "Iter %C", "Iteration %C/1000", "iter: %C",
             "Epoch: [%1]", "Epoch %1 of 10", "Epoch %1 / 10", "Epoch: %1/10", "Epoch = %1",
             "epoch : %1", "Ep %1", "EPOCH %1", "Training epoch %1", "Epoch %1 finished",
             "Epoch %1 completed", "End of epoch %1", "Round %1", "Generation %1", "Gen %1",
             "Episode %1", "Update %1", "Trial %1", "Batch %1", "Step [%C/1000]", "Steps: %C",
             "It %C", "[step %C]"})
        QTest::newRow(counter) << QByteArray(counter);
}

void TestShapes::line_isReadHoweverItIsWritten()
{
    QFETCH(QByteArray, counter);
    const QByteArrayList behind = {
        ": ", " - ", " | ", ", ", " ", "\t", "; ", " => ", " -- ", ":\t", "  "};
    const QByteArrayList joints = {": ", "=", " ", " = ", " : ", ":", " is ", " -> ", ":  "};
    const QByteArrayList between = {", ", " ", " | ", " - ", "; ", "\t", "  ", " / ", ". "};
    const QList<QByteArrayList> names = {{"loss", "val_loss"}, {"train loss", "val loss"},
        {"Loss", "Acc"}, {"Train Loss", "Train Acc", "Val Loss", "Val Acc"}, {"loss"},
        {"D loss", "G loss"}, {"loss_D", "loss_G"}, {"residual", "energy"},
        {"Training Loss", "Validation Loss", "Validation Accuracy"}, {"loss", "accuracy", "lr"},
        {"average loss", "best fitness"}};
    constexpr size_t every = 181; // prime: all ways of each part have their turn
    size_t turn = qHash(counter) % every;
    for (const QByteArray& after : behind) {
        for (const QByteArray& joint : joints) {
            for (const QByteArray& apart : between) {
                for (const QByteArrayList& each : names) {
                    if (turn++ % every != 0)
                        continue;
                    QByteArray log;
                    for (int i = 0; i < lineCount; ++i) {
                        QByteArrayList parts;
                        for (int k = 0; k < each.size(); ++k)
                            parts += each[k] + joint + numberAt(i, k);
                        log += counterAt(counter, i) + after + parts.join(apart) + '\n';
                    }
                    const QByteArray wrong = wrongIn(log, int(each.size()));
                    QVERIFY2(wrong.isEmpty(), wrong);
                }
            }
        }
    }
}

void TestShapes::line_isReadBehindEveryPrefix_data()
{
    QTest::addColumn<QByteArray>("prefix");
    for (const char* prefix : {"", "INFO: ", "INFO - ", "INFO:root:", "[INFO] ",
             "2024-03-01 12:00:0%1 ", "2024-03-01 12:00:0%1,123 - INFO - ",
             "[2024-03-01 12:00:0%1] ", "2024-03-01T12:00:0%1Z ", "12:00:0%1 ", "[12:00:0%1] ",
             "03/01/2024 12:00:0%1 - INFO - __main__ - ",
             "INFO:__main__:", "2024-03-01 12:00:0%1 | INFO | train:main:42 - ",
             "I0301 12:00:0%1.123456 1234 train.py:42] ", "[rank0]: ", "rank 0: ", "0: ",
             "node001: ", "[1,0]<stdout>:", "(pid=1234) ", "(RayTrainWorker pid=1234) ", "DEBUG ",
             "[main.py:42] ", "train.py:42: ", "Mar  1 12:00:0%1 node01 python[1234]: ", ">> ",
             "=> ", "* ", "- ", "# ", "\x1b[32m", "|| ", "\t", "    ", "[Trainer] ", "[ INFO ] ",
             "2024-03-01 12:00:0%1.123456: ", "[2024-03-01 12:00:0%1,123][__main__][INFO] - ",
             "[0]: ", "<stdout> ", "[Train] ", "TRAIN: ", "2024-03-01 12:00:0%1 INFO train.py:42 ",
             "12:00:0%1 INFO ", "00:0%1:11 ", "[%1.5s] ", "(%1.5s) ", "%1.5s: ", "[   %1.512345] "})
        QTest::newRow(prefix) << QByteArray(prefix);
}

void TestShapes::line_isReadBehindEveryPrefix()
{
    QFETCH(QByteArray, prefix);
    for (const char* line : {"Epoch %1: loss: %A, acc: %B", "epoch %1 loss %A acc %B",
             "Epoch [%1/10], Loss: %A, Acc: %B", "epoch=%1 loss=%A acc=%B",
             "Epoch %1/10 - loss: %A - acc: %B", "step %C | loss %A | acc %B",
             "iter %C, loss = %A, acc = %B", "Epoch %1 loss: %A acc: %B",
             "Iteration %C: loss=%A, acc=%B", "Step: %C, Loss: %A, Acc: %B",
             "{'epoch': %1, 'loss': %A, 'acc': %B}", "{\"epoch\": %1, \"loss\": %A, \"acc\": %B}",
             "epoch: %1; loss: %A; acc: %B", "Epoch %1 | Loss %A | Acc %B",
             "Epoch %1, Batch %C/1000, Loss: %A, Acc: %B",
             "Train Epoch: %1 [%C/1000 (10%)]\tLoss: %A\tAcc: %B",
             "loss after epoch %1: %A, acc: %B", "At epoch %1 loss is %A and acc is %B"}) {
        const QByteArray wrong = wrongIn(logOf(prefix + line), 2);
        QVERIFY2(wrong.isEmpty(), wrong);
    }
}

void TestShapes::value_isReadHoweverItIsWritten_data()
{
    QTest::addColumn<QByteArray>("form");
    for (const char* form : {"%V", "%V%", "%V %", "%V (0.6000)", "%V±0.1", "%V ± 0.1", "%V +/- 0.1",
             "%Vs", "%V s", "%V sec", "tensor(%V)", "tensor(%V, device='cuda:0')", "tensor([%V])",
             "tensor(%V, grad_fn=<NllLossBackward0>)", "array(%V, dtype=float32)",
             "Array(%V, dtype=float32)", "np.float64(%V)", "tf.Tensor(%V, shape=(), dtype=float32)",
             "+%V", "<%V>", "[%V]", "'%V'", "\"%V\"", "%Vf", "**%V**", "%V*", "%V.", "%V!", "%V;",
             "%V (+0.01)", "0%V"})
        QTest::newRow(form) << QByteArray(form);
}

void TestShapes::value_isReadHoweverItIsWritten()
{
    QFETCH(QByteArray, form);
    for (const char* line : {"Epoch %1: loss: %A, acc: %B", "epoch %1 loss %A acc %B",
             "Epoch [%1/10], Loss: %A, Acc: %B", "epoch=%1 loss=%A acc=%B",
             "step %C | loss: %A | acc: %B", "step %C loss = %A acc = %B",
             "Epoch %1 loss: %A acc: %B", "[%1/10] loss: %A, acc: %B",
             "Epoch %1, Train Loss: %A, Val Loss: %B", "Epoch %1\n  loss: %A\n  acc: %B",
             "{'epoch': %1, 'loss': %A, 'acc': %B}"}) {
        const QByteArray wrong = wrongIn(logOf(line, form), 2);
        QVERIFY2(wrong.isEmpty(), wrong);
    }
}

void TestShapes::block_isReadHoweverItIsHeaded_data()
{
    QTest::addColumn<QByteArray>("heading");
    for (const char* heading : {"Epoch %1/10", "Epoch %1", "Epoch: %1", "Epoch [%1/10]", "epoch %1",
             "--- Epoch %1 ---", "==== Epoch %1/10 ====", "Epoch %1:", "EPOCH: %1", "[Epoch %1]",
             "Training epoch %1...", "Epoch %1 of 10", "Epoch #%1", "### Epoch %1 ###",
             "Starting epoch %1", "Iteration %C", "Step %C", "Epoch %1\n----------",
             "Epoch %1/10\n-------------------------------", "Epoch = %1", "epoch=%1", "Round %1",
             ">>> Epoch %1", "* Epoch %1", "Epoch: %1/10", "Epoch: [%1/10]"})
        QTest::newRow(heading) << QByteArray(heading);
}

/// A line that says where the program is, and below it what training and validation gave.
void TestShapes::block_isReadHoweverItIsHeaded()
{
    QFETCH(QByteArray, heading);
    const QByteArrayList blocks = {"Train Loss: %0, Train Acc: %1\nVal Loss: %2, Val Acc: %3",
        "train loss: %0 acc: %1\nval loss: %2 acc: %3",
        "train: loss=%0, acc=%1\nval: loss=%2, acc=%3",
        "[Train] loss: %0, acc: %1\n[Val] loss: %2, acc: %3",
        "(train) loss: %0, acc: %1\n(val) loss: %2, acc: %3",
        "Training - loss: %0, accuracy: %1\nValidation - loss: %2, accuracy: %3",
        "Train | Loss: %0 | Acc: %1\nValid | Loss: %2 | Acc: %3",
        "Training loss: %0\nValidation loss: %1",
        "Training Loss: %0, Accuracy: %1\nTest Loss: %2, Accuracy: %3",
        "Train set: Average loss: %0, Accuracy: %1\nTest set: Average loss: %2, Accuracy: %3",
        "train_loss %0 train_acc %1\nval_loss %2 val_acc %3", "Loss: %0\nAccuracy: %1",
        "loss = %0\nval_loss = %1", "train Loss: %0 Acc: %1\nval Loss: %2 Acc: %3",
        "Train: loss %0 acc %1\nEval: loss %2 acc %3",
        "Train loss: %0\nVal loss: %1\nVal accuracy: %2", "loss on train: %0\nloss on test: %1",
        "Train Error: %0\nTest Error: %1", "TRAIN loss=%0 acc=%1\nVALID loss=%2 acc=%3",
        "Train metrics: loss %0, f1 %1\nVal metrics: loss %2, f1 %3",
        "average train loss: %0\naverage val loss: %1",
        "Avg. train loss: %0\nAvg. validation loss: %1",
        "Training results: loss: %0, accuracy: %1\nValidation results: loss: %2, accuracy: %3",
        "=> train loss: %0\n=> val loss: %1"};
    constexpr size_t every = 5;
    size_t turn = qHash(heading) % every;
    for (const QByteArray& block : blocks) {
        for (const QByteArray& indent : {QByteArray(), QByteArray("  "), QByteArray("\t"),
                 QByteArray(" - "), QByteArray("* ")}) {
            for (const char* const behind : {"\n", "\n\n"}) {
                if (turn++ % every != 0)
                    continue;
                QByteArray log;
                for (int i = 0; i < lineCount; ++i) {
                    QByteArray text = indent + block;
                    text.replace("\n", QByteArray("\n" + indent));
                    for (int k = 0; k < 4; ++k)
                        text.replace(QByteArray("%" + QByteArray::number(k)), numberAt(i, k));
                    log += counterAt(heading, i) + '\n' + text + behind;
                }
                const QByteArray wrong = wrongIn(log, int(block.count('%')));
                QVERIFY2(wrong.isEmpty(), wrong);
            }
        }
    }
}

void TestShapes::sweep_isReadHoweverItIsWritten_data()
{
    QTest::addColumn<QByteArray>("size");
    for (const char* size : {"Threads: %N", "threads=%N", "%N threads", "Using %N threads",
             "With %N threads", "N = %N", "N=%N", "n: %N", "Size: %N", "size %N", "Matrix size: %N",
             "Matrix size: %Nx%N", "%N x %N", "%Nx%N", "Number of processes: %N", "np=%N",
             "np = %N", "GPUs: %N", "%N GPUs", "Batch size: %N", "batch_size=%N", "[%N threads]",
             "(%N threads)", "Running on %N nodes", "nodes: %N", "Array size: %N",
             "vector length %N", "%N processes", "%N elements", "Problem size %N",
             "num_threads: %N", "OMP_NUM_THREADS=%N", "Number of threads = %N",
             "Number of threads: %N", "Thread count: %N", "ranks: %N", "%N MPI ranks", "%N cores",
             "cores: %N", "size=%N", "M=N=K=%N", "n=%N", "%N bytes", "Message size: %N bytes",
             "dim %N", "particles: %N", "Num particles: %N", "%N particles", "workers=%N",
             "num_workers=%N", "seq_len=%N", "--- N = %N ---", "=== %N threads ==="})
        QTest::newRow(size) << QByteArray(size);
}

void TestShapes::sweep_isReadHoweverItIsWritten()
{
    QFETCH(QByteArray, size);
    const QByteArrayList results = {"Time: %V s", "time = %V seconds", "took %V s", "%V ms", "%V s",
        "elapsed: %V sec", "elapsed time: %Vs", "%V GFLOPS", "Speedup: %V", "GFLOPS: %V",
        "Bandwidth: %V GB/s", "CPU: %V ms, GPU: %W ms", "Execution time: %V seconds",
        "Runtime: %V s", "wall time %V s", "avg time: %V ms", "time=%V", "Time taken: %V seconds",
        "time: %V ms, GFLOPS: %W", "time: %V s, speedup: %W", "Time (s): %V", "time(ms)=%V",
        "Total time: %V s", "kernel time: %V ms", "duration: %V s", "throughput: %V images/s",
        "%V seconds", "finished in %V s", "Elapsed Time: %V seconds", "compute time = %V s",
        "average %V us", "latency: %V us", "time: %V sec (%Wx)", "Time: %V",
        "%V ms \xc2\xb1 0.1 ms per loop (mean \xc2\xb1 std. dev. of 7 runs, 100 loops each)",
        "%V ms (2 allocations: 128 bytes)", "real\t0m%Vs", "Bandwidth (GB/s): %V",
        "time: %V s, 100 iterations"};
    const QByteArrayList between = {
        ": ", ", ", " ", " - ", " | ", " -> ", "\t", "; ", "\n", "\n  "};
    constexpr size_t every = 7;
    size_t turn = qHash(size) % every;
    for (const QByteArray& result : results) {
        for (const QByteArray& apart : between) {
            if (turn++ % every != 0)
                continue;
            QByteArray log;
            for (int i = 0; i < lineCount; ++i) {
                QByteArray text = size + apart + result;
                log += text.replace("%N", QByteArray::number(16 << i))
                           .replace("%V", numberAt(i, 0))
                           .replace("%W", numberAt(i, 1))
                    + '\n';
            }
            SeriesStore store;
            store.add(readWhole(log).samples);
            QVERIFY2(store.all().size() == (result.contains("%W") ? 2 : 1), log);
            for (const auto& series : store.all()) {
                QVERIFY2(series->size() == lineCount, log);
                for (int i = 0; i < lineCount; ++i)
                    QVERIFY2(series->points().x(size_t(i)) == double(16 << i), log);
            }
        }
    }
}

void TestShapes::variant_isALane_data()
{
    QTest::addColumn<QByteArray>("form"); // K: what is compared, S: the size, R: the result
    for (const char* form : {"Kernel: %K\n%S\n%R", "%S\nKernel: %K\n%R", "%K kernel, %S: %R",
             "%S\n%K:\n  %R", "Algorithm: %K\n%S: %R", "%K: %S, %R", "Method: %K\n%S, %R",
             "%S\n  Implementation: %K\n  %R", "%S\n%K %R", "%S: %K %R", "%S, %K: %R"})
        QTest::newRow(form) << QByteArray(form);
}

/// Of two things that are compared, each has its curve, whichever loop is the outer one.
void TestShapes::variant_isALane()
{
    QFETCH(QByteArray, form);
    const QByteArrayList sizes = {"N = %N", "Matrix size: %Nx%N", "%N threads", "Threads: %N",
        "size %N", "Batch size: %N", "np=%N"};
    const QByteArrayList results = {"Time: %V s", "time = %V seconds", "took %V s", "%V ms",
        "elapsed: %V sec", "Bandwidth: %V GB/s", "Execution time: %V ms"};
    for (const QByteArray& size : sizes) {
        for (const QByteArray& result : results) {
            for (const bool sizeIsOuter : {false, true}) {
                QByteArray log;
                for (int i = 0; i < 2 * lineCount; ++i) {
                    const int turn = sizeIsOuter ? i / 2 : i % lineCount;
                    const bool isSecond = sizeIsOuter ? i % 2 != 0 : i >= lineCount;
                    QByteArray text = form;
                    log += text.replace("%S", size)
                               .replace("%R", result)
                               .replace("%K", isSecond ? "tiled" : "naive")
                               .replace("%N", QByteArray::number(16 << turn))
                               .replace("%V", numberAt(i, 0))
                        + '\n';
                }
                SeriesStore store;
                store.add(readWhole(log).samples);
                QVERIFY2(store.all().size() == 2, log);
                for (const auto& series : store.all()) {
                    QVERIFY2(series->size() == lineCount, log);
                    for (int i = 0; i < lineCount; ++i)
                        QVERIFY2(series->points().x(size_t(i)) == double(16 << i), log);
                }
            }
        }
    }
}

void TestShapes::table_isReadHoweverItIsDrawn_data()
{
    QTest::addColumn<QByteArrayList>("names");
    QTest::addColumn<bool>("doubles"); // the counter, from row to row
    QTest::newRow("training") << QByteArrayList{"Epoch", "Loss", "Val loss", "Accuracy", "LR",
        "Val acc", "Grad norm", "Time"}
                              << false;
    QTest::newRow("solver") << QByteArrayList{"Iter", "Residual", "Energy", "Temp", "Pressure"}
                            << false;
    QTest::newRow("file") << QByteArrayList{"step", "train_loss", "val_loss", "acc", "lr"} << false;
    QTest::newRow("threads") << QByteArrayList{"Threads", "Time", "Speedup", "Efficiency"} << true;
    QTest::newRow("devices") << QByteArrayList{"N", "CPU time", "GPU time", "Speedup"} << true;
    QTest::newRow("batches") << QByteArrayList{"Batch size", "Throughput", "Latency", "Memory"}
                             << true;
}

void TestShapes::table_isReadHoweverItIsDrawn()
{
    QFETCH(QByteArrayList, names);
    QFETCH(bool, doubles);
    for (qsizetype columns = 2; columns <= names.size(); ++columns) {
        const QList<QByteArrayList> rows = rowsOf(names, columns, doubles);
        for (const TableStyle& style : TableStyle::all()) {
            for (const TableStyle::Align align : style.aligns) {
                for (const TableStyle::Rule rule : style.rules) {
                    const QByteArray wrong =
                        wrongIn(style.draw(rows, align, rule), int(columns) - 1);
                    QVERIFY2(wrong.isEmpty(), wrong);
                }
            }
        }
    }
}

void TestShapes::comparison_givesACurveEach_data()
{
    QTest::addColumn<QByteArrayList>("names");
    const auto row = [](const QByteArrayList& names) { QTest::newRow(names.join(' ')) << names; };
    row({"Kernel", "N", "Time(ms)"});
    row({"Kernel", "N", "Time(ms)", "GFLOPS"});
    row({"N", "Kernel", "Time(ms)", "GFLOPS"});
    row({"method", "threads", "time", "speedup", "efficiency"});
    row({"Model", "Batch size", "Latency(ms)", "Throughput"});
    row({"Kernel", "dtype", "N", "Time(ms)", "GFLOPS"});
    row({"Kernel", "N", "dtype", "Time(ms)", "GFLOPS"});
    row({"Algorithm", "Size", "Threads", "Time(s)", "Speedup"});
    row({"Size", "Threads", "Time(s)", "Speedup"});
}

/// Columns of words, and those of sizes but one, tell curves apart, whichever loop is the inner
/// one.
void TestShapes::comparison_givesACurveEach()
{
    QFETCH(QByteArrayList, names);
    static const QMap<QByteArray, QByteArrayList> words = {{"Kernel", {"naive", "tiled"}},
        {"method", {"serial", "omp"}}, {"Model", {"MinGRU", "MinLSTM"}},
        {"dtype", {"fp32", "fp16"}}, {"Algorithm", {"jacobi", "gauss-seidel"}}};
    const bool hasThreads = names.contains("Threads");
    const qsizetype labels = std::count_if(
        names.begin(), names.end(), [](const QByteArray& name) { return words.contains(name); });
    const int curves = (1 << labels) * (hasThreads ? 2 : 1);
    for (const bool sizeIsInner : {true, false}) {
        if (!sizeIsInner && hasThreads)
            continue; // then the number of threads is the inner loop, and x
        QList<QByteArrayList> rows = {names};
        for (int i = 0; i < curves * lineCount; ++i) {
            const int size = sizeIsInner ? i % lineCount : i / curves;
            int curve = sizeIsInner ? i / lineCount : i % curves;
            QByteArrayList row;
            int results = 0;
            for (const QByteArray& name : names) {
                if (words.contains(name)) {
                    row += words[name][curve % 2];
                    curve /= 2;
                } else if (name == "Threads") {
                    row += QByteArray::number(1 + curve % 2);
                } else if (results == 0 && row.size() < names.size() - 1
                    && (name == "N" || name == "threads" || name == "Batch size"
                        || name == "Size")) {
                    row += QByteArray::number(16 << size);
                } else {
                    row += numberAt(i, results++);
                }
            }
            rows += row;
        }
        for (const TableStyle& style : TableStyle::all()) {
            for (const TableStyle::Align align : style.aligns) {
                for (const TableStyle::Rule rule : style.rules) {
                    const QByteArray log = style.draw(rows, align, rule);
                    SeriesStore store;
                    store.add(readWhole(log).samples);
                    const auto results =
                        std::count_if(names.begin(), names.end(), [&](const QByteArray& name) {
                            return rows[1][names.indexOf(name)].contains('.');
                        });
                    QVERIFY2(store.all().size() == size_t(results * curves), log);
                    for (const auto& series : store.all()) {
                        QVERIFY2(series->size() == lineCount, log);
                        for (int i = 0; i < lineCount; ++i)
                            QVERIFY2(series->points().x(size_t(i)) == double(16 << i), log);
                    }
                }
            }
        }
    }
}

SLIPWAY_TEST(TestShapes, metrics_shapes)
#include "tst_shapes.moc"
