// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparemodel.h"

#include "app/compare/words.h"

#include <algorithm>

namespace slipway {

void CompareModel::setPublished(const RaceReferences& published)
{
    m_published = published;
    update();
}

void CompareModel::putRun(const ComparedRun& run)
{
    const auto same = [&](const ComparedRun& one) { return one.id == run.id; };
    const auto at = std::find_if(m_runs.begin(), m_runs.end(), same);
    if (at == m_runs.end()) {
        m_runs.push_back(run);
    } else {
        *at = run;
    }
    update();
}

void CompareModel::dismissRun(const QString& runId)
{
    emit runDismissed(runId);
    removeRun(runId);
}

void CompareModel::removeRun(const QString& runId)
{
    std::erase_if(m_runs, [&](const ComparedRun& one) { return one.id == runId; });
    update();
}

void CompareModel::clear()
{
    m_runs.clear();
    m_hidden.clear();
    m_firstKey.clear();
    m_secondKey.clear();
    m_work.clear();
    update();
}

bool CompareModel::holds(const QString& runId) const
{
    return std::any_of(
        m_runs.begin(), m_runs.end(), [&](const ComparedRun& one) { return one.id == runId; });
}

bool CompareModel::isLive() const
{
    return std::any_of(
        m_runs.begin(), m_runs.end(), [](const ComparedRun& one) { return one.live; });
}

void CompareModel::setWork(const QString& work)
{
    if (work != m_work && m_works.contains(work)) {
        m_work = work;
        update();
    }
}

std::vector<AbsentLane> CompareModel::absent() const
{
    std::vector<AbsentLane> list;
    for (const ComparedRun& run : m_runs) {
        for (const AbsentLane& lane : run.file.absent) {
            const bool known = std::any_of(list.begin(), list.end(), [&](const AbsentLane& one) {
                return one.label == lane.label && one.why == lane.why;
            });
            if (!known) {
                list.push_back(lane);
            }
        }
    }
    return list;
}

void CompareModel::setShown(const QString& key, bool shown)
{
    if (shown != isShown(key)) {
        shown ? void(m_hidden.remove(key)) : void(m_hidden.insert(key));
        emit changed();
    }
}

void CompareModel::choose(const QString& firstKey, const QString& secondKey)
{
    m_firstKey = firstKey;
    m_secondKey = secondKey;
    update();
}

void CompareModel::setView(const CompareView& view)
{
    if (view != m_view) {
        m_view = view;
        emit changed();
    }
}

bool CompareModel::hasRate() const
{
    return std::any_of(m_lanes.begin(), m_lanes.end(), [](const CompareLane& lane) {
        return std::any_of(lane.points.begin(), lane.points.end(),
            [](const Measurement& point) { return point.operations || point.bytes; });
    });
}

bool CompareModel::hasTransfers() const
{
    return std::any_of(m_lanes.begin(), m_lanes.end(), [](const CompareLane& lane) {
        return std::any_of(lane.points.begin(), lane.points.end(),
            [](const Measurement& point) { return !point.secondsWithTransfers.empty(); });
    });
}

std::vector<ReferenceSeries> CompareModel::references() const
{
    std::vector<ReferenceSeries> list;
    const auto add = [&list](const std::vector<ReferenceSeries>& more) {
        for (const ReferenceSeries& reference : more) {
            if (std::find(list.begin(), list.end(), reference) == list.end()) {
                list.push_back(reference);
            }
        }
    };
    if (m_comparison) {
        add(m_comparison->references);
    }
    for (const ComparedRun& run : m_runs) {
        add(run.references);
    }
    return list;
}

int CompareModel::indexOf(const QString& key) const
{
    const auto at = std::find_if(
        m_lanes.begin(), m_lanes.end(), [&](const CompareLane& lane) { return lane.key == key; });
    return at == m_lanes.end() || key.isEmpty() ? -1 : int(at - m_lanes.begin());
}

void CompareModel::update()
{
    m_works.clear();
    for (const ComparedRun& run : m_runs) {
        for (const Measurement& point : run.file.points) {
            const QString kind = racewords::workBase(point.work);
            if (!m_works.contains(kind)) {
                m_works << kind;
            }
        }
    }
    if (!m_works.contains(m_work)) {
        m_work = m_works.value(0);
    }
    std::vector<RaceFile> files;
    for (const ComparedRun& run : m_runs) {
        RaceFile file;
        file.runId = run.id;
        file.title = run.title;
        file.leftOut = run.file.leftOut;
        std::copy_if(run.file.points.begin(), run.file.points.end(),
            std::back_inserter(file.points),
            [this](const Measurement& point) { return racewords::workBase(point.work) == m_work; });
        files.push_back(std::move(file));
    }
    m_lanes = lanesOf(files);
    m_first = indexOf(m_firstKey);
    m_second = indexOf(m_secondKey);
    if (m_first < 0 || m_second < 0 || m_first == m_second) {
        const auto likely = likelyPair(m_lanes);
        m_first = likely ? int(likely->first) : -1;
        m_second = likely ? int(likely->second) : -1;
    }
    m_comparison.reset();
    if (m_first >= 0) {
        m_comparison = compare(m_lanes[size_t(m_first)], m_lanes[size_t(m_second)]);
        addReferences(*m_comparison, m_published);
    }
    emit changed();
}

} // namespace slipway

#include "moc_comparemodel.cpp"
