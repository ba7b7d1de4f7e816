// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/documents/documentcheck.h"
#include "app/documents/documents.h"
#include "tests/support/testmain.h"

#include "tests/support/testsites.h"

using namespace slipway;

/// The table of the documents holds: every row of resources/documents is rendered, read or looked
/// up as it says, and a row that nothing covers says why. And the table itself can fail: each kind
/// of check does.
class TestDocuments : public QObject {
    Q_OBJECT

private slots:
    void allFive_areThere();
    void workflows_areCoveredByRows();
    void rows_hold_data();
    void rows_hold();
    void checks_fail_data();
    void checks_fail();
    void checks_holdWhenTheyShould();
    void rowWithoutCheck_mustSayWhy();
    void brokenRow_isNamed();
};

namespace {

const Documents& builtInDocuments()
{
    static const Documents read =
        loadDocuments(slipway::sourcePath(QStringLiteral("/resources")), {});
    return read;
}

const CheckGround& ground()
{
    static std::vector<Error> errors;
    static const QString folder = slipway::sourcePath(QStringLiteral("/resources"));
    static const RaceReferences references = loadRaceReferences(folder, &errors);
    static const CheckGround read{builtInResources(), loadHints(folder, {}, &errors), references};
    return read;
}

const std::vector<Document>& documents()
{
    return builtInDocuments().documents;
}

QByteArray documentOf(const QByteArray& row)
{
    return R"({"id": "d", "title": "D", "workflows": [{"id": "W1", "title": "T"}], )"
           R"("rows": [{"id": "r",
 "place": "P", "what": "w", "kind": "command", )"
        + row + "}]}";
}

QStringList problemsOf(const QByteArray& check)
{
    const Result<Document> document =
        parseDocument(documentOf("\"checks\": [" + check + ']'), QStringLiteral("d.json"));
    if (!document.ok())
        return {document.error().summary};
    return rowProblems(document->rows.front(), ground());
}

} // namespace

void TestDocuments::allFive_areThere()
{
    QVERIFY(builtInResources().errors.empty() && builtInDocuments().errors.empty());
    QStringList ids;
    for (const Document& document : documents())
        ids << document.id;
    QCOMPARE(ids,
        (QStringList{QStringLiteral("northwestern"), QStringLiteral("nrel"),
            QStringLiteral("nvidia"), QStringLiteral("tacc"), QStringLiteral("zih")}));
}

void TestDocuments::workflows_areCoveredByRows()
{
    for (const Document& document : documents()) {
        for (const Workflow& workflow : document.workflows) {
            const bool covered = std::any_of(
                document.rows.begin(), document.rows.end(), [&](const DocumentRow& row) {
                    return row.workflow == workflow.id && row.how != DocumentRow::How::Absent;
                });
            QVERIFY2(covered, qPrintable(document.id + u": no row shows " + workflow.id));
        }
    }
}

void TestDocuments::rows_hold_data()
{
    QTest::addColumn<int>("document");
    QTest::addColumn<int>("row");
    for (std::size_t d = 0; d < documents().size(); ++d) {
        for (std::size_t r = 0; r < documents()[d].rows.size(); ++r)
            QTest::newRow(qPrintable(documents()[d].id + u' ' + documents()[d].rows[r].id))
                << int(d) << int(r);
    }
}

void TestDocuments::rows_hold()
{
    QFETCH(int, document);
    QFETCH(int, row);
    const DocumentRow& one = documents()[std::size_t(document)].rows[std::size_t(row)];
    QVERIFY2(one.how != DocumentRow::How::Exact || !one.checks.empty(), "nothing covers it");
    const QStringList problems = rowProblems(one, ground());
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
}

