// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/nodereport.h"
#include "app/node/nodesample.h"
#include "app/node/nodewatch.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QtTest>

using namespace slipway;

/// What slipway-probe writes, as it is read and put into words. Pure.
class TestNode : public QObject {
    Q_OBJECT

private slots:
    void report_keepsRowsOfEachPlace();
    void report_countsInvalidRows();
    void report_isCompleteWhenEachCallEnded();
    void report_beginsAgainWithTheJob();
    void report_rowsOfTwoNodesMayLieMixed();
    void difference_namesTheFlag_data();
    void difference_namesTheFlag();
    void difference_isNoneWithoutAGpu();
    void sentence_says_data();
    void sentence_says();
    void text_holdsEveryRow();
    void titles_areWords();
    void sample_isRead();
    void sample_isNotTakenForAnotherLine_data();
    void sample_isNotTakenForAnotherLine();
    void curves_nameNodeAndGpu();
    void warnings_areReported_data();
    void warnings_areReported();
    void watch_knowsWhatSlurmCanDo();
    void watch_displacedByACommandComesBack();
    void readers_surviveHostileInput();
};

namespace {

QByteArray call(
    const QByteArray& where, const QByteArray& node, const QByteArray& rows, bool ended = true)
{
    const QByteArray begin =
        R"({"id":"probe","state":"ok","value":"0.1.0","data":{"protocol":1,"where":")" + where
        + R"(","node":")" + node + "\"}}\n";
    return begin + rows
        + (ended ? QByteArray(R"({"id":"end","state":"ok","value":"4 checks"})") + '\n'
                 : QByteArray());
}

const QByteArray driver = R"({"id":"driver.version","state":"ok","value":"580.65.06"})"
                          "\n"
                          R"({"id":"driver.cuda","state":"ok","value":"13.0"})"
                          "\n";

QByteArray gpuList(int count)
{
    if (count == 0)
        return R"({"id":"gpu.list","state":"skip","why":"No GPU."})"
               "\n";
    QByteArray gpus;
    for (int i = 0; i < count; ++i)
        gpus += QByteArray(i ? "," : "") + R"({"uuid":"GPU-)" + QByteArray::number(i)
            + R"(","name":"NVIDIA H100"})";
    return R"({"id":"gpu.list","state":"ok","data":{"gpus":[)" + gpus + "]}}\n";
}

const QByteArray noDriver = R"({"id":"driver.version","state":"skip","value":"none",)"
                            R"("why":"There is no NVIDIA driver on this node."})"
                            "\n";

QByteArray started(const QByteArray& command)
{
    return R"({"id":"container","state":"ok","where":"container","node":"c1","value":")" + command
        + "\"}\n";
}

const CheckRow* rowOf(const NodeReport& report, const char* id, const char* where)
{
    for (const CheckRow& row : report.rows)
        if (row.id == QLatin1String(id) && row.where == QLatin1String(where))
            return &row;
    return nullptr;
}

NodeSample sampleOf(
    double t, std::vector<double> uses, double memory = 10, QStringList throttle = {})
{
    NodeSample sample;
    sample.t = t;
    sample.node = QStringLiteral("c1");
    for (size_t i = 0; i < uses.size(); ++i) {
        GpuSample gpu;
        gpu.uuid = QStringLiteral("GPU-%1").arg(i);
        gpu.index = int(i);
        gpu.utilization = uses[i];
        gpu.memoryUsed = memory;
        gpu.memoryTotal = 100;
        gpu.throttle = throttle;
        sample.gpus.push_back(gpu);
    }
    sample.memoryUsed = 20;
    sample.memoryTotal = 100;
    return sample;
}

std::vector<NodeSample> minute(
    std::vector<double> uses, double memory = 10, QStringList throttle = {})
{
    std::vector<NodeSample> samples;
    for (int i = 0; i < 30; ++i)
        samples.push_back(sampleOf(1000 + i, uses, memory, throttle));
    return samples;
}

} // namespace

