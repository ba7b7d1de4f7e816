// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

/// A folder that plays the node for one call of the probe, and the variables that it is given. Its
/// files are in memory, so that the probe's look at the disks costs the tests nothing.
class FakeNode {
public:
    FakeNode();
    FakeNode& fake(
        const QString& words); ///< SLIPWAY_FAKE_GPU, and the fake libraries on the loader's path
    FakeNode& set(const QString& name, const QString& value);
    FakeNode& unset(const QString& name);
    FakeNode& library(const QString& folder); ///< one more folder for the loader, the first
    FakeNode& kernelDriver(
        const QString& version, int cards); ///< in /proc and /dev as the probe sees them
    FakeNode& jobWithGpus(int count);

    QString folder() const { return m_folder->path(); }
    QProcessEnvironment environment() const { return m_environment; }

private:
    std::shared_ptr<QTemporaryDir> m_folder;
    QProcessEnvironment m_environment;
};

/// One call of the probe and all that it said.
struct ProbeRun {
    QList<QJsonObject> lines;
    QMap<QString, QJsonObject> rows; ///< by id
    int exitCode = -1;
    qint64 milliseconds = 0;
    QByteArray out, error;
    int left = 0; ///< processes of its session that were still there when it had ended

    QString state(const char* id) const
    {
        return rows.value(QLatin1String(id)).value(QLatin1String("state")).toString();
    }
    QString text(const char* id, const char* member) const
    {
        return rows.value(QLatin1String(id)).value(QLatin1String(member)).toString();
    }
    QString all(const char* id) const; ///< the row as one text, for messages
};

ProbeRun runProbe(const FakeNode& node, const QStringList& arguments);
/// Makes the process the first of a session of its own, by which what it leaves behind is found.
void inOwnSession(QProcess& process);
int processesOfSession(qint64 session);
