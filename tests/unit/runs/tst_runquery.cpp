// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runquery.h"
#include "app/runs/runwords.h"
#include "tests/support/testmain.h"

#include <QTest>
#include <QTimeZone>

#include <limits>

using namespace slipway;

/// The search in the list of runs, and what a row says of a run.
class TestRunQuery : public QObject {
    Q_OBJECT

private slots:
    void query_finds_data();
    void query_finds();
    void query_thatIsMalformed_saysWhatIsExpected_data();
    void query_thatIsMalformed_saysWhatIsExpected();
    void anyText_isAnsweredWithoutACrash();
    void numberThatDiverged_isNotSmall();
    void labels_areChecked_data();
    void labels_areChecked();
    void settings_tellRunsApart();
    void failure_isItsFirstCause();
    void digest_keepsFewPointsAndTheLast();
    void digest_drawsTheLatestRun();
    void digest_prefersTheChartsOfTheRecipe();
    void digest_survivesTheStore();
};

namespace {

const QDate friday(2026, 11, 20);

/// Launched on Wednesday, 18 November 2026.
Run training()
{
    Run run;
    run.id = QStringLiteral("k3f9");
    run.title = QStringLiteral("PyTorch on two nodes");
    run.spec.siteId = QStringLiteral("kestrel");
    run.spec.recipeId = QStringLiteral("pytorch-ddp");
    run.spec.values = {{QStringLiteral("batch_size"), QStringLiteral("64")},
        {QStringLiteral("command"), QStringLiteral("python3 train.py --epochs 20")},
        {QStringLiteral("precision"), QStringLiteral("bf16")}};
    run.labels = {QStringLiteral("Baseline"), {QStringLiteral("paper")}, QStringLiteral("Keep it")};
    run.phase = RunPhase::Failed;
    run.job.text = QStringLiteral("6982533");
    run.error = Error{ErrorKind::JobFailed, QStringLiteral("Exit code 1."), {}, {}};
    run.created = QDateTime(QDate(2026, 11, 18), QTime(12, 0));
    run.digest.last = {{QStringLiteral("train_loss"), {}, {}, 0.25},
        {QStringLiteral("items_per_second"), {}, QStringLiteral("1/s"), 91400}};
    return run;
}

QString failureOf(const QString& text)
{
    const auto query = parseRunQuery(text, friday);
    return query.ok() ? QString() : query.error().text();
}

Sample sample(const char* series, double y, const char* lane = "")
{
    Sample one;
    one.series = QLatin1String(series);
    one.lane = QLatin1String(lane);
    one.y = y;
    return one;
}

} // namespace

void TestRunQuery::query_finds_data()
{
    QTest::addColumn<bool>("found");
    for (const char* text :
        {"  ", "baseline", "two nodes", "\"two nodes\"", "EPOCHS", "6982533", "is:failed", "is:any",
            "is:ended", "-is:running", "site:kestrel", "site:\"Kestrel GPU\"", "recipe:pytorch",
            "tag:paper", "#paper", "tag:#PAPER", "-tag:draft", "keep", "loss<0.3", "loss<=0.25",
            "loss>=0.25", "loss=0.25", "train_loss>0.2", "train-loss<1", "items_per_second>9e4",
            "batch_size=64", "batch_size<128", "precision=bf16", "after:2026-11-18",
            "before:2026-11-19", "after:wednesday", "before:yesterday",
            "is:failed site:kestrel loss<0.3 after:monday", "docker", "\"is:failed\" is:failed"})
        QTest::newRow(text) << true;
    for (const char* text : {"fine-tuning", "is:running", "is:waiting", "is:done", "is:cancelled",
             "is:active", "site:frontera", "recipe:matmul", "tag:pap", "tag:draft", "#draft",
             "loss<0.25", "loss>0.25", "loss=0.3", "accuracy>0", "oss<1", "batch_size=32",
             "precision=fp32", "after:yesterday", "after:2026-11-19", "before:2026-11-18",
             "before:tuesday", "after:friday", "baseline is:done", "-baseline"})
        QTest::newRow(text) << false;
}

void TestRunQuery::query_finds()
{
    QFETCH(bool, found);
    const QString text = QString::fromUtf8(QTest::currentDataTag());
    Run run = training();
    if (text == u"docker")
        run.spec.values.insert(QStringLiteral("image"), QStringLiteral("docker://python"));
    if (text.startsWith(u"\"is:"))
        run.labels.note = QStringLiteral("found by is:failed");
    const auto query = parseRunQuery(text, friday);
    QVERIFY2(query.ok(), qPrintable(failureOf(text)));
    QCOMPARE(matches(*query, run, QStringLiteral("Kestrel GPU")), found);
}

