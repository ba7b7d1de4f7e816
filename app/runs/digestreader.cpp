// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/digestreader.h"

#include "app/runs/logreading.h"

#include <QElapsedTimer>

#include <algorithm>

namespace slipway {

namespace {

constexpr int sliceInterval = 50; ///< ms
constexpr int firstNote = 500; ///< ms from the first numbers to their write
constexpr int noteInterval = 10'000; ///< ms between writes; each is a transaction of the store

} // namespace

DigestReader::DigestReader(std::shared_ptr<RunRecord> record)
    : m_record(std::move(record))
    , m_pass(nullptr, m_record->reading.recognisers, m_record->reading.patterns)
    , m_records(m_record->local.folder())
    , m_file(m_record->local.logFile())
{
    m_slices.setSingleShot(true);
    m_slices.setInterval(sliceInterval);
    connect(&m_slices, &QTimer::timeout, this, &DigestReader::readSlice);
    m_notes.setSingleShot(true);
    m_notes.setInterval(firstNote);
    connect(&m_notes, &QTimer::timeout, this, &DigestReader::note);
    connect(m_record.get(), &RunRecord::logGrew, this, [this] {
        if (!m_slices.isActive())
            m_slices.start();
    });
    m_slices.start();
}

void DigestReader::readSlice()
{
    if (m_record->ended())
        return; // at the end the whole log is read once more, for its explanations
    const bool wholeLog = readLog();
    const bool allRecords = readRecords();
    if (!wholeLog || !allRecords)
        m_slices.start();
    if (m_fresh && !m_notes.isActive())
        m_notes.start();
}

/// True: it was read to its end.
bool DigestReader::readLog()
{
    if (!m_file.isOpen() && !m_file.open(QIODevice::ReadOnly))
        return true;
    const std::vector<qint64>& restarts = m_record->local.logRestarts();
    QElapsedTimer clock;
    clock.start();
    bool atEnd = false;
    while (!atEnd && clock.elapsed() < readingBudget) {
        if (m_restartsSeen < restarts.size() && restarts[m_restartsSeen] <= m_read) {
            ++m_restartsSeen;
            m_pass.restart();
            m_builder.clear();
            m_records.again();
            continue;
        }
        const qint64 most = m_restartsSeen < restarts.size()
            ? std::min(logSlice, restarts[m_restartsSeen] - m_read)
            : logSlice;
        m_file.seek(m_read);
        const QByteArray bytes = m_file.read(most);
        atEnd = bytes.isEmpty();
        m_read += bytes.size();
        m_pass.feed(bytes);
        const auto samples = m_pass.takeSamples();
        m_pass.takeEvents();
        m_fresh = m_fresh || !samples.empty();
        m_builder.add(samples);
    }
    return atEnd;
}

bool DigestReader::readRecords()
{
    const RecordFeed::Given given = m_records.read(m_builder.printed());
    if (given.renewed)
        m_builder.clearRecorded();
    m_builder.add(given.samples);
    m_fresh = m_fresh || given.renewed || !given.samples.empty();
    return given.atEnd;
}

void DigestReader::note()
{
    if (!std::exchange(m_fresh, false) || m_record->ended())
        return;
    m_notes.setInterval(noteInterval);
    m_record->run.digest = m_builder.digest(m_record->reading.charts);
    m_record->save();
}

} // namespace slipway

#include "moc_digestreader.cpp"
