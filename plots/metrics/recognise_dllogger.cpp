// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/baseunit.h"
#include "plots/metrics/dllline.h"
#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/stepclock.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace slipway {

namespace {

constexpr size_t longestDLLLine = 65536;
constexpr int mostNames = 1024; // a malicious log must not grow the maps

/// Reads the output of DLLogger in NVIDIA's deep learning examples: text lines ("DLL <time> -
/// Epoch: 0 Iteration: 100  train.loss : 6.91 None") and lines of JSON ("DLLL {…}", as in
/// raport.json), which also name the units. x is epoch + iteration / iterations of an epoch where
/// both are known, else the iteration counted through all epochs. The mean of an epoch is a series
/// of its own ("epoch_train_loss") when its iterations were plotted; so are validation values per
/// batch ("batch_valid_top1", over batches). Parameters and the summary of the run are events.
/// Where a log has both kinds of lines, a series is read from the kind in which it first appeared.
class DLLoggerRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {"De"}; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    struct Known {
        DLLStep::Kind kind; ///< the level at which the series first appeared
        bool json;
        double epoch = -1; ///< of its last sample
        double iteration = -1;
    };
    struct Value {
        QString name;
        double number = 0;
        BaseUnit unit;
        QString text; ///< as printed, with the unit
    };

    void readJson(std::string_view json, const LogLine& line, MetricSink& sink);
    void give(const DLLStep& step, const std::vector<Value>& values, bool json, const LogLine& line,
        MetricSink& sink);
    void say(const DLLStep& step, const std::vector<Value>& values, const LogLine& line,
        MetricSink& sink);
    void place(const DLLStep& step, int rank, Sample& sample);
    bool isNew(QString& series, const DLLStep& step, int rank, bool json);

    DLLLine m_line;
    LineFields m_fields;
    StepClock m_clock;
    StepClock m_validationClock;
    QHash<std::pair<QString, int>, Known> m_known; ///< by series and rank
    QHash<QString, BaseUnit> m_units;
    DLLStep m_last; ///< the previous iteration, where the iterations of an epoch are known
    double m_perEpoch = 0;
    double m_epochs = 0;
};

bool DLLoggerRecogniser::read(const LogLine& line, MetricSink& sink)
{
    std::string_view text = line.text;
    skipSpaces(text);
    const bool prefixed = text.starts_with("DLL");
    if (!prefixed && !text.starts_with("epoch "))
        return false;
    if (line.progress || text.size() > longestDLLLine)
        return false;
    if (prefixed) {
        skip(text, text.starts_with("DLLL") ? "DLLL" : "DLL");
        if (!skip(text, " "))
            return false;
        skipSpaces(text);
        if (text.starts_with('{')) {
            readJson(text, line, sink);
            return true;
        }
        const size_t dash = text.substr(0, 40).find(" - ");
        if (dash == std::string_view::npos || !isDigit(text[0]))
            return false;
        text.remove_prefix(dash + 3);
    }
    if (!readDllText(text, m_line) || (!prefixed && m_line.step.kind != DLLStep::Iteration))
        return false;
    std::vector<Value> values;
    for (const DLLPair& pair : m_line.pairs) {
        Value value;
        // "5730.98 frames/s" has no name except its unit.
        std::string name(pair.name.empty() ? pair.unit : pair.name);
        if (pair.name.empty() && name.ends_with("/s"))
            name.replace(name.size() - 2, 2, "_per_second");
        value.name = labelText(name);
        value.number = wholeNumber(pair.value).value_or(std::nan(""));
        value.unit = baseUnit(pair.unit);
        value.text = labelText(pair.value, 1000);
        if (!pair.unit.empty())
            value.text += u' ' + labelText(pair.unit, 40);
        if (m_line.step.kind == DLLStep::Parameter || m_line.step.kind == DLLStep::Run
            || wholeNumber(pair.value))
            values.push_back(std::move(value));
    }
    give(m_line.step, values, false, line, sink);
    return true;
}

/// A step of raport.json: [e, i], [e, i, v], [e], [] or "PARAMETER".
std::optional<DLLStep> jsonStep(const QJsonValue& value)
{
    if (value.toString() == QLatin1String("PARAMETER"))
        return DLLStep{DLLStep::Parameter, 0, 0, 0, 0};
    if (!value.isArray() || value.toArray().size() > 3)
        return {};
    const QJsonArray array = value.toArray();
    double numbers[3] = {};
    for (qsizetype i = 0; i < array.size(); ++i) {
        numbers[i] = array[i].toDouble(-1);
        if (numbers[i] < 0 || numbers[i] > 1e15)
            return {};
    }
    static constexpr DLLStep::Kind kinds[] = {
        DLLStep::Run, DLLStep::Epoch, DLLStep::Iteration, DLLStep::Validation};
    return DLLStep{kinds[array.size()], numbers[0], numbers[1], numbers[2], 0};
}

void DLLoggerRecogniser::readJson(std::string_view json, const LogLine& line, MetricSink& sink)
{
    const auto bytes = QByteArray::fromRawData(json.data(), static_cast<qsizetype>(json.size()));
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    const QString type = object.value(QLatin1String("type")).toString();
    if (type == QLatin1String("METADATA")) {
        const QString unit = object.value(QLatin1String("metadata"))
                                 .toObject()
                                 .value(QLatin1String("unit"))
                                 .toString();
        if (!unit.isEmpty() && m_units.size() < mostNames)
            m_units.insert(object.value(QLatin1String("metric")).toString().left(200),
                baseUnit(unit.toStdString()));
        return;
    }
    const auto step = jsonStep(object.value(QLatin1String("step")));
    if (type != QLatin1String("LOG") || !step)
        return;
    const QJsonObject data = object.value(QLatin1String("data")).toObject();
    std::vector<Value> values;
    for (auto member = data.begin(); member != data.end() && values.size() < 64; ++member) {
        Value value;
        value.name = member.key().left(200);
        value.unit = m_units.value(value.name);
        const bool isNumber = member->isDouble();
        value.number = isNumber ? member->toDouble() : std::nan("");
        if (isNumber)
            value.text = QString::number(value.number, 'g', QLocale::FloatingPointShortest);
        else
            value.text = member->toVariant().toString().left(1000);
        if (isNumber || (step->kind == DLLStep::Parameter && !value.text.isEmpty()))
            values.push_back(std::move(value));
    }
    give(*step, values, true, line, sink);
}

