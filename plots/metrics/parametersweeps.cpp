// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/parametersweeps.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace slipway {

namespace {

constexpr SizeSweep::Rules ofNames{
    .lines = 3, .unsure = 5, .ofOneSize = 1, .isStrict = true, .mayStandStill = true};
/// "Fold 3: accuracy 0.91"
constexpr SizeSweep::Rules ofCounts{
    .lines = 3, .ofOneSize = 1, .isStrict = true, .mayStandStill = true, .counts = true};
constexpr SizeSweep::Rules ofNumbers{
    .lines = 5, .unsure = 5, .ofOneSize = 1, .isStrict = true, .mayStandStill = true};

void eraseSeries(std::vector<Sample>& samples, const QString& series)
{
    if (!series.isEmpty())
        std::erase_if(
            samples, [&series](const Sample& sample) { return isSameText(sample.series, series); });
}

/// Removes what was read of the parameters themselves: the "rate" of "Dropout rate: 0.1".
void eraseParameters(const LineMeaning& line, std::vector<Sample>& samples)
{
    const auto end = line.parameters.begin() + line.parameterCount;
    for (size_t i = 0; i < line.count; ++i) {
        if (std::find(line.parameters.begin(), end, line.metrics[i].pair) != end)
            eraseSeries(samples, *line.metrics[i].series);
    }
}

/// "ref_path: gpt2-b, " in front of a parameter: "gpt2-b"; empty: there is nothing like that.
QString subjectOf(std::string_view before)
{
    constexpr size_t longest = 40;
    const size_t colon = before.find(": ");
    if (colon == std::string_view::npos || colon == 0)
        return {};
    std::string_view subject = trimmed(before.substr(colon + 2));
    while (!subject.empty() && (subject.back() == ',' || subject.back() == ';'))
        subject.remove_suffix(1);
    const bool isWord = !subject.empty() && subject.size() <= longest
        && std::any_of(subject.begin(), subject.end(), isLetter)
        && subject.find(' ') == std::string_view::npos;
    return isWord ? labelText(subject) : QString();
}

/// "beta" of "Running with beta"
std::string_view parameterIn(std::string_view name)
{
    for (const std::string_view word : {" with ", " for ", " at "}) {
        if (const size_t at = name.rfind(word); at != std::string_view::npos)
            name.remove_prefix(at + word.size());
    }
    return name;
}

auto isNamed(const QString* name)
{
    return [name](const auto& setting) { return isSameText(*setting.name, *name); };
}

bool hasDigits(double value, int most)
{
    return std::abs(QString::number(value, 'g', most).toDouble() - value) <= 1e-9 * std::abs(value);
}

/// Values that somebody chose have few digits, those that were measured many.
bool isChosen(double value)
{
    return value == std::floor(value) || hasDigits(value, 3);
}

double valueOf(const LinePair& parameter)
{
    return parameter.value * (parameter.unit ? parameter.unit->factor : 1);
}

/// "40.01673" and "40.51673" are half apart, which is no chance.
bool isStepFrom(double now, const std::vector<SweepSizes::Size>& above, const QString* axis)
{
    const auto first = std::find_if(above.begin(), above.end(), isNamed(axis));
    return first != above.end() && !hasDigits(now, 5) && hasDigits(now - first->value, 3);
}

} // namespace

bool isMeasurement(double value)
{
    return value != std::floor(value) && !hasDigits(value, 4);
}

/// The same name for as long as the log is read; null: there are too many.
const QString* ParameterSweeps::axisOf(std::string_view printed)
{
    const QString name = labelText(parameterIn(printed));
    const auto known = std::find_if(m_axes.begin(), m_axes.end(),
        [&name](const QString& other) { return isSameText(other, name); });
    if (known != m_axes.end())
        return &*known;
    if (name.isEmpty() || m_axes.size() >= mostAxes)
        return nullptr;
    m_axes.push_back(name);
    return &m_axes.back();
}

const double* ParameterSweeps::settingOf(const QString* name) const
{
    const auto found = std::find_if(m_settings.begin(), m_settings.end(), isNamed(name));
    return found == m_settings.end() ? nullptr : &found->value;
}

/// What is printed again begins another round: those behind it were of the one before.
void ParameterSweeps::note(const Setting& setting)
{
    const auto known = std::find_if(m_settings.begin(), m_settings.end(), isNamed(setting.name));
    m_settings.erase(known, m_settings.end());
    if (m_settings.size() >= mostSettings)
        m_settings.erase(m_settings.begin());
    m_settings.push_back(setting);
}

void ParameterSweeps::note(const LineMeaning& line)
{
    for (size_t i = 0; i < line.sizes.count; ++i)
        note(line.sizes.all[i]);
    for (size_t i = 0; i < line.parameterCount; ++i) {
        if (const QString* const axis = axisOf(line.parameters[i]->name))
            note({axis, valueOf(*line.parameters[i])});
    }
}

void ParameterSweeps::note(std::string_view name, double value)
{
    if (const QString* const axis = axisOf(name))
        note({axis, value});
}

