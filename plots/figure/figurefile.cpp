// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/figure.h"

#include "plots/metrics/csv.h"
#include "remote/base/tr.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>

namespace slipway {

namespace {

constexpr int longestSide = 16384;

Result<QByteArray> renderAs(const QString& suffix, const ChartSpec& spec, const SeriesStore& store,
    QSize size, double scale, const FigureOptions& options)
{
    if (suffix == QLatin1String("png")) {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        renderChart(spec, store, size, scale, options).save(&buffer, "PNG");
        return bytes;
    }
    if (suffix == QLatin1String("svg"))
        return renderChartSvg(spec, store, size, options);
    if (suffix == QLatin1String("pdf"))
        return renderChartPdf(spec, store, size, options);
    if (suffix == QLatin1String("csv"))
        return toCsv(store, spec);
    return Error{ErrorKind::Usage, tr("A chart cannot be saved as \".%1\".").arg(suffix),
        tr("Use a file name that ends in .png, .svg, .pdf or .csv.")};
}

} // namespace

QImage renderChart(const ChartSpec& spec, const SeriesStore& store, QSize size, double scale,
    const FigureOptions& options)
{
    size = size.expandedTo({64, 48}).boundedTo({longestSide, longestSide});
    scale = std::clamp(scale, 0.25, double(longestSide) / std::max(size.width(), size.height()));
    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
    image.fill(options.theme.surface);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paintFigure(painter, QRectF(QPointF(), QSizeF(size)), spec, store, options);
    return image;
}

void removeControlCharacters(QByteArray* xml)
{
    xml->removeIf([](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    });
}

QByteArray renderChartSvg(
    const ChartSpec& spec, const SeriesStore& store, QSize size, const FigureOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(spec.title.toHtmlEscaped()); // QSvgGenerator writes it as it is
    QPainter painter(&generator);
    paintFigure(painter, QRectF(QPointF(), QSizeF(size)), spec, store, options);
    painter.end();
    removeControlCharacters(&bytes);
    return bytes;
}

QByteArray renderChartPdf(
    const ChartSpec& spec, const SeriesStore& store, QSize size, const FigureOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(spec.title);
    writer.setResolution(96); // one logical pixel is one unit on the page
    writer.setPageMargins(QMarginsF());
    writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / 96.0, QPageSize::Point));
    QPainter painter(&writer);
    paintFigure(painter, QRectF(QPointF(), QSizeF(size)), spec, store, options);
    painter.end();
    return bytes;
}

Result<void> saveChart(const QString& path, const ChartSpec& spec, const SeriesStore& store,
    QSize size, double scale, const FigureOptions& options)
{
    const auto bytes =
        renderAs(QFileInfo(path).suffix().toLower(), spec, store, size, scale, options);
    if (!bytes.ok())
        return bytes.error();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit())
        return Error{ErrorKind::Io,
            tr("The chart could not be written to %1: %2.").arg(path, file.errorString())};
    return {};
}

} // namespace slipway
