// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/chartpicture.h"

#include "plots/metrics/csv.h"

namespace slipway {

ChartPicture::ChartPicture(
    const ChartSpec& spec, const SeriesStore& store, const FigureOptions& options)
    : m_spec(spec)
    , m_store(store)
    , m_options(options)
{
}

QImage ChartPicture::image(QSize size, double scale) const
{
    return renderChart(m_spec, m_store, size, scale, m_options);
}

QByteArray ChartPicture::svg(QSize size) const
{
    return renderChartSvg(m_spec, m_store, size, m_options);
}

QByteArray ChartPicture::pdf(QSize size) const
{
    return renderChartPdf(m_spec, m_store, size, m_options);
}

QByteArray ChartPicture::csv() const
{
    return toCsv(m_store, m_spec);
}

Result<void> ChartPicture::save(const QString& path, QSize size, double scale) const
{
    return saveChart(path, m_spec, m_store, size, scale, m_options);
}

} // namespace slipway
