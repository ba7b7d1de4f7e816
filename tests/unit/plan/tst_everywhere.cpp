// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/imagefacts.h"
#include "app/plan/planfacts.h"
#include "app/plan/stepimages.h"
#include "plots/metrics/csv.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/summary.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <functional>

using namespace slipway;

/// Every recipe at every site where it belongs, by every runtime that both know: whether that
/// cluster has what the script asks for, as far as the site file tells. What is rendered byte by
/// byte is held elsewhere.
class TestEverywhere : public QObject {
    Q_OBJECT

private slots:
    void jobWithoutGpu_avoidsGpus();
    void share_fitsTheNode();
    void images_runOnTheGpus();
    void images_holdWhatTheStepsStart();
    void mpi_isTheClusters();
    void wholeNodes_areAskedForAsWholes();
    void runtimes_getTheirOwnOptions();
    void references_sayHowTheyWereMeasured();
    void references_ofAnotherMeasurementSaySo();
};

namespace {

using Look = std::function<QString(const Plan& plan, const QString& script)>;

/// Nothing but a program's own files and a shell, by what their makers publish: no Python.
bool isKnownBare(const ImageReference& image)
{
    static const QStringList bases{
        QStringLiteral("nvidia/cuda"), QStringLiteral("ubuntu"), QStringLiteral("debian")};
    const bool ofTacc =
        image.repository.startsWith(u"tacc/tacc-") && image.repository != u"tacc/tacc-ml";
    return ofTacc || bases.contains(image.repository);
}

SitePartition partitionOf(const Plan& plan)
{
    return partitionFacts(plan.job.partition, plan.site, {}).partition;
}

/// What is wrong with a combination, a line each; empty: nothing.
QByteArray problemsOf(const Look& look)
{
    QStringList all;
    for (const Recipe& recipe : builtInResources().recipes) {
        for (const Site& known : builtInResources().sites) {
            if (!known.launchable() || !recipeBelongs(recipe, known))
                continue;
            for (RuntimeKind runtime : offeredRuntimes(recipe, known)) {
                LaunchSpec spec;
                spec.recipeId = recipe.id;
                spec.siteId = known.id;
                if (offeredRuntimes(recipe, known).size() > 1)
                    spec.values.insert(QStringLiteral("runtime"), runtimeName(runtime));
                if (known.account == AccountRule::Required)
                    spec.values.insert(QStringLiteral("account"), QStringLiteral("csc000"));
                const Plan plan = makePlan(spec, recipe, known, {});
                const QString said = look(plan, QString::fromUtf8(renderScript(plan)));
                if (!said.isEmpty())
                    all << recipe.id + u" at " + known.id + u" with " + runtimeName(runtime) + u": "
                            + said;
            }
        }
    }
    return all.join(u'\n').toUtf8();
}

#define EVERYWHERE(...)                                                                            \
    do {                                                                                           \
        const QByteArray said = problemsOf(__VA_ARGS__);                                           \
        QVERIFY2(said.isEmpty(), said);                                                            \
    } while (false)

} // namespace

void TestEverywhere::jobWithoutGpu_avoidsGpus()
{
    EVERYWHERE([](const Plan& plan, const QString&) {
        const bool wants = plan.job.gpus > 0
            || plan.recipe.resources.value(QStringLiteral("gpus")).toInt() > 0
            || std::any_of(plan.recipe.lanes.begin(), plan.recipe.lanes.end(),
                [](const Lane& lane) { return lane.needsGpu; });
        if (wants || !plan.site.gpusAreReal.value_or(true) || partitionOf(plan).gpusPerNode == 0)
            return QString();
        for (const SitePartition& other : plan.site.partitions) {
            if (other.gpusKnown && other.gpusPerNode == 0
                && other.purpose != PartitionPurpose::Interactive)
                return QString(u"no GPU is asked for in " + plan.job.partition + u", and there is "
                    + other.name);
        }
        return QString();
    });
}

void TestEverywhere::share_fitsTheNode()
{
    EVERYWHERE([](const Plan& plan, const QString&) {
        const SitePartition there = partitionOf(plan);
        const int cpus = plan.job.cpusPerTask * plan.job.tasksPerNode;
        if (there.cpusPerNode > 0 && cpus > there.cpusPerNode)
            return QStringLiteral("%1 CPUs of %2").arg(cpus).arg(there.cpusPerNode);
        if (there.cpusPerGpu > 0 && plan.job.gpus > 0 && cpus > there.cpusPerGpu * plan.job.gpus)
            return QStringLiteral("%1 CPUs for %2 GPUs").arg(cpus).arg(plan.job.gpus);
        if (there.gpusKnown && !there.gpusAtLeast && plan.job.gpus > there.gpusPerNode)
            return QStringLiteral("%1 GPUs of %2").arg(plan.job.gpus).arg(there.gpusPerNode);
        if (plan.job.memory && there.memoryPerNode.mebibytes() > 0
            && *plan.job.memory > there.memoryPerNode)
            return QString(
                plan.job.memory->slurmText() + u" of " + there.memoryPerNode.slurmText());
        const int most = there.mostNodes > 0 ? there.mostNodes : there.nodes;
        return most > 0 && plan.job.nodes > most
            ? QStringLiteral("%1 nodes of %2").arg(plan.job.nodes).arg(most)
            : QString();
    });
}

