// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/seriesstore.h"
#include "plots/records/recordfile.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QTest>

#include <algorithm>

namespace slipway::test {

inline QByteArray recordBytes(const QString& name)
{
    QFile file(sourcePath(QStringLiteral("/tests/data/records/") + name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What a file of a logger says, read in pieces of one size.
struct ReadRecords {
    SeriesStore store;
    std::vector<Sample> samples;
    QStringList notDrawn;
    qint64 broken = 0;

    /// "series lane: count, first x → y, last x → y" of one series.
    QString line(const QString& series, const QString& lane) const
    {
        const MetricSeries* const curve = store.find(series, lane);
        if (!curve || curve->empty())
            return QStringLiteral("none");
        const auto point = [curve](size_t i) {
            return QStringLiteral("%1→%2").arg(curve->at(i).x).arg(curve->at(i).y);
        };
        return QStringLiteral("%1 by %2: %3, %4")
            .arg(curve->size())
            .arg(curve->xName(), point(0), point(curve->size() - 1));
    }
    QStringList names() const
    {
        QStringList names;
        for (const auto& curve : store.all())
            names << curve->series();
        names.sort();
        return names;
    }
};

inline ReadRecords readRecords(
    const QByteArray& bytes, const RecordFile& file, qsizetype piece = 1 << 20)
{
    const auto reader = makeRecordReader(file);
    for (qsizetype at = 0; at < bytes.size(); at += piece)
        reader->feed(QByteArrayView(bytes).sliced(at, std::min(piece, bytes.size() - at)));
    reader->finish();
    ReadRecords read;
    read.samples = reader->takeSamples();
    read.store.add(read.samples);
    read.notDrawn = reader->notDrawn();
    read.broken = reader->broken();
    return read;
}

} // namespace slipway::test
