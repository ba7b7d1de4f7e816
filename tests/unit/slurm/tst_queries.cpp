// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "mutations.h"
#include "remote/slurm/sacct.h"
#include "remote/slurm/sinfo.h"
#include "remote/slurm/squeue.h"
#include "remote/slurm/values.h"
#include "tests/support/cputime.h"
#include "tests/support/paths.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QTest>

#include <algorithm>

using namespace slipway;

namespace {

const QByteArray nonce = "0123456789abcdef0123456789abcdef";

QByteArray captured(const QString& name)
{
    QFile file(slipway::sourcePath(QStringLiteral("/tests/data/slurm/24.11.5/")) + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", qPrintable(file.fileName()));
    return file.readAll();
}

const Separators separators = Separators::of(nonce);

QByteArray sacctRow(const QByteArrayList& fields)
{
    return fields.join(separators.field) + separators.field + '\n';
}

QByteArray sacctSample()
{
    return sacctRow({"42", "42", "CANCELLED by 1001", "0:15", "1795215475", "1795215480",
               "1795215490", "10", "cpu=1,gres/gpu=1", "gpu01", "slipway:x", "two\nlines"})
        + sacctRow({"43", "43_7", "OUT_OF_MEMORY", "137:0", "1795215475", "Unknown", "Unknown", "0",
            "", "None assigned", "",
            "us\x1f"
            "rs\x1e"});
}

} // namespace

class TestQueries : public QObject {
    Q_OBJECT

private slots:
    void separators_areNewEachTime_andNeverAWidth();
    void squeue_asksOnceForEverything();
    void hostileNames_areOneRowEach_byteForByte();
    void ordinaryJobs_areReadWhole();
    void arrays_haveTaskNumbers();
    void foreignSeparators_forgeNothing();
    void oddRows_doNotAffectOthers();
    void oddRows_alone_areNoAnswer();
    void heterogeneousAndFederatedJobs_haveNumbers();
    void oddTaggedRow_isNotTakenForMissing();
    void oddNodesAndRecords_doNotAffectOthers();
    void cutAnswer_isUnknown_notFewerRows();
    void emptyAnswer_isNoJobs();
    void taggedJobs_areFoundByComment();
    void partitions_haveSeveralRows();
    void nodes_areCountedOnceAPartition();
    void gres_readsItsGrammar_data();
    void gres_readsItsGrammar();
    void usable_knowsTheFlags_data();
    void usable_knowsTheFlags();
    void release_isComparable();
    void sacct_readsRowsWithNewlines();
    void tenThousandMutations_crashNothing();
    void fiveHundredJobs_parseInTwentyMilliseconds();
};

void TestQueries::separators_areNewEachTime_andNeverAWidth()
{
    const auto one = Separators::random();
    const auto two = Separators::random();
    QVERIFY(one.field != two.field && one.row != two.row);
    // squeue reads digits after the colon as a width, so letters come first.
    QVERIFY(one.field.startsWith("\x1fSLP") && one.row.startsWith("\x1eSLP"));
    QCOMPARE(one.field.size(), 4 + 32);
}

void TestQueries::squeue_asksOnceForEverything()
{
    const QByteArray command = squeueCommand(separators);
    QVERIFY(
        command.startsWith("SLURM_TIME_FORMAT=%s squeue --me -h -r -t all -O 'ArrayJobID:\x1fSLP"));
    const QByteArray end = ",Name:\x1eSLP" + nonce + "'";
    QVERIFY(command.endsWith(end));
    QVERIFY(!squeueCommand(separators, false).contains(" -r "));
    const std::vector<JobId> one(1, JobId{QStringLiteral("42")});
    QVERIFY(squeueCommand(separators, one).contains(" -j '42,42' "));
}

void TestQueries::hostileNames_areOneRowEach_byteForByte()
{
    const auto jobs = parseSqueue(captured(QStringLiteral("squeue-hostile.bin")), separators);
    QVERIFY2(jobs.ok(), jobs.ok() ? "" : qPrintable(jobs.error().text()));
    QCOMPARE(jobs->size(), std::size_t(13));
    QStringList names;
    for (const auto& job : *jobs) {
        QCOMPARE(job.state, JobState::Pending);
        QCOMPARE(job.reason, QStringLiteral("JobHeldUser"));
        QCOMPARE(job.comment, QStringLiteral("multi\nline|comment\x1f\x1e"));
        names << job.name;
    }
    const QStringList expected{QStringLiteral("evil|R|x"), QStringLiteral("a^^^b"),
        QStringLiteral("new\nline"), QStringLiteral("us\x1fsep"), QStringLiteral("rs\x1esep"),
        QStringLiteral("esc\x1b[31mred"), QStringLiteral("q\"uo'te"),
        QStringLiteral("JobName=x JobState=COMPLETED ExitCode=0:0"),
        QStringLiteral("$(touch /tmp/PWN)"), QStringLiteral("../../etc/x"),
        QStringLiteral("\uFFFD\uFFFD"), QStringLiteral("ünïcødé-日本"),
        QStringLiteral("<img src=x><b>hi")};
    for (const auto& name : expected)
        QVERIFY2(names.contains(name), qPrintable(name));
}

void TestQueries::ordinaryJobs_areReadWhole()
{
    const auto jobs = parseSqueue(captured(QStringLiteral("squeue-ordinary.bin")), separators);
    QVERIFY(jobs.ok());
    QMap<QString, Job> byId;
    for (const auto& job : *jobs)
        byId.insert(job.id.text, job);
    const Job done = byId.value(QStringLiteral("22"));
    QCOMPARE(done.state, JobState::Completed);
    QCOMPARE(done.comment, QStringLiteral("slipway:cap-ok"));
    QVERIFY(done.started && done.ended && *done.started <= *done.ended);
    QCOMPARE(byId.value(QStringLiteral("23")).state, JobState::Failed);
    QCOMPARE(byId.value(QStringLiteral("23")).reason, QStringLiteral("NonZeroExitCode"));
    const Job running = byId.value(QStringLiteral("24"));
    QCOMPARE(running.state, JobState::Running);
    QCOMPARE(running.nodes, 2);
    QCOMPARE(running.nodeList, QStringLiteral("gpu[01-02]"));
    QCOMPARE(running.batchHost, QStringLiteral("gpu01"));
    QVERIFY(running.elapsed && running.elapsed->count() < 60);
    QCOMPARE(byId.value(QStringLiteral("26")).reason, QStringLiteral("DependencyNeverSatisfied"));
}

void TestQueries::arrays_haveTaskNumbers()
{
    const auto jobs = parseSqueue(captured(QStringLiteral("squeue-ordinary.bin")), separators);
    QStringList ids;
    for (const auto& job : *jobs)
        ids << job.id.text;
    for (const auto* id : {"25_0", "25_1", "25_2", "25_3"})
        QVERIFY2(ids.contains(QLatin1String(id)), id);
    const auto grouped =
        parseSqueue(captured(QStringLiteral("squeue-array-grouped.bin")), separators);
    QVERIFY(grouped.ok());
    ids.clear();
    for (const auto& job : *grouped)
        ids << job.id.text;
    QVERIFY2(ids.contains(QStringLiteral("25_[1-3%1]")), qPrintable(ids.join(u' ')));
}

void TestQueries::foreignSeparators_forgeNothing()
{
    QByteArray output = captured(QStringLiteral("squeue-hostile.bin"));
    const auto other = Separators::of("fedcba9876543210fedcba9876543210");
    const QByteArray forged = "x" + other.row + "\n99" + other.field + "99" + other.field;
    output.replace("<img src=x><b>hi", forged);
    const auto jobs = parseSqueue(output, separators);
    QVERIFY(jobs.ok());
    QCOMPARE(jobs->size(), std::size_t(13));
}

namespace {

/// A row of squeue with these first fields; the rest of it is empty.
QByteArray squeueRow(QByteArrayList fields, int count = 23)
{
    while (fields.size() < count)
        fields << "";
    return fields.join(separators.field) + separators.row + '\n';
}

QStringList idsOf(const std::vector<Job>& jobs)
{
    QStringList ids;
    for (const auto& job : jobs)
        ids << job.id.text;
    return ids;
}

} // namespace

void TestQueries::oddRows_doNotAffectOthers()
{
    const QByteArray output = squeueRow({"N/A", "N/A", "7", "R"})
        + squeueRow({"N/A", "N/A", "", "R"}) + squeueRow({"N/A", "N/A", "no number", "R"})
        + squeueRow({"N/A", "N/A", "9", "R"}, 22) + squeueRow({"N/A", "N/A", "8", "PD"});
    int odd = 0;
    const auto jobs = parseSqueue(output, separators, &odd);
    QVERIFY2(jobs.ok(), jobs.ok() ? "" : qPrintable(jobs.error().text()));
    QCOMPARE(idsOf(*jobs), (QStringList{QStringLiteral("7"), QStringLiteral("8")}));
    QCOMPARE(odd, 3);
}

void TestQueries::oddRows_alone_areNoAnswer()
{
    for (const QByteArray& output :
        {squeueRow({"N/A", "N/A", "what", "R"}), squeueRow({"N/A", "N/A", "7", "R"}, 20)}) {
        const auto jobs = parseSqueue(output, separators);
        QVERIFY(!jobs.ok());
        QCOMPARE(jobs.error().kind, ErrorKind::Protocol);
    }
}

void TestQueries::heterogeneousAndFederatedJobs_haveNumbers()
{
    const QByteArray output = squeueRow({"N/A", "N/A", "200+0", "R"})
        + squeueRow({"N/A", "N/A", "200+1", "R"}) + squeueRow({"N/A", "N/A", "123@west-2", "R"})
        + squeueRow({"N/A", "N/A", "7", "R"}) + squeueRow({"N/A", "N/A", "5+x", "R"})
        + squeueRow({"N/A", "N/A", "5@a b", "R"}) + squeueRow({"N/A", "N/A", "5;rm", "R"});
    int odd = 0;
    const auto jobs = parseSqueue(output, separators, &odd);
    QVERIFY(jobs.ok());
    // sbatch prints 200 for the whole of a heterogeneous job.
    QCOMPARE(idsOf(*jobs),
        (QStringList{QStringLiteral("200"), QStringLiteral("200+1"), QStringLiteral("123@west-2"),
            QStringLiteral("7")}));
    QCOMPARE(odd, 3);
}

void TestQueries::oddTaggedRow_isNotTakenForMissing()
{
    const auto row = [](const QByteArray& id, const QByteArray& comment) {
        return squeueRow({id, "R", "gpu01", "/home/me", comment}, 5);
    };
    const auto others =
        parseTaggedJobs(row("what", "mine") + row("200+0", "slipway:x"), separators);
    QVERIFY(others.ok());
    QCOMPARE(others->size(), std::size_t(1));
    QCOMPARE(others->front().id.text, QStringLiteral("200"));
    // Whoever looks for this tag would submit again.
    QVERIFY(!parseTaggedJobs(row("what", "slipway:x") + row("7", ""), separators).ok());
}

void TestQueries::oddNodesAndRecords_doNotAffectOthers()
{
    const QByteArray odd = QByteArray("gpu03") + separators.field + "gpu" + separators.row + '\n';
    const QByteArray nodes = captured(QStringLiteral("sinfo-nodes.bin"));
    QCOMPARE(parseNodes(odd + nodes, separators)->size(), parseNodes(nodes, separators)->size());
    QVERIFY(!parseNodes(odd, separators).ok());
    const QByteArray partitions = captured(QStringLiteral("sinfo-partitions.bin"));
    QCOMPARE(parsePartitions(odd + partitions, separators)->size(), std::size_t(5));
    QByteArray records = sacctSample();
    records.replace(0, 2, "what"); // the first number
    int left = 0;
    const auto read = parseSacct(records, separators, &left);
    QVERIFY(read.ok());
    QCOMPARE(read->size(), std::size_t(1));
    QCOMPARE(left, 1);
    records = sacctSample().replace("43_7", "43+0");
    QCOMPARE(parseSacct(records, separators)->back().id.text, QStringLiteral("43"));
}

void TestQueries::cutAnswer_isUnknown_notFewerRows()
{
    const QByteArray whole = captured(QStringLiteral("squeue-hostile.bin"));
    int unreadable = 0;
    for (qsizetype size = 1; size < whole.size(); size += 37) {
        const auto jobs = parseSqueue(whole.left(size), separators);
        if (!jobs.ok()) {
            ++unreadable;
            QCOMPARE(jobs.error().kind, ErrorKind::Protocol);
        }
    }
    QVERIFY(unreadable > 300); // all but the cuts exactly behind a row
}

void TestQueries::emptyAnswer_isNoJobs()
{
    QVERIFY(parseSqueue("", separators).ok());
    QCOMPARE(parseSqueue("\n", separators)->size(), std::size_t(0));
}

void TestQueries::taggedJobs_areFoundByComment()
{
    const auto jobs = parseTaggedJobs(captured(QStringLiteral("squeue-tagged.bin")), separators);
    QVERIFY(jobs.ok());
    QCOMPARE(jobs->size(), std::size_t(14));
    const auto found = std::find_if(jobs->begin(), jobs->end(),
        [](const TaggedJob& job) { return job.comment == u"slipway:cap-ok"; });
    QVERIFY(found != jobs->end());
    QCOMPARE(found->id.text, QStringLiteral("22"));
    QCOMPARE(found->workDir, QStringLiteral("/scratch/demo/cap"));
}

void TestQueries::partitions_haveSeveralRows()
{
    const auto rows = parsePartitions(captured(QStringLiteral("sinfo-partitions.bin")), separators);
    QVERIFY(rows.ok());
    QCOMPARE(rows->size(), std::size_t(5));
    const auto& gpu = rows->front();
    QCOMPARE(gpu.name, QStringLiteral("gpu"));
    QVERIFY(gpu.isDefault && gpu.available);
    QCOMPARE(gpu.timeLimit.slurmText(), QStringLiteral("04:00:00"));
    QCOMPARE(gpu.memory.mebibytes(), qint64(18079));
    QCOMPARE(gpuCount(gpu.gres), 2);
    QCOMPARE(gpu.gres.front().type, QStringLiteral("demo"));
    QVERIFY(!rows->back().isDefault);
}

void TestQueries::nodes_areCountedOnceAPartition()
{
    QByteArray output = captured(QStringLiteral("sinfo-nodes.bin"));
    const auto rows = parseNodes(output, separators);
    QVERIFY(rows.ok());
    auto free = freeGpus(*rows);
    QCOMPARE(free.value(QStringLiteral("gpu")), 2);
    QCOMPARE(free.value(QStringLiteral("debug")), 1);
    const auto doubled = parseNodes(output + output, separators);
    QCOMPARE(freeGpus(*doubled).value(QStringLiteral("gpu")), 2);
    output.replace("allocated", "drained*");
    free = freeGpus(*parseNodes(output, separators));
    QCOMPARE(free.value(QStringLiteral("gpu")), 1);
}

void TestQueries::gres_readsItsGrammar_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QString>("type");
    QTest::newRow("type, count, sockets") << "gpu:h200:2(S:0-1)" << 2 << "h200";
    QTest::newRow("count only") << "gpu:2" << 2 << "";
    QTest::newRow("name only") << "gpu" << 1 << "";
    QTest::newRow("none") << "(null)" << 0 << "";
    QTest::newRow("used, indices with commas")
        << "gpu:h100:3(IDX:0,2-3),gpu:a100:1(IDX:0)" << 4 << "h100";
    QTest::newRow("used, none") << "gpu:h200:0(IDX:N/A)" << 0 << "h200";
    QTest::newRow("others beside it") << "shard:8,gpu:a100:4,nvme:1" << 4 << "a100";
    QTest::newRow("no_consume") << "gpu:no_consume:4" << 4 << "";
    QTest::newRow("tres") << "cpu=2,gres/gpu:h100=4" << 4 << "h100";
    QTest::newRow("type without a count") << "gpu:h100" << 1 << "h100";
    QTest::newRow("overflow") << "gpu:h100:99999999999999999999" << 0 << "";
    QTest::newRow("parenthesis that stays open") << "gpu:2(S:0" << 2 << "";
    QTest::newRow("not available") << "N/A" << 0 << "";
}

