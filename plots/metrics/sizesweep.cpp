// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/sizesweep.h"

#include "plots/metrics/recogniser.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace slipway {

namespace {

/// "size 2": of a product.
bool isFactor(const QString& name)
{
    return name.startsWith(QLatin1String("size "));
}

/// "size", "n": of the problem, and not of what works on it.
bool isOfProblem(const QString& name)
{
    return name == QLatin1String("size") || name == QLatin1String("n") || isFactor(name);
}

} // namespace

bool SweepSizes::has(const QString* name) const
{
    return std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count),
        [name](const Size& size) { return isSameText(*size.name, *name); });
}

bool SweepSizes::set(const QString* name, double value)
{
    for (size_t i = 0; i < count; ++i) {
        if (isSameText(*all[i].name, *name)) {
            all[i].value = value;
            return true;
        }
    }
    if (count == most)
        return false;
    all[count++] = {name, value};
    return true;
}

void SweepSizes::set(const SweepSizes& others)
{
    for (size_t i = 0; i < others.count; ++i)
        set(others.all[i].name, others.all[i].value);
}

bool SweepSizes::hasNamesOf(const SweepSizes& other) const
{
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
    const auto otherEnd = other.all.begin() + static_cast<std::ptrdiff_t>(other.count);
    return std::equal(all.begin(), end, other.all.begin(), otherEnd,
        [](const Size& a, const Size& b) { return isSameText(*a.name, *b.name); });
}

/// True once a size has changed.
bool SizeSweep::decide(const SweepSizes& sizes)
{
    const SweepSizes& before = m_held.back().sizes;
    std::array<bool, SweepSizes::most> changed{};
    for (size_t i = 0; i < sizes.count; ++i) {
        changed[i] = sizes.all[i].value != before.all[i].value;
        const bool isBetter = m_x < SweepSizes::most && isOfProblem(*sizes.all[m_x].name)
            && !isOfProblem(*sizes.all[i].name);
        if (changed[i] && (m_x == SweepSizes::most || isBetter))
            m_x = i;
    }
    if (m_x == SweepSizes::most)
        return false;
    for (size_t i = 0; i < sizes.count; ++i)
        m_isApart[i] = !changed[i];
    m_first = before.all[m_x].value;
    m_rises = sizes.all[m_x].value > m_first;
    return true;
}

bool SizeSweep::goesOn(const SweepSizes& sizes)
{
    for (size_t i = 0; i < sizes.count; ++i) {
        if (m_isApart[i] && sizes.all[i].value != m_last.all[i].value)
            return true; // another curve
    }
    const double x = sizes.all[m_x].value, last = m_last.all[m_x].value;
    return x == m_first || (m_rises ? x > last : x < last);
}

/// What changes while x goes on is no loop around it: "k=20  d_eff=767", "k=30  d_eff=761".
void SizeSweep::findResults(const SweepSizes& sizes)
{
    const double x = sizes.all[m_x].value, last = m_last.all[m_x].value;
    const bool goesFurther = x != last && x != m_first && (x > last) == m_rises;
    for (size_t i = 0; i < sizes.count; ++i) {
        if (sizes.all[i].value == m_last.all[i].value)
            continue;
        m_isAround[i] = m_isAround[i] || !goesFurther;
        m_isApart[i] = m_isApart[i] && m_isAround[i];
    }
}

void SizeSweep::place(const SweepSizes& sizes, std::vector<Sample>& samples) const
{
    constexpr size_t many = 3;
    QString apart;
    for (size_t i = 0; i < sizes.count; ++i) {
        const bool isNamed = isFactor(*sizes.all[i].name)
            ? m_isVaried[i]
            : !m_rules.mayStandStill || sizes.count < many || m_isVaried[i];
        if (m_isApart[i] && isNamed)
            addToLane(
                apart, *sizes.all[i].name + u' ' + QString::number(sizes.all[i].value, 'g', 12));
    }
    for (Sample& sample : samples) {
        sample.x = sizes.all[m_x].value;
        sample.xName = *sizes.all[m_x].name;
        addToLane(sample.lane, apart);
    }
}