void TestNode::report_keepsRowsOfEachPlace()
{
    const NodeReport report = readNodeReport(call("host", "c1.cluster", driver + gpuList(2))
        + call("container", "c1", driver + gpuList(2)));
    QCOMPARE(report.unreadable, 0);
    QVERIFY(report.complete);
    const CheckRow* const row = rowOf(report, "driver.version", "host");
    QVERIFY(row);
    QCOMPARE(row->node, QStringLiteral("c1")); // without its domain
    QCOMPARE(row->value, QStringLiteral("580.65.06"));
    QVERIFY(rowOf(report, "driver.version", "container"));
    QVERIFY(!rowOf(report, "probe", "host") && !rowOf(report, "end", "host"));
    QCOMPARE(report.worst(), CheckState::Ok);
    // Looked at once more: the new word counts, and there is one row of it.
    const NodeReport again =
        readNodeReport(call("host", "c1", driver) + call("host", "c1", noDriver));
    QCOMPARE(rowOf(again, "driver.version", "host")->state, CheckState::Skip);
    QCOMPARE(again.rows.size(), size_t(2));
}

void TestNode::report_countsInvalidRows()
{
    const NodeReport report = readNodeReport("slurmstepd: error\n" + call("host", "c1", driver)
        + "{\"id\":\"x\"}\n[]\n\n" + R"({"id":"race.point","work":"triad"})" + "\n{\"id\":\"half");
    QCOMPARE(report.unreadable, 3);
    QCOMPARE(report.rows.size(), size_t(2));
    QVERIFY(readNodeReport({}).isEmpty() && !readNodeReport({}).complete);
    QCOMPARE(readNodeReport({}).worst(), CheckState::Skip);
}

void TestNode::report_isCompleteWhenEachCallEnded()
{
    QVERIFY(!readNodeReport(call("host", "c1", driver, false)).complete);
    QVERIFY(!readNodeReport(call("host", "c1", driver) + call("container", "c1", driver, false))
                 .complete);
    QVERIFY(readNodeReport(call("host", "c1", driver) + call("container", "c1", driver)).complete);
}

void TestNode::report_beginsAgainWithTheJob()
{
    const QByteArray missing = R"({"id":"probe.file","state":"skip","where":"host","why":"w"})"
                               "\n";
    const NodeReport report = readNodeReport(missing + call("host", "c1", gpuList(1), false)
        + R"({"id":"begin","state":"ok","value":"try 2"})"
          "\n"
        + call("host", "c2", gpuList(2)));
    QVERIFY(report.complete);
    QCOMPARE(report.rows.size(),
        size_t(2)); // that there was no probe file is true of the second try as well
    QCOMPARE(report.rows.back().node, QStringLiteral("c2"));
}

void TestNode::report_rowsOfTwoNodesMayLieMixed()
{
    const auto row = [](const char* node, const char* value) -> QByteArray {
        return QByteArray(R"({"id":"driver.version","state":"ok","where":"host","node":")") + node
            + R"(","value":")" + value + "\"}\n";
    };
    const NodeReport report = readNodeReport(call("host", "c1", {}, false)
        + call("host", "c2", {}, false) + row("c1", "1") + row("c2", "2"));
    QCOMPARE(report.rows.size(), size_t(2));
    QCOMPARE(report.rows[0].node + report.rows[0].value, QStringLiteral("c11"));
    QCOMPARE(report.rows[1].node + report.rows[1].value, QStringLiteral("c22"));
}