void TestRunQuery::query_thatIsMalformed_saysWhatIsExpected_data()
{
    QTest::addColumn<QString>("expected");
    QTest::newRow("is:") << QStringLiteral("A state is expected");
    QTest::newRow("is:broken") << QStringLiteral("failed, cancelled");
    QTest::newRow("loss<") << QStringLiteral("loss<0.3");
    QTest::newRow("loss<abc") << QStringLiteral("A number is expected after “loss<”");
    QTest::newRow("loss<nan") << QStringLiteral("A number is expected");
    QTest::newRow("loss=") << QStringLiteral("A number is expected");
    QTest::newRow("loss < 0.3") << QStringLiteral("without spaces");
    QTest::newRow("<3") << QStringLiteral("A name is expected");
    QTest::newRow("after:") << QStringLiteral("A day is expected");
    QTest::newRow("after:someday") << QStringLiteral("“someday” is not a day");
    QTest::newRow("before:2026-13-45") << QStringLiteral("is not a day");
    QTest::newRow("tag:") << QStringLiteral("A value is expected after “tag:”");
    QTest::newRow("state:failed") << QStringLiteral("There is no filter “state:”");
    QTest::newRow("\"two nodes") << QStringLiteral("is not closed");
}

void TestRunQuery::query_thatIsMalformed_saysWhatIsExpected()
{
    QFETCH(QString, expected);
    const QString failure = failureOf(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY2(failure.contains(expected), qPrintable(failure));
}

void TestRunQuery::anyText_isAnsweredWithoutACrash()
{
    const QStringList parts{QStringLiteral("\""), QStringLiteral("-"), QStringLiteral(":"),
        QStringLiteral("<="), QStringLiteral("is"), QStringLiteral(" "), QStringLiteral("#"),
        QStringLiteral("after:"), QStringLiteral("ü=1"), QString(QChar(0xd800))};
    const Run run = training();
    for (const QString& a : parts)
        for (const QString& b : parts)
            for (const QString& c : parts) {
                const auto query = parseRunQuery(QString(a + b + c), friday);
                if (query.ok())
                    matches(*query, run, QStringLiteral("Kestrel"));
                else
                    QVERIFY(!query.error().summary.isEmpty() && !query.error().remedy.isEmpty());
            }
}

void TestRunQuery::numberThatDiverged_isNotSmall()
{
    Run run = training();
    run.digest.last.front().value = std::numeric_limits<double>::quiet_NaN();
    for (const char* text : {"loss<1", "loss>1", "loss=1"})
        QVERIFY2(!matches(*parseRunQuery(QLatin1String(text), friday), run, QString()), text);
    QCOMPARE(lastMetric(run), QStringLiteral("train loss NaN"));
}

void TestRunQuery::labels_areChecked_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("tags");
    QTest::addColumn<QString>("expected"); // the tags, or a part of the error
    QTest::newRow("once, sorted, without #")
        << QStringLiteral(" my \n run ") << QStringLiteral("#b, a  B;c/2")
        << QStringLiteral("a b c/2");
    QTest::newRow("a tag is a word")
        << QString() << QStringLiteral("a\"b") << QStringLiteral("cannot be a tag");
    QTest::newRow("long tag") << QString() << QString(41, u'x') << QStringLiteral("too long");
    QTest::newRow("long name") << QString(121, u'x') << QString() << QStringLiteral("too long");
}

void TestRunQuery::labels_areChecked()
{
    QFETCH(QString, name);
    QFETCH(QString, tags);
    QFETCH(QString, expected);
    const auto labels = checkedLabels({name, tagsIn(tags), QStringLiteral(" note ")});
    if (!labels.ok()) {
        QVERIFY2(labels.error().text().contains(expected), qPrintable(labels.error().text()));
        return;
    }
    QCOMPARE(labels->tags.join(u' '), expected);
    QCOMPARE(labels->name, QStringLiteral("my run"));
    QCOMPARE(labels->note, QStringLiteral("note"));
    QVERIFY(labelsFromJson(labelsToJson(*labels)) == *labels);
}

void TestRunQuery::settings_tellRunsApart()
{
    Run run = training();
    QCOMPARE(runSettings(run),
        QStringLiteral("python3 train.py --epochs 20, batch size 64, precision bf16"));
    run.spec.values = {{QStringLiteral("account"), QStringLiteral("csc000")},
        {QStringLiteral("image"), QStringLiteral("docker://nvcr.io/nvidia/pytorch:24.03")},
        {QStringLiteral("lr"), QStringLiteral("3e-4")}};
    QCOMPARE(runSettings(run), QStringLiteral("image pytorch:24.03, lr 3e-4, account csc000"));
    QCOMPARE(runName(run), QStringLiteral("Baseline"));
    run.labels.name.clear();
    QCOMPARE(runName(run), run.title);
}

