// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/cluster.h"
#include "remote/cluster/slurmcontext.h"
#include "tests/support/playedlaunch.h"

#include <memory>

namespace slipway {

inline const QByteArray playedTag = "tag-k3f9";

/// What squeue prints for job 77, in the format and with the separators that the script asks for.
inline QByteArray squeueRow(const QByteArray& script, const QByteArray& state, int restarts = 0)
{
    const qsizetype begin = script.indexOf(" -O '") + 5;
    const QByteArray format = script.mid(begin, script.indexOf('\'', begin) - begin);
    QByteArray row;
    for (const QByteArray& field : format.split(',')) {
        const QByteArray name = field.left(field.indexOf(':'));
        QByteArray value = "N/A";
        if (name == "JobID")
            value = "77";
        else if (name == "StateCompact")
            value = state;
        else if (name == "Comment")
            value = "slipway:" + playedTag;
        else if (name == "RestartCnt")
            value = QByteArray::number(restarts);
        else if (name == "Reason")
            value = "Priority";
        else if (name == "NodeList" && state == "R")
            value = "gpu01";
        row += value + field.mid(field.indexOf(':') + 1);
    }
    return row;
}

/// PlayedCluster is a far side with one job, number 77, that a test plays: what the scheduler says
/// of it is `state`. One per connection.
struct PlayedCluster {
    /// `state` must outlive it; empty: the job is not in the queue.
    explicit PlayedCluster(const QByteArray* state, const int* restarts = nullptr)
        : shell(std::make_shared<ScriptedShell>())
    {
        playLaunches(*shell, [] { return 77; });
        shell->on("squeue", [state, restarts](const QByteArray& script) {
            const int count = restarts ? *restarts : 0;
            return CommandOutput{
                0, state->isEmpty() ? QByteArray() : squeueRow(script, *state, count), {}};
        });
        cluster = std::make_shared<Cluster>(shell);
        cluster->watcher()->setPace(WatchPace::demo());
        cluster->watcher()->start();
    }

    std::shared_ptr<ScriptedShell> shell;
    std::shared_ptr<Cluster> cluster;
};

} // namespace slipway
