// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace slipway {

/// FakeSlurm puts small shell scripts named sbatch, squeue, … first on the PATH, for tests that
/// want a real /bin/sh around them and need no cluster. Restores the PATH at its end.
class FakeSlurm {
public:
    FakeSlurm()
        : m_path(qgetenv("PATH"))
    {
        QDir().mkpath(folder());
        qputenv("PATH", QFile::encodeName(folder()).append(':').append(m_path));
        // The queue is a file with one line per job: "number|state|comment|folder".
        program("squeue",
            "q='" + queueFile().toUtf8()
                + "'\n"
                  "[ -e \"$q.down\" ] && { echo 'slurm_load_jobs error: Unable to contact slurm "
                  "controller (connect failure)' >&2; exit 1; }\n"
                  "for a in \"$@\"; do case $a in JobID:*) f=$a; t=1;; ArrayJobID:*) f=$a; t=0;; "
                  "esac; done\n"
                  "F=$(printf '%s' \"$f\" | sed 's/^[A-Za-z]*://; s/,.*//'); R=$(printf '%s' "
                  "\"$f\" | sed 's/.*://')\n"
                  "[ -e \"$q\" ] || exit 0\n"
                  "while IFS='|' read -r id state comment folder; do\n"
                  "  if [ $t = 1 ]; then printf '%s' \"$id$F$state$F$F$folder$F$comment$R\"\n"
                  "  else printf '%s' \"N/A${F}N/A$F$id$F$state${F}None$F\"; i=0; while [ $i -lt "
                  "16 ]; do printf '%s' \"$F\"; i=$((i+1)); done; printf '%s' "
                  "\"$comment${F}name$R\"; fi\n"
                  "  echo\n"
                  "done <\"$q\"\n");
    }
    ~FakeSlurm() { qputenv("PATH", m_path); }

    QString folder() const { return m_folder.filePath(QStringLiteral("bin")); }
    QString queueFile() const { return m_folder.filePath(QStringLiteral("queue")); }
    QString runFolder() const { return m_folder.filePath(QStringLiteral("run 'x")); }

    void program(const char* name, const QByteArray& script) const
    {
        QFile file(folder().append(u'/').append(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray("#!/bin/sh\n").append(script));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    void queue(const QByteArray& lines) const
    {
        QFile file(queueFile());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(lines);
    }
    /// An sbatch that accepts, counts and queues; `before` is shell text ahead of it.
    void accepting(const QByteArray& before = {}) const
    {
        program("sbatch",
            before + "c='" + queueFile().toUtf8()
                + "'\n"
                  "for a in \"$@\"; do case $a in --comment=*) t=${a#--comment=};; esac; done\n"
                  "n=$(( $(cat \"$c.count\" 2>/dev/null || echo 100) + 1 )); echo $n "
                  ">\"$c.count\"\n"
                  "echo \"$n|PD|$t|$PWD\" >>\"$c\"\n"
                + m_answer);
    }
    void answerWith(const QByteArray& shellText) { m_answer = shellText; }
    int submissions() const
    {
        QFile file(queueFile().append(QStringLiteral(".count")));
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() - 100 : 0;
    }

private:
    QTemporaryDir m_folder;
    QByteArray m_path;
    QByteArray m_answer = "echo \"$n;demo\"\n";
};

} // namespace slipway