void TestNode::difference_namesTheFlag_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QString>("fix");
    QTest::newRow("apptainer") << QByteArray("apptainer exec /images/x.sif")
                               << QStringLiteral("--nv: apptainer exec --nv");
    QTest::newRow("singularity") << QByteArray("singularity exec x.simg")
                                 << QStringLiteral("--nv: singularity exec --nv");
    QTest::newRow("with a path and variables")
        << QByteArray("env -u SLURM_JOB_GPUS A=1 /opt/bin/apptainer exec x")
        << QStringLiteral("apptainer exec --nv");
    QTest::newRow("--nv was there") << QByteArray("apptainer exec --nv x")
                                    << QStringLiteral("--nv was given but found no libraries");
    QTest::newRow("enroot") << QByteArray("enroot start x") << QStringLiteral("hook");
    QTest::newRow("pyxis") << QByteArray("srun --container-image=x --cpus-per-task=2")
                           << QStringLiteral("hook");
    QTest::newRow("docker") << QByteArray("docker run x") << QStringLiteral("--gpus all");
    QTest::newRow("unknown") << QByteArray("charliecloud x")
                             << QStringLiteral("--nv for Apptainer");
}

void TestNode::difference_namesTheFlag()
{
    QFETCH(QByteArray, command);
    QFETCH(QString, fix);
    const NodeReport report = readNodeReport(call("host", "c1", driver + gpuList(2))
        + started(command) + call("container", "c1", noDriver + gpuList(0)));
    const CheckRow* const row = rowOf(report, "container.gpu", "host and container");
    QVERIFY(row);
    QCOMPARE(row->state, CheckState::Fail);
    QCOMPARE(row->value, QStringLiteral("none"));
    QCOMPARE(row->expected, QStringLiteral("2"));
    QVERIFY2(row->fix.contains(fix), qPrintable(row->fix));
    QVERIFY(!row->why.isEmpty());
    QCOMPARE(report.worst(), CheckState::Fail);
}

void TestNode::difference_isNoneWithoutAGpu()
{
    QVERIFY(!rowOf(readNodeReport(call("host", "c1", noDriver + gpuList(0))
                       + call("container", "c1", noDriver + gpuList(0))),
        "container.gpu", "host and container"));
    const auto state = [](int host, int container) {
        return rowOf(readNodeReport(call("host", "c1", driver + gpuList(host))
                         + call("container", "c1", driver + gpuList(container))),
            "container.gpu", "host and container")
            ->state;
    };
    QCOMPARE(state(2, 2), CheckState::Ok);
    QCOMPARE(state(2, 1), CheckState::Warn);
    // A container on another node says nothing about this one.
    QVERIFY(!rowOf(readNodeReport(call("host", "c1", driver + gpuList(2))
                       + call("container", "c2", gpuList(0))),
        "container.gpu", "host and container"));
    // A container that the probe could not run in is not known to lack a GPU.
    const QByteArray cannot =
        R"({"id":"probe.run","state":"skip","where":"container","node":"c1","why":"musl"})"
        "\n";
    QVERIFY(!rowOf(readNodeReport(call("host", "c1", driver + gpuList(2)) + cannot),
        "container.gpu", "host and container"));
}

void TestNode::sentence_says_data()
{
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<QString>("sentence");
    const QByteArray two = call("host", "c1", driver + gpuList(2));
    QTest::newRow("both")
        << two + call("container", "c1", driver + gpuList(2))
        << QStringLiteral("c1 has 2 × H100, driver 580.65.06, CUDA 13.0; the container sees both.");
    QTest::newRow("host only") << two
                               << QStringLiteral("c1 has 2 × H100, driver 580.65.06, CUDA 13.0.");
    QTest::newRow("none in the container")
        << two + call("container", "c1", noDriver + gpuList(0))
        << QStringLiteral("c1 has 2 × H100, driver 580.65.06, CUDA 13.0; the container sees none "
                          "of them. Failed: GPUs in the container.");
    QTest::newRow("one") << call("host", "c1", driver + gpuList(1))
            + call("container", "c1", driver + gpuList(1))
                         << QStringLiteral(
                                "c1 has H100, driver 580.65.06, CUDA 13.0; the container sees it.");
    QTest::newRow("no driver") << call("host", "login1", noDriver + gpuList(0))
                               << QStringLiteral("login1 has no NVIDIA driver.");
    QTest::newRow("no driver, no list")
        << call("host", "login1", noDriver) << QStringLiteral("login1 has no NVIDIA driver.");
    QTest::newRow("a driver and no GPU")
        << call("host", "c1", driver + gpuList(0))
        << QStringLiteral("c1 has no GPU that the job may use, driver 580.65.06, CUDA 13.0.");
    QTest::newRow("two nodes alike")
        << two + call("host", "c2", driver + gpuList(2))
        << QStringLiteral("c1, c2 each have 2 × H100, driver 580.65.06, CUDA 13.0.");
    QTest::newRow("nothing") << QByteArray() << QString();
}