void TestQueries::gres_readsItsGrammar()
{
    QFETCH(QString, text);
    QFETCH(int, gpus);
    QFETCH(QString, type);
    const auto list = parseGres(text);
    QCOMPARE(gpuCount(list), gpus);
    const auto gpu = std::find_if(
        list.begin(), list.end(), [](const Gres& gres) { return gres.name == u"gpu"; });
    QCOMPARE(gpu == list.end() ? QString() : gpu->type, type);
}

void TestQueries::usable_knowsTheFlags_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<bool>("usable");
    for (const auto* good : {"idle", "mixed", "allocated", "idle~", "mixed#", "IDLE"})
        QTest::newRow(good) << QString::fromLatin1(good) << true;
    for (const auto* bad :
        {"idle*", "down", "down*", "drained", "draining", "drng", "maint", "idle$", "mixed-",
            "idle@", "reserved", "planned", "inval", "", "future", "reboot^", "powering_down%"})
        QTest::newRow(qPrintable(QStringLiteral("not: ") + QLatin1String(bad)))
            << QString::fromLatin1(bad) << false;
}

void TestQueries::usable_knowsTheFlags()
{
    QFETCH(QString, state);
    QFETCH(bool, usable);
    NodeRow node;
    node.state = state;
    QCOMPARE(node.usable(), usable);
}

