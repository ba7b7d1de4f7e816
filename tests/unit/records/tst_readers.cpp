// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "plots/records/recordedtwice.h"
#include "recordfiles.h"

using namespace slipway;
using namespace slipway::test;

using namespace Qt::StringLiterals;

/// What the files of metrics loggers say, and which names they have.
class TestReaders : public QObject {
    Q_OBJECT

private slots:
    void names_tellTheLogger_data();
    void names_tellTheLogger();
    void checkpoints_countOnce();
    void files_giveTheirSeries_data();
    void files_giveTheirSeries();
    void otherFiles_giveNothing_data();
    void otherFiles_giveNothing();
    void pieces_ofAnySize_readTheSame_data();
    void pieces_ofAnySize_readTheSame();
    void mlflow_withoutSteps_countsLines();
    void table_withAnotherHeader_beginsAgain();
    void json_withPythonsWords_isRead();
    void quantityInLogAndFile_isOne_data();
    void quantityInLogAndFile_isOne();
};

namespace {

RecordFile fileOf(const QString& name)
{
    if (name.endsWith(u".bin"))
        return {RecordKind::EventFile, u"L"_s};
    if (name.endsWith(u".wandb"))
        return {RecordKind::WandbRun, u"L"_s};
    if (name.endsWith(u".csv"))
        return {RecordKind::Table, u"L"_s};
    if (name.endsWith(u".mlflow"))
        return {RecordKind::MlflowMetric, u"L"_s, u"loss"_s};
    return {RecordKind::Json, u"L"_s};
}

} // namespace

void TestReaders::names_tellTheLogger_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind"); // -1: not read
    QTest::addColumn<QString>("lane");
    const auto row = [](const char* name, int kind, const char* lane) {
        QTest::newRow(name) << QString::fromLatin1(name) << kind << QString::fromLatin1(lane);
    };
    const int event = int(RecordKind::EventFile), table = int(RecordKind::Table),
              json = int(RecordKind::Json), wandb = int(RecordKind::WandbRun),
              mlflow = int(RecordKind::MlflowMetric);
    row("runs/Nov25_gpu01/events.out.tfevents.1732.gpu01.77.0", event, "runs/Nov25_gpu01");
    row("events.out.tfevents.1732.gpu01.77.0.v2", event, "events");
    row("code/logs/train/events.out.tfevents.1732.gpu01", event, "logs/train");
    row("train/events.out.tfevents.1628697787.HOST.profile-empty", -1, "");
    row("lightning_logs/version_0/metrics.csv", table, "lightning_logs/version_0/metrics.csv");
    row("code/runs/detect/train/results.csv", table, "runs/detect/train/results.csv");
    row("out/trainer_state.json", json, "out/trainer_state.json");
    row("output/metrics.json", json, "output/metrics.json");
    row("work_dirs/x/20240101_120000/vis_data/20240101_120000.json", json,
        "work_dirs/x/20240101_120000/vis_data/20240101_120000.json");
    row("train.jsonl", json, "train.jsonl");
    row("config.json", -1, "");
    row("model/tokenizer.json", -1, "");
    row("wandb/offline-run-20240101_000000-abcd/run-abcd.wandb", wandb,
        "wandb/offline-run-20240101_000000-abcd");
    row("mlruns/1/ed05f9cd599442fe9a0c9222184710b8/metrics/val/loss", mlflow, "mlruns/1/ed05f9cd");
    row("mlruns/1/ed05f9cd599442fe9a0c9222184710b8/params/lr", -1, "");
    row("train.py", -1, "");
    row("results/table.txt", -1, "");
}

void TestReaders::names_tellTheLogger()
{
    QFETCH(QString, name);
    QFETCH(int, kind);
    QFETCH(QString, lane);
    const auto file = recordFileOf(name);
    QCOMPARE(file ? int(file->kind) : -1, kind);
    if (file)
        QCOMPARE(file->lane, lane);
}

void TestReaders::checkpoints_countOnce()
{
    const QStringList names{u"out/checkpoint-500/trainer_state.json"_s,
        u"out/checkpoint-1500/trainer_state.json"_s, u"out/checkpoint-1000/trainer_state.json"_s,
        u"b/checkpoint-20/trainer_state.json"_s, u"b/trainer_state.json"_s, u"train.py"_s};
    QCOMPARE(chooseRecordFiles(names, 10),
        (QStringList{u"out/checkpoint-1500/trainer_state.json"_s, u"b/trainer_state.json"_s}));
    QCOMPARE(chooseRecordFiles(names, 1).size(), 1);
}

