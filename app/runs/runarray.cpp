// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runarray.h"

#include "app/plan/arrayscript.h"
#include "remote/slurm/arraytasks.h"
#include "remote/slurm/jobspec.h"

namespace slipway {

QString submitFolder(const Run& run)
{
    const QString below = u'/' + taskFolder(run.arrayTask);
    return run.arrayTask >= 0 && run.folder.endsWith(below) ? run.folder.chopped(below.size())
                                                            : run.folder;
}

QString submitComment(const Run& run)
{
    return jobComment(run.arrayTask >= 0 ? arrayTagOf(run.tag) : run.tag);
}

JobId jobOfRun(const Run& run, const JobId& submitted)
{
    return run.arrayTask >= 0 ? taskId(submitted, run.arrayTask) : submitted;
}

Allocation ownAllocation(const Allocation& found)
{
    const int task = taskOf(found.id);
    if (task < 0 || !isArrayTag(found.comment))
        return found;
    Allocation own = found;
    own.comment = taskTag(found.comment, task);
    own.folder = found.folder + u'/' + taskFolder(task);
    return own;
}

} // namespace slipway
