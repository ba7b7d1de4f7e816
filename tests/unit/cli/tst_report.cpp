// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/report/curvesreport.h"
#include "clihome.h"
#include "tests/support/testmain.h"

#include <QApplication>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTimeZone>
#include <QXmlStreamReader>
#include <QtTest>

#include <limits>

using namespace slipway;

/// Reports as HTML: what the file contains whatever the texts are, and “slipway-cli report” on
/// stored runs.
class TestReport : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void html_escapesEveryText();
    void html_loadsNothing();
    void html_hasACellForEachNumber();
    void html_saysGoodAndBad_data();
    void html_saysGoodAndBad();
    void curvesHtml_escapesEveryText();
    void curvesTable_isInTheOrderOfThePage();
    void run_isOneFile();
    void defaultName_isInTheCurrentFolder();
    void failedRunWithoutALog_isAReport();
    void race_isAComparison();
    void unfairRace_statesNoSpeedUp();
    void curves_areOneFile();
    void sweep_isDrawnByItsField();
    void json();
    void misuse_data();
    void misuse();

private:
    CliHome m_cli;
};

namespace {

const QString hostile =
    QStringLiteral("<script>alert(1)</script> \"quoted\" 'single' & <img src=x onerror=y>");

/// The elements of a report by name, and the values of their attributes. Empty elements of HTML are
/// closed for the XML reader, which is stricter than a browser.
struct Elements {
    QMultiMap<QString, QXmlStreamAttributes> all;
    QString text; ///< of all elements but style
    QString error; ///< empty: well-formed
};

Elements elementsOf(const QByteArray& html)
{
    QString xml = QString::fromUtf8(html);
    xml.remove(QStringLiteral("<!DOCTYPE html>\n"));
    static const QRegularExpression unclosed(QStringLiteral("<(meta|img)( [^>]*)>"));
    xml.replace(unclosed, QStringLiteral("<\\1\\2/>"));
    Elements elements;
    QXmlStreamReader reader(xml);
    bool isStyle = false;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement()) {
            elements.all.insert(reader.name().toString(), reader.attributes());
            isStyle = reader.name() == u"style";
        } else if (reader.isCharacters() && !isStyle) {
            elements.text += reader.text();
        }
    }
    if (reader.hasError())
        elements.error =
            QStringLiteral("line %1: %2").arg(reader.lineNumber()).arg(reader.errorString());
    return elements;
}

