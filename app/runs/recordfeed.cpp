// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/recordfeed.h"

#include "app/runs/logreading.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype mostGiven = 1'000'000; ///< numbers of one file

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

bool RecordFeed::read(std::vector<Sample>& samples)
{
    look();
    bool atEnd = true;
    for (size_t i = 0; i < m_open.size(); ++i) {
        Open& open = m_open[i];
        QFile file(m_files[i].path);
        if (!open.reader || !file.open(QIODevice::ReadOnly) || !file.seek(open.offset))
            continue;
        const QByteArray bytes = file.read(logSlice);
        open.offset += bytes.size();
        open.reader->feed(bytes);
        takeFresh(open, samples);
        atEnd = atEnd && open.offset >= file.size();
    }
    return atEnd;
}

void RecordFeed::finish(std::vector<Sample>& samples)
{
    for (Open& open : m_open) {
        if (!open.reader)
            continue;
        open.reader->finish();
        takeFresh(open, samples);
    }
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
