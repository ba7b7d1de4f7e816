// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/pipeline.h"

#include "plots/metrics/commandtimes.h"
#include "plots/metrics/decimalcomma.h"
#include "plots/metrics/linefilter.h"
#include "plots/metrics/lineshapes.h"
#include "plots/metrics/objectlines.h"
#include "plots/metrics/ranklabel.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/repeatedsamples.h"
#include "plots/metrics/tickednumbers.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace slipway {

namespace {

/// For as many samples room is made when as many came before: they are large to move.
constexpr size_t mostExpected = 4096;

} // namespace

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

    LineFilter filter;
    LineShapes shapes;
    bool isLearning = true;
    LineFilter::Set everybody = 0; ///< those that are asked about every line
    RepeatedSamples repeated;
    ObjectLines objects;
    std::string commandTimes; ///< the line as bash would print it
    DecimalComma comma;
    std::string pointed; ///< the line with points in front of fractions
    std::string unticked; ///< the line without ticks around its numbers
    LineFilter::Set open = 0; ///< readers that read every line for now

    void addReader(std::unique_ptr<Recogniser> recogniser, SampleSource source)
    {
        if (!recogniser)
            return;
        filter.add(recogniser->signs());
        readers.push_back({std::move(recogniser), source});
    }

    void makeReaders()
    {
        readers.clear();
        filter = {};
        shapes.clear();
        repeated.clear();
        objects = {};
        comma = {};
        open = 0;
        for (const PatternSpec& pattern : patterns)
            addReader(makePatternRecogniser(pattern), SampleSource::Recipe);
        for (const QString& name : names.isEmpty() ? recogniserNames() : names) {
            const bool own = name == QLatin1String("slipway");
            addReader(makeRecogniser(name), own ? SampleSource::Program : SampleSource::Output);
        }
    }

    LineAssembler::Sink reader(const LineAssembler::Sink& lines)
    {
        return [this, &lines](LogLine line) {
            line.shape = shapeOf(line.text);
            if (lines)
                lines(line);
            read(line);
        };
    }

    const LineShape* shapeOf(std::string_view text)
    {
        return isLearning ? shapes.find(text, filter) : nullptr;
    }

    void setText(LogLine& line, std::string_view text)
    {
        line.text = text;
        line.shape = shapeOf(text);
    }

    void read(LogLine& line)
    {
        if (traitsOf(line).mayHaveLabel)
            takeLabel(line);
        if (mayBeTimesOfCommand(line.text)) {
            commandTimes = timesOfCommand(line.text);
            if (!commandTimes.empty())
                setText(line, commandTimes);
        }
        ObjectLines::Taken taken = objects.take(line);
        if (taken == ObjectLines::Taken::Broken) {
            readHeld(objects.takeHeld(line.rank));
            taken = objects.take(line);
        }
        if (taken == ObjectLines::Taken::Held)
            return;
        if (taken == ObjectLines::Taken::Whole)
            setText(line, objects.text());
        readWhole(line);
    }

    static const LineTraits& traitsOf(const LogLine& line)
    {
        static constexpr LineTraits unknown;
        return line.shape ? line.shape->traits : unknown;
    }

    void takeLabel(LogLine& line)
    {
        const size_t whole = line.text.size();
        line.rank = takeRankLabel(line.text, &line.mayCount);
        if (line.text.size() != whole)
            line.shape = shapeOf(line.text);
    }

    /// The lines of what began like an object, one by one.
    void readHeld(const std::vector<ObjectLines::Line>& lines)
    {
        for (const ObjectLines::Line& held : lines) {
            LogLine line{held.text, held.number, held.end, held.rank, held.mayCount};
            line.shape = shapeOf(line.text);
            readWhole(line);
        }
    }

    void readWhole(LogLine& line)
    {
        const size_t before = sink.samples.size();
        const unsigned findings = sink.findings();
        if (traitsOf(line).mayHaveTicks && withoutTicks(line.text, unticked))
            setText(line, unticked);
        if (comma.apply(line.text, traitsOf(line).comma, pointed))
            setText(line, pointed);
        const bool isRead = offer(line);
        if (const std::string_view rest = sink.takeRest(); !rest.empty()) {
            setText(line, rest);
            offer(line);
            sink.takeRest();
        }
        if (sink.findings() != findings)
            sink.titles().pass();
        else if (!isRead && !line.progress)
            sink.titles().keep(line.text, traitsOf(line).title, line.number);
        if (sink.samples.size() > before)
            giveSamples(line, before);
    }

    /// Those from `before` on are of this line.
    void giveSamples(const LogLine& line, size_t before)
    {
        repeated.drop(sink.samples, before);
        for (size_t i = before; i < sink.samples.size(); ++i) {
            if (sink.samples[i].place < 0) // a number that was held back has its own
                sink.samples[i].place = line.end - 1;
        }
    }

    /// To the readers that it may concern, up to the first that accepts it; false: none does.
    bool offer(const LogLine& line)
    {
        const LineFilter::Set candidates =
            line.shape ? line.shape->candidates : filter.candidates(line.text);
        for (LineFilter::Set rest = candidates | open | everybody; rest; rest &= rest - 1) {
            const auto i = static_cast<size_t>(std::countr_zero(rest));
            const bool taken = offerTo(readers[i], line);
            const LineFilter::Set self = LineFilter::Set(1) << i;
            open = readers[i].recogniser->isOpen() ? open | self : open & ~self;
            if (taken)
                return true;
        }
        for (size_t i = LineFilter::most; i < readers.size(); ++i) {
            if (offerTo(readers[i], line))
                return true;
        }
        return false;
    }

    bool offerTo(const Reader& reader, const LogLine& line)
    {
        sink.setSource(reader.source);
        return reader.recogniser->read(line, sink);
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

void MetricsPipeline::learnNothing()
{
    m_state->isLearning = false;
}

void MetricsPipeline::askAboutEveryLine()
{
    m_state->everybody = ~LineFilter::Set(0) >> (LineFilter::most - m_state->readers.size());
}

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
    m_state->readHeld(m_state->objects.takeHeld());
    for (const auto& reader : m_state->readers) {
        m_state->sink.setSource(reader.source);
        reader.recogniser->finish(m_state->sink);
    }
    m_state->sink.finish();
}

std::vector<Sample> MetricsPipeline::takeSamples()
{
    std::vector<Sample> taken = std::exchange(m_state->sink.samples, {});
    m_state->sink.samples.reserve(std::min(taken.size(), mostExpected));
    return taken;
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