std::vector<Sample> SizeSweep::takeHeld()
{
    std::vector<Sample> all;
    for (Line& line : m_held)
        std::move(line.samples.begin(), line.samples.end(), std::back_inserter(all));
    m_held = {};
    return all;
}

void SizeSweep::giveUp(std::vector<Sample>& samples)
{
    std::vector<Sample> all = takeHeld();
    std::move(samples.begin(), samples.end(), std::back_inserter(all));
    samples = std::move(all);
    m_isNone = true;
}

/// 0.1, 0.2, 0.3 or 0.01, 0.1, 1: as a loop makes them.
bool SizeSweep::isProgression() const
{
    const auto x = [this](size_t i) { return m_held[i].sizes.all[m_x].value; };
    const auto areEqual = [](double a, double b) {
        constexpr double close = 1e-3; // as many digits as are printed
        return std::abs(a - b) <= close * std::max(std::abs(a), std::abs(b));
    };
    bool hasSteps = true, hasRatios = true;
    for (size_t i = 2; i < m_held.size(); ++i) {
        hasSteps = hasSteps && areEqual(x(i) - x(i - 1), x(i - 1) - x(i - 2));
        hasRatios = hasRatios && areEqual(x(i) * x(i - 2), x(i - 1) * x(i - 1));
    }
    return hasSteps || hasRatios;
}

bool SizeSweep::isEnough(size_t lines) const
{
    if (m_x == SweepSizes::most || m_held.size() < lines)
        return false;
    const std::vector<Sample>& first = m_held.front().samples;
    return !m_rules.isStrict
        || std::any_of(m_held.begin(), m_held.end(), [&first](const Line& line) {
               return !std::equal(line.samples.begin(), line.samples.end(), first.begin(),
                   first.end(), [](const Sample& a, const Sample& b) { return a.y == b.y; });
           });
}

void SizeSweep::placeHeld(std::vector<Sample>& samples)
{
    for (Line& line : m_held) {
        place(line.sizes, line.samples);
        std::move(line.samples.begin(), line.samples.end(), std::back_inserter(samples));
    }
    m_held = {};
}

bool SizeSweep::finish(std::vector<Sample>& samples)
{
    const bool isPlaced = isEnough(m_rules.lines);
    if (isPlaced)
        placeHeld(samples);
    else
        giveUp(samples);
    return isPlaced;
}

SizeSweep::Found SizeSweep::add(const SweepSizes& sizes, std::vector<Sample>& samples)
{
    const bool isDecided = m_x < SweepSizes::most;
    const bool isFirst = !isDecided && m_held.empty();
    if (m_isNone || sizes.count == 0 || (!isFirst && !sizes.hasNamesOf(m_last)))
        return Found::None;
    const bool isSweep = isDecided ? !m_rules.isStrict || goesOn(sizes)
                                   : isFirst || decide(sizes) || m_held.size() < m_rules.ofOneSize;
    if (!isSweep || m_held.size() >= mostHeld) {
        giveUp(samples);
        return Found::None;
    }
    if (isDecided && m_rules.mayStandStill)
        findResults(sizes);
    for (size_t i = 0; i < sizes.count && !isFirst; ++i)
        m_isVaried[i] = m_isVaried[i] || sizes.all[i].value != m_last.all[i].value;
    m_last = sizes;
    if (!m_isProven) {
        m_held.push_back({sizes, std::move(samples)});
        samples.clear();
        if (m_rules.counts && m_x < SweepSizes::most && !isProgression()) {
            giveUp(samples);
            return Found::None;
        }
        if (!isEnough(m_rules.lines) || (m_held.size() < m_rules.unsure && !isProgression()))
            return Found::Held;
        m_isProven = true;
        placeHeld(samples);
        return Found::Placed;
    }
    place(sizes, samples);
    return Found::Placed;
}

} // namespace slipway