void TestNode::sentence_says()
{
    QFETCH(QByteArray, rows);
    QFETCH(QString, sentence);
    QCOMPARE(nodeSentence(readNodeReport(rows)), sentence);
}

void TestNode::text_holdsEveryRow()
{
    const NodeReport report = readNodeReport(call("host", "c1", driver + gpuList(2))
        + started("apptainer exec x") + call("container", "c1", noDriver + gpuList(0), false));
    const QString text = nodeReportText(report);
    for (const CheckRow& row : report.rows) {
        QVERIFY2(text.contains(row.id), qPrintable(text));
        QVERIFY(row.why.isEmpty() || text.contains(row.why));
        QVERIFY(row.fix.isEmpty() || text.contains(row.fix));
    }
    QVERIFY(text.contains(QStringLiteral("[c1, host]"))
        && text.contains(QStringLiteral("[c1, container]")));
    QVERIFY(
        text.contains(QStringLiteral("FAIL")) && text.contains(QStringLiteral("has not finished")));
    QVERIFY(!nodeReportText(readNodeReport(call("host", "c1", driver)))
                 .contains(QStringLiteral("has not finished")));
}

void TestNode::titles_areWords()
{
    QCOMPARE(checkTitle(QStringLiteral("driver.version")), QStringLiteral("Driver"));
    QCOMPARE(checkTitle(QStringLiteral("bench.new-thing")), QStringLiteral("Bench new thing"));
    QCOMPARE(checkTitle(QStringLiteral("bench.cpu.gemm-fp32")),
        QStringLiteral("CPU: matrix product, FP32"));
    QCOMPARE(checkTitle(QStringLiteral("disk.scratch")), QStringLiteral("Disk of $SCRATCH"));
    QCOMPARE(checkTitle({}), QString());
}

void TestNode::sample_isRead()
{
    const auto sample = readNodeSample(
        R"({"id":"sample","t":1760000000.5,"node":"c1","gpus":[{"uuid":"GPU-1","name":"H100",)"
        R"("index":1,"utilization":87,)"
        R"("memory_used":1e9,"memory_total":8e10,"power":312.5,"temperature":61,)"
        R"("throttle":["power limit"]},{"uuid":"GPU-2"}],)"
        R"("host":{"cpu":73.2,"cpus":8,"memory_used":1,"memory_total":2}})");
    QVERIFY(sample);
    QCOMPARE(sample->t, 1760000000.5);
    QCOMPARE(sample->node, QStringLiteral("c1"));
    QCOMPARE(sample->gpus.size(), size_t(2));
    QCOMPARE(sample->gpus[0].utilization, std::optional(87.0));
    QCOMPARE(sample->gpus[0].throttle, QStringList{QStringLiteral("power limit")});
    QCOMPARE(sample->gpus[0].index, 1);
    QVERIFY(!sample->gpus[0].powerLimit && !sample->gpus[1].utilization); // unknown is not 0
    QCOMPARE(sample->gpus[1].index, 1); // its place in the list
    QCOMPARE(sample->cpu, std::optional(73.2));
    QCOMPARE(sample->cpus, 8);
}

