// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runcommands.h"

#include "app/catalogue/names.h"
#include "app/runs/runarray.h"

#include <QFileInfo>

namespace slipway {

QString sshCommand(const ConnectTarget& target, const QStringList& options)
{
    QStringList words{QStringLiteral("ssh")};
    words << options;
    if (target.port > 0 && target.port != 22)
        words << QStringLiteral("-p") << QString::number(target.port);
    if (!target.identityFile.isEmpty())
        words << QStringLiteral("-i") << shellWord(target.identityFile);
    if (!target.knownHostsFile.isEmpty())
        words << QStringLiteral("-o") << shellWord(u"UserKnownHostsFile=" + target.knownHostsFile);
    words << shellWord(target.user.isEmpty() ? target.host : target.user + u'@' + target.host);
    return words.join(u' ');
}

QString stepCommand(const QString& jobId, const StepCommand& step)
{
    return u"srun --jobid=" + jobId + u" --overlap --preserve-env -N1 -n1"
        + (step.leavesGpus ? u" --gres=none" : u"") + u" bash -l " + shellWord(step.file);
}

QStringList runCommands(const Run& run, const ConnectTarget& target,
    const std::vector<StepCommand>& steps, const QStringList& allocation)
{
    QStringList commands;
    if (!target.host.isEmpty())
        commands << sshCommand(target);
    if (run.folder.isEmpty())
        return commands;
    const bool isTask = run.arrayTask >= 0;
    if (isTask)
        commands << u"cd " + shellWord(submitFolder(run))
                 << QStringLiteral("sbatch --parsable array.sh");
    commands << u"cd " + shellWord(run.folder);
    const QString id = run.job.isValid() ? run.job.text : QStringLiteral("JOBID");
    if (run.spec.mode == LaunchMode::Interactive) {
        QStringList words;
        for (const QString& word : allocation)
            words << shellWord(word);
        commands << words.join(u' ');
        for (const StepCommand& step : steps)
            commands << stepCommand(id, step);
    } else if (!isTask) {
        commands << QStringLiteral("sbatch --parsable job.sh");
    }
    commands << u"squeue --job " + id;
    commands << u"tail -f slurm-" + id + u".out";
    commands << QStringLiteral("cat events.ndjson") << u"scancel " + id;
    return commands;
}

} // namespace slipway