void TestEverywhere::images_runOnTheGpus()
{
    EVERYWHERE([](const Plan& plan, const QString&) {
        if (!jobHasGpu(plan, {}) || !plan.site.gpusAreReal.value_or(true))
            return QString();
        const SitePartition there = partitionOf(plan);
        const auto driver = CudaVersion::parse(there.cuda.isEmpty() ? plan.site.cuda : there.cuda);
        const auto seen = CudaVersion::parse(plan.site.cudaSeen),
                   first = firstCudaFor(there.computeCapability);
        for (const PlanImage& image : planImages(plan)) {
            const auto inside = image.reference ? imageCuda(*image.reference) : std::nullopt;
            if (!inside)
                continue;
            if (first && inside->isSurelyOlder(*first))
                return QString(image.reference->text() + u" is older than the GPUs");
            if (driver && inside->major > driver->major)
                return QString(image.reference->text() + u" wants a newer driver");
            // Unknown facts are reported as such.
            const bool known =
                driver || !plan.site.driver.isEmpty() || (seen && inside->major <= seen->major);
            if (!known && !problemsText(plan).contains("slipway-probe checks the node"))
                return QString(u"nothing is said of the driver and " + image.reference->text());
        }
        return QString();
    });
}

void TestEverywhere::images_holdWhatTheStepsStart()
{
    EVERYWHERE([](const Plan& plan, const QString&) {
        for (const RecipeStep& step : plan.recipe.steps) {
            const auto image =
                step.kind == RecipeStep::Kind::Exec ? stepImage(plan, step) : std::nullopt;
            if (image && image->reference && isKnownBare(*image->reference)
                && step.command.startsWith(u"python"))
                return QString(
                    step.id + u" wants Python, and " + image->reference->text() + u" has none");
        }
        return QString();
    });
}

void TestEverywhere::mpi_isTheClusters()
{
    EVERYWHERE([](const Plan& plan, const QString& script) {
        const bool srun = plan.site.launcher == LauncherKind::Srun;
        if (!srun && script.contains(u"--mpi="))
            return QStringLiteral("--mpi= belongs to srun");
        // One process per node is not an MPI program: ibrun has no way to say that.
        const bool nodes = std::any_of(plan.recipe.steps.begin(), plan.recipe.steps.end(),
            [](const RecipeStep& step) { return step.start == RecipeStep::Start::Nodes; });
        if (plan.site.launcher == LauncherKind::Ibrun && !nodes
            && script.contains(QRegularExpression(
                QStringLiteral("^\\s*srun "), QRegularExpression::MultilineOption)))
            return QStringLiteral("srun where ibrun starts the tasks");
        for (const RecipeStep& step : plan.recipe.steps) {
            const QString mpi = step.mpi.isEmpty() ? plan.site.mpi : step.mpi;
            if (srun && step.ranks && !mpi.isEmpty() && plan.job.nodes * plan.job.tasksPerNode > 1
                && !script.contains(u"--mpi=" + mpi))
                return QString(step.id + u" has ranks and no --mpi=" + mpi);
            const auto image = stepImage(plan, step);
            const bool intel =
                image && image->reference && image->reference->text().contains(u"impi");
            if (intel && step.ranks && !step.runScript)
                return QString(step.id + u" starts Intel MPI past the image's run script");
        }
        return QString();
    });
}

void TestEverywhere::wholeNodes_areAskedForAsWholes()
{
    EVERYWHERE([](const Plan& plan, const QString& script) {
        static const QRegularExpression part(
            QStringLiteral("^#SBATCH --(gres|gpus|cpus-per-task|mem)\\b.*"),
            QRegularExpression::MultilineOption);
        const auto found = part.match(script);
        return plan.site.gpuRequest == GpuRequestStyle::WholeNode ? found.captured(0) : QString();
    });
}

void TestEverywhere::runtimes_getTheirOwnOptions()
{
    EVERYWHERE([](const Plan& plan, const QString& script) {
        static const QRegularExpression ofApptainer(
            QStringLiteral("^(?!\\s*#|begin ).*\\s(--nv|--fakeroot|--overlay|--no-home)\\b"),
            QRegularExpression::MultilineOption);
        static const QRegularExpression start(
            QStringLiteral("^(?!\\s*#).*\\b(apptainer|singularity) (exec|run|pull|build)\\b"),
            QRegularExpression::MultilineOption);
        const bool sif = plan.site.runtime == RuntimeKind::Apptainer
            || plan.site.runtime == RuntimeKind::Singularity;
        const auto option = sif ? QRegularExpressionMatch() : ofApptainer.match(script);
        if (option.hasMatch())
            return option.captured(0).trimmed();
        const auto started = start.match(script);
        return started.hasMatch() && started.captured(1) != runtimeName(plan.site.runtime)
            ? started.captured(0).trimmed()
            : QString();
    });
}

void TestEverywhere::references_sayHowTheyWereMeasured()
{
    for (const Recipe& recipe : builtInResources().recipes) {
        for (const ChartSpec& chart : recipe.charts) {
            for (const ReferenceSeries& reference : chart.references)
                QVERIFY2(!reference.conditions.isEmpty(),
                    qPrintable(recipe.id + u": " + reference.label));
        }
    }
}

void TestEverywhere::references_ofAnotherMeasurementSaySo()
{
    for (const char* id : {"matmul-scaling", "gpu-cpu-race"}) {
        const Recipe recipe = builtInRecipe(id);
        const ChartSpec& chart = recipe.charts.front();
        const QString all = chartSummary(chart, SeriesStore());
        QVERIFY2(all.contains(
                     u"Frontera rtx, CPU (not comparable: 88 GFLOP/s is near the peak of one core"),
            qPrintable(all));
        QVERIFY2(all.contains(u"Frontera rtx, Quadro RTX 5000 (TACC, MPI and GPU Containers; FP32"),
            qPrintable(all));
        QVERIFY(toCsv(SeriesStore(), chart).contains("not comparable: 88 GFLOP/s"));
    }
}

SLIPWAY_TEST(TestEverywhere, plan_everywhere)
#include "tst_everywhere.moc"