void DLLoggerRecogniser::say(
    const DLLStep& step, const std::vector<Value>& values, const LogLine& line, MetricSink& sink)
{
    const bool parameters = step.kind == DLLStep::Parameter;
    MetricEvent event{
        parameters ? QStringLiteral("parameters") : QStringLiteral("summary"), {}, {}, line.number};
    for (const Value& value : values) {
        if (value.text.startsWith(QLatin1String("None")))
            continue;
        if (event.text.size() < 1000)
            event.text += (event.text.isEmpty() ? QString() : QStringLiteral(", ")) + value.name
                + u' ' + value.text;
        const QString key = parameters ? value.name : seriesName(value.name.toStdString());
        event.values.insert(key,
            parameters ? value.text
                       : QString::number(
                           value.number * value.unit.factor, 'g', QLocale::FloatingPointShortest));
        const bool perEpoch = value.name == QLatin1String("steps_per_epoch")
            || value.name == QLatin1String("iterations_per_epoch")
            || value.name == QLatin1String("iters_per_epoch");
        if (parameters && perEpoch && value.number >= 1)
            m_perEpoch = value.number;
        if (parameters && value.name == QLatin1String("epochs") && value.number >= 1)
            m_epochs = value.number;
    }
    if (!event.values.isEmpty())
        sink.add(std::move(event));
}

/// Sets x of a sample at this step.
void DLLoggerRecogniser::place(const DLLStep& step, int rank, Sample& sample)
{
    m_fields.epoch = Counter{"epoch", step.epoch, 0};
    m_fields.step.reset();
    const double perEpoch = step.perEpoch > 0 ? step.perEpoch : m_perEpoch;
    if (step.kind == DLLStep::Iteration && perEpoch > 0) {
        // Some versions count iterations through all epochs.
        const bool goesOn = step.epoch > m_last.epoch && step.iteration > m_last.iteration;
        const double before = step.epoch * perEpoch;
        const bool through =
            step.iteration >= before && (step.iteration > perEpoch || (goesOn && !step.perEpoch));
        m_last = step;
        sample.x = step.epoch + (through ? step.iteration - before : step.iteration) / perEpoch;
        sample.xName = QStringLiteral("epoch");
        return;
    }
    if (step.kind != DLLStep::Epoch)
        m_fields.step = Counter{"iteration", step.iteration, 0};
    StepClock::Reading reading = m_clock.read(m_fields, rank);
    if (step.kind == DLLStep::Validation) {
        m_fields.step->done = step.validation;
        reading = m_validationClock.read(m_fields, rank);
        reading.name = QStringLiteral("validation_batch");
    }
    sample.x = reading.x;
    sample.xName = reading.name;
}

/// False for values that were emitted before: the two lines of one step may share a metric, and a
/// log may contain both forms. A series that first appeared at another level gets its own name.
bool DLLoggerRecogniser::isNew(QString& series, const DLLStep& step, int rank, bool json)
{
    if (step.kind == DLLStep::Validation)
        series.prepend(QLatin1String("batch_"));
    auto known = m_known.find({series, rank});
    if (known != m_known.end() && known->kind != step.kind) {
        series.prepend(
            step.kind == DLLStep::Epoch ? QLatin1String("epoch_") : QLatin1String("iteration_"));
        known = m_known.find({series, rank});
    }
    if (known == m_known.end()) {
        if (m_known.size() >= mostNames)
            return true;
        known = m_known.insert({series, rank}, {step.kind, json});
    }
    const double at = step.kind == DLLStep::Validation ? step.validation : step.iteration;
    if (known->json != json || (known->epoch == step.epoch && known->iteration == at))
        return false;
    known->epoch = step.epoch;
    known->iteration = at;
    return true;
}

void DLLoggerRecogniser::give(const DLLStep& step, const std::vector<Value>& values, bool json,
    const LogLine& line, MetricSink& sink)
{
    if (step.kind == DLLStep::Parameter || step.kind == DLLStep::Run) {
        say(step, values, line, sink);
        return;
    }
    Sample at;
    place(step, line.rank, at);
    for (const Value& value : values) {
        Sample sample = at;
        sample.series = seriesName(value.name.toStdString());
        if (sample.series.isEmpty() || !isNew(sample.series, step, line.rank, json))
            continue;
        sample.lane = rankLane(line.rank);
        sample.y = value.number * value.unit.factor;
        sample.unit = value.unit.unit;
        sample.line = line.number;
        sink.add(std::move(sample));
    }
    if (m_epochs > 0)
        sink.setProgress(QStringLiteral("epoch"),
            at.xName == QLatin1String("epoch") ? at.x : step.epoch, m_epochs);
    else if (step.perEpoch > 0)
        sink.setProgress(QStringLiteral("iteration"), step.iteration, step.perEpoch);
}

} // namespace

std::unique_ptr<Recogniser> makeDLLoggerRecogniser()
{
    return std::make_unique<DLLoggerRecogniser>();
}

} // namespace slipway
