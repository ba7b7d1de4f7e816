// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace slipway {

/// The job's exit record, exit.json, written by the EXIT trap of job.sh:
/// {"code": 0, "stage": "running", "t": 1763600000.123, "node": "gpu01", "restart": 0}.
struct ExitRecord {
    int exitCode = 0;
    std::optional<QDateTime> ended; ///< the node's clock
    QString stage; ///< the stage that it had reached
    QString node;
    int restarts = 0; ///< the restart count of the job that wrote it
    QByteArray bytes; ///< as written
};
Result<ExitRecord> parseExit(const QByteArray& json);

/// The state of the exit record.
struct ExitNote {
    enum class State {
        Absent, ///< the folder exists and has none (yet)
        FolderGone,
        Unreadable, ///< empty or truncated: the disk was full when it was written
        Read,
    };
    State state = State::Absent;
    std::optional<ExitRecord> record; ///< when it was read
};

struct RemoteFile {
    QString name; ///< relative to the folder, '/' between parts
    qint64 size = 0;
};

/// The content of a folder.
struct RemoteListing {
    std::vector<RemoteFile> files; ///< regular files with safe names, sorted
    qsizetype leftOut = 0; ///< files with other names, and those beyond the limit of the list
};

/// Reads rows "SIZE NAME", each with a NUL after it; with patterns, the files that match one of
/// them. Files with secrets are not listed. Pure.
RemoteListing parseListing(
    const QByteArray& printed, const std::optional<QStringList>& patterns = {});

/// Whether a name from the cluster is safe to use below a local folder: relative, no "..", no empty
/// part, no control characters, no backslash.
bool isSafeRelativeName(const QString& name);

/// The files of a run folder that hold secrets: variables for the program, and the login for the
/// pull. They are sent last, never listed or fetched, and removed when the job has ended.
inline constexpr const char* secretFiles[] = {"secrets.env", "registry.env"};
/// In which the job puts the login where enroot looks for it, for the time of a pull.
inline constexpr char secretFolder[] = "registry.enroot";
/// Whether a file of a run folder is one of these, in that folder, or a part of one from an
/// interrupted upload.
bool isSecretFile(const QString& name);

/// RunFolder is the folder of one run on the cluster: creates it privately, fills it, reads it. A
/// value around the shared Shell; GUI (or main) thread.
class RunFolder {
public:
    RunFolder(std::shared_ptr<Shell> shell, QString path);
    const QString& path() const { return m_path; }
    QString filePath(const QString& name) const;

    struct Upload {
        QString name; ///< relative
        QByteArray bytes;
        int mode = 0600;
    };

    /// Creates the folder and its parents, mode 0700. Refuses a symbolic link, a folder of another
    /// user and one that others may write to, for each folder below `scratch`; without it, for this
    /// folder.
    QCoro::Task<Result<void>> make(QString scratch = {}) const;
    /// All files or an error; folders in names are created.
    QCoro::Task<Result<void>> write(std::vector<Upload> files) const;
    QCoro::Task<Result<ExitNote>> readExit() const;
    /// The same once the job has ended, or will never run: files with secrets are removed as well.
    QCoro::Task<Result<ExitNote>> readLastExit() const;
    /// Bytes of a small file from `offset` on (events.ndjson); empty when there are none or no
    /// file.
    QCoro::Task<Result<QByteArray>> readFrom(QString name, qint64 offset) const;
    /// NotFound: the folder does not exist. Regular files whose relative name matches one of the
    /// patterns
    /// ("results/*", "*.png"), sorted. Names that are not safe are left out, and what was sent as
    /// code/ and has not changed.
    QCoro::Task<Result<std::vector<RemoteFile>>> list(QStringList patterns) const;
    /// As list(), but every file, however deep, except those with secrets.
    QCoro::Task<Result<RemoteListing>> listAll() const;
    QCoro::Task<Result<void>> fetch(QString name, QIODevice* destination) const;
    /// No more bytes than listed.
    QCoro::Task<Result<void>> fetch(RemoteFile file, QIODevice* destination) const;

private:
    std::shared_ptr<Shell> m_shell;
    QString m_path;
};

} // namespace slipway