void TestNode::sample_isNotTakenForAnotherLine_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("noise") << QByteArray("srun: job 7 has been allocated resources");
    QTest::newRow("a check") << QByteArray(R"({"id":"cpu","state":"ok"})");
    QTest::newRow("no time") << QByteArray(R"({"id":"sample","node":"c1"})");
    QTest::newRow("an invalid time") << QByteArray(R"({"id":"sample","t":"now"})");
    QTest::newRow("a time of another world") << QByteArray(R"({"id":"sample","t":1e300})");
}

void TestNode::sample_isNotTakenForAnotherLine()
{
    QFETCH(QByteArray, line);
    QVERIFY(!readNodeSample(line));
}

void TestNode::curves_nameNodeAndGpu()
{
    const std::vector<Sample> curves = samplesOf(sampleOf(1010, {50, 60}), 1000);
    QCOMPARE(curves.size(),
        size_t(5)); // use and memory of two GPUs, memory of the host; what is unknown has no point
    QCOMPARE(curves[0].series, QStringLiteral("gpu_utilization"));
    QCOMPARE(curves[0].lane, QStringLiteral("c1 GPU 0"));
    QCOMPARE(curves[0].x, 10.0);
    QCOMPARE(curves[0].y, 50.0);
    QCOMPARE(curves[0].unit, QStringLiteral("%"));
    QCOMPARE(curves[4].series, QStringLiteral("host_memory"));
    QCOMPARE(curves[4].lane, QStringLiteral("c1"));
}

void TestNode::warnings_areReported_data()
{
    QTest::addColumn<std::vector<NodeSample>>("samples");
    QTest::addColumn<QStringList>("warnings"); // "!" before a warning
    QTest::newRow("nothing") << std::vector<NodeSample>() << QStringList();
    QTest::newRow("busy") << minute({90, 80}) << QStringList{QStringLiteral("GPU memory 10 %")};
    QTest::newRow("one idle") << minute({90,
        0}) << QStringList{QStringLiteral("!1 of 2 GPUs idle"), QStringLiteral("GPU memory 10 %")};
    QTest::newRow("all idle") << minute({0,
        1}) << QStringList{QStringLiteral("!all 2 GPUs idle"), QStringLiteral("GPU memory 10 %")};
    QTest::newRow("the one idle") << minute(
        {0}) << QStringList{QStringLiteral("!the GPU is idle"), QStringLiteral("GPU memory 10 %")};
    QTest::newRow("too early to say") << std::vector<NodeSample>{sampleOf(1, {0}), sampleOf(2, {0})}
                                      << QStringList{QStringLiteral("GPU memory 10 %")};
    QTest::newRow("full") << minute({90}, 91) << QStringList{QStringLiteral("!GPU memory 91 %")};
    QTest::newRow("held back") << minute({90}, 10, {QStringLiteral("power limit")})
                               << QStringList{QStringLiteral("GPU memory 10 %"),
                                      QStringLiteral("!the GPU is throttled: power limit")};
    std::vector<NodeSample> hosts = minute({90});
    hosts.back().memoryUsed = 95;
    QTest::newRow("the host is full")
        << hosts
        << QStringList{QStringLiteral("GPU memory 10 %"), QStringLiteral("!memory of c1 95 %")};
    std::vector<NodeSample> moment = minute({90});
    moment[3].gpus[0].throttle << QStringLiteral("thermal");
    QTest::newRow("held back for a moment")
        << moment << QStringList{QStringLiteral("GPU memory 10 %")};
}

void TestNode::warnings_areReported()
{
    QFETCH(std::vector<NodeSample>, samples);
    QFETCH(QStringList, warnings);
    QStringList said;
    for (const NodeWarning& warning : nodeWarnings(samples))
        said << (warning.warning ? u'!' + warning.text : warning.text);
    QCOMPARE(said, warnings);
}

