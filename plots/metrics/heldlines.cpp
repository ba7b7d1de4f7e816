// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/heldlines.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr int linesWithoutPlace = 3;
constexpr int linesAtOnePlace = 6;

const QString lineName = QStringLiteral("line");

/// Whether numbers of one name differ. What is always the same is no measurement.
bool varies(const std::vector<Sample>& samples)
{
    const Sample& first = samples.front();
    return std::any_of(samples.begin(), samples.end(), [&](const Sample& sample) {
        const auto same = std::find_if(samples.begin(), samples.end(), [&](const Sample& other) {
            return other.series == sample.series && other.lane == sample.lane;
        });
        return same->y != sample.y;
    }) && !first.series.isEmpty();
}

bool movesOn(const std::vector<Sample>& samples)
{
    return samples.front().x != samples.back().x && samples.front().xName != lineName;
}

} // namespace

HeldLines::Axis HeldLines::decide(const Form& form)
{
    if (form.proof == Proof::Counter)
        return form.lines >= 2 ? Axis::Own : Axis::Undecided;
    if (!varies(form.held))
        return Axis::Undecided;
    if (movesOn(form.held))
        return Axis::Own;
    const bool placed = form.held.front().xName != lineName;
    const bool enough = form.lines >= (placed ? linesAtOnePlace : linesWithoutPlace);
    return enough ? Axis::Line : Axis::Undecided;
}

void HeldLines::give(Form& form, std::vector<Sample>& samples, MetricSink& sink)
{
    for (size_t i = 0; i < samples.size();) {
        size_t end = i;
        while (end < samples.size() && samples[end].line == samples[i].line)
            ++end;
        // Of several lines at one place the first counts: points must not lie above each other.
        const bool again = form.axis == Axis::Own && form.proof != Proof::Counter && form.given
            && samples[i].x == form.lastX;
        form.lastX = samples[i].x;
        form.given = true;
        for (; i < end; ++i) {
            if (again)
                continue;
            if (form.axis == Axis::Line) {
                samples[i].x = static_cast<double>(samples[i].line);
                samples[i].xName = lineName;
            }
            sink.add(std::move(samples[i]));
        }
    }
    samples.clear();
}

void HeldLines::take(size_t key, Proof proof, std::vector<Sample>& samples, MetricSink& sink)
{
    if (samples.empty())
        return;
    if (m_forms.size() >= mostForms && !m_forms.contains(key)) {
        std::erase_if(
            m_forms, [](const auto& entry) { return entry.second.axis == Axis::Undecided; });
        if (m_forms.size() >= mostForms) {
            samples.clear(); // unproven, so not for anybody else either
            return;
        }
    }
    Form& form = m_forms[key];
    if (form.axis != Axis::Undecided) {
        give(form, samples, sink);
        return;
    }
    // What was printed before the program said where it is has no place beside the rest.
    if (!form.held.empty() && form.held.back().xName == lineName
        && samples.front().xName != lineName) {
        form.held.clear();
        form.lines = 0;
    }
    form.proof = proof;
    ++form.lines;
    if (form.held.size() + samples.size() > mostHeld)
        form.held.erase(form.held.begin(),
            form.held.begin()
                + std::min<qsizetype>(qsizetype(samples.size()), qsizetype(form.held.size())));
    std::move(samples.begin(), samples.end(), std::back_inserter(form.held));
    samples.clear();
    form.axis = decide(form);
    if (form.axis != Axis::Undecided) {
        give(form, form.held, sink);
        form.held = {};
    }
}

void HeldLines::finish(MetricSink& sink)
{
    std::vector<Form*> results;
    for (auto& [key, form] : m_forms) {
        if (form.axis == Axis::Undecided && form.proof == Proof::Result && !form.held.empty())
            results.push_back(&form);
    }
    std::sort(results.begin(), results.end(),
        [](const Form* a, const Form* b) { return a->held.front().line < b->held.front().line; });
    for (Form* form : results) {
        form->axis = Axis::Own;
        give(*form, form->held, sink);
    }
    m_forms.clear();
}

} // namespace slipway
