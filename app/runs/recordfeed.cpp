// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/recordfeed.h"

#include "app/runs/logreading.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <numeric>

namespace slipway {

namespace {

constexpr qsizetype mostGiven = 1'000'000; ///< numbers of one file
constexpr size_t mostCompared = 2048; ///< beyond it curves are given without being compared
constexpr int mostRenewals = 32; ///< a log with endless new names must not read the files for ever

size_t hashOf(const Sample& sample)
{
    return qHashMulti(0, sample.series, sample.lane, sample.x, sample.y);
}

} // namespace

RecordFeed::RecordFeed(QString runFolder)
    : m_folder(std::move(runFolder))
{
}

bool RecordFeed::grew() const
{
    const QFileInfo index(KeptRecords(m_folder).indexPath());
    if (!index.exists())
        return false;
    if (index.lastModified() != m_indexed || index.size() != m_indexSize
        || m_open.size() < m_files.size())
        return true;
    for (size_t i = 0; i < m_open.size(); ++i) {
        if (QFileInfo(m_files[i].path).size() > m_open[i].offset)
            return true;
    }
    return false;
}

qint64 RecordFeed::bytes() const
{
    return std::accumulate(m_open.begin(), m_open.end(), qint64(0),
        [](qint64 sum, const Open& open) { return sum + open.offset; });
}

RecordFeed::Open RecordFeed::opened(const KeptRecords::File& file)
{
    Open open;
    open.rewrites = file.rewrites;
    if (const auto kind = recordFileOf(file.name))
        open.reader = makeRecordReader(*kind);
    return open;
}

/// The index says which files there are, and which were written anew.
void RecordFeed::look()
{
    const KeptRecords kept(m_folder);
    const QFileInfo index(kept.indexPath());
    m_indexed = index.lastModified();
    m_indexSize = index.exists() ? index.size() : -1;
    m_files = kept.files();
    for (size_t i = 0; i < m_files.size(); ++i) {
        if (i >= m_open.size()) {
            m_open.push_back(opened(m_files[i]));
        } else if (m_open[i].rewrites != m_files[i].rewrites) {
            auto given = std::move(m_open[i].given);
            m_open[i] = opened(m_files[i]);
            m_open[i].given = std::move(given);
        }
    }
}

RecordFeed::Given RecordFeed::read(const std::vector<CurveId>& printed)
{
    const bool fresh = grew(); // else the log may have other curves
    if (fresh)
        look();
    Given given;
    for (size_t i = 0; fresh && i < m_open.size(); ++i) {
        Open& open = m_open[i];
        QFile file(m_files[i].path);
        if (!open.reader || !file.open(QIODevice::ReadOnly) || !file.seek(open.offset))
            continue;
        const QByteArray bytes = file.read(logSlice);
        open.offset += bytes.size();
        open.reader->feed(bytes);
        takeFresh(open, given.samples);
        given.atEnd = given.atEnd && open.offset >= file.size();
    }
    if (changesWhatIsGiven(given.samples, printed)) {
        m_open.clear();
        given = {{}, false, true};
    }
    leaveOutTwice(given.samples);
    return given;
}

void RecordFeed::again()
{
    m_open.clear();
    m_recorded.clear();
    m_known.clear();
    m_twice.clear();
}

void RecordFeed::noteCurves(const std::vector<Sample>& samples)
{
    for (const Sample& sample : samples) {
        const CurveKey key(sample.series, sample.lane);
        if (m_known.contains(key) || m_recorded.size() >= mostCompared)
            continue;
        m_known.insert(key);
        m_recorded.push_back(curveIdOf(sample));
    }
}

/// Whether numbers that were given or left out before would not be so now: then the files are read
/// again. Curves that are new in these samples are decided without that.
bool RecordFeed::changesWhatIsGiven(
    const std::vector<Sample>& fresh, const std::vector<CurveId>& printed)
{
    const QSet<CurveKey> before = m_known;
    noteCurves(fresh);
    if (printed == m_printed && m_known.size() == before.size())
        return false;
    m_printed = printed;
    QSet<CurveKey> twice = recordedTwice(m_printed, m_recorded);
    const bool changes = std::any_of(before.begin(), before.end(),
        [&](const CurveKey& key) { return twice.contains(key) != m_twice.contains(key); });
    if (changes && ++m_renewals > mostRenewals)
        return false;
    m_twice = std::move(twice);
    return changes;
}

void RecordFeed::leaveOutTwice(std::vector<Sample>& samples) const
{
    if (m_twice.isEmpty())
        return;
    std::erase_if(samples, [this](const Sample& sample) {
        return m_twice.contains({sample.series, sample.lane});
    });
}

std::vector<Sample> RecordFeed::finish()
{
    std::vector<Sample> samples;
    for (Open& open : m_open) {
        if (!open.reader)
            continue;
        open.reader->finish();
        takeFresh(open, samples);
    }
    leaveOutTwice(samples);
    return samples;
}

void RecordFeed::takeFresh(Open& open, std::vector<Sample>& samples)
{
    for (Sample& sample : open.reader->takeSamples()) {
        const size_t hash = hashOf(sample);
        if (open.given.contains(hash) || open.given.size() >= mostGiven)
            continue;
        open.given.insert(hash);
        samples.push_back(std::move(sample));
    }
}

} // namespace slipway
