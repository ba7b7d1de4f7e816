// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runstore.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace slipway {

/// CliHome is a home folder of its own with stored runs, in which slipway-cli is called. Main
/// thread; the test owns it.
class CliHome {
public:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString path() const { return m_folder.path(); }

    /// Stores a run with the rows that its lanes wrote, and its log; empty: there are none.
    void keep(Run run, const QByteArray& rows, const QByteArray& log)
    {
        const QString folder = runFolder(run.id);
        QVERIFY(QDir().mkpath(folder));
        write(folder + u"/results/race.ndjson", rows);
        write(folder + u"/log.bin", log);
        RunStore store(path(QStringLiteral("data/slipway/runs.sqlite")));
        QVERIFY(store.open().ok());
        run.logBytes = log.size();
        QVERIFY(store.insert(run).ok());
    }
    /// A further file of a stored run: "facts.json", "files/job.sh".
    void keepFile(const QString& runId, const QString& name, const QByteArray& bytes)
    {
        write(runFolder(runId) + u'/' + name, bytes);
    }

    /// The exit code; -1: it did not end. The program begins in the home folder.
    int run(const QString& line) { return run(line.split(u' ', Qt::SkipEmptyParts)); }
    int run(const QStringList& words)
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), path());
        for (const char* name : {"CONFIG", "DATA", "STATE"})
            environment.insert(QStringLiteral("XDG_%1_HOME").arg(QLatin1String(name)),
                path(QString::fromLatin1(name).toLower()));
        environment.insert(
            QStringLiteral("SLIPWAY_RESOURCES"), sourcePath(QStringLiteral("/resources")));
        // No message bus, so that nobody's keychain is asked.
        environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"),
            u"unix:path=" + path(QStringLiteral("none")));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(path());
        process.start(buildPath(QStringLiteral("/bin/slipway-cli")), words);
        if (!process.waitForFinished(60'000))
            return -1;
        out = QString::fromUtf8(process.readAllStandardOutput());
        err = QString::fromUtf8(process.readAllStandardError());
        return process.exitCode();
    }
    /// A file below the home folder; empty: there is none.
    QByteArray written(const QString& name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QString out, err; ///< what the last call printed

private:
    QString runFolder(const QString& runId) const
    {
        return path(QStringLiteral("data/slipway/runs/")) + runId;
    }
    static void write(const QString& path, const QByteArray& bytes)
    {
        if (bytes.isEmpty())
            return;
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

    QTemporaryDir m_folder;
};

} // namespace slipway
