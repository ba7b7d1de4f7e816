// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipefile.h"
#include "app/plan/imagefacts.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

using namespace slipway;

/// What a site's own rules say of a plan before it is sent: CUDA and drivers, processors, builds,
/// MPI, partitions, and what people copy from tutorials into the command field.
class TestLintSite : public QObject {
    Q_OBJECT

private slots:
    void cuda_isReadFromNames_data();
    void cuda_isReadFromNames();
    void rule_isReported_data();
    void rule_isReported();
    void builds_whereTheyAreRefused();
    void runtime_isRefusedForWhatItCannotDo();
    void fileOfAnotherRuntime_isNamed();
    void mpi_missingPlugin();
    void mpi_missingHookOfEnroot();
    void mpi_pmi2DoesNotReachEnroot();
    void cache_inHomeHasAWayOut();
    void binds_withAColon();
    void rules_betweenFields();
    void gpus_ofUnknownNumberForbidNothing();
};

using Values = QMap<QString, QString>;

void TestLintSite::cuda_isReadFromNames_data()
{
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("cuda");
    QTest::newRow("tag") << QStringLiteral("docker://pytorch/pytorch:2.4.1-cuda12.1-cudnn9-runtime")
                         << QStringLiteral("12.1");
    QTest::newRow("nvidia/cuda") << QStringLiteral(
        "docker://nvcr.io/nvidia/cuda:12.4.1-devel-ubuntu22.04")
                                 << QStringLiteral("12.4");
    QTest::newRow("packed") << QStringLiteral("docker://x/y:1.0-cu118") << QStringLiteral("11.8");
    QTest::newRow("month of NGC") << QStringLiteral("docker://nvcr.io/nvidia/pytorch:21.06-py3")
                                  << QStringLiteral("11.3");
    QTest::newRow("TensorFlow") << QStringLiteral("docker://tensorflow/tensorflow:2.15.0-gpu")
                                << QStringLiteral("12.3");
    QTest::newRow("without a minor version")
        << QStringLiteral("docker://tacc/tacc-ml:centos7-cuda10-tf2.4-pt1.7")
        << QStringLiteral("10");
    QTest::newRow("with one, at the end")
        << QStringLiteral("docker://x/y:1.0-cuda11.8") << QStringLiteral("11.8");
    QTest::newRow("TensorFlow 2.11")
        << QStringLiteral("docker://tensorflow/tensorflow:2.11.0-gpu") << QStringLiteral("11.2");
    QTest::newRow("TensorFlow 2.18")
        << QStringLiteral("docker://tensorflow/tensorflow:2.18.0-gpu") << QStringLiteral("12.5");
    QTest::newRow("TensorFlow for CPUs")
        << QStringLiteral("docker://tensorflow/tensorflow:2.18.0") << QString();
    QTest::newRow("a longer number")
        << QStringLiteral("docker://tensorflow/tensorflow:2.180-gpu") << QString();
    QTest::newRow("says nothing") << QStringLiteral("docker://login:5000/demo/python:3.13")
                                  << QString();
    QTest::newRow("unknown month")
        << QStringLiteral("docker://nvcr.io/nvidia/pytorch:99.01-py3") << QString();
    QTest::newRow("file") << QStringLiteral("/scratch/cuda12.4.sif") << QString();
}

void TestLintSite::cuda_isReadFromNames()
{
    QFETCH(QString, image);
    QFETCH(QString, cuda);
    const Result<ImageReference> reference = ImageReference::parse(image);
    QVERIFY(reference.ok());
    const std::optional<CudaVersion> version = imageCuda(*reference);
    QCOMPARE(version ? version->text() : QString(), cuda);
}

