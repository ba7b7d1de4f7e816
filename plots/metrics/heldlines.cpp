// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/heldlines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace slipway {

namespace {

constexpr int linesWithoutPlace = 3;
constexpr int linesAtOnePlace = 6;
constexpr int linesAtOneTime = 32; ///< a simulation corrects each of its times several times
constexpr int linesOfTable = 4;
constexpr int linesOfBlocks = 3;
constexpr int linesOfLoops = 8;
constexpr int linesAlone = 5;
constexpr size_t numbersAlone = 4; ///< that differ
constexpr int linesOfWhole = 5;
constexpr size_t wholeNumbers = 3; ///< that differ

const QString lineName = QStringLiteral("line");

/// Whether the number differs from the first of its name. What is always the same is no
/// measurement.
bool differs(const Sample& sample, const std::deque<Sample>& samples)
{
    const auto first = std::find_if(samples.begin(), samples.end(), [&](const Sample& other) {
        return isSameText(other.lane, sample.lane) && isSameText(other.series, sample.series);
    });
    return first->y != sample.y;
}

bool movesOn(const std::deque<Sample>& samples)
{
    return samples.front().x != samples.back().x && samples.front().xName != lineName;
}

bool isTime(const Sample& sample)
{
    return sample.series == QLatin1String("time");
}

/// "Time: 0.401, dt: 0.0018, energy: 0.125": each line names a later time than the one before, and
/// something else.
bool risesInTime(const std::deque<Sample>& samples)
{
    double last = -std::numeric_limits<double>::infinity();
    size_t timed = 0;
    std::set<qint64> lines, others;
    for (const Sample& sample : samples) {
        const bool leads = lines.insert(sample.line).second;
        if (leads && !isTime(sample))
            return false; // "logloss 0.5 … predict time 0.0075": how long something took
        if (!isTime(sample)) {
            others.insert(sample.line);
            continue;
        }
        if (!(sample.y > last))
            return false;
        last = sample.y;
        ++timed;
    }
    return timed == lines.size() && others.size() == lines.size();
}

/// Each line is further on than the one before.
bool isRising(const std::deque<Sample>& samples)
{
    for (size_t i = 1; i < samples.size(); ++i) {
        if (samples[i].line != samples[i - 1].line && !(samples[i].x > samples[i - 1].x))
            return false;
    }
    return true;
}

/// "1, 1, 1, 2, 2, 2, 3": as many lines at each place of an outer loop, which goes on in equal
/// steps.
bool areOfLoops(const std::deque<Sample>& samples)
{
    size_t ofFirst = 0, lines = 0;
    double ofLoop = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
        const bool isSameLine = i > 0 && samples[i].line == samples[i - 1].line;
        const double step = i > 0 ? samples[i].x - samples[i - 1].x : 0;
        if (isSameLine)
            continue;
        ofLoop = ofLoop == 0 ? step : ofLoop;
        if (step != 0
            && (step < 0 || step != ofLoop || lines < 2 || (ofFirst > 0 && lines != ofFirst)))
            return false;
        if (step != 0)
            ofFirst = std::exchange(lines, 0);
        ++lines;
    }
    return ofFirst > 0 && lines <= ofFirst;
}

size_t differentNumbers(const std::deque<Sample>& samples)
{
    std::set<double> numbers;
    for (const Sample& sample : samples) {
        if (!std::isnan(sample.y))
            numbers.insert(sample.y);
    }
    return numbers.size();
}

/// 10, 20, 30: something is counted.
bool areEquidistant(const std::deque<Sample>& samples)
{
    for (size_t i = 2; i < samples.size(); ++i) {
        if (samples[i].y - samples[i - 1].y != samples[1].y - samples[0].y)
            return false;
    }
    return true;
}

} // namespace

