// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QCoroTask>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace slipway {

/// FileSum computes the SHA-256 of a file from its beginning on, in a worker thread, close behind a
/// transfer that reads or writes it: those bytes are still in memory. Lives on the thread of the
/// transfer, which owns it; deleting it ends the work.
class FileSum {
public:
    enum class Side { Read, Written }; ///< what the transfer does with the file

    FileSum(QString path, Side side);
    ~FileSum();

    /// The bytes before `end` are there: they are summed meanwhile, and what was written is on its
    /// way to the disk, so that the sync at the end finds little to do.
    void reach(qint64 end);
    /// The sum of the first `end` bytes, in 64 digits; `end` never becomes less. None: the file is
    /// shorter or cannot be read, or `mayGoOn`, asked every now and then, said no.
    QCoro::Task<std::optional<QByteArray>> sumOf(qint64 end, std::function<bool()> mayGoOn = {});

private:
    struct Work;
    std::shared_ptr<Work> m_work;

    static QCoro::Task<void> run(std::shared_ptr<Work> work);
    static QCoro::Task<std::optional<QByteArray>> finish(
        std::shared_ptr<Work> work, qint64 end, std::function<bool()> mayGoOn);
};

} // namespace slipway
