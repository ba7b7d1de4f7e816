// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/pipeline.h"

#include "plots/metrics/ranklabel.h"
#include "plots/metrics/recognisers.h"

#include <utility>

namespace slipway {

struct MetricsPipeline::State {
    LineAssembler assembler;
    struct Reader {
        std::unique_ptr<Recogniser> recogniser;
        SampleSource source = SampleSource::Output;
    };
    std::vector<Reader> readers;
    MetricSink sink;
    LineAssembler::Sink lineSink;

    void read(LogLine line)
    {
        line.rank = takeRankLabel(line.text);
        for (const Reader& reader : readers) {
            sink.setSource(reader.source);
            if (reader.recogniser->read(line, sink))
                return;
        }
    }
};

MetricsPipeline::MetricsPipeline(QStringList recognisers, const std::vector<PatternSpec>& patterns)
    : m_state(std::make_unique<State>())
{
    State* const state = m_state.get(); // its address stays the same when the pipeline is moved
    state->lineSink = [state](const LogLine& line) { state->read(line); };
    for (const PatternSpec& pattern : patterns) {
        if (auto recogniser = makePatternRecogniser(pattern))
            state->readers.push_back({std::move(recogniser), SampleSource::Recipe});
    }
    for (const QString& name : recognisers.isEmpty() ? recogniserNames() : recognisers) {
        const bool own = name == QLatin1String("slipway");
        if (auto recogniser = makeRecogniser(name))
            state->readers.push_back(
                {std::move(recogniser), own ? SampleSource::Program : SampleSource::Output});
    }
}

MetricsPipeline::~MetricsPipeline() = default;
MetricsPipeline::MetricsPipeline(MetricsPipeline&&) noexcept = default;
MetricsPipeline& MetricsPipeline::operator=(MetricsPipeline&&) noexcept = default;

void MetricsPipeline::feed(QByteArrayView bytes)
{
    m_state->assembler.feed(bytes, m_state->lineSink);
}

void MetricsPipeline::finish()
{
    m_state->assembler.finish(m_state->lineSink);
    for (const auto& reader : m_state->readers) {
        m_state->sink.setSource(reader.source);
        reader.recogniser->finish(m_state->sink);
    }
}

std::vector<Sample> MetricsPipeline::takeSamples()
{
    return std::exchange(m_state->sink.samples, {});
}

std::vector<MetricEvent> MetricsPipeline::takeEvents()
{
    return std::exchange(m_state->sink.events, {});
}

std::optional<MetricProgress> MetricsPipeline::progress() const
{
    return m_state->sink.progress;
}

qint64 MetricsPipeline::linesSeen() const
{
    return m_state->assembler.linesSeen();
}

} // namespace slipway