void TestLintSite::rule_isReported_data()
{
    QTest::addColumn<QString>("site");
    QTest::addColumn<Values>("settings");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text"); // empty: nothing may be said of the field
    QTest::addColumn<bool>("error");
    const auto row = [](const char* name, const char* site, const Values& settings,
                         const char* field, const char* text, bool error) {
        QTest::newRow(name) << QString::fromUtf8(site) << settings << QString::fromUtf8(field)
                            << QString::fromUtf8(text) << error;
    };
    const auto image = [](const char* name) {
        return Values{{QStringLiteral("image"), QString::fromUtf8(name)},
            {QStringLiteral("gpus"), QStringLiteral("1")}};
    };
    const auto command = [](const char* text, const Values& more = {}) {
        Values values{{QStringLiteral("command"), QString::fromUtf8(text)}};
        values.insert(more);
        return values;
    };
    const Values twoNodes{{QStringLiteral("nodes"), QStringLiteral("2")}};
    row("driver too old", "vermilion",
        image("docker://nvcr.io/nvidia/cuda:12.4.1-base-ubuntu22.04"), "image",
        "supports CUDA up to 11.2", true);
    row("driver a little older", "kestrel",
        image("docker://nvcr.io/nvidia/cuda:12.6.0-base-ubuntu22.04"), "image",
        "newer than the driver's 12.4", false);
    row("driver new enough", "kestrel",
        image("docker://nvcr.io/nvidia/cuda:12.4.1-base-ubuntu22.04"), "image", "", false);
    row("GPU newer than the image", "zih-alpha", image("docker://nvcr.io/nvidia/cuda:10.2-base"),
        "image", "which need CUDA 11.0", true);
    row("H100 and CUDA 11.4", "kestrel", image("docker://nvcr.io/nvidia/pytorch:21.08-py3"),
        "image", "which need CUDA 11.8", true);
    row("A100 and CUDA 10", "ls6", image("docker://tacc/tacc-ml:centos7-cuda10-tf2.4-pt1.7"),
        "image", "CUDA 10 is older than the GPUs", true);
    row("A100 and CUDA 10 at ZIH", "zih-alpha",
        image("docker://tacc/tacc-ml:centos7-cuda10-tf2.4-pt1.7"), "image", "which need CUDA 11.0",
        true);
    row("A100 and some CUDA 11", "ls6",
        image("docker://tacc/tacc-ml:ubuntu20.04-cuda11-tf2.6-pt1.10"), "image", "", false);
    row("H100 and some CUDA 11", "kestrel",
        image("docker://tacc/tacc-ml:ubuntu20.04-cuda11-tf2.6-pt1.10"), "image", "", false);
    row("a tag that moves", "kestrel", image("docker://tensorflow/tensorflow:latest-gpu"), "image",
        "“latest-gpu” can change", false);
    row("a tag that only sounds so", "kestrel", image("docker://x/y:1.0-latestfix"), "image", "",
        false);
    row("an image that the site knows", "frontera-rtx",
        image("docker://tensorflow/tensorflow:2.18.0-gpu"), "image",
        "fails with the driver of Frontera", false);
    row("the one that works there", "frontera-rtx",
        image("docker://tensorflow/tensorflow:2.17.0-gpu"), "image", "", false);
    row("elsewhere it is not known", "ls6", image("docker://tensorflow/tensorflow:2.18.0-gpu"),
        "image", "", false);
    row("driver unknown", "quest", image("docker://tensorflow/tensorflow:2.11.0-gpu"), "image",
        "slipway-probe checks the node", false);
    row("driver unknown, CUDA of another major version", "zih-alpha",
        image("docker://pytorch/pytorch:2.4.1-cuda12.1-cudnn9-runtime"), "image",
        "known to have run there is 11.3", false);
    row("driver unknown, CUDA that was seen", "zih-alpha",
        image("docker://nvcr.io/nvidia/pytorch:21.08-py3"), "image", "", false);
    row("more GPUs than a document shows", "nv-slurm",
        Values{{QStringLiteral("gpus"), QStringLiteral("4")}}, "gpus",
        "the documentation shows at most 2", false);
    row("as many GPUs as it shows", "nv-slurm",
        command("nvidia-smi", {{QStringLiteral("gpus"), QStringLiteral("2")}}), "gpus", "", false);
    row("GPUs where nodes have none", "quest",
        Values{{QStringLiteral("gpus"), QStringLiteral("1")},
            {QStringLiteral("partition"), QStringLiteral("short")}},
        "gpus", "have no GPU", true);
    row("readers beyond the CPUs", "kestrel",
        command("python main.py --nproc_per_node 2 -j 16",
            {{QStringLiteral("gpus"), QStringLiteral("2")},
                {QStringLiteral("cpus"), QStringLiteral("6")}}),
        "command", "starts 32 data-loading workers on 6 CPUs", false);
    row("readers that fit", "kestrel",
        command("python main.py -j6",
            {{QStringLiteral("gpus"), QStringLiteral("1")},
                {QStringLiteral("cpus"), QStringLiteral("6")}}),
        "command", "", false);
    row("a build is no reader", "kestrel", command("make -j 16"), "command", "", false);
    row("Power nodes", "zih-ml", image("docker://nvcr.io/nvidia/pytorch:24.03-py3"), "image",
        "are ppc64le", false);
    row("image for another processor", "kestrel", image("docker://x/y:1-arm64"), "image",
        "a different architecture", false);
    row("image in home", "kestrel", Values{{QStringLiteral("image"), QStringLiteral("~/x.sif")}},
        "image", "home folder", false);
    row("too many CPUs for a GPU", "zih-gpu2",
        Values{{QStringLiteral("gpus"), QStringLiteral("1")},
            {QStringLiteral("cpus"), QStringLiteral("12")}},
        "cpus", "at most 6 CPUs per GPU", true);
    row("more nodes than a job gets", "frontera-rtx",
        Values{{QStringLiteral("nodes"), QStringLiteral("20")}}, "nodes", "at most 16 nodes", true);
    row("module nobody wrote down", "vermilion", image("docker://python:3.13-slim"), "modules",
        "is not known; without it", false);
    row("module given", "vermilion",
        Values{{QStringLiteral("modules"), QStringLiteral("singularity")}}, "modules", "", false);
    row("no container, no module", "vermilion", Values{{QStringLiteral("image"), QString()}},
        "modules", "", false);
    row("interactive partition", "zih-alpha",
        Values{{QStringLiteral("partition"), QStringLiteral("alpha-interactive")}}, "partition",
        "meant for interactive work", false);
    row("a container in a container", "demo", command("apptainer exec x.sif python"), "command",
        "Leave out “", false);
    row("--nv behind the image", "demo", command("apptainer exec x.sif python --nv"), "command",
        "passed to the program", false);
    row("--nv in its place", "demo", command("python x.py"), "command", "", false);
    row("processes and GPUs", "kestrel",
        command(
            "torchrun --nproc_per_node 8 x.py", {{QStringLiteral("gpus"), QStringLiteral("2")}}),
        "command", "starts 8 processes", false);
    row("processes equal GPUs", "kestrel",
        command(
            "torchrun --nproc_per_node=2 x.py", {{QStringLiteral("gpus"), QStringLiteral("2")}}),
        "command", "", false);
    row("fixed port", "demo", command("MASTER_PORT=29500 python x.py"), "command", "EADDRINUSE",
        false);
    row("mpirun on two nodes", "demo", command("mpirun -n 4 x", twoNodes), "command",
        "only this node", false);
    row("pip over NGC", "kestrel",
        command(
            "pip install torch torchvision", image("docker://nvcr.io/nvidia/pytorch:24.03-py3")),
        "command", "replace the PyTorch", false);
    row("pip with constraints", "kestrel",
        command("pip install -c c.txt torch", image("docker://nvcr.io/nvidia/pytorch:24.03-py3")),
        "command", "", false);
    row("not Slurm", "bcp", {}, "", "cannot launch jobs on", true);
    row("archived", "comet", {}, "", "archived", true);
}

