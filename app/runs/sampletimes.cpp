// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/sampletimes.h"

#include "app/runs/privatefiles.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

constexpr qint64 timesSlice = 1024 * 1024;
constexpr qint64 largestTimes = 64 * 1024 * 1024;
constexpr qint64 clocksApart = 60; ///< s by which the clocks of a cluster may differ
constexpr qint64 unnotedEnd = 10; ///< s before the end in which a killed job may note nothing

bool hasNoX(const Sample& sample)
{
    return sample.xName == QLatin1String("line");
}

} // namespace

SampleTimes::SampleTimes(const QString& logFile)
    : m_file(logTimesFile(logFile))
    , m_files(QFileInfo(logFile).path() + QStringLiteral("/files"))
{
}

void SampleTimes::restart(qint64 begin)
{
    m_begin = begin;
    m_times = {};
    m_read = 0;
    m_held.clear();
    m_waiting.invalidate();
    m_gaveUp = false;
}

void SampleTimes::readFile()
{
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly))
        return;
    if (file.size() < m_read) { // it is written anew
        m_times = {};
        m_read = 0;
    }
    while (file.seek(m_read)) {
        const QByteArray text = file.read(timesSlice);
        const qsizetype taken = m_times.read(text);
        m_read += taken;
        if (taken == 0 && text.size() == timesSlice)
            m_read += timesSlice; // endless: not a line
        else if (taken == 0 || text.size() < timesSlice)
            return;
    }
}

/// Interactive runs, which have no job.sh, and earlier versions of the script do not.
bool SampleTimes::notesTimes()
{
    if (!m_notesTimes) {
        QFile script(m_files + QStringLiteral("/slipway.sh"));
        m_notesTimes = QFile::exists(m_files + QStringLiteral("/job.sh"))
            && script.open(QIODevice::ReadOnly) && script.read(timesSlice).contains("log.times");
    }
    return *m_notesTimes;
}

std::optional<double> SampleTimes::secondsOf(const Sample& sample, bool live) const
{
    if (!m_span.started.isValid() || sample.place < m_begin)
        return {};
    std::optional<qint64> time = m_times.at(sample.place - m_begin);
    const auto last = m_times.last();
    if (!time && !live && last && m_span.ended.isValid()
        && m_span.ended.toSecsSinceEpoch() - *last <= unnotedEnd)
        time = last;
    if (!time)
        return {};
    const double seconds = double(*time - m_span.started.toSecsSinceEpoch());
    return seconds < -clocksApart ? std::nullopt : std::optional(std::max(0.0, seconds));
}

std::vector<Sample> SampleTimes::timed(std::vector<Sample> samples, bool live)
{
    if (m_held.empty() && std::none_of(samples.begin(), samples.end(), hasNoX))
        return samples;
    readFile();
    const auto others = std::stable_partition(samples.begin(), samples.end(), hasNoX);
    std::vector<Sample> ready(others, samples.end());
    std::vector<Sample> waiting = std::exchange(m_held, {});
    waiting.insert(waiting.end(), samples.begin(), others);
    if (!m_coming && m_waiting.isValid())
        m_waiting.start();
    const bool tooLong = m_waiting.isValid() && m_waiting.elapsed() > longestWait;
    auto sample = waiting.begin();
    for (; sample != waiting.end(); ++sample) {
        if (!m_gaveUp)
            sample->seconds = secondsOf(*sample, live);
        const bool tooMany = size_t(waiting.end() - sample) > mostHeld;
        if (!sample->seconds && live && !m_gaveUp && !tooLong && !tooMany && notesTimes())
            break;
        m_gaveUp = m_gaveUp || !sample->seconds;
        ready.push_back(*sample);
    }
    if (sample != waiting.begin() || !m_waiting.isValid())
        m_waiting.start();
    m_held.assign(sample, waiting.end());
    if (m_held.empty())
        m_waiting.invalidate();
    return ready;
}

QString logTimesFile(const QString& logFile)
{
    return QFileInfo(logFile).path() + QStringLiteral("/log.times");
}

void keepLogTimes(const QString& logFile, const QByteArray& bytes, qint64 offset)
{
    const QString name = logTimesFile(logFile);
    if (offset == 0)
        QFile::remove(name);
    makePrivateFile(name);
    QFile file(name);
    if (file.size() == offset && offset + bytes.size() <= largestTimes
        && file.open(QIODevice::WriteOnly | QIODevice::Append))
        file.write(bytes);
}

NotedSizes notedSizes(const QString& logFile)
{
    NotedSizes sizes;
    QFile file(logTimesFile(logFile));
    if (!file.open(QIODevice::ReadOnly))
        return sizes;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine(64);
        const auto words = line.trimmed().split(' ');
        bool isSize = false;
        const qint64 size = words.value(0).toLongLong(&isSize);
        if (words.size() != 2 || !line.endsWith('\n') || !isSize || size < 0)
            continue;
        sizes.last = size;
        sizes.largest = std::max(sizes.largest, size);
    }
    return sizes;
}

} // namespace slipway
