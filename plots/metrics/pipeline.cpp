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
    QStringList names; ///< of the recognisers
    std::vector<PatternSpec> patterns;

    void makeReaders()
    {
        readers.clear();
        for (const PatternSpec& pattern : patterns) {
            if (auto recogniser = makePatternRecogniser(pattern))
                readers.push_back({std::move(recogniser), SampleSource::Recipe});
        }
        for (const QString& name : names.isEmpty() ? recogniserNames() : names) {
            const bool own = name == QLatin1String("slipway");
            if (auto recogniser = makeRecogniser(name))
                readers.push_back(
                    {std::move(recogniser), own ? SampleSource::Program : SampleSource::Output});
        }
    }

    LineAssembler::Sink reader(const LineAssembler::Sink& lines)
    {
        return [this, &lines](const LogLine& line) {
            if (lines)
                lines(line);
            read(line);
        };
    }

    void read(LogLine line)
    {
        line.rank = takeRankLabel(line.text);
        const size_t before = sink.samples.size();
        for (const Reader& reader : readers) {
            sink.setSource(reader.source);
            if (reader.recogniser->read(line, sink))
                break;
        }
        for (size_t i = before; i < sink.samples.size(); ++i) {
            if (sink.samples[i].place < 0) // a number that was held back has its own
                sink.samples[i].place = line.end - 1;
        }
    }
};

MetricsPipeline::MetricsPipeline(QStringList recognisers, const std::vector<PatternSpec>& patterns)
    : m_state(std::make_unique<State>())
{
    m_state->names = std::move(recognisers);
    m_state->patterns = patterns;
    m_state->makeReaders();
}

MetricsPipeline::~MetricsPipeline() = default;
MetricsPipeline::MetricsPipeline(MetricsPipeline&&) noexcept = default;
MetricsPipeline& MetricsPipeline::operator=(MetricsPipeline&&) noexcept = default;

void MetricsPipeline::feed(QByteArrayView bytes, const LineAssembler::Sink& lines)
{
    m_state->assembler.feed(bytes, m_state->reader(lines));
}

void MetricsPipeline::restart()
{
    m_state->sink = {};
    m_state->makeReaders();
}

void MetricsPipeline::finish(const LineAssembler::Sink& lines)
{
    m_state->assembler.finish(m_state->reader(lines));
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