HeldLines::Axis HeldLines::decide(const Form& form)
{
    if (form.proof == Proof::Certain)
        return Axis::Own;
    if (isCounted(form.proof)) {
        if (form.lines < 2)
            return Axis::Undecided;
        // Several lines in one epoch, and nothing else that counts; or a counter that is a setting.
        const bool stands = form.held.front().x == form.held.back().x;
        return !stands ? Axis::Own : form.lines >= linesWithoutPlace ? Axis::Line : Axis::Undecided;
    }
    if (form.proof == Proof::Table || form.proof == Proof::Block) {
        const int least = form.proof == Proof::Table ? linesOfTable : linesOfBlocks;
        if (form.varies && form.lines >= least && isRising(form.held))
            return Axis::Own;
        // "1  1  0.51", "1  2  0.47", …, "2  1  0.44": within what counts there is another loop.
        const bool isNested =
            form.proof == Proof::Table && form.lines >= linesOfLoops && areOfLoops(form.held);
        return form.varies && isNested ? Axis::Line : Axis::Undecided;
    }
    if (!form.varies || form.held.front().series.isEmpty())
        return Axis::Undecided;
    if (form.proof == Proof::Whole) {
        const bool isMeasured = form.lines >= linesOfWhole
            && differentNumbers(form.held) >= wholeNumbers && !areEquidistant(form.held);
        const bool isByLine = form.held.front().xName == lineName;
        return !isMeasured        ? Axis::Undecided
            : isByLine            ? Axis::Line
            : isRising(form.held) ? Axis::Own
                                  : Axis::Undecided;
    }
    if (form.proof == Proof::Alone) {
        return form.lines >= linesAlone && differentNumbers(form.held) >= numbersAlone
            ? Axis::Line
            : Axis::Undecided;
    }
    if (movesOn(form.held))
        return Axis::Own;
    if (form.proof == Proof::Turn)
        return Axis::Line;
    const QString& x = form.held.front().xName;
    const bool placed = x != lineName;
    const bool enough = form.lines >= (!placed               ? linesWithoutPlace
                                : x == QLatin1String("time") ? linesAtOneTime
                                                             : linesAtOnePlace);
    if (!enough)
        return Axis::Undecided;
    return !placed && risesInTime(form.held) ? Axis::Time : Axis::Line;
}

/// Gives the samples of a line their x. False: it names no time.
template <typename It> bool HeldLines::place(Axis axis, It begin, It end)
{
    if (axis == Axis::Own)
        return true;
    const auto time = axis == Axis::Time ? std::find_if(begin, end, isTime) : end;
    if (axis == Axis::Time && time == end)
        return false;
    for (It sample = begin; sample != end; ++sample) {
        sample->x = axis == Axis::Time ? time->y : static_cast<double>(sample->line);
        sample->xName = axis == Axis::Time ? QStringLiteral("time") : lineName;
    }
    return true;
}

/// What was printed before the program said where it is has no place beside the rest. Only the last
/// line before the first epoch that was named is of the one before that: the log begins within it.
void HeldLines::Form::placeBefore(const Sample& next)
{
    const bool isWithin =
        next.xName == QLatin1String("epoch") && next.x >= 2 && next.x == std::floor(next.x);
    if (isWithin) {
        const qint64 line = held.back().line;
        std::erase_if(held, [line](const Sample& sample) { return sample.line != line; });
        for (Sample& sample : held) {
            sample.x = next.x - 1;
            sample.xName = next.xName;
        }
        lines = 1;
        varies = false;
        return;
    }
    forget();
}

/// Where the next of several lines at one place is, as a part of the way to the next place. How
/// many follow is not known: as many as at the place before, or always one more. It rises in either
/// case.
double HeldLines::Form::partOfPlace() const
{
    return linesHere < linesBefore ? double(linesHere) / linesBefore : 1 - 1.0 / (linesHere + 2);
}

/// Of several lines at one place the first counts, or their order in an epoch: points must not lie
/// above each other.
std::optional<double> HeldLines::Form::placeOf(const Sample& sample)
{
    // Where the line before was given is where the program is now.
    if (!given || (sample.x != placeX && sample.x != lastX)) {
        linesBefore = given ? linesHere : 0;
        linesHere = 1;
        placeX = lastX = sample.x;
        lastY = sample.y;
        given = true;
        return sample.x;
    }
    if (isCounted(proof))
        return sample.x;
    if (sample.xName != QLatin1String("epoch") || sample.y == lastY)
        return {};
    lastY = sample.y;
    lastX = placeX + partOfPlace();
    ++linesHere;
    return lastX;
}

template <typename Samples> void HeldLines::give(Form& form, Samples& samples, MetricSink& sink)
{
    for (size_t i = 0; i < samples.size();) {
        size_t end = i;
        while (end < samples.size() && samples[end].line == samples[i].line)
            ++end;
        const auto own = form.axis == Axis::Own ? form.placeOf(samples[i]) : 0;
        const bool placed = own
            && place(form.axis, samples.begin() + static_cast<std::ptrdiff_t>(i),
                samples.begin() + static_cast<std::ptrdiff_t>(end));
        for (; i < end; ++i) {
            if (form.axis == Axis::Own && own)
                samples[i].x = *own;
            if (placed && !(form.axis == Axis::Time && isTime(samples[i])))
                sink.add(std::move(samples[i]));
        }
    }
    samples.clear();
}

