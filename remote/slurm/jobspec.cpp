// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/jobspec.h"

#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

/// A field of an #SBATCH line: the allowed characters, and the error otherwise. The lists are
/// stricter than Slurm, which accepts any bytes: a newline would begin a new line, a space another
/// option.
struct FieldRule {
    const char* option;
    const char* name;
    const char* allowed; ///< the inside of a character class
    int longest;
    const char* remedy;
};

constexpr FieldRule nameRule{"--job-name=", "job name", "A-Za-z0-9._-", 64,
    "Use letters, digits, dots, dashes and underscores, at most 64."};
constexpr FieldRule accountRule{"--account=", "account", "A-Za-z0-9._@+-", 128,
    "An account is one word, as “sacctmgr show associations” prints it."};
constexpr FieldRule partitionRule{"--partition=", "partition", "A-Za-z0-9._,-", 256,
    "A partition is one word, as sinfo prints it; several are separated by commas."};
constexpr FieldRule qosRule{"--qos=", "QOS", "A-Za-z0-9._+-", 128, "A QOS is one word."};
constexpr FieldRule reservationRule{"--reservation=", "reservation", "A-Za-z0-9._:@+=,-", 256,
    "A reservation is one word, as “scontrol show reservation” prints it."};
constexpr FieldRule constraintRule{"--constraint=", "constraint", "A-Za-z0-9._&|()\\[\\]*,:=-", 256,
    "Write feature names joined by & or |, without spaces."};
constexpr FieldRule gpuTypeRule{"", "GPU type", "A-Za-z0-9._-", 64,
    "A GPU type is one word, as the GRES column of sinfo prints it."};
constexpr FieldRule commentRule{
    "--comment=", "comment", "A-Za-z0-9._:@/+-", 256, "Use letters, digits and . _ : @ / + -"};

Result<void> check(const FieldRule& rule, const QString& value)
{
    const QRegularExpression form(
        QStringLiteral("\\A[%1]{1,%2}\\z").arg(QLatin1String(rule.allowed)).arg(rule.longest));
    if (form.match(value).hasMatch() && !value.startsWith(QLatin1Char('-')))
        return {};
    return Error{ErrorKind::Invalid,
        tr("The %1 “%2” cannot be used in a job script.").arg(tr(rule.name), value.left(80)),
        tr(rule.remedy)};
}

/// sbatch(1), FILENAME PATTERN. %x is refused: a job name may contain "../", which would put the
/// file outside the folder (seen on 22.05).
Result<void> checkOutput(const QString& value)
{
    static const QRegularExpression form(
        QStringLiteral("\\A(?:[\\p{L}\\p{N}._/+@=,:~-]|%%|%[0-9]{0,2}[jJAaNnstu])+\\z"));
    if (value.size() <= 4096 && form.match(value).hasMatch() && !value.startsWith(QLatin1Char('-')))
        return {};
    return Error{ErrorKind::Invalid,
        tr("The output file “%1” cannot be used in a job script.").arg(value.left(120)),
        tr("Use letters, digits, . _ / + - and %j for the job ID; no spaces and no %x.")};
}

/// sbatch(1), --signal: sig_time is an integer from 0 to 65535.
Result<void> checkSignal(const QString& value)
{
    static const QRegularExpression form(
        QStringLiteral("\\A(?:B:)?(?:HUP|INT|QUIT|TERM|USR1|USR2|CONT)@([0-9]{1,5})\\z"));
    const QRegularExpressionMatch match = form.match(value);
    constexpr int most = 65535;
    if (match.hasMatch() && match.captured(1).toInt() <= most)
        return {};
    return Error{ErrorKind::Invalid,
        tr("The signal “%1” cannot be used in a job script.").arg(value.left(80)),
        tr("Write the name of a signal and the seconds before the time limit, at most 65535: "
           "USR1@120.")};
}

Result<void> checkDependency(const QString& value)
{
    constexpr int longest = 2000;
    static const QRegularExpression form(
        QStringLiteral("\\Aafterany(?::[1-9][0-9]{0,9}(?:_[0-9]{1,9})?)+\\z"));
    if (value.size() <= longest && form.match(value).hasMatch())
        return {};
    return Error{ErrorKind::Invalid,
        tr("The dependency “%1” cannot be used in a job script.").arg(value.left(80)),
        tr("Write afterany: and the IDs of the jobs, separated by colons.")};
}

Result<void> checkArray(const QString& value)
{
    static const QRegularExpression form(QStringLiteral("\\A0-[0-9]{1,7}(?:%[1-9][0-9]{0,6})?\\z"));
    if (form.match(value).hasMatch())
        return {};
    return Error{ErrorKind::Invalid,
        tr("The array “%1” cannot be used in a job script.").arg(value.left(80)),
        tr("Write the numbers of its tasks and how many run at once: 0-5%2.")};
}

/// Collects options until the first field that is wrong.
class Options {
public:
    void add(const FieldRule& rule, const QString& value)
    {
        if (value.isEmpty() || m_error)
            return;
        if (const auto checked = check(rule, value); !checked.ok())
            m_error = checked.error();
        else
            m_list << QLatin1String(rule.option) + value;
    }
    void add(const QString& option) { m_list << option; }
    void addNumber(const char* option, int value)
    {
        if (value > 0)
            m_list << QLatin1String(option) + QString::number(value);
    }
    void fail(Error error)
    {
        if (!m_error)
            m_error = std::move(error);
    }
    Result<QStringList> take()
    {
        if (m_error)
            return *m_error;
        return m_list;
    }

private:
    QStringList m_list;
    std::optional<Error> m_error;
};

