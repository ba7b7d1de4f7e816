// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/pipeline.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>

#include <random>

namespace slipway::test {

inline QByteArray readLog(const QString& name)
{
    QFile file(slipway::sourcePath(QStringLiteral("/tests/data/logs/")) + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QStringList logNames()
{
    return QDir(slipway::sourcePath(QStringLiteral("/tests/data/logs")))
        .entryList({QStringLiteral("*.txt"), QStringLiteral("*.json")}, QDir::Files, QDir::Name);
}

struct Reading {
    std::vector<Sample> samples;
    std::vector<MetricEvent> events;
    qint64 lines = 0;

    bool operator==(const Reading&) const = default;
};

/// Reads a log in chunks of the sizes that `next` gives.
template <typename Next>
Reading readInChunks(const QByteArray& log, Next next, const QStringList& recognisers = {},
    const std::vector<PatternSpec>& patterns = {})
{
    MetricsPipeline pipeline(recognisers, patterns);
    for (qsizetype at = 0; at < log.size();) {
        const qsizetype size = std::min<qsizetype>(next(), log.size() - at);
        pipeline.feed(QByteArrayView(log).sliced(at, size));
        at += size;
    }
    pipeline.finish();
    return {pipeline.takeSamples(), pipeline.takeEvents(), pipeline.linesSeen()};
}

inline Reading readWhole(const QByteArray& log, const QStringList& recognisers = {},
    const std::vector<PatternSpec>& patterns = {})
{
    return readInChunks(
        log, [&] { return std::max<qsizetype>(log.size(), 1); }, recognisers, patterns);
}

} // namespace slipway::test