void TestLintSite::rule_isReported()
{
    QFETCH(QString, site);
    QFETCH(Values, settings);
    QFETCH(QString, field);
    QFETCH(QString, text);
    QFETCH(bool, error);
    LaunchSpec spec;
    spec.values = settings;
    spec.values.insert(QStringLiteral("account"), QStringLiteral("abc"));
    const Plan plan =
        makePlan(spec, builtInRecipe("run-a-command"), builtInSite(site.toUtf8()), {});
    const auto of = [&](const Problem& problem) {
        return problem.field == field && (text.isEmpty() || problem.text.contains(text));
    };
    const auto found = std::find_if(plan.problems.begin(), plan.problems.end(), of);
    if (text.isEmpty()) {
        QVERIFY2(found == plan.problems.end(), problemsText(plan));
        return;
    }
    QVERIFY2(found != plan.problems.end(), problemsText(plan));
    QCOMPARE(found->severity == Problem::Severity::Error, error);
}

static Recipe parsed(const QByteArray& rest)
{
    const Result<Recipe> recipe = parseRecipe(
        "{\"id\": \"x\", \"title\": \"X\", \"group\": \"G\", \"summary\": \"S\", " + rest + "}",
        QStringLiteral("/tmp/x"));
    if (!recipe.ok())
        qFatal("%s", qPrintable(recipe.error().text()));
    return *recipe;
}