void TestReaders::files_giveTheirSeries_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("series");
    QTest::addColumn<QString>("line");
    const auto row = [](const char* name, const char* series, const char* line) {
        QTest::addRow("%s: %s", name, series)
            << QString::fromLatin1(name) << QString::fromLatin1(series) << QString::fromUtf8(line);
    };
    row("tensorboard-tensors-synthetic.tfevents.bin", "my_metric", "60 by step: 0→0, 59→14.75");
    row("tensorboard-simple-values-synthetic.tfevents.bin", "train_loss",
        "40 by step: 9→0.477999, 399→0.0680068");
    row("tensorboard-simple-values-synthetic.tfevents.bin", "test_accuracy",
        "1 by step: 0→0.96875, 0→0.96875");
    row("tensorboard-one-epoch-synthetic.tfevents.bin", "epoch_loss",
        "1 by epoch: 0→1.125, 0→1.125");
    row("wandb-two-blocks-synthetic.wandb", "train_loss", "12 by step: 0→1.5, 11→0.125");
    row("wandb-two-blocks-synthetic.wandb", "lr", "12 by step: 0→0.001, 11→0.001");
    row("wandb-short-synthetic.wandb", "accuracy", "8 by step: 0→0.5, 7→0.9375");
    row("lightning-metrics-synthetic.csv", "train_loss", "2 by step: 49→0.0625, 99→0.03125");
    row("lightning-empty-cells-synthetic.csv", "train_loss_step", "3 by step: 49→2.25, 149→1");
    row("lightning-empty-cells-synthetic.csv", "valid_loss", "1 by step: 99→1.25, 99→1.25");
    row("keras-csvlogger-synthetic.csv", "valid_loss", "9 by epoch: 0→0.625, 8→0.0694444");
    row("ultralytics-results-synthetic.csv", "train_box_loss", "2 by epoch: 1→1.6875, 2→1.25");
    row("ultralytics-results-synthetic.csv", "metrics_map50_95_b", "2 by epoch: 1→0.375, 2→0.5");
    row("detectron2-metrics-synthetic.json", "total_loss", "5 by iteration: 19→2.31, 99→1.51");
    row("detectron2-metrics-synthetic.json", "step_time", "5 by iteration: 19→1.5, 99→1.5");
    row("detectron2-metrics-synthetic.json", "eta_seconds", "none");
    row("hf-trainer_state-synthetic.json", "loss", "18 by step: 20→0.73, 360→0.39");
    row("hf-trainer_state-synthetic.json", "eval_loss", "3 by step: 125→0.4375, 375→0.3125");
    row("mlflow-loss-synthetic.mlflow", "loss", "10 by step: 0→320.5, 9→248.5");
}

void TestReaders::files_giveTheirSeries()
{
    QFETCH(QString, name);
    QFETCH(QString, series);
    QFETCH(QString, line);
    const ReadRecords read = readRecords(recordBytes(name), fileOf(name));
    QCOMPARE(read.line(series, u"L"_s), line);
    QCOMPARE(read.broken, 0);
    for (const QString& counter : {u"step"_s, u"epoch"_s, u"timestamp"_s, u"runtime"_s})
        QVERIFY2(!read.names().contains(counter), qPrintable(counter));
    for (const Sample& sample : read.samples)
        QCOMPARE(sample.source, SampleSource::LoggerFile);
}

void TestReaders::otherFiles_giveNothing_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("bytes");
    const int table = int(RecordKind::Table), json = int(RecordKind::Json);
    QTest::newRow("a data set") << table << "id,age,income\n1,34,52000\n2,29,48000\n"_ba;
    QTest::newRow("no header") << table << "1,2,3\n4,5,6\n"_ba;
    QTest::newRow("prose") << table << "Results\nThe loss was 3.5, the step 7.\n"_ba;
    QTest::newRow("GPU query") << table
                               << "timestamp, utilization.gpu [%]\n2024/01/01 12:00:00, 35 %\n"_ba;
    QTest::newRow("predictions") << json
                                 << "{\"id\": 1, \"score\": 0.5}\n{\"id\": 2, \"score\": 1}\n"_ba;
    QTest::newRow("settings") << json << "{\n  \"lr\": 0.1,\n  \"layers\": [1, 2]\n}\n"_ba;
    QTest::newRow("empty") << json << ""_ba;
}

void TestReaders::otherFiles_giveNothing()
{
    QFETCH(int, kind);
    QFETCH(QByteArray, bytes);
    QVERIFY(readRecords(bytes, {RecordKind(kind), u"L"_s}).samples.empty());
}

void TestReaders::pieces_ofAnySize_readTheSame_data()
{
    QTest::addColumn<QString>("name");
    const QStringList names = QDir(sourcePath(u"/tests/data/records"_s)).entryList(QDir::Files);
    for (const QString& name : names) {
        if (!name.endsWith(u".md") && !name.endsWith(u".py"))
            QTest::newRow(qPrintable(name)) << name;
    }
    QVERIFY(names.size() >= 13);
}

void TestReaders::pieces_ofAnySize_readTheSame()
{
    QFETCH(QString, name);
    const QByteArray bytes = recordBytes(name);
    const ReadRecords whole = readRecords(bytes, fileOf(name));
    QVERIFY(!whole.samples.empty());
    for (const qsizetype piece : {1, 2, 7, 13, 64, 1000}) {
        const ReadRecords pieces = readRecords(bytes, fileOf(name), piece);
        QVERIFY2(pieces.samples == whole.samples, qPrintable(QString::number(piece)));
        QCOMPARE(pieces.broken, whole.broken);
    }
}

