// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "tests/support/scriptedshell.h"

#include <functional>

namespace slipway {

/// Lets a shell take launches: run folders are created, and sbatch accepts every job under the
/// number that `nextJob` returns. The jobs write nothing.
inline void playLaunches(ScriptedShell& shell, const std::function<int()>& nextJob)
{
    shell.on("mkdir -p", {0, {}, {}});
    shell.on("sbatch --parsable", [nextJob](const QByteArray&) {
        return CommandOutput{0, "known\n" + QByteArray::number(nextJob()) + '\n', {}};
    });
    shell.on("events.ndjson", {0, {}, {}});
    shell.on("exit.json", {0, {}, {}});
    shell.on("echo $w $n $a $h", {0, "free 0 0\n", {}}); // how far a submission is
    shell.on("echo closed; else echo newer", {0, "closed\n", {}});
    // The loop that follows files: there is none yet, and at the end there never was one.
    shell.onStream("SLPL", [](ScriptedProcess& loop) {
        const QByteArray script = '\n' + loop.written();
        const qsizetype nonce = script.indexOf("\nN=") + 3;
        const QByteArray mark =
            "\n\036SLPL " + script.mid(nonce, script.indexOf('\n', nonce) - nonce) + ' ';
        loop.say(mark + "S\n");
        for (int n = 0;; ++n) {
            const QByteArray number = QByteArray::number(n);
            const QByteArray file = "\nf" + number + '=', final = "\nF" + number + "=1\n";
            if (!script.contains(file))
                break;
            loop.say(mark + (script.contains(final) ? "N " : "W ") + number + '\n');
        }
    });
}

} // namespace slipway
