// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/surveying.h"
#include "remote/shell/localshell.h"
#include "settled.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "tests/unit/cluster/captured.h"
#include "tests/unit/slurm/mutations.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

Q_DECLARE_METATYPE(std::optional<GpuRequestStyle>)

/// What a login node reports about an unknown cluster: real answers, strange ones, broken
/// ones.
class TestSurvey : public QObject {
    Q_OBJECT

private slots:
    void gpuRequest_isSaidOnlyWhenItIsKnown_data();
    void gpuRequest_isSaidOnlyWhenItIsKnown();
    void config_isReadWhole();
    void limits_areRead();
    void architectures_areRead();
    void runtimes_areRead();
    void modules_areFoundInAnyTree();
    void scratch_isOnlyWhatWasAskedFor();
    void quotas_areReadFromBothTools();
    void scripts_runInARealShell();
    void brokenAnswers_leaveThingsUnknown();
};

namespace {

const QByteArray nonce = "0123456789abcdef0123456789abcdef";

QByteArray answer(const QByteArray& name, const QByteArray& out, int code = 0)
{
    return "\036SLPS " + nonce + ' ' + name + '\n' + out + "\n\036SLPT " + nonce + ' ' + name + ' '
        + QByteArray::number(code) + '\n';
}

const QByteArray modulesOfLmod =
    "/apps/modulefiles/Core:\napptainer/\napptainer/1.1.9\napptainer/1.4.1(default)\n"
    "gcc/12.2.0\ncontainers/singularity-ce/4.1.0 (D)\n";
const QByteArray quotaOfNfs =
    "Disk quotas for user ada (uid 1000): \n"
    "     Filesystem   space   quota   limit   grace   files   quota   limit   grace\n"
    "files.example.org:/export/home/with/a/long/name\n"
    "                  41G*    40G     50G   6days   1234k       0       0        \n"
    "      /dev/sda1   120K      0K      0K              12       0       0        \n";
const QByteArray quotaOfLustre =
    "Disk quotas for usr ada (uid 1000):\n"
    "     Filesystem    used   quota   limit   grace   files   quota   limit   grace\n"
    "       /scratch  1.5T      0k     12T       -   12345       0       0       -\n";

} // namespace

void TestSurvey::gpuRequest_isSaidOnlyWhenItIsKnown_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<int>("style"); // -1: unknown
    QTest::addColumn<QString>("why");
    QTest::newRow("real, gpu counted") << captured("config.txt") << int(GpuRequestStyle::Gres)
                                       << QStringLiteral("GresTypes has gpu");
    QTest::newRow("whole nodes") << QByteArray(
        "SelectType              = select/linear\nGresTypes               = (null)\n")
                                 << int(GpuRequestStyle::WholeNode)
                                 << QStringLiteral("select/linear");
    QTest::newRow("nothing counted") << QByteArray(
        "SelectType              = select/cons_tres\nGresTypes               = craynetwork\n")
                                     << -1 << QStringLiteral("counts none");
    QTest::newRow("no answer") << QByteArray() << -1 << QStringLiteral("did not report");
    QTest::newRow("several types")
        << QByteArray("SelectType = select/cons_res\nGresTypes = shard, gpu")
        << int(GpuRequestStyle::Gres) << QStringLiteral("--gres=gpu:N");
    QTest::newRow("another word with gpu in it")
        << QByteArray("SelectType = select/cons_res\nGresTypes = gpu_mem") << -1
        << QStringLiteral("counts none");
}

void TestSurvey::gpuRequest_isSaidOnlyWhenItIsKnown()
{
    QFETCH(QByteArray, config);
    QFETCH(int, style);
    QFETCH(QString, why);
    const GpuRequestFinding finding = gpuRequestOf(parseSchedulerConfig(config));
    QCOMPARE(finding.style ? int(*finding.style) : -1, style);
    QVERIFY2(finding.why.contains(why), qPrintable(finding.why));
}