void TestDocuments::checks_fail_data()
{
    QTest::addColumn<QByteArray>("check");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* check, const char* said) {
        QTest::newRow(name) << QByteArray(check) << QString::fromUtf8(said);
    };
    row("a line is not there",
        R"({"recipe": "matmul-scaling", "site": "kestrel", )"
        R"("lines": ["#SBATCH --partition=nowhere"]})",
        "lacks “#SBATCH --partition=nowhere”");
    row("words in another order",
        R"({"recipe": "matmul-scaling", "site": "kestrel", "lines": ["python3 … apptainer exec"]})",
        "lacks");
    row("a line that must not be there",
        R"({"recipe": "matmul-scaling", "site": "kestrel", )"
        R"("without": ["#SBATCH --partition=gpu-h100"]})",
        "has “#SBATCH");
    row("another value in the form",
        R"({"recipe": "matmul-scaling", "site": "kestrel", "fields": {"partition": "debug"}})",
        "partition is “gpu-h100”, not “debug”");
    row("no such field",
        R"({"recipe": "matmul-scaling", "site": "kestrel", "fields": {"nothing": "1"}})",
        "no field nothing");
    row("lint is silent",
        R"({"recipe": "matmul-scaling", "site": "kestrel", "problem": {"says": "purple"}})",
        "does not report “purple”");
    row("lint refuses",
        R"({"recipe": "matmul-scaling", "site": "kestrel", "values": {"time": "0"}, )"
        R"("lines": ["srun"]})",
        "lint reports on time");
    row("the runtime is not offered",
        R"({"recipe": "matmul-scaling", "site": "kestrel", "runtimes": ["pyxis"], )"
        R"("lines": ["srun"]})",
        "not offered");
    row("no such recipe", R"({"recipe": "no-such", "site": "kestrel", "lines": ["srun"]})",
        "no recipe no-such");
    row("no such site", R"({"recipe": "matmul-scaling", "site": "no-such", "lines": ["srun"]})",
        "no site no-such");
    row("a line of a file",
        R"({"recipe": "matmul-scaling", "file": "matmul_scaling.py", "lines": ["import cobol"]})",
        "lacks “import cobol”");
    row("no such file", R"({"recipe": "matmul-scaling", "file": "gone.py", "lines": ["x"]})",
        "gone.py cannot be read");
    row("a fact of a site",
        R"({"site": "kestrel", "facts": {"partitions.gpu-h100.gpus_per_node": "5"}})",
        "has “4” for partitions.gpu-h100.gpus_per_node");
    row("a fact that it does not have", R"({"site": "kestrel", "facts": {"moon": "full"}})",
        "has “” for moon");
    row("another number in the log",
        R"({"log": ["Epoch [1/5], Step [16/160], Train Loss: 0.7057, Valid Loss: 0.6338"], )"
        R"("series": {"train_loss": [0.7]}})",
        "was read as: 0.7057");
    row("one number too few",
        R"({"log": ["Epoch [1/5], Step [16/160], Train Loss: 0.7057, Valid Loss: 0.6338"], )"
        R"("series": {"train_loss": [0.7057, 0.5]}})",
        "was read as: 0.7057");
    row("no such event", R"({"log": ["hello"], "events": ["bye"]})", "no event contains “bye”");
    row("another published number", R"({"reference": "L40S", "points": [[2000128, 1]]})",
        "has no point");
    row("another hint", R"({"log": ["hello"], "hint": "F1"})", "not with F1");
    row("teaching text", R"({"recipe": "matmul-scaling", "teaches": "knitting"})",
        "does not teach “knitting”");
    row("an exercise", R"({"recipe": "matmul-scaling", "exercise": "knitting"})",
        "has no exercise “knitting”");
}

void TestDocuments::checks_fail()
{
    QFETCH(QByteArray, check);
    QFETCH(QString, said);
    const QString problems = problemsOf(check).join(u'\n');
    QVERIFY2(problems.contains(said), qPrintable(problems));
}

void TestDocuments::checks_holdWhenTheyShould()
{
    for (const char* check :
        {R"({"recipe": "matmul-scaling", "site": "kestrel", )"
         R"("lines": ["#SBATCH --partition=gpu-h100", "srun … apptainer exec --nv … python3"], )"
         R"("without": ["--no-such-option"], "fields": {"gpus": "1"}})",
            R"({"recipe": "matmul-scaling", "site": "kestrel", "interactive": true, )"
            R"("lines": ["salloc --no-shell … --partition=gpu-h100"]})",
            R"({"recipe": "matmul-scaling", "site": "kestrel", "values": {"time": "0"}, )"
            R"("problem": {"field": "time", "says": "zero"}})",
            R"({"site": "kestrel", "facts": {"partitions.gpu-h100.gpus_per_node": "4", )"
            R"("modules": "apptainer"}})",
            R"({"log": ["Epoch [1/5], Step [16/160], Train Loss: 0.7057, Valid Loss: 0.6338"],)"
            R"( "series": {"train_loss": [0.7057]}})",
            R"({"reference": "L40S", "points": [[2000128, 36.747e12]]})",
            R"({"log": ["FATAL:   \"nvidia-smi\": executable file not found in $PATH"], )"
            R"("hint": "F1", "runtime": "apptainer"})"}) {
        const QStringList problems = problemsOf(check);
        QVERIFY2(
            problems.isEmpty(), qPrintable(QLatin1String(check) + u'\n' + problems.join(u'\n')));
    }
}

void TestDocuments::rowWithoutCheck_mustSayWhy()
{
    const auto summary = [](const QByteArray& row) {
        const Result<Document> document = parseDocument(documentOf(row), QStringLiteral("d.json"));
        return document.ok() ? QString() : document.error().summary;
    };
    QVERIFY2(summary("\"workflow\": \"W1\"").contains(u"no check covers"),
        qPrintable(summary("\"workflow\": \"W1\"")));
    QVERIFY(summary("\"differs\": \"Why.\"").contains(u"no check covers"));
    QVERIFY(summary("\"checks\": [{\"recipe\": \"x\", \"site\": \"y\"}]")
                .contains(u"nothing is expected"));
    QCOMPARE(summary("\"absent\": \"It is a laptop's.\""), QString());
}

void TestDocuments::brokenRow_isNamed()
{
    const auto summary = [](const QByteArray& row) {
        return parseDocument(documentOf(row), QStringLiteral("d.json")).error().summary;
    };
    QVERIFY(summary("\"absent\": \"w\", \"workflow\": \"W99\"")
                .contains(u"not a workflow of this document"));
    QVERIFY(summary("\"absent\": \"w\", \"colour\": \"red\"").contains(u"unknown field"));
    QVERIFY(
        summary("\"absent\": \"w\", \"differs\": \"v\"").contains(u"one of differs and absent"));
    QVERIFY(summary("\"checks\": [{\"reference\": \"L\", \"points\": [[1]]}]")
                .contains(u"list of lists of numbers"));
}

SLIPWAY_TEST(TestDocuments, documents_rows)
#include "tst_documents.moc"
