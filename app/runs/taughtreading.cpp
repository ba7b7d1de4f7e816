// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/taughtreading.h"

#include "plots/metrics/pipeline.h"
#include "remote/base/tr.h"

#include <QFile>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 blockSize = 256 * 1024;
constexpr size_t mostShown = 100'000;

void takeFound(MetricsPipeline& pipeline, TaughtReading* reading)
{
    std::vector<Sample> found = pipeline.takeSamples();
    reading->values += qint64(found.size());
    const size_t room = mostShown - reading->samples.size();
    found.resize(std::min(found.size(), room));
    std::move(found.begin(), found.end(), std::back_inserter(reading->samples));
    for (const MetricEvent& event : pipeline.takeEvents()) {
        if (event.event == u"warning")
            reading->trouble = event.text;
    }
}

} // namespace

TaughtReading readTaught(
    const LogSource& source, const PatternSpec& pattern, const std::atomic_bool& isStopped)
{
    TaughtReading reading;
    QFile file(source.file);
    if (!file.open(QIODevice::ReadOnly)) {
        reading.trouble = tr("The log cannot be read: %1.").arg(file.errorString());
        return reading;
    }
    MetricsPipeline pipeline(noRecognisers(), {pattern});
    for (QByteArray bytes; !isStopped && !(bytes = file.read(blockSize)).isEmpty();) {
        pipeline.feed(bytes);
        takeFound(pipeline, &reading);
    }
    pipeline.finish();
    takeFound(pipeline, &reading);
    reading.lines = pipeline.linesSeen();
    return reading;
}

} // namespace slipway