void TestSurvey::config_isReadWhole()
{
    const SchedulerConfig real = parseSchedulerConfig(captured("config.txt"));
    QCOMPARE(real.selectType, QStringLiteral("select/cons_tres"));
    QCOMPARE(real.memoryPerCpu, MemorySize(9039));
    QVERIFY(real.mpiDefault.isEmpty() && !real.interactiveStep);
    const SchedulerConfig other =
        parseSchedulerConfig("MpiDefault = pmix\nLaunchParameters = "
                             "enable_nss_slurm,use_interactive_step\nDefMemPerCPU = UNLIMITED\n");
    QCOMPARE(other.mpiDefault, QStringLiteral("pmix"));
    QVERIFY(other.interactiveStep);
    QCOMPARE(other.memoryPerCpu, MemorySize());
    QVERIFY(parseSchedulerConfig("MpiDefault = none").mpiDefault.isEmpty());
}

void TestSurvey::limits_areRead()
{
    const auto limits =
        parsePartitionLimits("PartitionName=rtx AllowGroups=ALL Default=YES QoS=N/A MaxNodes=16 "
                             "MaxTime=2-00:00:00 MinNodes=0 DefMemPerCPU=1000\n"
                             "PartitionName=cpu MaxNodes=UNLIMITED DefMemPerNode=UNLIMITED\n"
                             "PartitionName=cpu MaxNodes=1\n"
                             "PartitionName=$(id) MaxNodes=1\n"
                             "No partitions in the system\nMaxNodes=3 PartitionName=x\n");
    QCOMPARE(limits.size(), std::size_t(2));
    QCOMPARE(limits[0].name, QStringLiteral("rtx"));
    QCOMPARE(limits[0].mostNodes, 16);
    QCOMPARE(limits[0].memoryPerCpu, MemorySize(1000));
    QCOMPARE(limits[1].mostNodes, 0);
    QVERIFY(parsePartitionLimits("PartitionName=a MaxNodes=-3 DefMemPerCPU=99999999999999999999")
                .front()
                .mostNodes
        == 0);
}

void TestSurvey::architectures_areRead()
{
    QCOMPARE(parseArchitectures("    120 x86_64\n      2 aarch64\n"),
        (QStringList{QStringLiteral("x86_64"), QStringLiteral("aarch64")}));
    QCOMPARE(parseArchitectures("x86_64"), QStringList{QStringLiteral("x86_64")});
    QVERIFY(parseArchitectures("slurm_load_node error: x\n\n12\n1 x y\n").isEmpty());
}

void TestSurvey::runtimes_areRead()
{
    const auto found = parseRuntimes(
        "apptainer|apptainer version 1.4.5\nenroot|3.4.1\nenroot|again\ndocker|1\nsingularity\n");
    QCOMPARE(found.size(), std::size_t(3));
    QCOMPARE(found[0].version, QStringLiteral("apptainer version 1.4.5"));
    QCOMPARE(found[1].version, QStringLiteral("3.4.1"));
    QVERIFY(found[2].version.isEmpty());
    QVERIFY(parseRuntimes("apptainer|\x1b[2Jx").empty());
}

void TestSurvey::modules_areFoundInAnyTree()
{
    const QStringList modules = parseRuntimeModules(modulesOfLmod);
    QCOMPARE(modules,
        (QStringList{QStringLiteral("apptainer"), QStringLiteral("apptainer/1.1.9"),
            QStringLiteral("apptainer/1.4.1"), QStringLiteral("containers/singularity-ce/4.1.0")}));
    QCOMPARE(runtimeModule(modules, QStringLiteral("apptainer")), QStringLiteral("apptainer"));
    QCOMPARE(runtimeModule(modules, QStringLiteral("singularity")),
        QStringLiteral("containers/singularity-ce"));
    QVERIFY(runtimeModule(modules, QStringLiteral("enroot")).isEmpty());
    QCOMPARE(runtimeModule({QStringLiteral("tacc-apptainer/1.3.3")}, QStringLiteral("apptainer")),
        QStringLiteral("tacc-apptainer"));
    QVERIFY(parseRuntimeModules(
        "apptainer; rm -rf /\n$(apptainer)\n/apptainer/x:\napptainerish/1\nsingularity images/1\n")
                .isEmpty());
}

void TestSurvey::scratch_isOnlyWhatWasAskedFor()
{
    const auto found = parseScratch(
        "$SCRATCH\twritable\t/scratch/ada\n$SCRATCH\twritable\t/evil\n$EVIL\twritable\t/x\n"
        "/scratch/$USER\tfolder\t/scratch/ada\n$WORK\twritable\trelative\n/work/$USER\tabsent\t/"
        "work/ada\nnoise");
    QCOMPARE(found.size(), std::size_t(3));
    QCOMPARE(found[0].path, QStringLiteral("/scratch/ada"));
    QVERIFY(found[0].exists && found[0].writable);
    QVERIFY(found[1].exists && !found[1].writable);
    QVERIFY(!found[2].exists);
}