/// The samples are moved behind those that are held.
void HeldLines::hold(Form& form, std::vector<Sample>& samples)
{
    size_t unseen = form.held.size(); // from here on it is not known whether they vary
    if (form.held.size() + samples.size() > mostHeld) {
        const size_t oldest = std::min(samples.size(), form.held.size());
        form.held.erase(form.held.begin(), form.held.begin() + static_cast<std::ptrdiff_t>(oldest));
        // Among equal numbers nothing changes when some go.
        unseen = form.varies ? 0 : unseen - oldest;
        form.varies = false;
    }
    std::move(samples.begin(), samples.end(), std::back_inserter(form.held));
    samples.clear();
    for (size_t i = unseen; i < form.held.size() && !form.varies; ++i)
        form.varies = differs(form.held[i], form.held);
}

void HeldLines::take(size_t key, Proof proof, std::vector<Sample>& samples, MetricSink& sink)
{
    if (samples.empty())
        return;
    if (m_forms.size() >= mostForms && !m_forms.contains(key)) {
        std::erase_if(
            m_forms, [](const auto& entry) { return entry.second.axis == Axis::Undecided; });
        if (m_forms.size() >= mostForms) {
            for (size_t i = 0; i < samples.size() && proof == Proof::Certain; ++i)
                sink.add(std::move(samples[i]));
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
        && samples.front().xName != lineName)
        form.placeBefore(samples.front());
    if (proof == Proof::Block && !form.held.empty() && !(samples.front().x > form.held.back().x))
        form.forget(); // it stands more than once in a block, or the steps have begun again
    form.proof = proof;
    ++form.lines;
    hold(form, samples);
    form.axis = decide(form);
    if (form.axis == Axis::Line)
        giveProven(form, sink);
    else if (form.axis != Axis::Undecided)
        give(form, form.held, sink);
    if (form.axis != Axis::Undecided)
        form.held = {};
}

void HeldLines::takeLines(size_t form, Proof proof, std::vector<Sample>& samples, MetricSink& sink)
{
    if (samples.empty() || samples.front().line == samples.back().line) {
        take(form, proof, samples, sink);
        return;
    }
    const std::vector<Sample> all = std::move(samples);
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end = std::find_if(
            begin, all.end(), [begin](const Sample& sample) { return sample.line != begin->line; });
        samples.assign(begin, end);
        take(form, proof, samples, sink);
        begin = end;
    }
    samples.clear();
}

/// Lines of other forms with the same measurements are proven as well, and lie between these:
/// "Acceptance ratio: 0.35. Trying for trend.", "Acceptance ratio: 0.60. Retrying."
void HeldLines::giveProven(Form& form, MetricSink& sink)
{
    std::deque<Sample> all = std::move(form.held);
    const std::set<std::pair<QString, QString>> names = [&all] {
        std::set<std::pair<QString, QString>> found;
        for (const Sample& sample : all)
            found.emplace(sample.series, sample.lane);
        return found;
    }();
    for (auto& [key, other] : m_forms) {
        const bool isSame = other.axis == Axis::Undecided && other.proof == form.proof
            && !other.held.empty() && other.held.front().xName == lineName
            && std::all_of(other.held.begin(), other.held.end(), [&names](const Sample& sample) {
                   return names.contains({sample.series, sample.lane});
               });
        if (!isSame)
            continue;
        other.axis = Axis::Line;
        std::move(other.held.begin(), other.held.end(), std::back_inserter(all));
        other.held = {};
    }
    std::stable_sort(
        all.begin(), all.end(), [](const Sample& a, const Sample& b) { return a.line < b.line; });
    give(form, all, sink);
}

/// Two blocks that the log ends with: several lines of each stand in both, with other numbers.
void HeldLines::finishBlocks(MetricSink& sink)
{
    constexpr size_t fewForms = 3;
    std::map<std::pair<double, double>, std::vector<Form*>> blocks;
    for (auto& [key, form] : m_forms) {
        if (form.axis == Axis::Undecided && form.proof == Proof::Block && form.lines == 2
            && form.varies && isRising(form.held))
            blocks[{form.held.front().x, form.held.back().x}].push_back(&form);
    }
    for (auto& [places, forms] : blocks) {
        if (forms.size() < fewForms)
            continue;
        std::sort(forms.begin(), forms.end(), [](const Form* a, const Form* b) {
            return a->held.front().line < b->held.front().line;
        });
        for (Form* form : forms) {
            form->axis = Axis::Own;
            give(*form, form->held, sink);
        }
    }
}

void HeldLines::finish(MetricSink& sink)
{
    finishBlocks(sink);
    std::vector<Form*> results;
    for (auto& [key, form] : m_forms) {
        if (form.axis == Axis::Undecided && mayStandAlone(form.proof) && !form.held.empty())
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