void addGpus(Options& options, const JobSpec& job, GpuRequestStyle style)
{
    if (job.gpus <= 0 || style == GpuRequestStyle::WholeNode)
        return;
    if (!job.gpuType.isEmpty()) {
        if (const auto checked = check(gpuTypeRule, job.gpuType); !checked.ok())
            return options.fail(checked.error());
    }
    const QString type = job.gpuType.isEmpty() ? QString() : job.gpuType + QLatin1Char(':');
    const int nodes = std::max(1, job.nodes);
    if (style == GpuRequestStyle::Gres)
        options.add(QStringLiteral("--gres=gpu:%1%2").arg(type).arg(job.gpus));
    else if (style == GpuRequestStyle::Gpus)
        options.add(QStringLiteral("--gpus=%1%2").arg(type).arg(qint64(job.gpus) * nodes));
    else
        options.add(QStringLiteral("--gpus-per-node=%1%2").arg(type).arg(job.gpus));
}

void addDemand(Options& options, const JobSpec& job, GpuRequestStyle style)
{
    options.add(nameRule, job.jobName);
    options.add(accountRule, job.account);
    options.add(partitionRule, job.partition);
    options.add(qosRule, job.qos);
    options.add(reservationRule, job.reservation);
    options.add(constraintRule, job.constraint);
    options.addNumber("--nodes=", job.nodes);
    options.addNumber("--ntasks-per-node=", job.tasksPerNode);
    options.addNumber("--cpus-per-task=", job.cpusPerTask);
    if (job.memory && job.memoryPerCpu) {
        options.fail({ErrorKind::Invalid,
            tr("Memory is requested both per node and per CPU; Slurm accepts only one of them."),
            tr("Clear one of the two fields.")});
    }
    if (job.memory)
        options.add(QStringLiteral("--mem=") + job.memory->slurmText());
    if (job.memoryPerCpu)
        options.add(QStringLiteral("--mem-per-cpu=") + job.memoryPerCpu->slurmText());
    addGpus(options, job, style);
    if (job.timeLimit != WallTime())
        options.add(QStringLiteral("--time=") + job.timeLimit.slurmText());
    if (job.exclusive)
        options.add(QStringLiteral("--exclusive"));
}

} // namespace

QString legalJobName(const QString& text)
{
    static const QRegularExpression illegal(QStringLiteral("[^A-Za-z0-9._]+"));
    // Accented letters become their base letter: "Übung" → "Ubung".
    QString name = text.normalized(QString::NormalizationForm_KD);
    static const QRegularExpression marks(QStringLiteral("\\p{M}+"));
    name.remove(marks);
    name.replace(illegal, QStringLiteral("-"));
    static const QRegularExpression edges(QStringLiteral("\\A[-.]+|[-.]+\\z"));
    name.remove(edges);
    name.truncate(64);
    name.remove(edges);
    return name.isEmpty() ? QStringLiteral("job") : name;
}

bool isLegalJobName(const QString& text)
{
    return check(nameRule, text).ok();
}

QString jobComment(const QString& tag)
{
    return QString::fromLatin1(jobCommentPrefix) + tag;
}

namespace {

/// After which jobs it starts, and the signal before its end.
void addOrder(Options& options, const JobSpec& job)
{
    if (!job.array.isEmpty()) {
        if (const auto checked = checkArray(job.array); !checked.ok())
            options.fail(checked.error());
        options.add(QStringLiteral("--array=") + job.array);
    }
    QStringList dependencies;
    if (job.singleton)
        dependencies << QStringLiteral("singleton");
    if (!job.dependency.isEmpty()) {
        if (const auto checked = checkDependency(job.dependency); !checked.ok())
            options.fail(checked.error());
        dependencies << job.dependency;
    }
    // A comma: all of them (sbatch(1), --dependency).
    if (!dependencies.isEmpty())
        options.add(QStringLiteral("--dependency=") + dependencies.join(u','));
    if (job.signal.isEmpty())
        return;
    if (const auto checked = checkSignal(job.signal); !checked.ok())
        options.fail(checked.error());
    options.add(QStringLiteral("--signal=") + job.signal);
}

} // namespace

Result<QStringList> jobOptions(const JobSpec& job, GpuRequestStyle style)
{
    Options options;
    addDemand(options, job, style);
    addOrder(options, job);
    options.add(job.requeue ? QStringLiteral("--requeue") : QStringLiteral("--no-requeue"));
    options.add(commentRule, job.comment);
    if (!job.output.isEmpty()) {
        if (const auto checked = checkOutput(job.output); !checked.ok())
            options.fail(checked.error());
        options.add(QStringLiteral("--output=") + job.output);
        // Otherwise a requeued job would truncate its own log (sbatch(1), --open-mode).
        options.add(QStringLiteral("--open-mode=append"));
    }
    return options.take();
}

Result<QStringList> allocationOptions(const JobSpec& job, GpuRequestStyle style)
{
    Options options;
    addDemand(options, job, style);
    options.add(commentRule, job.comment);
    return options.take();
}

} // namespace slipway