void TestQueries::release_isComparable()
{
    const std::pair<const char*, int> versions[] = {{"24.11.5", 2411}, {"slurm 20.11.4", 2011},
        {"slurm-wlm 22.05.8", 2205}, {"26.05.5-1", 2605}, {"2.6.9", 0}, {"", 0}, {"unknown", 0},
        {"1922.05.8", 0}, {"10.0.24.11", 0}};
    for (const auto& [version, release] : versions)
        QVERIFY2(slurmRelease(QLatin1String(version)) == release, version);
}

void TestQueries::sacct_readsRowsWithNewlines()
{
    const auto records = parseSacct(sacctSample(), separators);
    QVERIFY(records.ok());
    QCOMPARE(records->size(), std::size_t(2));
    const auto& first = records->front();
    QCOMPARE(first.state, JobState::Cancelled);
    QCOMPARE(first.signal, 15);
    QCOMPARE(first.name, QStringLiteral("two\nlines"));
    QCOMPARE(first.elapsed->count(), 10);
    const auto& second = records->back();
    QCOMPARE(second.id.text, QStringLiteral("43_7"));
    QCOMPARE(second.state, JobState::OutOfMemory);
    QCOMPARE(second.exitCode, 137);
    QVERIFY(!second.ended);
    QVERIFY(!parseSacct(sacctSample().chopped(60), separators).ok());
    QVERIFY(!parseSacct(captured(QStringLiteral("sacct-disabled.txt")), separators).ok());
}

