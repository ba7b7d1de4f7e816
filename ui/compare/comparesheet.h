// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "ui/compare/comparefigure.h"

#include <QByteArray>
#include <QImage>

namespace slipway {

// The comparison as files. Each contains the verdict and the protocol; the tables contain every
// repeat. The fonts need a QGuiApplication, but no widget.

/// In light colours, whatever the theme of the window is.
QImage compareImage(const CompareModel& model, double scale = 2);
QByteArray compareSvg(const CompareModel& model);
QByteArray comparePdf(const CompareModel& model);
/// Lines that begin with "#" (verdict, rules, protocol), then comparisonCsv() of all lanes.
QByteArray compareCsv(const CompareModel& model);
QByteArray compareMarkdown(const CompareModel& model);

/// In the format of the suffix: .png, .svg, .pdf, .csv or .md.
Result<void> saveComparison(const QString& path, const CompareModel& model);

} // namespace slipway