/// The first setting that has another value now; null: none.
const QString* ParameterSweeps::changedSince(const Settings& above) const
{
    for (const Setting& before : above) {
        const double* const now = settingOf(before.name);
        if (now && *now != before.value)
            return before.name;
    }
    return nullptr;
}

/// Null: there are too many.
ParameterSweeps::Form* ParameterSweeps::formOf(
    size_t key, const QString& lane, const MetricSink& sink, const SizeSweep::Rules& rules)
{
    const auto known = m_forms.find(key);
    if (known != m_forms.end())
        return &known->second;
    if (m_forms.size() >= mostForms)
        return nullptr;
    Form form{SizeSweep(rules), lane, sink.placeX(), sink.placeName()};
    return &m_forms.emplace(key, std::move(form)).first->second;
}

/// Leaves what was held, before the samples of the line that was added last.
void ParameterSweeps::giveUp(Form& form, std::vector<Sample>& samples)
{
    std::vector<Sample> all = std::move(form.first);
    form.first.clear();
    for (std::vector<Sample> held = form.sweep.takeHeld();
         std::vector<Sample> * part : {&held, &samples})
        std::move(part->begin(), part->end(), std::back_inserter(all));
    samples = std::move(all);
    form.isNone = true;
    eraseOthers(form, samples);
    for (Sample& sample : samples)
        sample.isSwept = false;
}

/// Parameters that are no results are not drawn.
void ParameterSweeps::eraseOthers(const Form& form, std::vector<Sample>& samples)
{
    for (const QString& other : form.others)
        eraseSeries(samples, other);
}

/// If it is no sweep, all samples are left, those of the lines before first.
bool ParameterSweeps::take(
    Form& form, const SweepSizes& sizes, std::vector<Sample>& samples, MetricSink& sink)
{
    for (Sample& sample : samples)
        sample.isSwept = true;
    const SizeSweep::Found found = form.sweep.add(sizes, samples);
    form.isProven = form.isProven || found == SizeSweep::Found::Placed;
    form.isNone = found == SizeSweep::Found::None;
    if (found == SizeSweep::Found::Placed)
        give(form, samples, sink);
    else if (form.isNone)
        eraseOthers(form, samples);
    for (Sample& sample : samples)
        sample.isSwept = false;
    return !form.isNone;
}

bool ParameterSweeps::takeLine(
    Form& form, const SweepSizes& sizes, std::vector<Sample>& samples, MetricSink& sink)
{
    const qint64 number = samples.front().line;
    if (take(form, sizes, samples, sink))
        return true;
    std::erase_if(samples, [number](const Sample& sample) { return sample.line == number; });
    return false;
}

/// What changes with x is a result: "ortho" in "k=1  ortho=1.8e-10  accuracy=0.84".
void ParameterSweeps::addOthers(Form& form, const LineMeaning& line, std::vector<Sample>& samples)
{
    for (size_t i = 1; i < line.parameterCount && !samples.empty(); ++i) {
        Sample sample = samples.front();
        sample.series = form.others[i] = seriesName(line.parameters[i]->name);
        sample.y = valueOf(*line.parameters[i]);
        const MetricUnit* const unit = line.parameters[i]->unit;
        sample.unit = unit ? unit->unit : QString();
        sample.isOwnName = true;
        samples.push_back(std::move(sample));
    }
}

void ParameterSweeps::give(Form& form, std::vector<Sample>& samples, MetricSink& sink)
{
    if (!form.results) {
        form.results = 0;
        for (size_t i = 1; i < form.others.size(); ++i)
            *form.results |= form.sweep.isApart(i) || form.sweep.isX(i) ? 0 : size_t(1) << i;
    }
    for (size_t i = 1; i < form.others.size(); ++i) {
        const bool isResult = (*form.results >> i & 1) != 0 && !form.sweep.isApart(i);
        if (!isResult)
            eraseSeries(samples, form.others[i]);
    }
    eraseSeries(samples, form.own);
    for (Sample& sample : samples) {
        addToLane(sample.lane, form.lane);
        sink.add(std::move(sample));
    }
    samples.clear();
}

