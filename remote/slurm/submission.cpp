// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/submission.h"

#include "remote/base/tr.h"
#include "remote/slurm/records.h"

#include <QRegularExpression>

#include <array>

namespace slipway {

namespace {

struct Refusal {
    const char* fragment; ///< of slurm_strerror's text, compared without case: it changed slightly
                          ///< over the years
    const char* sentence;
    const char* remedy;
    ErrorKind kind = ErrorKind::Refused;
};

// The order matters: the more specific fragment first.
constexpr std::array refusals{
    Refusal{"invalid partition name", "The cluster has no such partition.",
        "Choose one of the partitions that the cluster offers."},
    Refusal{"invalid account or account/partition",
        "Your account may not be charged, or not in this partition.",
        "Choose one of your accounts, or ask the site which of them the partition accepts."},
    Refusal{"invalid account", "You do not have this account on the cluster.",
        "Choose one of your accounts."},
    Refusal{"invalid qos", "You may not use this QOS, or it does not exist.",
        "Leave the QOS empty, or choose one of yours."},
    Refusal{"memory specification can not be satisfied",
        "No node has as much memory as the job requests.", "Request less memory."},
    Refusal{"requested node configuration is not available",
        "No node of this partition has what the job requests.",
        "Request fewer CPUs or GPUs or less memory per node, or choose another partition."},
    Refusal{"requested time limit is invalid",
        "The time limit is missing, or longer than this partition allows.",
        "Shorten the time limit, or choose a partition with a longer one."},
    Refusal{"requested gres option unsupported",
        "This cluster does not accept requests for GPUs: they come with the node.",
        "Remove the GPU option and choose a partition whose nodes have GPUs."},
    Refusal{"invalid generic resource (gres)", "The cluster does not know this kind of GPU.",
        "Leave the GPU type empty, or use the word that sinfo prints in its GRES column."},
    Refusal{"more processors requested than permitted",
        "The job requests more CPUs than are permitted.",
        "Request fewer tasks or fewer CPUs per task."},
    Refusal{"node count specification invalid",
        "The number of nodes is not possible in this partition.", "Change the number of nodes."},
    Refusal{"access denied to requested reservation", "You may not use this reservation.",
        "Clear the reservation, or ask its owner to add you."},
    Refusal{"requested reservation is invalid", "The reservation does not exist or has ended.",
        "Clear the reservation."},
    Refusal{"group not permitted to use this partition", "Your group may not use this partition.",
        "Choose another partition."},
    Refusal{"access/permission denied", "The scheduler does not permit this for your account.",
        "Choose another partition or account, or ask the site."},
    Refusal{"job violates accounting/qos policy",
        "The job exceeds a limit of your account or QOS: the number of jobs, their size, or "
        "their time.",
        "Request less, wait until other jobs of yours have ended, or choose another QOS."},
    Refusal{"memory required by task is not available",
        "No node has as much memory as the job requests.", "Request less memory."},
    Refusal{"required partition not available",
        "The partition accepts no jobs now: it is down or draining.",
        "Choose another partition, or try later."},
    Refusal{"no partition specified", "The cluster has no default partition, so one must be named.",
        "Choose a partition."},
    Refusal{"mutually exclusive", "Memory is requested in two mutually exclusive ways.",
        "Keep only one of memory per node, per CPU or per GPU."},
    Refusal{"job dependency problem",
        "The job depends on another one that does not exist any more.", "Remove the dependency."},
    Refusal{"rate limit exceeded", "The scheduler received too many requests.",
        "Try again in a minute."},
    Refusal{"unable to contact slurm controller", "The scheduler does not respond.",
        "It may be restarting. Try again in a few minutes.", ErrorKind::Timeout},
    Refusal{"socket timed out", "The scheduler did not answer in time.",
        "Try again in a few minutes; Slipway first checks whether the job was accepted.",
        ErrorKind::Timeout},
    Refusal{"could not establish a configuration source", "Slurm is not set up on this machine.",
        "Log in to a login node of the cluster.", ErrorKind::Unsupported},
    Refusal{"does not look like a batch script", "The script does not begin with #!.",
        "Put “#!/bin/bash -l” into its first line.", ErrorKind::Invalid},
    Refusal{"dos line breaks", "The script has Windows line endings.",
        "Save it with UNIX line endings.", ErrorKind::Invalid},
    Refusal{"invalid directive found in batch script",
        "Slurm does not understand an #SBATCH line of the script.",
        "Correct the line that the message names.", ErrorKind::Invalid},
    Refusal{"unrecognized option", "Slurm does not know an option of the script.",
        "Correct the #SBATCH line that the message names.", ErrorKind::Invalid},
    Refusal{"unable to open file", "Slurm could not read the script.",
        "Try again; the run folder may have been cleaned up.", ErrorKind::Io},
    Refusal{"disk quota exceeded", "The quota of your folder on the cluster is used up.",
        "Remove files there and try again.", ErrorKind::DiskFull},
    Refusal{"no space left on device", "The file system of your folder on the cluster is full.",
        "Remove files there and try again.", ErrorKind::DiskFull},
    Refusal{"sbatch: not found", "There is no Slurm on this machine.",
        "Log in to a login node of the cluster.", ErrorKind::Unsupported},
    Refusal{"salloc: not found", "There is no Slurm on this machine.",
        "Log in to a login node of the cluster.", ErrorKind::Unsupported},
};

/// The scheduler's own message: the text after "failed:", else the first error line. Never just the
/// last line, which can be "slurm_load_partitions: No error".
QString schedulersWords(const QString& text)
{
    static const QRegularExpression reason(
        QStringLiteral("(?:submission failed|submit/allocate failed|allocate resources|create step"
                       "[^:\\n]*): ([^\\n]+)"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression anyError(QStringLiteral("(?:error|fatal): ([^\\n]+)"));
    QString words;
    for (auto it = reason.globalMatch(text); it.hasNext();)
        words = it.next().captured(1).trimmed();
    if (words.isEmpty())
        words = anyError.match(text).captured(1).trimmed();
    return words.isEmpty() ? text.trimmed().section(u'\n', 0, 0) : words;
}

/// The message of a site's filter (job_submit.lua): error lines besides the final one.
QString sitesWords(const QString& text, const QString& words)
{
    static const QRegularExpression line(
        QStringLiteral("^(?:sbatch|salloc|srun): error: ([^\\n]+)$"),
        QRegularExpression::MultilineOption);
    QStringList lines;
    for (auto it = line.globalMatch(text); it.hasNext();) {
        const QString found = it.next().captured(1).trimmed();
        if (!found.endsWith(words) && !words.endsWith(found))
            lines << found;
    }
    return lines.join(u' ').left(400);
}

} // namespace

std::optional<JobId> parseSubmitted(const QByteArray& output)
{
    static const QRegularExpression bare(
        QStringLiteral("\\A([0-9]{1,10})(?:;[A-Za-z0-9._-]+)?\\z"));
    static const QRegularExpression sentence(
        QStringLiteral("\\bSubmitted batch job ([0-9]{1,10})\\b"));
    std::optional<JobId> fromNumber, fromSentence;
    for (const auto& line : output.split('\n')) {
        const QString text = lenientText(line).trimmed();
        if (const auto match = bare.match(text); match.hasMatch())
            fromNumber = JobId{match.captured(1)};
        else if (const auto spoken = sentence.match(text); spoken.hasMatch())
            fromSentence = JobId{spoken.captured(1)};
    }
    return fromNumber ? fromNumber : fromSentence;
}

SallocProgress parseSalloc(const QByteArray& text)
{
    static const QRegularExpression pending(
        QStringLiteral("salloc: (?:Pending job allocation|job) ([0-9]{1,10})\\b"));
    static const QRegularExpression granted(
        QStringLiteral("salloc: Granted job allocation ([0-9]{1,10})\\b"));
    static const QRegularExpression ready(QStringLiteral("salloc: Nodes (\\S+) are ready for job"));
    static const QRegularExpression revoked(QStringLiteral(
        "salloc: (?:Job allocation [0-9]+ has been revoked"
        "|Job [0-9]+ has exceeded its time limit|error: Job allocation [0-9]+ has been"
        "|Job has been cancelled|Relinquishing job allocation)"));
    SallocProgress progress;
    for (const auto& line : text.split('\n')) {
        const QString words = lenientText(line).trimmed();
        if (const auto grant = granted.match(words); grant.hasMatch()) {
            progress.id.text = grant.captured(1);
            progress.granted = true;
        } else if (const auto wait = pending.match(words); wait.hasMatch()) {
            progress.id.text = wait.captured(1);
        } else if (const auto nodes = ready.match(words); nodes.hasMatch()) {
            progress.ready = true;
            progress.nodeList = nodes.captured(1);
        }
        if (revoked.match(words).hasMatch())
            progress.revoked = true;
    }
    return progress;
}

Error submitError(const QByteArray& stderrText)
{
    const QString text = lenientText(stderrText);
    const QString words = schedulersWords(text);
    for (const auto& refusal : refusals) {
        if (!text.contains(QLatin1String(refusal.fragment), Qt::CaseInsensitive))
            continue;
        QString sentence = tr(refusal.sentence);
        const QString site = sitesWords(text, words);
        if (!site.isEmpty() && refusal.kind == ErrorKind::Refused)
            sentence += tr(" Slurm adds: %1").arg(site);
        return {refusal.kind, sentence, tr(refusal.remedy), stderrText};
    }
    if (words.isEmpty()) {
        return {ErrorKind::Refused, tr("The scheduler refused the job and gave no reason."),
            tr("Submit the script by hand in a terminal to see more."), stderrText};
    }
    return {ErrorKind::Refused, tr("The scheduler refused the job: %1").arg(words.left(400)),
        tr("Correct what the message names and launch again."), stderrText};
}

bool isAmbiguousRefusal(const QByteArray& stderrText)
{
    const QByteArray text = stderrText.toLower();
    for (const char* fragment : {"socket timed out", "unable to contact slurm controller",
             "zero bytes were transmitted", "transport endpoint is not connected",
             "unexpected message received", "communication connection failure",
             "connection timed out", "connection reset", "slurm backup controller"}) {
        if (text.contains(fragment))
            return true;
    }
    return false;
}

} // namespace slipway
