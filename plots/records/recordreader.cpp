// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/recordreader.h"

#include <utility>

namespace slipway {

namespace {

constexpr qsizetype mostNotDrawn = 64;

} // namespace

std::vector<Sample> RecordReader::takeSamples()
{
    return std::exchange(m_samples, {});
}

void RecordReader::add(Sample sample)
{
    sample.source = SampleSource::Record;
    m_samples.push_back(std::move(sample));
}

void RecordReader::noteNotDrawn(const QString& what)
{
    if (m_notDrawn.size() < mostNotDrawn && !m_notDrawn.contains(what))
        m_notDrawn.append(what);
}

std::unique_ptr<RecordReader> makeRecordReader(const RecordFile& file)
{
    switch (file.kind) {
    case RecordKind::EventFile:
        return makeEventFileReader(file.lane);
    case RecordKind::Table:
        return makeTableReader(file.lane);
    case RecordKind::Json:
        return makeJsonReader(file.lane);
    case RecordKind::WandbRun:
        return makeWandbReader(file.lane);
    case RecordKind::MlflowMetric:
        return makeMlflowReader(file.lane, file.metric);
    }
    Q_UNREACHABLE();
}

} // namespace slipway
