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
    sample.source = SampleSource::LoggerFile;
    m_samples.push_back(std::move(sample));
}

void RecordReader::noteNotDrawn(const QString& what)
{
    if (m_notDrawn.size() < mostNotDrawn && !m_notDrawn.contains(what))
        m_notDrawn.append(what);
}

void FramedReader::feed(QByteArrayView bytes)
{
    if (m_lost)
        return;
    m_pending.append(bytes);
    qsizetype at = 0;
    while (const qsizetype taken = takePart(QByteArrayView(m_pending).sliced(at)))
        at += taken;
    m_pending.remove(0, m_lost ? m_pending.size() : at);
}

void FramedReader::lose()
{
    noteBroken();
    m_lost = true;
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
