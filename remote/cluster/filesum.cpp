// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/filesum.h"

#include "remote/base/sha256.h"
#include "remote/cluster/worker.h"
#include "remote/shell/gate.h"

#include <QFile>

#include <algorithm>

#include <fcntl.h>

namespace slipway {

namespace {

constexpr qint64 summedAtOnce = 256 * 1024;
constexpr qint64 longestStep = 16 * 1024 * 1024; ///< then it is asked whether it is still wanted
constexpr qint64 shortestStep = 4 * 1024 * 1024; ///< while more is to come

} // namespace

/// What one step of the worker uses and leaves, and what the transfer asks for. The worker has its
/// own while a step runs, the thread of the transfer has all between two.
struct FileSum::Work {
    QFile file; ///< this, down to `summed`: the worker's
    Side side = Side::Read;
    QByteArray buffer = QByteArray(qsizetype(summedAtOnce), Qt::Uninitialized);
    Sha256 hash;
    qint64 summed = 0;

    qint64 wanted = 0;
    bool isRunning = false;
    bool isAbandoned = false;
    Gate stepped;

    /// False: the file has no more.
    bool step(qint64 end)
    {
        if (!file.isOpen() && !file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
            return false;
        const qint64 begin = summed;
        while (summed < end) {
            const qint64 n = file.read(buffer.data(), std::min(summedAtOnce, end - summed));
            if (n <= 0)
                return false;
            hash.add(QByteArrayView(buffer).first(n));
            summed += n;
        }
        if (side == Side::Written) // only a beginning: the transfer syncs the file at its end
            ::sync_file_range(file.handle(), begin, summed - begin, SYNC_FILE_RANGE_WRITE);
        return true;
    }
};

FileSum::FileSum(QString path, Side side)
    : m_work(std::make_shared<Work>())
{
    m_work->file.setFileName(path);
    m_work->side = side;
}

FileSum::~FileSum()
{
    m_work->isAbandoned = true;
}

void FileSum::reach(qint64 end)
{
    m_work->wanted = std::max(m_work->wanted, end);
    if (!m_work->isRunning && m_work->wanted - m_work->summed >= shortestStep)
        run(m_work);
}

QCoro::Task<std::optional<QByteArray>> FileSum::sumOf(qint64 end, std::function<bool()> mayGoOn)
{
    return finish(m_work, end, std::move(mayGoOn));
}

QCoro::Task<void> FileSum::run(std::shared_ptr<Work> work)
{
    work->isRunning = true;
    while (!work->isAbandoned && work->summed < work->wanted) {
        const qint64 end = std::min(work->wanted, work->summed + longestStep);
        const auto step = [work, end] { return work->step(end); };
        const bool isThere = co_await onWorker(step);
        if (!isThere)
            work->isAbandoned = true;
        work->stepped.open();
    }
    work->isRunning = false;
    work->stepped.open();
}

QCoro::Task<std::optional<QByteArray>> FileSum::finish(
    std::shared_ptr<Work> work, qint64 end, std::function<bool()> mayGoOn)
{
    work->wanted = std::max(work->wanted, end);
    if (!work->isRunning)
        run(work);
    while (work->isRunning) {
        co_await work->stepped.wait();
        if (mayGoOn && !mayGoOn())
            work->isAbandoned = true;
    }
    if (work->isAbandoned || work->summed != end)
        co_return std::nullopt;
    co_return work->hash.hex();
}

} // namespace slipway