bool ParameterSweeps::add(
    std::string_view text, const LineMeaning& line, std::vector<Sample>& samples, MetricSink& sink)
{
    SweepSizes sizes;
    size_t key = line.form;
    for (size_t i = 0; i < line.parameterCount; ++i) {
        const QString* const axis = axisOf(line.parameters[i]->name);
        if (!axis)
            break;
        sizes.set(axis, valueOf(*line.parameters[i]));
        key = key * 31 + qHash(*axis);
    }
    eraseParameters(line, samples);
    const char* begin = line.parameters[0]->name.data();
    for (size_t i = 0; i < line.count; ++i) { // "time: 0.5 s for n: 16"
        const std::string_view name = line.metrics[i].pair->name;
        begin = name.empty() ? begin : std::min(begin, name.data(), std::less<>());
    }
    std::string_view before = trimmed(text.substr(0, static_cast<size_t>(begin - text.data())));
    before.remove_prefix(std::min(before.find_first_not_of("-*>"), before.size()));
    const QString lane = subjectOf(before);
    const bool isInFront = before.empty() || !lane.isEmpty();
    // "res = 1.1621e+01, total err = 1.8003e-02": of many digits, only equal steps are chosen.
    const LinePair& first = *line.parameters[0];
    const bool isNamedSetting = first.assigned && isChosen(valueOf(first));
    const bool isSetting = !isMeasurement(valueOf(first));
    Form* const form = isInFront && isSetting && sizes.count > 0 && !samples.empty()
        ? formOf(key * 31 + qHash(lane), lane, sink, isNamedSetting ? ofNames : ofCounts)
        : nullptr;
    if (!form || form->isNone || (!form->isProven && !form->isAt(sink))) {
        samples.clear();
        if (form && !form->isNone)
            giveUp(*form, samples); // what rises is of a training that goes on
        return false;
    }
    addOthers(*form, line, samples);
    return takeLine(*form, sizes, samples, sink);
}

bool ParameterSweeps::addBelow(
    size_t key, Below below, std::vector<Sample>& samples, MetricSink& sink)
{
    const SizeSweep::Rules& rules = below == Below::Number ? ofNumbers : ofNames;
    Form* const form =
        !m_settings.empty() && !samples.empty() ? formOf(key, {}, sink, rules) : nullptr;
    if (!form || form->isNone)
        return false;
    if (form->above.empty()) {
        form->above = m_settings;
        form->first = std::move(samples);
        samples.clear();
        return true;
    }
    if (!form->axis)
        form->axis = changedSince(form->above);
    const double* const now = form->axis ? settingOf(form->axis) : nullptr;
    const bool isItself = now && samples.size() == 1 && samples.front().y == *now;
    const bool isMeasured = now && !isChosen(*now) && !isStepFrom(*now, form->above, form->axis);
    if (!now || isItself || isMeasured || (!form->isProven && !form->isAt(sink))) {
        giveUp(*form, samples);
        return false;
    }
    SweepSizes sizes;
    if (!form->first.empty()) {
        const auto before =
            std::find_if(form->above.begin(), form->above.end(), isNamed(form->axis));
        sizes.set(form->axis, before->value);
        std::vector<Sample> first = std::move(form->first);
        form->first.clear();
        take(*form, sizes, first, sink);
    }
    sizes.set(form->axis, *now);
    return take(*form, sizes, samples, sink);
}

bool ParameterSweeps::addRowBelow(size_t form, std::vector<Sample>& samples, MetricSink& sink)
{
    const bool isTaken = addBelow(form, Below::Measurement, samples, sink);
    if (const auto known = m_forms.find(form); known != m_forms.end())
        known->second.isOfRows = true;
    return isTaken;
}

bool ParameterSweeps::addBehind(
    size_t key, double first, std::vector<Sample>& samples, MetricSink& sink)
{
    static const QString axis = QStringLiteral("first number");
    SweepSizes sizes;
    sizes.set(&axis, first);
    Form* const form = formOf(key, {}, sink, ofNumbers);
    return form && !form->isNone && take(*form, sizes, samples, sink);
}

bool ParameterSweeps::isProven(size_t key) const
{
    const auto known = m_forms.find(key);
    return known != m_forms.end() && known->second.isProven;
}

bool ParameterSweeps::addLed(
    size_t key, const LinePair& first, std::vector<Sample>& samples, MetricSink& sink)
{
    const QString* const axis = samples.empty() ? nullptr : axisOf(first.name);
    Form* const form = axis ? formOf(key, {}, sink, ofNames) : nullptr;
    if (!form || form->isNone)
        return false;
    if (!isChosen(first.value)) {
        giveUp(*form, samples);
        return false;
    }
    form->own = samples.front().series;
    SweepSizes sizes;
    sizes.set(axis, valueOf(first));
    return take(*form, sizes, samples, sink);
}

bool ParameterSweeps::addRow(
    size_t key, const SweepSizes& parameters, std::vector<Sample>& samples, MetricSink& sink)
{
    Form* const form = formOf(key, {}, sink, ofNames);
    return form && !form->isNone && take(*form, parameters, samples, sink);
}

void ParameterSweeps::finish(MetricSink& sink)
{
    std::map<qint64, std::pair<Form*, std::vector<Sample>>> byLine;
    for (auto& [key, form] : m_forms) {
        std::vector<Sample> samples;
        const bool isPlaced = !form.isNone && form.sweep.finish(samples);
        if (!isPlaced && form.isOfRows)
            std::move(form.first.begin(), form.first.end(), std::back_inserter(samples));
        if ((!isPlaced && !form.isOfRows) || samples.empty())
            continue;
        const qint64 first = samples.front().line;
        byLine.insert_or_assign(first, std::pair(&form, std::move(samples)));
    }
    for (auto& [line, held] : byLine)
        give(*held.first, held.second, sink);
    m_forms.clear();
    m_settings.clear();
}

} // namespace slipway