void TestNode::watch_knowsWhatSlurmCanDo()
{
    // Before 22.05 an overlapping step keeps its CPUs from every step that does not overlap: the
    // job would wait for its watcher. A version that is not known may be such a one.
    for (const char* version : {"slurm 19.05.3", "20.02.6", "20.11.4", "20.11.9", "21.08.8"})
        QVERIFY2(watchRefusal(QLatin1String(version)).contains(QLatin1String(version)), version);
    QVERIFY(watchRefusal(QString()).contains(QStringLiteral("Slurm version is not known")));
    for (const char* version : {"22.05.8", "slurm 23.11.4", "24.11.5", "26.05.5"})
        QVERIFY2(watchRefusal(QLatin1String(version)).isEmpty(), version);
    const auto script = [](const char* version) {
        return watchScript({JobId{QStringLiteral("77")}, QStringLiteral("/scratch/it's/x"), 2,
            QLatin1String(version)});
    };
    QVERIFY(script("24.11.5").contains("--jobid=77 --overlap -N 2 -n 2 --ntasks-per-node=1 "));
    QVERIFY(!script("24.11.5").contains("--gres"));
    QVERIFY(script("24.11.5").contains(R"('/scratch/it'\''s/x')"));
    QVERIFY(script("24.11.5").contains("sha256sum"));
}

void TestNode::watch_displacedByACommandComesBack()
{
    auto shell = std::make_shared<ScriptedShell>();
    shell->onFail(
        "slipway-agent", Error{ErrorKind::Refused, QStringLiteral("The session was needed.")});
    using namespace std::chrono_literals;
    const auto start = [shell](const QByteArray& script) {
        return shell->start({script, Invocation::Place::Argument, true});
    };
    NodeWatch watch(start,
        {{QStringLiteral("77")}, QStringLiteral("/run"), 1, QStringLiteral("24.11.5")},
        NodeWatch::Pace{1ms, 1ms}, nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(shell->count("slipway-agent") > 6, 20'000);
    QVERIFY2(watch.trouble().isEmpty(), qPrintable(watch.trouble()));
}

void TestNode::readers_surviveHostileInput()
{
    const QByteArray rows = call("host", "c1", driver + gpuList(2)) + started("apptainer exec x")
        + call("container", "c1", noDriver + gpuList(0));
    const QByteArray line =
        R"({"id":"sample","t":1760000000.5,"node":"c1","gpus":[{"uuid":"GPU-1",)"
        R"("utilization":87,"throttle":["x"]}],"host":{"cpu":1}})";
    QRandomGenerator random(7);
    const auto mutated = [&random](QByteArray bytes) {
        for (int i = 1 + random.bounded(6); i > 0 && !bytes.isEmpty(); --i) {
            const qsizetype at = random.bounded(bytes.size());
            switch (random.bounded(4)) {
            case 0:
                bytes[at] = char(random.bounded(256));
                break;
            case 1:
                bytes.remove(at, random.bounded(40));
                break;
            case 2:
                bytes.insert(at, bytes.mid(random.bounded(bytes.size()), random.bounded(60)));
                break;
            default:
                bytes.insert(at,
                    "\n{\"id\":\"gpu.list\",\"state\":\"ok\",\"data\":{\"gpus\":[1,{},null]}}\n");
                break;
            }
        }
        return bytes;
    };
    for (int i = 0; i < 3000; ++i) {
        const NodeReport report = readNodeReport(mutated(rows));
        QVERIFY(report.rows.size() < 40);
        QVERIFY(!nodeReportText(report).contains(u'\x1b'));
        nodeSentence(report);
        if (const auto sample = readNodeSample(mutated(line))) {
            for (const Sample& point : samplesOf(*sample, 0))
                QVERIFY(qIsFinite(point.y) && point.y >= 0);
            nodeWarnings({*sample});
        }
    }
}

SLIPWAY_TEST(TestNode, node_report)
#include "tst_node.moc"