ReportContent exampleReport(const QString& text)
{
    ReportContent report;
    report.title = report.subtitle = report.answer = report.listTitle = report.writtenBy = text;
    report.facts = {{text, text}};
    report.charts = {{text, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", text}};
    report.tables = {{text, {text, text}, {{text, text}}, text}};
    report.list = {text};
    report.textsTitle = text;
    report.texts = {{text, text}};
    return report;
}

/// What would be loaded from elsewhere or run, as the name of an element or an attribute; empty:
/// nothing. The pictures are looked through as well.
QString reachesOutside(const Elements& elements)
{
    static const QStringList forbidden{QStringLiteral("script"), QStringLiteral("link"),
        QStringLiteral("iframe"), QStringLiteral("object"), QStringLiteral("embed"),
        QStringLiteral("a"), QStringLiteral("form"), QStringLiteral("base"),
        QStringLiteral("image"), QStringLiteral("use"), QStringLiteral("foreignObject")};
    const QLatin1String picture("data:image/svg+xml;base64,");
    for (auto one = elements.all.begin(); one != elements.all.end(); ++one) {
        if (forbidden.contains(one.key()))
            return one.key();
        for (const QXmlStreamAttribute& attribute : one.value()) {
            const QString name = attribute.name().toString();
            const auto value = attribute.value();
            if (name.startsWith(u"on") || name == u"href" || value.contains(u"url(http"))
                return name;
            if (name != u"src")
                continue;
            if (!value.startsWith(picture))
                return name;
            const Elements drawn =
                elementsOf(QByteArray::fromBase64(value.mid(picture.size()).toLatin1()));
            if (!drawn.error.isEmpty())
                return QStringLiteral("picture: ") + drawn.error;
            if (const QString inside = reachesOutside(drawn); !inside.isEmpty())
                return QStringLiteral("picture: ") + inside;
        }
    }
    return {};
}

/// Two runs whose every name is `text`; they differ in one field, 1 and 2.
struct ExampleCurves {
    explicit ExampleCurves(const QString& text)
    {
        for (SeriesStore* store : {&one, &two})
            for (int step = 1; step <= 3; ++step)
                store->add(Sample{text, text, double(step), QStringLiteral("step"),
                    (store == &one ? 2.0 : 1.0) / step});
        CurvesRun run;
        run.recipe = run.title = run.site = run.node = run.image = text;
        run.fieldLabels = {{text, text}};
        for (const char* id : {"one", "two"}) {
            run.id = QString::fromLatin1(id);
            run.label = text + u' ' + run.id;
            run.fields = {{text, run.id == u"one" ? QStringLiteral("1") : QStringLiteral("2")}};
            curves.sources.push_back({run, run.id == u"one" ? &one : &two});
        }
        curves.view = {{text}, QStringLiteral("step")};
        curves.offered = offeredSeries(curves.sources);
        curves.entries = curvesEntries(curves.sources, curves.view.series);
        for (const CurveToDraw& curve : curvesToDraw(curves.view, curves.sources, curves.entries)) {
            CurveCursor cursor;
            copyCurve(*curve.series, curve.axis, curve.pattern, cursor,
                std::numeric_limits<size_t>::max(), drawn);
        }
        curves.store = &drawn;
    }

    SeriesStore one, two, drawn;
    ReportedCurves curves;
};

QByteArray racePoint(const QByteArray& lane, int n, double seconds, const QByteArray& more)
{
    QByteArrayList times;
    for (int i = 0; i < 7; ++i)
        times << QByteArray::number(seconds * (1 + 0.005 * (i % 3)));
    const QByteArray list = '[' + times.join(',') + ']';
    return "{\"id\":\"race.point\",\"work\":\"gemm-fp32\",\"lane\":\"" + lane + "\",\"label\":\""
        + lane.toUpper() + "\",\"node\":\"c1\",\"x\":" + QByteArray::number(n)
        + ",\"operations\":" + QByteArray::number(2.0 * n * n * n) + ",\"seconds\":" + list
        + ",\"warmups\":2,\"synchronised\":true,\"verified\":true,\"error\":3e-7,\"bound\":1e-5,"
        + more + "}\n";
}

QByteArray raceRows(const QByteArray& throttle)
{
    const QByteArray gpu = "\"device\":\"gpu\",\"name\":\"NVIDIA L40S\",\"throttle\":" + throttle;
    const QByteArray cpu = "\"device\":\"cpu\",\"name\":\"EPYC\",\"threads\":16,\"cpus\":16,"
                           "\"library\":\"own, AVX-512\"";
    return racePoint("gpu", 512, 1e-4, gpu) + racePoint("gpu", 4096, 4e-3, gpu)
        + racePoint("cpu", 512, 0.5e-3, cpu) + racePoint("cpu", 4096, 128e-3, cpu);
}

Run exampleRun(const QString& id, const QString& recipe, RunPhase phase)
{
    Run run;
    run.id = run.tag = id;
    run.spec.recipeId = recipe;
    run.spec.siteId = QStringLiteral("demo");
    run.title = QStringLiteral("A run");
    run.phase = phase;
    run.nodeList = QStringLiteral("c1");
    run.created = run.started = QDateTime(QDate(2026, 11, 21), QTime(12, 0), QTimeZone::utc());
    run.ended = run.started.addSecs(75);
    run.sentence = QStringLiteral("Done.");
    return run;
}

} // namespace

void TestReport::initTestCase()
{
    Run training =
        exampleRun(QStringLiteral("trai"), QStringLiteral("train-digits"), RunPhase::Done);
    training.title = QStringLiteral("Train <b>&amp; report");
    training.spec.values.insert(QStringLiteral("batch"), QStringLiteral("17"));
    training.imageDigest = u"sha256:" + QString(64, u'7');
    QByteArray log = "hello <script>\n";
    for (int step = 1; step <= 5; ++step)
        log += "@slipway {\"sample\":\"train_loss\",\"x\":" + QByteArray::number(step)
            + ",\"x_name\":\"step\",\"y\":0." + QByteArray::number(90 - step) + "}\n";
    m_cli.keep(training, {}, log);

    Run failed = exampleRun(QStringLiteral("fail"), QStringLiteral("gone"), RunPhase::Failed);
    failed.sentence = QStringLiteral("Refused by the cluster.");
    Explanation why;
    why.id = QStringLiteral("F35");
    why.title = QStringLiteral("There is no such partition");
    why.cause = QStringLiteral("The script names a partition that this cluster does not have.");
    why.remedy = QStringLiteral("Choose one of the cluster's partitions.");
    failed.explanations = {why};
    m_cli.keep(failed, {}, {});

    for (const int batch : {1, 2}) {
        Run one = exampleRun(
            QStringLiteral("bat%1").arg(batch), QStringLiteral("train-digits"), RunPhase::Done);
        one.folder = QStringLiteral("/scratch/") + one.id;
        one.labels.name =
            batch == 1 ? QStringLiteral("<b>First</b> & \"best\"") : QStringLiteral("Second");
        QByteArray losses;
        for (int step = 1; step <= 4; ++step)
            losses += "@slipway {\"sample\":\"train_loss\",\"x\":" + QByteArray::number(step)
                + ",\"x_name\":\"step\",\"y\":" + QByteArray::number(2.0 / batch / step) + "}\n";
        m_cli.keep(one, {}, losses);
        m_cli.keepFile(one.id, QStringLiteral("facts.json"),
            "{\"site\":\"Demo cluster\",\"values\":{\"epochs\":\"3\",\"batch\":\""
                + QByteArray::number(batch) + "\"}}");
        m_cli.keepFile(one.id, QStringLiteral("files/job.sh"),
            "#!/bin/bash\n#SBATCH --job-name=digits\ncat <<EOF && echo \"</pre>\"\n");
    }

    const QString race = QStringLiteral("gpu-cpu-race");
    m_cli.keep(
        exampleRun(QStringLiteral("fair"), race, RunPhase::Done), raceRows("[]"), "a line\n");
    m_cli.keep(exampleRun(QStringLiteral("warm"), race, RunPhase::Done),
        raceRows("[\"temperature\"]"), "a line\n");
}

void TestReport::html_escapesEveryText()
{
    const QByteArray html = reportHtml(exampleReport(hostile));
    const Elements elements = elementsOf(html);
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QVERIFY(!elements.all.contains(QStringLiteral("script")));
    QCOMPARE(elements.all.count(QStringLiteral("img")), 1); // that of the chart
    const QXmlStreamAttributes image = elements.all.value(QStringLiteral("img"));
    QCOMPARE(image.value(QStringLiteral("alt")), hostile);
    QVERIFY(!image.hasAttribute(QStringLiteral("onerror")));
    // Heading and title of the page, subtitle, answer, a fact (2), the chart's heading and caption,
    // a table's heading, its header and row (2 each) and note, the list (2), the text (2) and its
    // heading, the end.
    QCOMPARE(elements.text.count(hostile), 20);
}

void TestReport::html_loadsNothing()
{
    const QByteArray html = reportHtml(exampleReport(QStringLiteral("plain")));
    const Elements elements = elementsOf(html);
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QCOMPARE(reachesOutside(elements), QString());
    for (const char* outside : {"http:", "https:", "url(", "@import", "javascript:"})
        QVERIFY2(!html.contains(outside), outside);
    QVERIFY(html.contains("default-src 'none'"));
}

void TestReport::html_hasACellForEachNumber()
{
    ReportContent report;
    report.tables = {{QStringLiteral("Numbers"), {QStringLiteral("n"), QStringLiteral("s")},
        {{QStringLiteral("1"), QStringLiteral("0.5")}, {QStringLiteral("2"), QString()},
            {QStringLiteral("3"), QStringLiteral("0.1")}},
        {}, true}};
    const Elements elements = elementsOf(reportHtml(report));
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QCOMPARE(elements.all.count(QStringLiteral("td")), 6);
    QCOMPARE(elements.all.count(QStringLiteral("th")), 2);
    QCOMPARE(elements.all.count(QStringLiteral("details")), 1); // folded at first
    report.tables.front().isFolded = false;
    QVERIFY(!elementsOf(reportHtml(report)).all.contains(QStringLiteral("details")));
}

void TestReport::html_saysGoodAndBad_data()
{
    QTest::addColumn<ReportTone>("tone");
    QTest::addColumn<QString>("kind");
    QTest::newRow("neutral") << ReportTone::Neutral << QStringLiteral("answer");
    QTest::newRow("good") << ReportTone::Good << QStringLiteral("answer good");
    QTest::newRow("failure") << ReportTone::Failure << QStringLiteral("answer failure");
}

void TestReport::html_saysGoodAndBad()
{
    QFETCH(ReportTone, tone);
    QFETCH(QString, kind);
    ReportContent report;
    report.answer = QStringLiteral("A finding.");
    report.tone = tone;
    const QByteArray element = "<p class=\"" + kind.toUtf8() + "\">A finding.</p>";
    QVERIFY(reportHtml(report).contains(element));
}

/// Names of runs, lanes, series and fields come from logs and from people.
void TestReport::curvesHtml_escapesEveryText()
{
    const ExampleCurves example(hostile);
    const QByteArray html = reportHtml(curvesReport(example.curves));
    const Elements elements = elementsOf(html);
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QCOMPARE(reachesOutside(elements), QString());
    QCOMPARE(elements.all.count(QStringLiteral("img")), 2); // the curves, and the final values
    QVERIFY2(elements.text.contains(hostile + QStringLiteral(" two")), html);
}

void TestReport::curvesTable_isInTheOrderOfThePage()
{
    ExampleCurves example(QStringLiteral("loss"));
    const auto firstRun = [&] { return curvesReport(example.curves).tables.front().rows[0][0]; };
    QCOMPARE(firstRun(), QStringLiteral("one"));
    example.curves.order.column = QStringLiteral("final:loss");
    QCOMPARE(firstRun(), QStringLiteral("two"));
    example.curves.order.filter = QStringLiteral("nothing like this");
    QCOMPARE(curvesReport(example.curves).tables.front().rows.size(), size_t(2));
    QVERIFY(curvesReport(example.curves).answer.startsWith(u"loss two, loss is lowest: "));
}

void TestReport::run_isOneFile()
{
    QVERIFY2(
        m_cli.run(QStringLiteral("report trai --to training.html")) == 0, qPrintable(m_cli.err));
    QVERIFY2(m_cli.err.contains(u"Report: training.html"), qPrintable(m_cli.err));
    const QByteArray html = m_cli.written(QStringLiteral("training.html"));
    const Elements elements = elementsOf(html);
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QVERIFY2(elements.text.contains(u"Train <b>&amp; report"), html);
    QVERIFY2(elements.text.contains(u"Field “Batch”") && elements.text.contains(u"17"), html);
    QVERIFY2(elements.text.contains(u"Image digest")
            && elements.text.contains(u"sha256:" + QString(64, u'7')),
        html);
    QVERIFY2(elements.text.contains(u"Loss: numbers"), html);
    QVERIFY2(elements.text.contains(u"0.85"), "the last value of the curve is in the table");
    QVERIFY2(elements.text.contains(u"hello <script>"), "the end of the log");
    QVERIFY2(!elements.text.contains(u"@slipway "), "without the lines for Slipway");
    const QString picture = elements.all.value(QStringLiteral("img"))
                                .value(QStringLiteral("src"))
                                .toString()
                                .section(u',', 1);
    QVERIFY(QByteArray::fromBase64(picture.toLatin1()).contains("<svg"));
    QVERIFY(
        elements.all.value(QStringLiteral("img")).value(QStringLiteral("alt")).contains(u"Loss"));
}

void TestReport::defaultName_isInTheCurrentFolder()
{
    QVERIFY2(m_cli.run(QStringLiteral("report trai")) == 0, qPrintable(m_cli.err));
    QVERIFY(!m_cli.written(QStringLiteral("slipway-trai.html")).isEmpty());
}

void TestReport::failedRunWithoutALog_isAReport()
{
    QVERIFY2(m_cli.run(QStringLiteral("report fail --to failed.html")) == 0, qPrintable(m_cli.err));
    const QByteArray html = m_cli.written(QStringLiteral("failed.html"));
    const Elements elements = elementsOf(html);
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QVERIFY2(html.contains("class=\"answer failure\""), html);
    QVERIFY2(elements.text.contains(u"Refused by the cluster. There is no such partition. Choose "
                                    u"one of the cluster's partitions."),
        html);
    QVERIFY2(elements.text.contains(u"names a partition"), html);
    QVERIFY2(!elements.all.contains(QStringLiteral("img")), "no numbers, no chart");
}

void TestReport::race_isAComparison()
{
    QVERIFY2(m_cli.run(QStringLiteral("report fair:gpu fair:cpu --to race.html")) == 0,
        qPrintable(m_cli.err));
    const Elements elements = elementsOf(m_cli.written(QStringLiteral("race.html")));
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QVERIFY2(elements.text.contains(u"GPU is 32 × as fast as CPU."), qPrintable(elements.text));
    QVERIFY2(elements.text.contains(u"✓ kept"), qPrintable(elements.text));
    QVERIFY2(elements.text.contains(u"How it was measured"), qPrintable(elements.text));
    QCOMPARE(elements.all.count(QStringLiteral("img")), 1);
    // The report of the run says the same.
    QVERIFY2(m_cli.run(QStringLiteral("report fair --to fair.html")) == 0, qPrintable(m_cli.err));
    const Elements ofRun = elementsOf(m_cli.written(QStringLiteral("fair.html")));
    QVERIFY2(ofRun.text.contains(u"GPU is 32 × as fast as CPU."), qPrintable(ofRun.text));
}

void TestReport::unfairRace_statesNoSpeedUp()
{
    QVERIFY2(m_cli.run(QStringLiteral("report warm fair:cpu --to warm.html")) == 0,
        qPrintable(m_cli.err));
    const QByteArray html = m_cli.written(QStringLiteral("warm.html"));
    QVERIFY2(html.contains("No speed-up is stated"), html);
    QVERIFY2(!html.contains("as fast as"), html);
    QVERIFY2(html.contains("✕ violated"), html);
}

void TestReport::curves_areOneFile()
{
    QVERIFY2(m_cli.run(QStringLiteral("compare --curves bat1 bat2 --smooth 0.5 --html curves.html"))
            == 0,
        qPrintable(m_cli.err));
    QVERIFY2(m_cli.err.contains(u"Report: curves.html"), qPrintable(m_cli.err));
    const Elements elements = elementsOf(m_cli.written(QStringLiteral("curves.html")));
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QCOMPARE(reachesOutside(elements), QString());
    for (const char* said : {"train loss of 2 runs", "Demo cluster · 1 field differs",
             "<b>First</b> & \"best\"", "Second is lowest: ", "train loss by step",
             "Horizontal axis: step.", "Moving average with weight 0.5",
             "train loss at the end, by Batch", "The runs", "train loss, final", "train loss, best",
             "Duration", "1:15", "How it was measured", "Environment", "All fields of the launches",
             "Epochs", "Scripts and commands", "Second: Job script", "cat <<EOF && echo \"</pre>\"",
             "Second: Commands to do the same by hand", "sbatch --parsable job.sh"})
        QVERIFY2(elements.text.contains(QString::fromUtf8(said)),
            qPrintable(QString::fromUtf8(said) + u" is not in " + elements.text));
    QCOMPARE(elements.all.count(QStringLiteral("img")), 2);
    QCOMPARE(elements.all.count(QStringLiteral("details")), 1 + 2 * 2); // fields, and of each run
    for (const QXmlStreamAttributes& folded : elements.all.values(QStringLiteral("details")))
        QVERIFY(!folded.hasAttribute(QStringLiteral("open")));
}

void TestReport::sweep_isDrawnByItsField()
{
    QVERIFY2(
        m_cli.run(QStringLiteral("compare --curves bat1 bat2 --x batch --json --html sweep.html"))
            == 0,
        qPrintable(m_cli.err));
    const QJsonObject last =
        QJsonDocument::fromJson(m_cli.out.trimmed().section(u'\n', -1).toUtf8()).object();
    QCOMPARE(last.value(u"wrote").toString(), QStringLiteral("report"));
    QCOMPARE(last.value(u"path").toString(), QStringLiteral("sweep.html"));
    const Elements elements = elementsOf(m_cli.written(QStringLiteral("sweep.html")));
    QVERIFY2(elements.error.isEmpty(), qPrintable(elements.error));
    QVERIFY2(elements.text.contains(u"Each point is the final value of one run."),
        qPrintable(elements.text));
    QVERIFY2(elements.text.contains(u"The curves are not smoothed."), qPrintable(elements.text));
    QCOMPARE(elements.all.count(QStringLiteral("img")), 1); // the same chart is not shown twice
}

void TestReport::json()
{
    QCOMPARE(m_cli.run(QStringLiteral("report trai --json --to j.html")), 0);
    const QJsonObject object = QJsonDocument::fromJson(m_cli.out.toUtf8()).object();
    QCOMPARE(object.value(u"wrote").toString(), QStringLiteral("report"));
    QCOMPARE(object.value(u"path").toString(), QStringLiteral("j.html"));
}

void TestReport::misuse_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    QTest::newRow("report nope") << 2 << QStringLiteral("There is no run “nope”.");
    QTest::newRow("report trai --to x.pdf") << 2 << QStringLiteral("A report is an HTML file");
    QTest::newRow("report trai --to nowhere/x.html") << 2 << QStringLiteral("does not exist");
    QTest::newRow("report trai --to folder.html") << 1 << QStringLiteral("could not be written");
    QTest::newRow("report fail trai") << 2 << QStringLiteral("Run fail has no measurements");
    QTest::newRow("report fair:tpu") << 2 << QStringLiteral("Run fair has no lane “tpu”");
    QTest::newRow("report fair:gpu") << 2 << QStringLiteral("Only “GPU” has measurements.");
    QTest::newRow("compare --curves bat1 --html x.pdf")
        << 2 << QStringLiteral("A report is an HTML file");
    QTest::newRow("compare --curves bat1 --html nowhere/x.html")
        << 2 << QStringLiteral("--html: the folder of");
    QTest::newRow("compare --curves bat1 --html folder.html")
        << 1 << QStringLiteral("could not be written");
    QTest::newRow("compare fair --html x.html") << 2 << QStringLiteral("--html needs --curves.");
}

void TestReport::misuse()
{
    QFETCH(int, code);
    QFETCH(QString, said);
    // A folder of that name: not even root can write the file.
    QVERIFY(QDir(m_cli.path()).mkpath(QStringLiteral("folder.html")));
    QCOMPARE(m_cli.run(QString::fromLatin1(QTest::currentDataTag())), code);
    QVERIFY2(m_cli.err.contains(said), qPrintable(m_cli.err));
}

SLIPWAY_GUI_TEST(TestReport, cli_report)
#include "tst_report.moc"
