// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/filefeed.h"

#include "app/runs/logreading.h"
#include "remote/base/tr.h"

#include <QElapsedTimer>

#include <algorithm>

namespace slipway {

namespace {

constexpr int frame = 33; ///< ms: about thirty batches per second
constexpr int fileLookInterval = 1000;
constexpr size_t mostEvents = 10'000;

} // namespace

FileFeed::FileFeed(QString logFile, QStringList recognisers, std::vector<PatternSpec> patterns,
    std::shared_ptr<const HintBook> hints, QObject* parent)
    : RunFeed(parent)
    , m_file(std::move(logFile))
    , m_pass(std::move(hints), std::move(recognisers), patterns)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(frame);
    connect(&m_timer, &QTimer::timeout, this, &FileFeed::readSlice);
    m_look.setInterval(fileLookInterval);
    connect(&m_look, &QTimer::timeout, this, [this] {
        if (m_file.size() > m_read && !m_timer.isActive())
            m_timer.start();
    });
    m_look.start();
    m_timer.start();
}

void FileFeed::wake(const std::vector<qint64>& restarts)
{
    m_restarts = restarts;
    if (!m_timer.isActive())
        m_timer.start();
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
    if (!m_timer.isActive())
        m_timer.start();
    emit liveChanged(live);
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
        if (!m_live)
            finish();
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
    if (atEnd && !m_live)
        finish();
    tell();
    if (!atEnd)
        m_timer.start();
}

void FileFeed::take(const QByteArray& bytes)
{
    if (bytes.isEmpty())
        return;
    m_read += bytes.size();
    m_pass.feed(bytes, [this](const LogLine& line) { takeLine(line); });
}

void FileFeed::divide()
{
    ++m_restartsSeen;
    m_pass.restart([this](const LogLine& line) { takeLine(line); });
    tell();
    appendLine(tr("— the log was restarted (attempt %1) —").arg(m_restartsSeen + 1),
        2 * m_pass.linesSeen() + 1);
    // The curves of the run before would be doubled by the run after.
    m_series.clear();
    m_events.clear();
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
    if (!line.progress)
        appendLine(
            QString::fromUtf8(line.text.data(), qsizetype(line.text.size())), 2 * line.number);
}

std::vector<Explanation> FileFeed::explanations() const
{
    return m_pass.result();
}

qsizetype FileFeed::indexOfLine(qint64 number) const
{
    const auto place = std::lower_bound(m_places.begin(), m_places.end(), 2 * number);
    return place != m_places.end() && *place == 2 * number ? place - m_places.begin() : -1;
}

void FileFeed::appendLine(QString text, qint64 place)
{
    m_lines.append(std::move(text));
    m_places.push_back(place);
    ++m_unsent;
}

void FileFeed::tell()
{
    const auto samples = m_pass.takeSamples();
    m_series.add(samples);
    for (auto& event : m_pass.takeEvents()) {
        if (m_events.size() < mostEvents)
            m_events.push_back(std::move(event));
    }
    // Trimmed in large pieces, because each removal from the front moves the whole list.
    if (m_lines.size() > mostLines + mostLines / 10) {
        const qsizetype surplus = m_lines.size() - mostLines;
        m_lines.remove(0, surplus);
        m_places.erase(m_places.begin(), m_places.begin() + surplus);
        m_firstLine += surplus;
    }
    if (const int count = int(std::min<qsizetype>(std::exchange(m_unsent, 0), m_lines.size()));
        count > 0)
        emit linesAppended(count);
    if (!samples.empty())
        emit samplesAppended();
}

} // namespace slipway

#include "moc_filefeed.cpp"