void TestLintSite::builds_whereTheyAreRefused()
{
    const Recipe build =
        parsed(R"("files": ["d"], "steps": [{"id": "b", "title": "B", "kind": "build", )"
               R"("definition": "d", "output": "x.sif"}])");
    Site site = builtInSite("kestrel");
    site.builds = BuildRule::None;
    QVERIFY2(problemsText(makePlan({}, build, site, {}))
                 .contains("error : Kestrel does not let its users build"),
        problemsText(makePlan({}, build, site, {})));
    site.builds = BuildRule::Fakeroot;
    QVERIFY(problemsText(makePlan({}, build, site, {})).contains("does not use --fakeroot"));
    site.runtime = RuntimeKind::Pyxis;
    site.runtimes = {RuntimeKind::Pyxis};
    QVERIFY(
        problemsText(makePlan({}, build, site, {}))
            .contains("error runtime: Kestrel runs containers with pyxis, which cannot do what"));
}

void TestLintSite::fileOfAnotherRuntime_isNamed()
{
    const auto said = [](const char* runtime, const char* image) {
        LaunchSpec spec;
        spec.values = {{QStringLiteral("runtime"), QLatin1String(runtime)},
            {QStringLiteral("image"), QLatin1String(image)}};
        return problemsText(
            makePlan(spec, builtInRecipe("nbody-run"), builtInSite("nv-slurm"), {}));
    };
    for (const char* runtime : {"enroot", "pyxis"}) {
        QVERIFY2(said(runtime, "/scratch/a.sif").contains("by its name, this one is for Apptainer"),
            runtime);
        QVERIFY2(!said(runtime, "/scratch/a.sqsh").contains("by its name"), runtime);
    }
    QVERIFY(said("apptainer", "/scratch/a.sqsh").contains("by its name, this one is for enroot"));
    QVERIFY(!said("apptainer", "/scratch/a.sif").contains("by its name"));
}

void TestLintSite::runtime_isRefusedForWhatItCannotDo()
{
    Site site = builtInSite("kestrel");
    for (const RuntimeKind runtime : {RuntimeKind::Enroot, RuntimeKind::Pyxis}) {
        site.runtime = runtime;
        site.runtimes = {runtime};
        // These need no more than a container, and a bind that may only be read.
        for (const char* recipe : {"pull-image", "bind-and-read-only"}) {
            LaunchSpec spec;
            spec.values.insert(QStringLiteral("account"), QStringLiteral("abc"));
            const Plan plan = makePlan(spec, builtInRecipe(recipe), site, {});
            QVERIFY2(!problemsText(plan).contains(" runtime: "), problemsText(plan));
        }
        const Recipe two = parsed(R"("runtimes": ["apptainer", "singularity"],
            "steps": [{"id": "go", "title": "Go", "command": "x"}])");
        const QByteArray said = problemsText(makePlan({}, two, site, {}));
        QVERIFY2(said.contains("is written for apptainer or singularity.")
                && !said.contains("definition file"),
            said);
        const QByteArray ddp = problemsText(makePlan({}, builtInRecipe("lightning-ddp"), site, {}));
        QVERIFY2(!ddp.contains("is written for"), ddp);
        const QByteArray overlay =
            problemsText(makePlan({}, builtInRecipe("overlay-prototype"), site, {}));
        QVERIFY2(
            overlay.contains("building from a definition file, an overlay or --fakeroot"), overlay);
    }
}

void TestLintSite::mpi_missingPlugin()
{
    const Recipe many = parsed(
        R"("resources": {"nodes": "2"}, "most_nodes": 2, "steps": [{"id": "go", "title": "Go",)"
        R"( "command": "x"}])");
    ClusterInfo info;
    info.mpiPlugins = QStringList{QStringLiteral("none"), QStringLiteral("pmi2")};
    QVERIFY(problemsText(makePlan({}, many, builtInSite("demo"), info))
                .contains("has no MPI plugin “pmix”; available: none, pmi2"));
    info.mpiPlugins << QStringLiteral("pmix");
    QVERIFY(!problemsText(makePlan({}, many, builtInSite("demo"), info)).contains("MPI plugin"));
}

