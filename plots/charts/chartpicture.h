// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/figure.h"

namespace slipway {

/// ChartPicture is what a chart shows, ready to be exported with its title and caption. A value for
/// one export; the store must outlive it.
class ChartPicture {
public:
    ChartPicture(const ChartSpec& spec, const SeriesStore& store, const FigureOptions& options);

    /// `size` in logical pixels; the image has size × scale.
    QImage image(QSize size, double scale = 2) const;
    QByteArray svg(QSize size) const;
    QByteArray pdf(QSize size) const;
    QByteArray csv() const;
    /// In the format of the suffix: .png, .svg, .pdf or .csv.
    Result<void> save(const QString& path, QSize size, double scale = 2) const;

private:
    ChartSpec m_spec;
    const SeriesStore& m_store;
    FigureOptions m_options;
};

} // namespace slipway
