// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curvesmodel.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t sliceOfPoints = 20'000; ///< copied in one turn of the event loop: a few ms

} // namespace

bool CurvesModel::Copy::isSame(const Copy& other) const
{
    return source == other.source && generation == other.generation
        && curve.series == other.curve.series && curve.pattern == other.curve.pattern;
}

CurvesModel::CurvesModel(QObject* parent)
    : QObject(parent)
{
    m_copying.setSingleShot(true);
    m_copying.setInterval(0);
    connect(&m_copying, &QTimer::timeout, this, &CurvesModel::copySlice);
}

void CurvesModel::setSources(std::vector<CurvesSource> sources)
{
    m_sources = std::move(sources);
    labelRuns(m_sources);
    update();
}

int CurvesModel::printedRuns() const
{
    const auto printed = [](const CurvesSource& source) {
        const auto& all = source.series->all();
        return std::any_of(all.begin(), all.end(),
            [](const auto& series) { return !isMeasuredBeside(series->series()); });
    };
    return int(std::count_if(m_sources.begin(), m_sources.end(), printed));
}

QStringList CurvesModel::setSeries(const QString& series, bool shown)
{
    QStringList wanted = m_view.series, replaced;
    wanted.removeAll(series);
    if (shown) {
        wanted.prepend(series);
        const QStringList same = seriesOfOneUnit(wanted, m_offered);
        for (const QString& other : std::as_const(wanted)) {
            if (!same.contains(other)) {
                replaced << other;
            }
        }
        wanted = same;
        wanted.move(0, wanted.size() - 1); // the first ones keep their looks
    }
    if (!wanted.isEmpty()) {
        m_wanted = wanted;
    }
    update();
    return replaced;
}

void CurvesModel::setAxis(const QString& axis)
{
    m_wantedAxis = axis;
    update();
}

void CurvesModel::setOrder(const CurvesOrder& order)
{
    if (order != m_order) {
        m_order = order;
        emit orderChanged();
    }
}

void CurvesModel::setPinned(const QString& runId, bool pinned)
{
    CurvesOrder order = m_order;
    if (pinned) {
        order.pinned.insert(runId);
    } else {
        order.pinned.remove(runId);
    }
    setOrder(order);
}

void CurvesModel::chooseView()
{
    CurvesView view;
    for (const QString& series : std::as_const(m_wanted)) {
        const bool offered = std::any_of(m_offered.begin(), m_offered.end(),
            [&](const OfferedSeries& one) { return one.name == series; });
        if (offered) {
            view.series << series;
        }
    }
    if (const QString likely = likelySeries(m_offered);
        view.series.isEmpty() && !likely.isEmpty()) {
        view.series << likely;
    }
    m_axes = possibleAxes(m_sources, view.series);
    for (const DifferingField& field : numericFields(m_sources)) {
        m_axes << u"field:"_s % field.key;
    }
    view.axis = m_axes.contains(m_wantedAxis) ? m_wantedAxis : m_axes.value(0);
    m_view = view;
}

void CurvesModel::update()
{
    m_offered = offeredSeries(m_sources);
    chooseView();
    m_entries = curvesEntries(m_sources, m_view.series);
    m_table = curvesTable(m_sources, m_entries, m_view.series);
    m_missing = missingCurves(m_view, m_sources, m_entries);
    prepareCopies();
    emit changed();
    emit pointsChanged();
}

/// Copies that have begun continue; if one of them is no longer wanted, all begin again.
void CurvesModel::prepareCopies()
{
    std::vector<Copy> copies;
    const bool byField = !fieldOfAxis(m_view.axis).isEmpty();
    if (!byField) {
        for (CurveToDraw& curve : curvesToDraw(m_view, m_sources, m_entries)) {
            const SeriesStore* source = m_sources[m_entries[curve.entry].run].series;
            copies.push_back({std::move(curve), source, source->generation(), {}});
        }
    }
    const auto known = [](std::vector<Copy>& list, const Copy& one) {
        return std::find_if(
            list.begin(), list.end(), [&](const Copy& other) { return one.isSame(other); });
    };
    const bool continues = !byField && !m_copies.empty()
        && std::all_of(m_copies.begin(), m_copies.end(),
            [&](const Copy& one) { return known(copies, one) != copies.end(); });
    if (continues) {
        for (Copy& copy : copies) {
            if (const auto before = known(m_copies, copy); before != m_copies.end()) {
                copy.cursor = before->cursor;
            }
        }
    } else {
        m_store.clear();
    }
    m_copies = std::move(copies);
    if (byField) {
        fillSweep(m_view, m_sources, m_entries, m_store);
    }
    if (!m_copies.empty()) {
        m_copying.start();
    } else {
        m_copying.stop();
    }
}

void CurvesModel::copySlice()
{
    const size_t before = m_store.revision();
    size_t left = sliceOfPoints;
    bool more = false;
    for (Copy& copy : m_copies) {
        if (copy.source->generation() != copy.generation) {
            continue; // its log was restarted; the next setSources() finds its new series
        }
        const size_t begin = copy.cursor.points;
        more = copyCurve(*copy.curve.series, copy.curve.axis, copy.curve.pattern, copy.cursor, left,
                   m_store)
            || more;
        left -= std::min(left, copy.cursor.points - begin);
    }
    if (more) {
        m_copying.start();
    }
    if (m_store.revision() != before || !more) {
        emit pointsChanged();
    }
}

ChartTheme CurvesModel::theme(ChartTheme theme) const
{
    theme.order.clear();
    for (const auto& series : m_store.all()) {
        const auto copy = std::find_if(m_copies.begin(), m_copies.end(), [&](const Copy& one) {
            return one.curve.pattern.series == series->series()
                && one.curve.pattern.lane == series->lane();
        });
        theme.order.push_back(copy == m_copies.end() ? int(theme.order.size()) : copy->curve.look);
    }
    return theme;
}

ParallelPlot CurvesModel::parallel() const
{
    return parallelPlot(m_sources, m_entries, m_view.series.value(0));
}

} // namespace slipway

#include "moc_curvesmodel.cpp"