void TestLintSite::mpi_missingHookOfEnroot()
{
    const auto said = [](RuntimeKind runtime, std::optional<bool> hook, const char* nodes) {
        Site site = builtInSite("demo");
        site.runtime = runtime;
        site.runtimes = {runtime};
        site.enrootMpiHook = hook;
        LaunchSpec spec;
        spec.values.insert(QStringLiteral("nodes"), QLatin1String(nodes));
        return problemsText(makePlan(spec, builtInRecipe("pi-nodes"), site, {}));
    };
    QVERIFY2(said(RuntimeKind::Enroot, false, "2").contains("each rank would compute alone"),
        said(RuntimeKind::Enroot, false, "2"));
    QVERIFY2(said(RuntimeKind::Pyxis, false, "2").contains("warning runtime: "),
        said(RuntimeKind::Pyxis, false, "2"));
    for (const QByteArray& text :
        {said(RuntimeKind::Enroot, false, "1"), said(RuntimeKind::Enroot, true, "2"),
            said(RuntimeKind::Enroot, {}, "2"), said(RuntimeKind::Apptainer, false, "2")})
        QVERIFY2(!text.contains("50-slurm-pmi"), text);
}

void TestLintSite::mpi_pmi2DoesNotReachEnroot()
{
    const auto plan = [](const char* runtime, const char* recipe) {
        LaunchSpec spec;
        spec.values.insert(QStringLiteral("runtime"), QLatin1String(runtime));
        return makePlan(spec, builtInRecipe(recipe), builtInSite("nv-slurm"), {});
    };
    const Plan enroot = plan("enroot", "nccl-two-nodes");
    const auto found = std::find_if(enroot.problems.begin(), enroot.problems.end(),
        [](const Problem& problem) { return problem.text.contains(u"--mpi=pmi2"); });
    QVERIFY2(found != enroot.problems.end(), problemsText(enroot));
    QCOMPARE(found->field, QStringLiteral("runtime"));
    const bool pyxis = offeredRuntimes(enroot.recipe, enroot.site).size() > 2;
    QCOMPARE(found->fixValue, pyxis ? std::optional(QStringLiteral("pyxis")) : std::nullopt);
    for (const Plan& other : {plan("apptainer", "nccl-two-nodes"), plan("enroot", "pytorch-ddp")})
        QVERIFY2(!problemsText(other).contains("pmi2"), problemsText(other));
}

void TestLintSite::cache_inHomeHasAWayOut()
{
    Site site = builtInSite("kestrel");
    site.cache.clear();
    LaunchSpec spec;
    for (const QString& scratch : {QString(), QStringLiteral("/scratch/$USER")}) {
        site.scratch = scratch;
        spec.values = {{QStringLiteral("account"), QStringLiteral("a")},
            {QStringLiteral("cache"), QStringLiteral("$HOME/slipway/cache")}};
        const auto about = [](const Plan& plan) {
            std::optional<Problem> found;
            for (const Problem& problem : plan.problems) {
                if (problem.field == u"cache")
                    found = problem;
            }
            return found;
        };
        const auto found = about(makePlan(spec, builtInRecipe("matmul-scaling"), site, {}));
        QVERIFY(found && found->fixValue);
        spec.values.insert(QStringLiteral("cache"), *found->fixValue);
        QVERIFY(!about(makePlan(spec, builtInRecipe("matmul-scaling"), site, {})));
    }
}

void TestLintSite::binds_withAColon()
{
    const Recipe bound = parsed(
        R"("parameters": [{"key": "data", "label": "Data", "type": "path", "value": "/a:b"}], )"
        R"("steps": [{"id": "go", "title": "Go", "command": "x", )"
        R"("binds": [{"source": "{data}"}]}])");
    QVERIFY2(problemsText(makePlan({}, bound, builtInSite("demo"), {})).contains("cannot be bound"),
        problemsText(makePlan({}, bound, builtInSite("demo"), {})));
    LaunchSpec empty;
    empty.values = {{QStringLiteral("data"), QString()}};
    const QByteArray said = problemsText(makePlan(empty, bound, builtInSite("demo"), {}));
    QVERIFY2(!said.contains("cannot be bound"), said);
}