void TestQueries::tenThousandMutations_crashNothing()
{
    const QByteArray squeue = captured(QStringLiteral("squeue-ordinary.bin"));
    const QByteArray partitions = captured(QStringLiteral("sinfo-partitions.bin"));
    const QByteArray nodes = captured(QStringLiteral("sinfo-nodes.bin"));
    const auto known = parseSqueue(squeue, separators)->size();
    Mutations mutations(20261120);
    CpuTime timer;
    qint64 slowest = 0;
    for (int i = 0; i < 10'000; ++i) {
        timer.restart();
        const auto jobs = parseSqueue(mutations.of(squeue), separators);
        QVERIFY(!jobs.ok() || jobs->size() <= known + 8);
        const auto rows = parsePartitions(mutations.of(partitions), separators);
        const auto list = parseNodes(mutations.of(nodes), separators);
        if (list.ok())
            freeGpus(*list);
        const auto records = parseSacct(mutations.of(sacctSample()), separators);
        QVERIFY(!records.ok() || records->size() <= 10);
        Q_UNUSED(rows)
        parseGres(QString::fromLatin1(mutations.of("shard:8,gpu:h200:2(S:0-1),gres/gpu:a100=4")));
        slowest = std::max(slowest, timer.elapsed());
        QVERIFY(slowest < 1000);
    }
    noteTarget("T13",
        QStringLiteral("10,000 mutations of five outputs read, no report of a sanitizer; slowest "
                       "round %1 ms of processor time under sanitizers")
            .arg(slowest));
}

void TestQueries::fiveHundredJobs_parseInTwentyMilliseconds()
{
    const QByteArray one = captured(QStringLiteral("squeue-ordinary.bin"));
    QByteArray many;
    while (many.size() < one.size() * 63)
        many += one; // 504 rows
    const CpuTime timer;
    const auto jobs = parseSqueue(many, separators);
    const auto taken = timer.elapsed();
    QCOMPARE(jobs->size(), std::size_t(504));
    QVERIFY2(taken < 200,
        qPrintable(QString::number(taken))); // 20 ms is the aim; shared machines are slow
    noteTarget("T12",
        QStringLiteral("504 jobs of squeue read in %1 ms of processor time under sanitizers")
            .arg(taken));
}

SLIPWAY_TEST(TestQueries, slurm_queries)
#include "tst_queries.moc"
