// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/parametersweeps.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace slipway {

namespace {

/// Removes what was read of the parameters themselves: the "rate" of "Dropout rate: 0.1".
void eraseParameters(const LineMeaning& line, std::vector<Sample>& samples)
{
    const auto end = line.parameters.begin() + line.parameterCount;
    for (size_t i = 0; i < line.count; ++i) {
        if (std::find(line.parameters.begin(), end, line.metrics[i].pair) == end)
            continue;
        const QString& series = *line.metrics[i].series;
        std::erase_if(samples, [&series](const Sample& sample) { return sample.series == series; });
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

} // namespace

/// The same name for as long as the log is read; null: there are too many.
const QString* ParameterSweeps::axisName(const LinePair& parameter)
{
    const QString name = labelText(parameter.name);
    const auto known = std::find_if(m_names.begin(), m_names.end(),
        [&name](const QString& other) { return isSameText(other, name); });
    if (known != m_names.end())
        return &*known;
    if (name.isEmpty() || m_names.size() >= mostNames)
        return nullptr;
    m_names.push_back(name);
    return &m_names.back();
}

SizeSweep::Found ParameterSweeps::place(
    Form& form, const SweepSizes& sizes, std::vector<Sample>& samples, const MetricSink& sink)
{
    const bool isHere = form.placeX == sink.placeX() && form.placeName == sink.placeName();
    if (form.isNone || (!form.isProven && !isHere)) { // what rises is of a training that goes on
        std::vector<Sample> held = form.sweep.takeHeld();
        held.insert(held.end(), samples.begin(), samples.end());
        samples = std::move(held);
        form.isNone = true;
        return SizeSweep::Found::None;
    }
    const SizeSweep::Found found = form.sweep.add(sizes, samples);
    form.isProven = form.isProven || found == SizeSweep::Found::Placed;
    return found;
}

void ParameterSweeps::give(const Form& form, std::vector<Sample>& samples, MetricSink& sink)
{
    for (Sample& sample : samples) {
        addToLane(sample.lane, form.lane);
        sink.add(std::move(sample));
    }
    samples.clear();
}

bool ParameterSweeps::add(
    std::string_view text, const LineMeaning& line, std::vector<Sample>& samples, MetricSink& sink)
{
    constexpr SizeSweep::Rules rules{.lines = 3, .unsure = 5, .ofOneSize = 1, .isStrict = true};
    SweepSizes sizes;
    size_t key = line.form;
    for (size_t i = 0; i < line.parameterCount; ++i) {
        const LinePair& parameter = *line.parameters[i];
        const QString* const name = axisName(parameter);
        if (!name)
            break;
        sizes.set(name, parameter.value * (parameter.unit ? parameter.unit->factor : 1));
        key = key * 31 + qHash(*name);
    }
    eraseParameters(line, samples);
    const auto end = static_cast<size_t>(line.parameters[0]->name.data() - text.data());
    const std::string_view before = trimmed(text.substr(0, end));
    const QString lane = subjectOf(before);
    const bool isInFront = before.empty() || !lane.isEmpty();
    key = key * 31 + qHash(lane);
    const bool hasRoom = m_forms.size() < mostForms || m_forms.contains(key);
    if (!isInFront || sizes.count == 0 || samples.empty() || !hasRoom) {
        samples.clear();
        return false;
    }
    Form& form =
        m_forms.try_emplace(key, Form{SizeSweep(rules), lane, sink.placeX(), sink.placeName()})
            .first->second;
    const qint64 number = samples.front().line;
    for (Sample& sample : samples)
        sample.isSwept = true;
    switch (place(form, sizes, samples, sink)) {
    case SizeSweep::Found::Held:
        return true;
    case SizeSweep::Found::Placed:
        give(form, samples, sink);
        return true;
    case SizeSweep::Found::None:
        std::erase_if(samples, [number](const Sample& sample) { return sample.line == number; });
        for (Sample& sample : samples)
            sample.isSwept = false;
        break;
    }
    return false;
}

void ParameterSweeps::finish(MetricSink& sink)
{
    std::map<qint64, std::pair<const Form*, std::vector<Sample>>> byLine;
    for (auto& [key, form] : m_forms) {
        std::vector<Sample> samples;
        if (form.isNone || !form.sweep.finish(samples) || samples.empty())
            continue;
        const qint64 first = samples.front().line;
        byLine.insert_or_assign(first, std::pair(&form, std::move(samples)));
    }
    for (auto& [line, held] : byLine)
        give(*held.first, held.second, sink);
    m_forms.clear();
}

} // namespace slipway