void TestLintSite::rules_betweenFields()
{
    const Recipe ruled =
        parsed(R"("parameters": [{"key": "bodies", "label": "Bodies", "type": "integer", )"
               R"("value": "1000"}], "resources": {"gpus": "2", "tasks_per_node": "1"},
        "rules": [{"field": "tasks_per_node", "equals": "gpus", "why": "One task a GPU."}, )"
               R"({"field": "bodies", "multiple_of": 256, "why": "It is rounded up."}],
        "steps": [{"id": "go", "title": "Go", "nv": true, "command": "x"}])");
    const Plan plan = makePlan({}, ruled, builtInSite("kestrel"), {});
    for (const auto& [field, value] : {std::pair{"tasks_per_node", "2"}, {"bodies", "1024"}}) {
        const auto found = std::find_if(plan.problems.begin(), plan.problems.end(),
            [&](const Problem& problem) { return problem.field == QLatin1String(field); });
        QVERIFY2(found != plan.problems.end(), problemsText(plan));
        QCOMPARE(found->fixValue, std::optional(QString::fromLatin1(value)));
    }
    const Recipe readers =
        parsed(R"("parameters": [{"key": "workers", "label": "Readers", "type": "integer", )"
               R"("value": "6"}], "resources": {"gpus": "2", "cpus": "8"},
        "rules": [{"field": "workers", "at_most": "cpus", "times": "gpus", )"
               R"("why": "The readers are more than the CPUs."}], "steps": [{"id": "go", )"
               R"("title": "Go", "nv": true, "command": "x"}])");
    const auto mendedReaders = [&](const Values& values) {
        LaunchSpec spec;
        spec.values = values;
        for (const Problem& problem :
            makePlan(spec, readers, builtInSite("kestrel"), {}).problems) {
            if (problem.field == u"workers")
                return problem.fixValue.value_or(QString());
        }
        return QString();
    };
    QCOMPARE(mendedReaders({}), QStringLiteral("4"));
    QCOMPARE(mendedReaders({{QStringLiteral("gpus"), QStringLiteral("1")}}), QString());
    QCOMPARE(mendedReaders({{QStringLiteral("tasks_per_node"), QStringLiteral("2")}}), QString());
    LaunchSpec right;
    right.values = {{QStringLiteral("tasks_per_node"), QStringLiteral("2")},
        {QStringLiteral("bodies"), QStringLiteral("1024")}};
    const QByteArray said = problemsText(makePlan(right, ruled, builtInSite("kestrel"), {}));
    QVERIFY2(!said.contains("One task a GPU") && !said.contains("rounded"), said);
}

void TestLintSite::gpus_ofUnknownNumberForbidNothing()
{
    const auto planned = [](const Site& site, const char* gpus) {
        LaunchSpec spec;
        spec.values = {{QStringLiteral("gpus"), QLatin1String(gpus)},
            {QStringLiteral("partition"), site.partitions.front().name},
            {QStringLiteral("account"), QStringLiteral("abc")},
            {QStringLiteral("cache"), QStringLiteral("/projects/abc/cache")}};
        return makePlan(spec, builtInRecipe("gpu-in-container"), site, {});
    };
    for (const char* id : {"nv-slurm", "quest"}) {
        const Plan plan = planned(builtInSite(id), "4");
        QVERIFY2(
            !plan.hasErrors() && problemsText(plan).contains("warning gpus: The number of GPUs"),
            problemsText(plan));
        QVERIFY2(!renderScript(plan).contains("of the node's 2"),
            "a number that is not known stands in the script");
    }
    Site silent = builtInSite("kestrel");
    silent.partitions.front().gpusPerNode = 0;
    silent.partitions.front().gpusKnown = false;
    QVERIFY2(!planned(silent, "1").hasErrors(), problemsText(planned(silent, "1")));
    silent.partitions.front().gpusKnown = true;
    QVERIFY2(planned(silent, "1").hasErrors(), problemsText(planned(silent, "1")));
}

SLIPWAY_TEST(TestLintSite, plan_lintsite)
#include "tst_lintsite.moc"