void TestSurvey::quotas_areReadFromBothTools()
{
    const auto found = parseQuotas(quotaOfNfs + quotaOfLustre);
    QCOMPARE(found.size(), std::size_t(3));
    QCOMPARE(found[0].where, QStringLiteral("files.example.org:/export/home/with/a/long/name"));
    QCOMPARE(found[0].used, QStringLiteral("41G*"));
    QCOMPARE(found[0].limit, QStringLiteral("40G"));
    QVERIFY(found[1].limit.isEmpty());
    QCOMPARE(found[2].where, QStringLiteral("/scratch"));
    QCOMPARE(found[2].limit, QStringLiteral("12T"));
    QVERIFY(parseQuotas("Disk quotas for user ada (uid 1000): none\n").empty());
    QVERIFY(parseQuotas("/home 1G 2G 3G\n").empty()); // no table was announced
}

/// The scripts themselves, in a real shell with programs of our own before all others.
void TestSurvey::scripts_runInARealShell()
{
    QTemporaryDir folder;
    const auto program = [&](const char* name, const QByteArray& text) {
        QFile file(folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    program("scontrol",
        "case \"$*\" in\n*config*) echo 'SelectType = select/linear';;\n*partition*) echo "
        "'PartitionName=rtx MaxNodes=16';;\n"
        "*nodes*) echo 'NodeName=a Arch=x86_64 CoresPerSocket=1'; echo 'NodeName=b Arch=x86_64 "
        "Comment=Arch=evil x';;\nesac\n");
    program("srun", "echo '      --container-image=IMAGE    [pyxis] the image'\n");
    program("apptainer", "echo 'apptainer version 1.4.5'\n");
    program("enroot", "echo 4.1.2\n");
    program("idev", "exit 0\n");
    program("quota", "cat <<'END'\n" + quotaOfNfs + "END\n");
    const QString home = folder.filePath(QStringLiteral("home"));
    QVERIFY(QDir().mkpath(home + QStringLiteral("/scratch")));
    // A hook that says nothing of MPI, and one that does and may not be started.
    QVERIFY(QDir().mkpath(home + QStringLiteral("/.config/enroot/hooks.d")));
    const auto hook = [&](const char* name, const QByteArray& text, bool executable) {
        QFile file(home + QStringLiteral("/.config/enroot/hooks.d/") + QLatin1String(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/bash\n" + text);
        QVERIFY(
            file.setPermissions(executable ? QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
                                           : QFile::ReadOwner | QFile::WriteOwner));
    };
    hook("10-home.sh", "echo home\n", true);
    hook("50-slurm-pmi.sh", "compgen -e PMIX_\n", false);
    QFile profile(home + QStringLiteral("/.bash_profile"));
    QVERIFY(profile.open(QIODevice::WriteOnly));
    profile.write("echo a noisy start\nexport PATH='" + QFile::encodeName(folder.path())
        + "':$PATH SCRATCH=\"$HOME/scratch\" LOCAL_SCRATCH='/no such place'\n"
          "module() { printf 'apptainer/1.4.1\\ngcc/12\\n' >&2; }\nexport -f module\n");
    profile.close();
    auto side = std::make_shared<SlurmContext>();
    side->shell = std::make_shared<LocalShell>();
    side->budget = std::make_shared<RpcBudget>();
    side->preamble = "PATH='" + QFile::encodeName(folder.path()) + "':$PATH; export PATH\nHOME='"
        + QFile::encodeName(home)
        + "'; export HOME\n"
          "unset XDG_CONFIG_HOME ENROOT_CONFIG_PATH; export ENROOT_SYSCONF_PATH=\"$HOME/etc\"\n";
    ClusterSurvey survey;
    for (const SurveyPart part :
        {SurveyPart::Limits, SurveyPart::Containers, SurveyPart::Storage}) {
        const auto asked = settled(surveyCluster(side, part, survey));
        QVERIFY2(asked.ok(), asked.ok() ? "" : qPrintable(asked.error().text()));
        survey = *asked;
    }
    QCOMPARE(survey.config.selectType, QStringLiteral("select/linear"));
    QCOMPARE(survey.limits.size(), std::size_t(1));
    QCOMPARE(survey.architectures, QStringList{QStringLiteral("x86_64")});
    QVERIFY(!survey.runtimes.empty());
    QCOMPARE(survey.runtimes.front().version, QStringLiteral("apptainer version 1.4.5"));
    QVERIFY(survey.hasModules);
    QCOMPARE(survey.modules, QStringList{QStringLiteral("apptainer/1.4.1")});
    QCOMPARE(survey.pyxis, std::optional(true));
    QVERIFY(survey.tools.contains(u"idev") && !survey.tools.contains(u"ibrun"));
    QVERIFY(survey.subordinateIds.has_value());
    QCOMPARE(survey.scratch.front().expression, QStringLiteral("$SCRATCH"));
    QVERIFY(survey.scratch.front().writable);
    QCOMPARE(survey.scratch.front().path, home + QStringLiteral("/scratch"));
    QCOMPARE(survey.quotas.size(), std::size_t(2));
    QCOMPARE(survey.enrootMpiHook, std::optional(false));
    hook("50-slurm-pmi.sh", "compgen -e PMIX_\n", true);
    const auto again = settled(surveyCluster(side, SurveyPart::Containers, survey));
    QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(again.error().text()));
    QCOMPARE(again->enrootMpiHook, std::optional(true));
}

void TestSurvey::brokenAnswers_leaveThingsUnknown()
{
    const Sections sections(nonce);
    const QByteArray limits = answer("config", captured("config.txt"))
        + answer("limits", "PartitionName=gpu MaxNodes=2 DefMemPerCPU=1024\n")
        + answer("architectures", "2 x86_64\n");
    const QByteArray containers = answer("runtimes", "apptainer|apptainer version 1.4.5\n")
        + answer("modules", modulesOfLmod) + answer("ids", "yes\n") + answer("spaces", "no\n")
        + answer("tools", "ibrun\n") + answer("mpihook", {}, 3) + answer("pyxis", "no\n");
    const QByteArray storage = answer("folders", "$SCRATCH\twritable\t/scratch/ada\n")
        + answer("quotas", quotaOfNfs + quotaOfLustre);
    ClusterSurvey nothing;
    for (const SurveyPart part : {SurveyPart::Limits, SurveyPart::Containers, SurveyPart::Storage})
        addSurvey(part, "bash: module: command not found\n", sections, &nothing);
    QVERIFY(!nothing.pyxis && !nothing.userNamespaces && !nothing.hasModules
        && nothing.scratch.empty());
    ClusterSurvey whole;
    addSurvey(SurveyPart::Containers, containers, sections, &whole);
    QCOMPARE(whole.userNamespaces, std::optional(false));
    QCOMPARE(whole.subordinateIds, std::optional(true));
    QCOMPARE(whole.tools, QStringList{QStringLiteral("ibrun")});
    QVERIFY(!whole.enrootMpiHook); // there is no enroot
    Mutations mutations(20261121);
    const auto plain = [](const QString& text) {
        return std::none_of(
            text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; });
    };
    for (int i = 0; i < 3000; ++i) {
        ClusterSurvey survey;
        addSurvey(SurveyPart::Limits, mutations.of(limits), sections, &survey);
        addSurvey(SurveyPart::Containers, mutations.of(containers), sections, &survey);
        addSurvey(SurveyPart::Storage, mutations.of(storage), sections, &survey);
        for (const PartitionLimits& one : survey.limits)
            QVERIFY(plain(one.name) && one.mostNodes >= 0 && one.memoryPerCpu.mebibytes() >= 0);
        for (const QString& module : survey.modules)
            QVERIFY(plain(module) && !module.contains(u' '));
        for (const FoundRuntime& runtime : survey.runtimes)
            QVERIFY(plain(runtime.version));
        for (const ScratchFolder& one : survey.scratch)
            QVERIFY(plain(one.path) && scratchExpressions().contains(one.expression));
        for (const QuotaLine& one : survey.quotas)
            QVERIFY(plain(one.where) && plain(one.limit));
    }
}

SLIPWAY_TEST(TestSurvey, cluster_survey)
#include "tst_survey.moc"