void TestReaders::mlflow_withoutSteps_countsLines()
{
    const RecordFile file{RecordKind::MlflowMetric, u"L"_s, u"val_acc"_s};
    const ReadRecords read = readRecords("1 0.5 0\n2 0.6 0\n3 0.7 0\nbroken\n", file);
    QCOMPARE(read.line(u"valid_accuracy"_s, u"L"_s), u"3 by step: 0→0.5, 2→0.7"_s);
    QCOMPARE(read.broken, 1);
}

void TestReaders::table_withAnotherHeader_beginsAgain()
{
    const ReadRecords read =
        readRecords("epoch;loss\n1;0.5\n2;0.4;9\nepoch;loss;\"val;x\"\n3;0.3;\"0.9\"\n",
            {RecordKind::Table, u"L"_s});
    QCOMPARE(read.line(u"loss"_s, u"L"_s), u"2 by epoch: 1→0.5, 3→0.3"_s);
    QCOMPARE(read.line(u"valid_x"_s, u"L"_s), u"1 by epoch: 3→0.9, 3→0.9"_s);
    QCOMPARE(read.broken, 1);
}

void TestReaders::json_withPythonsWords_isRead()
{
    const ReadRecords read =
        readRecords("{\"step\": 1, \"loss\": NaN}\n{\"step\": 2, \"loss\": 0.5, "
                    "\"opt\": {\"lr\": 0.1}}\n{\"step\": 3, \"loss\"\n",
            {RecordKind::Json, u"L"_s});
    QCOMPARE(read.store.find(u"loss"_s, u"L"_s)->marks().size(), size_t(1));
    QCOMPARE(read.line(u"opt_lr"_s, u"L"_s), u"1 by step: 2→0.1, 2→0.1"_s);
    QCOMPARE(read.broken, 1);
}

void TestReaders::quantityInLogAndFile_isOne_data()
{
    QTest::addColumn<QStringList>("printed"); // "series", "series, lane" or "series @epoch"
    QTest::addColumn<QStringList>("recorded");
    QTest::addColumn<QStringList>("leftOut");
    const auto row = [](const char* name, const QStringList& printed, const QStringList& recorded,
                         const QStringList& leftOut) {
        QTest::newRow(name) << printed << recorded << leftOut;
    };
    row("same name", {u"loss"_s}, {u"loss, metrics.csv"_s, u"lr, metrics.csv"_s},
        {u"loss, metrics.csv"_s});
    row("named as of the training", {u"loss"_s}, {u"train_loss, runs"_s}, {u"train_loss, runs"_s});
    row("named so in the log", {u"train_loss"_s}, {u"loss, runs"_s}, {u"loss, runs"_s});
    row("nothing in the log", {}, {u"loss, runs"_s}, {});
    row("the lanes of a comparison", {u"loss, cuda"_s}, {u"loss, runs"_s}, {});
    row("means of epochs", {u"loss @epoch"_s}, {u"loss, metrics.csv"_s}, {});
    row("both of epochs", {u"loss @epoch"_s}, {u"loss, metrics.csv @epoch"_s},
        {u"loss, metrics.csv"_s});
    row("folders of training and validation", {u"loss"_s},
        {u"loss, runs/train"_s, u"loss, runs/val"_s}, {u"loss, runs/train"_s});
    row("validation in both", {u"loss"_s, u"valid_loss"_s},
        {u"loss, runs/train"_s, u"loss, runs/valid"_s},
        {u"loss, runs/train"_s, u"loss, runs/valid"_s});
    row("two loggers of one training", {u"loss"_s},
        {u"loss, trainer_state.json"_s, u"train_loss, runs/a"_s},
        {u"loss, trainer_state.json"_s, u"train_loss, runs/a"_s});
    row("several trainings", {u"loss"_s}, {u"loss, trial_1"_s, u"loss, trial_2"_s}, {});
}

void TestReaders::quantityInLogAndFile_isOne()
{
    QFETCH(QStringList, printed);
    QFETCH(QStringList, recorded);
    QFETCH(QStringList, leftOut);
    const auto curves = [](const QStringList& texts) {
        std::vector<CurveId> ids;
        for (QString text : texts) {
            const bool byEpoch = text.endsWith(u" @epoch");
            text.remove(u" @epoch"_s);
            ids.push_back({text.section(u", "_s, 0, 0), text.section(u", "_s, 1), byEpoch});
        }
        return ids;
    };
    QStringList found;
    const QSet<CurveKey> twice = recordedTwice(curves(printed), curves(recorded));
    for (const CurveKey& key : twice)
        found.append(key.first + u", " + key.second);
    found.sort();
    leftOut.sort();
    QCOMPARE(found, leftOut);
}

SLIPWAY_TEST(TestReaders, records_readers)
#include "tst_readers.moc"
