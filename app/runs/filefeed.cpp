// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/filefeed.h"

#include "app/runs/logblock.h"
#include "app/runs/logreading.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 frame = 33; ///< ms: at most about thirty batches per second
constexpr int fileLookInterval = 1000;
constexpr size_t mostEvents = 10'000;
constexpr qint64 markInterval = 256 * 1024; ///< bytes between two known places

} // namespace

FileFeed::FileFeed(QString logFile, QStringList recognisers, std::vector<PatternSpec> patterns,
    std::shared_ptr<const HintBook> hints, QObject* parent)
    : RunFeed(parent)
    , m_file(std::move(logFile))
    , m_hints(std::move(hints))
    , m_records(QFileInfo(m_file.fileName()).path())
    , m_pass(m_hints, std::move(recognisers), patterns)
    , m_times(m_file.fileName())
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &FileFeed::readSlice);
    m_look.setInterval(fileLookInterval);
    connect(&m_look, &QTimer::timeout, this, [this] {
        if (m_file.size() > m_read || m_times.isWaiting() || m_records.grew())
            schedule();
    });
    m_look.start();
    schedule();
}

/// What comes after a silence is read at once; what comes in a stream, a frame after the last
/// batch.
void FileFeed::schedule()
{
    if (!m_timer.isActive())
        m_timer.start(
            int(m_batch.isValid() ? std::max<qint64>(0, frame - m_batch.elapsed()) : frame));
}

void FileFeed::wake(const std::vector<qint64>& restarts, const RunSpan& span, bool attached)
{
    m_restarts = restarts;
    m_times.setSpan(span);
    m_times.setComing(attached);
    m_attached = attached;
    schedule();
}

void FileFeed::setLive(bool live)
{
    if (m_live == live)
        return;
    m_live = live;
    if (live)
        m_look.start();
    else
        m_look.stop();
    // The last bytes may not have been read yet: readSlice() finishes once it has read them.
    schedule();
    emit liveChanged(live);
}

void FileFeed::readAgain(QStringList recognisers, const std::vector<PatternSpec>& patterns)
{
    m_linesShown = std::max(m_linesShown, m_pass.linesSeen());
    m_dividersShown = std::max(m_dividersShown, m_restartsSeen);
    m_pass = LogPass(m_hints, std::move(recognisers), patterns);
    m_read = 0;
    m_restartsSeen = 0;
    m_finished = false;
    m_recordsFinished = false;
    beginNumbers(0);
    schedule();
    emit restarted();
}

/// The numbers begin again, at this place of the log.
void FileFeed::beginNumbers(qint64 offset)
{
    m_series.clearPrinted();
    m_records.again();
    m_times.restart(offset);
    m_events.clear();
    m_pace = {};
}

void FileFeed::addSamples(const std::vector<Sample>& samples)
{
    m_series.add(samples);
    if (!samples.empty())
        emit samplesAppended();
}

void FileFeed::readSlice()
{
    if (!m_file.isOpen() && !m_file.open(QIODevice::ReadOnly)) {
        if (!readRecords())
            schedule();
        else if (!m_live) {
            finish();
            finishRecords();
        }
        return;
    }
    QElapsedTimer clock;
    clock.start();
    bool atEnd = false;
    while (!atEnd && clock.elapsed() < readingBudget) {
        if (m_restartsSeen < m_restarts.size() && m_restarts[m_restartsSeen] <= m_read) {
            divide();
            continue;
        }
        const qint64 border =
            m_restartsSeen < m_restarts.size() ? m_restarts[m_restartsSeen] - m_read : logSlice;
        m_file.seek(m_read);
        const QByteArray bytes = m_file.read(std::min(logSlice, border));
        atEnd = bytes.isEmpty();
        take(bytes);
    }
    if (const auto progress = m_pass.progress(); atEnd && progress)
        m_pace.note(*progress, QDateTime::currentMSecsSinceEpoch());
    tell();
    const bool allRecords = readRecords();
    if (atEnd && allRecords && !m_live) {
        finish();
        finishRecords();
    }
    m_batch.start();
    if (!atEnd || !allRecords || m_series.shape() != m_shapeOfRecords)
        schedule();
}

/// What metrics loggers wrote beside the log. True: all of it was read.
bool FileFeed::readRecords()
{
    if (!m_records.grew() && m_series.shape() == m_shapeOfRecords)
        return true;
    const RecordFeed::Given given = m_records.read(printedCurves(m_series));
    if (given.renewed)
        m_series.clearRecorded();
    addSamples(given.samples);
    m_shapeOfRecords = m_series.shape();
    return given.atEnd;
}

/// Their last bytes arrive after the run's end is shown.
void FileFeed::finishRecords()
{
    if (m_attached || std::exchange(m_recordsFinished, true))
        return;
    addSamples(m_records.finish());
}

void FileFeed::take(const QByteArray& bytes)
{
    if (bytes.isEmpty())
        return;
    const qint64 begin = m_read;
    m_read += bytes.size();
    m_pass.feed(bytes, [this](const LogLine& line) { takeLine(line); });
    const qint64 place = begin + bytes.lastIndexOf('\n') + 1;
    if (place > begin && place - (m_marks.empty() ? 0 : m_marks.back().offset) >= markInterval)
        m_marks.push_back({m_pass.linesSeen() + 1, place});
}

void FileFeed::divide()
{
    ++m_restartsSeen;
    m_pass.restart([this](const LogLine& line) { takeLine(line); });
    tell();
    if (m_restartsSeen > m_dividersShown)
        m_lines.appendDivider(restartDivider(m_restartsSeen + 1), m_pass.linesSeen());
    // The curves of the run before would be doubled by the run after.
    beginNumbers(m_restarts[m_restartsSeen - 1]);
    emit restarted();
}

void FileFeed::finish()
{
    if (std::exchange(m_finished, true))
        return;
    m_pass.finish([this](const LogLine& line) { takeLine(line); });
    tell();
}

/// Only the last frame of a redrawn progress bar is a line, as on a terminal: otherwise line
/// numbers would not match those of the samples.
void FileFeed::takeLine(const LogLine& line)
{
    if (!line.progress && line.number > m_linesShown)
        m_lines.append(
            QString::fromUtf8(line.text.data(), qsizetype(line.text.size())), line.number);
}

std::vector<Explanation> FileFeed::explanations() const
{
    return m_pass.result();
}

std::optional<RunProgress> FileFeed::progress() const
{
    return m_pace.at(QDateTime::currentMSecsSinceEpoch());
}

QDateTime FileFeed::grewAt() const
{
    const QFileInfo file(m_file.fileName());
    return file.exists() ? file.lastModified() : QDateTime();
}

LogPlace FileFeed::placeBefore(qint64 number) const
{
    const auto after = std::upper_bound(m_marks.begin(), m_marks.end(), number,
        [](qint64 line, const LogPlace& mark) { return line < mark.line; });
    return after == m_marks.begin() ? LogPlace() : *std::prev(after);
}

void FileFeed::tell()
{
    std::vector<Sample> samples = m_pass.takeSamples();
    if (m_restartsSeen == m_restarts.size()) // the times are those of the last attempt
        samples = m_times.timed(std::move(samples), m_live);
    m_series.add(samples);
    for (auto& event : m_pass.takeEvents()) {
        if (m_events.size() < mostEvents)
            m_events.push_back(std::move(event));
    }
    if (const int count = m_lines.trim(mostLines); count > 0)
        emit linesAppended(count);
    if (!samples.empty())
        emit samplesAppended();
}

} // namespace slipway

#include "moc_filefeed.cpp"