void TestRunQuery::failure_isItsFirstCause()
{
    Run run = training();
    QCOMPARE(failureWords(run), QStringLiteral("Exit code 1."));
    Explanation note, fault;
    note.title = QStringLiteral("A note");
    note.severity = Explanation::Severity::Note;
    fault.title = QStringLiteral("The GPU ran out of memory");
    run.explanations = {note, fault};
    QCOMPARE(failureWords(run), fault.title);
    run.phase = RunPhase::Done;
    QVERIFY(failureWords(run).isEmpty());
}

void TestRunQuery::digest_keepsFewPointsAndTheLast()
{
    for (const int count : {1, 2, 31, 32, 33, 63, 64, 65, 1000, 100'001}) {
        DigestBuilder builder;
        for (int i = 1; i <= count; ++i)
            builder.add({sample("loss", i)});
        const RunDigest digest = builder.digest({});
        QCOMPARE(digest.last.size(), size_t(1));
        QCOMPARE(digest.last.front().value, double(count));
        QVERIFY(digest.points.size() <= RunDigest::mostPoints);
        QVERIFY(digest.points.size() >= size_t(std::min(count, 16)));
        QCOMPARE(digest.points.front(), 1.0);
        QCOMPARE(digest.points.back(), double(count));
        QVERIFY(std::is_sorted(digest.points.begin(), digest.points.end()));
    }
}

void TestRunQuery::digest_drawsTheLatestRun()
{
    DigestBuilder builder;
    for (const double from : {9.0, 5.0}) {
        for (int step = 1; step <= 4; ++step) {
            Sample loss = sample("loss", from - step);
            loss.x = step;
            Sample whole = loss; // of the epoch, behind its steps
            whole.y = 7;
            whole.isOfEpoch = true;
            builder.add({loss, whole});
        }
    }
    const RunDigest digest = builder.digest({});
    QCOMPARE(digest.points, (std::vector<double>{4, 3, 2, 1}));
    QCOMPARE(digest.last.front().value, 1.0);
}

void TestRunQuery::digest_prefersTheChartsOfTheRecipe()
{
    DigestBuilder builder;
    for (int i = 0; i < 3; ++i)
        builder.add({sample("gpu_utilization", 90), sample("lr", 0.1),
            sample("train_loss", 0.5 - i), sample("accuracy", i, "test")});
    const auto mainOf = [&builder](const char* series) {
        ChartSpec chart;
        chart.series = QLatin1String(series);
        return builder.digest({chart}).last.front().series;
    };
    QCOMPARE(mainOf("accuracy"), QStringLiteral("accuracy"));
    QCOMPARE(mainOf("*"), QStringLiteral("train_loss"));
    QCOMPARE(mainOf("nothing"), QStringLiteral("train_loss"));
    const RunDigest digest = builder.digest({});
    QCOMPARE(digest.last.size(), size_t(4));
    QCOMPARE(digest.last.back().series, QStringLiteral("gpu_utilization"));
    QCOMPARE(metricText(digest.last[2]), QStringLiteral("accuracy, test 2"));
    builder.clear();
    QVERIFY(builder.digest({}).last.empty());
    // What was read from the text for people goes once the program sends it itself.
    Sample own = sample("train_loss", 0.4, "cpu");
    own.source = SampleSource::Program;
    builder.add({sample("train_loss", 9), sample("train_loss", 8), own});
    QCOMPARE(builder.digest({}).last.size(), size_t(1));
    QCOMPARE(builder.digest({}).last.front().value, 0.4);
}

void TestRunQuery::digest_survivesTheStore()
{
    RunDigest digest;
    digest.last = {{QStringLiteral("loss"), QStringLiteral("cpu"), QStringLiteral("%"), 0.123456},
        {QStringLiteral("a"), {}, {}, std::numeric_limits<double>::quiet_NaN()},
        {QStringLiteral("b"), {}, {}, -std::numeric_limits<double>::infinity()}};
    digest.points = {1, 0.5, 0.25};
    const RunDigest back = digestFromJson(digestToJson(digest));
    QCOMPARE(digestToJson(back), digestToJson(digest));
    QCOMPARE(back.points, digest.points);
    QVERIFY(std::isnan(back.last[1].value) && back.last[2].value < 0);
}

SLIPWAY_TEST(TestRunQuery, runs_runquery)
#include "tst_runquery.moc"
