// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/process.h"

#include <QByteArray>
#include <QHash>
#include <QObject>

#include <memory>
#include <vector>

namespace slipway {

class GroupedScript;
class Shell;

/// What a script of a group did: one line of the group's output.
struct GroupItem {
    enum class Kind { Output, ErrorOutput, Ended };
    int script = 0;
    Kind kind = Kind::Output;
    QByteArray bytes; ///< with their newline; of Ended: none
    int exitCode = 0; ///< of Ended
};

/// The bash script that is the group on the cluster. It reads one command per line from standard
/// input (`start ID BASE64`, `close ID`), runs the scripts beside each other and marks each line
/// that they print. It ends when its input does, which ends the input of all its scripts.
QByteArray groupScript(const QByteArray& nonce);

/// GroupReader parses the output of groupScript() in pieces of any size. What has no mark, such as
/// the noise of start-up files, is dropped. Pure.
class GroupReader {
public:
    explicit GroupReader(const QByteArray& nonce);
    std::vector<GroupItem> feed(const QByteArray& bytes);

private:
    QByteArray m_mark;
    QByteArray m_pending;
};

/// ScriptGroup runs any number of long-lived scripts of one machine through one Process, and so one
/// channel of the connection: a loop on the machine starts them and marks what each one prints. The
/// loop is started with the first script and ends with the last. When it ends before its scripts
/// (the link is lost, the session was needed), each of them finishes with its result. Requires bash
/// on the machine. Lives on the GUI (or main) thread; owned by Cluster, one per connection.
class ScriptGroup : public QObject {
    Q_OBJECT

public:
    explicit ScriptGroup(std::shared_ptr<Shell> shell, QObject* parent = nullptr);
    ~ScriptGroup() override;

    /// Starts a script of /bin/sh. The caller owns the Process, which may outlive the group. Its
    /// standard input carries no bytes and can only be closed; cancel() closes it.
    std::unique_ptr<Process> start(const QByteArray& script);

private:
    friend class GroupedScript;
    void send(const QByteArray& line);
    void leave(int id);
    void begin();
    void take(const QByteArray& bytes);
    void endAll(const Result<int>& exitCode);
    void dropProcess();

    std::shared_ptr<Shell> m_shell;
    std::unique_ptr<Process> m_process;
    std::unique_ptr<GroupReader> m_reader;
    QHash<int, GroupedScript*> m_scripts; ///< those that have not ended
    QByteArray m_errors; ///< the last of what the loop itself said
    int m_last = 0;
};

} // namespace slipway
