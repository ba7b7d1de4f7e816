// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "../charts/report.h"

#include "app/runs/logsearch.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

using namespace slipway;
using namespace slipway::bench;

namespace {

constexpr qint64 oneGigabyte = 1'000'000'000;

/// The log of a training: the same block of lines again and again, each time with another needle
/// behind it. Written as fast as the disk takes it, and deleted with its folder.
class TrainingLog {
public:
    explicit TrainingLog(const QString& path)
        : m_file(path)
    {
        while (m_block.size() < 4 * 1024 * 1024)
            m_block += "Epoch [1/5], Step [" + QByteArray::number(++m_linesPerBlock)
                + "/9999999], Train Loss: 0.5145, Valid Loss: 0.7\n";
    }

    /// Appends to it until it has that size; false: it could not be written.
    bool growTo(qint64 size)
    {
        if (!m_file.isOpen() && !m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
            return false;
        while (m_file.pos() < size) {
            const QByteArray needle = "Needle " + QByteArray::number(++m_blocks) + " of this log\n";
            if (m_file.write(m_block) != m_block.size() || m_file.write(needle) != needle.size())
                return false;
        }
        return true;
    }
    QString path() const { return m_file.fileName(); }
    QString error() const { return m_file.errorString(); }
    qint64 needles() const { return m_blocks; }
    qint64 losses() const { return m_blocks * m_linesPerBlock; }

private:
    QFile m_file;
    QByteArray m_block;
    qint64 m_linesPerBlock = 0;
    qint64 m_blocks = 0;
};

/// A line of /proc/self/status in MB (VmRSS: resident now, VmHWM: at most so far); negative: it is
/// not there.
double residentMegabytes(const char* name)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return -1;
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (line.startsWith(name))
            return line.simplified().split(' ').value(1).toDouble() * 1024 / 1e6;
    }
    return -1;
}

/// From now on VmHWM is the most from now on; proc(5). Where the kernel cannot do this, it is the
/// most since the program was started, which is no less.
void forgetPeak()
{
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        file.write("5");
}

/// One search of the whole file.
struct Search {
    double seconds = 0; ///< on the clock
    double stillest = 0; ///< the longest time in which no new hit was counted
    double grown = 0; ///< MB that it added to the resident memory at most
    double peak = 0; ///< MB that were resident at most, the program and all
    qint64 count = 0;
    bool ordered = true; ///< the hits come in order, and no more are kept than promised
};

Search searched(const QString& path, const LogQuery& query)
{
    Search result;
    LogSearch search;
    QEventLoop loop;
    QElapsedTimer clock, still;
    QObject::connect(&search, &LogSearch::changed, &loop, [&] {
        if (search.count() != result.count) {
            result.count = search.count();
            result.stillest = std::max(result.stillest, double(still.nsecsElapsed()) / 1e9);
            still.start();
        }
        if (!search.isRunning())
            loop.quit();
    });
    forgetPeak();
    const double before = residentMegabytes("VmRSS:");
    clock.start();
    still.start();
    search.start({path, {}, true}, query);
    loop.exec();
    result.seconds = double(clock.nsecsElapsed()) / 1e9;
    result.stillest = std::max(result.stillest, double(still.nsecsElapsed()) / 1e9);
    result.peak = residentMegabytes("VmHWM:");
    result.grown = result.peak - before;
    const auto& hits = search.hits();
    result.ordered = search.trouble().isEmpty() && before > 0
        && qint64(hits.size()) == std::min(result.count, LogScan::mostHits)
        && std::is_sorted(hits.begin(), hits.end(), [](const LogHit& one, const LogHit& other) {
               return one.line < other.line || (one.line == other.line && one.nth < other.nth);
           });
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    Report report("logsearch", argc, argv);
    const QTemporaryDir folder;
    TrainingLog log(folder.filePath(QStringLiteral("log.bin")));
    const auto grows = [&](qint64 size) {
        const bool grown = folder.isValid() && log.growTo(size);
        if (!grown)
            std::fprintf(stderr, "%lld bytes could not be written to %s: %s\n",
                static_cast<long long>(size), qPrintable(folder.path()), qPrintable(log.error()));
        return grown;
    };
    bool right = true;
    const auto measure = [&](const char* name, const LogQuery& query, qint64 hits,
                             double most) -> Search {
        const Search result = searched(log.path(), query);
        const bool good = result.count == hits && result.ordered;
        if (!good)
            std::fprintf(stderr, "%s: %lld hits instead of %lld, or not in order\n", name,
                static_cast<long long>(result.count), static_cast<long long>(hits));
        right = right && good;
        report.add(name, result.seconds, "s", most, false);
        return result;
    };
    if (!grows(oneGigabyte))
        return 1;
    measure("1 GB, any case", {QStringLiteral("needle")}, log.needles(), 2);
    measure("1 GB, this case", {QStringLiteral("Needle"), true}, log.needles(), 2);
    measure("1 GB, no hit", {QStringLiteral("out of memory")}, 0, 2);
    // Twice the size takes twice the time, and no more memory.
    if (!grows(2 * oneGigabyte))
        return 1;
    const Search any = measure("2 GB, any case", {QStringLiteral("needle")}, log.needles(), 4);
    report.add("2 GB, any case, without a new count", any.stillest, "s", 0.25, false);
    report.add("2 GB, any case, added memory", any.grown, "MB", 16, false);
    report.add("2 GB, any case, resident at most", any.peak, "MB", 100, false);
    measure("2 GB, the last line", {QStringLiteral("Needle %1 of").arg(log.needles()), true}, 1, 4);
    // Of some thirty million hits all are counted and the first are kept.
    const Search all =
        measure("2 GB, each line", {QStringLiteral("Train Loss"), true}, log.losses(), 8);
    report.add("2 GB, each line, without a new count", all.stillest, "s", 0.25, false);
    report.add("2 GB, each line, added memory", all.grown, "MB", 32, false);
    report.add("2 GB, each line, resident at most", all.peak, "MB", 100, false);
    const bool met = report.finish() == 0;
    const bool counts = QByteArray(SLIPWAY_BUILD_TYPE) == "Release";
    return right && (met || !counts) ? 0 : 1;
}
