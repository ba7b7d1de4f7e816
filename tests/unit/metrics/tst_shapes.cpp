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
    void table_isReadHoweverItIsDrawn_data();
    void table_isReadHoweverItIsDrawn();
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
    constexpr size_t every = 89; // prime: all ways of each part have their turn
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

SLIPWAY_TEST(TestShapes, metrics_shapes)
#include "tst_shapes.moc"
