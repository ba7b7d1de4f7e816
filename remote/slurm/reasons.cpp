// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/reasons.h"

#include "remote/base/quantities.h"
#include "remote/base/tr.h"
#include "remote/slurm/jobstates.h"

#include <array>

namespace slipway {

namespace {

struct Reason {
    const char* word;
    const char* sentence;
};

// squeue(1), JOB REASON CODES, and src/common/job_state_reason.c. A word that ends in * matches all
// words with that beginning; the first match wins.
constexpr std::array reasons{
    Reason{"Resources", "It is next in line and waits for nodes to become free."},
    Reason{"Priority", "Jobs with a higher priority are ahead of it."},
    Reason{"Dependency", "It waits for another job to end."},
    Reason{"DependencyNeverSatisfied",
        "Its dependency can never be satisfied, so it will not start. Cancel it."},
    Reason{"PartitionTimeLimit",
        "Its time limit is longer than the partition allows. Cancel it and request less time."},
    Reason{"PartitionNodeLimit",
        "It requests more nodes than the partition allows, or they are down."},
    Reason{"PartitionDown", "The partition is down."},
    Reason{"PartitionInactive", "The partition starts no jobs at the moment."},
    Reason{"PartitionConfig", "The partition's limits do not allow it."},
    Reason{"ReqNodeNotAvail*",
        "Nodes that it needs are not available: down, or reserved for maintenance or other jobs."},
    Reason{
        "Nodes required for job are DOWN*", "Nodes that it needs are down, draining or reserved."},
    Reason{
        "Nodes_required_for_job_are_DOWN*", "Nodes that it needs are down, draining or reserved."},
    Reason{"NodeDown", "A node that it needs is down."},
    Reason{"BadConstraints",
        "No node can ever satisfy its request. Cancel it and change the request."},
    Reason{"Reservation", "It waits for its reservation to begin."},
    Reason{"ReservationDeleted", "Its reservation was deleted."},
    Reason{"InvalidReservation", "Its reservation does not exist any more."},
    Reason{"JobHeldUser", "You hold it. Release it to let it queue."},
    Reason{"JobHeldAdmin", "The site's administrators hold it. Only they can release it."},
    Reason{"job_requeued_in_held_state",
        "It was queued again and is held. Release it to let it queue."},
    Reason{"launch failed requeued held",
        "It could not be started, was queued again and is held. Release it to try once more."},
    Reason{"launch_failed_requeued_held",
        "It could not be started, was queued again and is held. Release it to try once more."},
    Reason{"JobHoldMaxRequeue", "It was queued again too often and is held."},
    Reason{"BeginTime", "Its start time has not come yet."},
    Reason{"Cleaning", "Its earlier run is still being cleaned up."},
    Reason{"DeadLine", "It cannot end before its deadline."},
    Reason{"InvalidAccount", "Its account does not exist or may not be used here."},
    Reason{"InvalidQOS", "Its QOS does not exist or may not be used here."},
    Reason{"AccountNotAllowed", "Its account may not use this partition."},
    Reason{"QOSNotAllowed", "Its QOS may not use this partition or account."},
    Reason{"AssociationJobLimit", "Your account has reached its limit of running jobs."},
    Reason{"AssociationResourceLimit", "Your account has reached its resource limit."},
    Reason{"AssociationTimeLimit", "Your account's time is used up."},
    Reason{"AssocGrpCPUMinutes*", "Your account's budget of CPU time is used up."},
    Reason{"AssocGrpBillingMinutes", "Your account's budget is used up."},
    Reason{"AssocGrpGRESMinutes", "Your account's budget of GPU time is used up."},
    Reason{"AssocGrpGRES*", "Your account's jobs have reached their common limit of GPUs."},
    Reason{"AssocGrpJobs*", "Your account has reached its limit of running jobs."},
    Reason{"AssocGrpSubmitJobs*", "Your account has reached its limit of jobs in the queue."},
    Reason{"AssocMaxJobs*", "You have reached the limit of running jobs in this account."},
    Reason{"AssocMaxWall*", "Its time limit is longer than your account allows."},
    Reason{"AssocMax*", "It requests more than your account allows for one job."},
    Reason{"AssocGrp*", "Your account's jobs have reached their common resource limit."},
    Reason{"QOSMaxJobsPerUser*",
        "You have reached the limit of running jobs in this QOS. It starts when one of them ends."},
    Reason{
        "QOSMaxJobsPerAccount*", "Your account has reached the limit of running jobs in this QOS."},
    Reason{"QOSMaxSubmitJob*", "You have reached the limit of queued jobs in this QOS."},
    Reason{"QOSMaxGRESPerUser",
        "You have reached the limit of GPUs in this QOS. It starts when some become free."},
    Reason{"QOSMaxGRES*", "It requests more GPUs than this QOS allows."},
    Reason{"QOSMaxCpuPerUser*", "You have reached the limit of CPUs in this QOS."},
    Reason{"QOSMaxNodePerUser*", "You have reached the limit of nodes in this QOS."},
    Reason{"QOSMaxMemoryPerUser", "You have reached the limit of memory in this QOS."},
    Reason{"QOSMaxWall*", "Its time limit is longer than this QOS allows."},
    Reason{"QOSMin*", "It requests less than the minimum of this QOS."},
    Reason{"QOSGrpGRES*", "The users of this QOS have together reached its limit of GPUs."},
    Reason{"QOSGrp*", "The users of this QOS have together reached its resource limit."},
    Reason{"QOSMax*", "It requests more than this QOS allows."},
    Reason{"QOSTimeLimit", "The time of its QOS is used up."},
    Reason{"QOS*", "A limit of its QOS keeps it waiting."},
    Reason{"Assoc*", "A limit of your account keeps it waiting."},
    Reason{"MaxGRESPerAccount", "Your account has reached its limit of GPUs."},
    Reason{"Licenses", "It waits for a software licence."},
    Reason{"Prolog", "The node is being prepared."},
    Reason{"SchedDefer", "The scheduler will consider it a little later."},
    Reason{"JobArrayTaskLimit", "Its array has reached its limit of running tasks."},
    Reason{"BurstBuffer*", "Its data is being staged."},
    Reason{"FedJobLock", "Another cluster of the federation is considering it."},
    Reason{"MaxRequeue", "It was queued again too often."},
    Reason{"NonZeroExitCode", "Its script ended with an error."},
    Reason{"TimeLimit", "It reached its time limit."},
    Reason{"InactiveLimit", "It was idle for too long and was ended."},
    Reason{"OutOfMemory", "It used more memory than it requested."},
    Reason{"JobLaunchFailure", "It could not be started on its node."},
    Reason{"launch_failed*", "It could not be started on its node."},
    Reason{"RaisedSignal*", "It was ended by a signal."},
    Reason{"SystemFailure", "Slurm or the machine failed."},
};

bool fits(const Reason& reason, const QString& text)
{
    const QLatin1String word(reason.word);
    if (word.endsWith(u'*'))
        return text.startsWith(word.chopped(1), Qt::CaseInsensitive);
    return text.compare(word, Qt::CaseInsensitive) == 0;
}

/// "at 14:30", "on Sat 21 Nov at 02:00", with the time from now.
QString estimateText(const QDateTime& start, const QDateTime& now)
{
    const QDateTime local = start.toLocalTime();
    const QString clock = local.toString(QStringLiteral("HH:mm"));
    const auto ahead = std::chrono::seconds(now.secsTo(start));
    if (ahead < std::chrono::minutes(1))
        return tr("Slurm expects to start it within a minute.");
    const QString day = local.date() == now.toLocalTime().date()
        ? QString()
        : tr("on %1 ").arg(local.toString(QStringLiteral("ddd d MMM")));
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(ahead).count();
    const QString from = minutes < 120 ? QStringLiteral("%1 min").arg(minutes)
        : minutes < 48 * 60            ? QStringLiteral("%1 h").arg(minutes / 60)
                                       : tr("%1 days").arg(minutes / (24 * 60));
    return tr("Slurm expects to start it %1at %2, in %3.").arg(day, clock, from);
}

} // namespace

bool isReason(const QString& reason)
{
    const QString word = reason.trimmed();
    return !word.isEmpty() && word != u"None" && word != u"N/A" && word != u"(null)"
        && word != u"(None)";
}

QString reasonSentence(const QString& reason)
{
    const QString word = reason.trimmed();
    if (!isReason(word))
        return QString();
    for (const auto& known : reasons) {
        if (fits(known, word))
            return tr(known.sentence);
    }
    return tr("Slurm's reason: %1.").arg(word.left(200));
}

QString reasonSentence(const Job& job, const QDateTime& now)
{
    if (!isWaiting(job.state))
        return isReason(job.reason) ? reasonSentence(job.reason) : QString();
    QString sentence = reasonSentence(job.reason);
    if (sentence.isEmpty())
        sentence = tr("The scheduler has not considered it yet.");
    const bool maintenance = job.reason.startsWith(u"ReqNodeNotAvail")
        && job.reason.contains(u"maintenance", Qt::CaseInsensitive);
    if (maintenance)
        sentence = tr("Its nodes are reserved for maintenance before it could end. A shorter "
                      "time limit may let it start now.");
    if (job.state == JobState::Pending && job.started)
        sentence += u' ' + estimateText(*job.started, now);
    return sentence;
}

} // namespace slipway
