// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "ui/compare/comparefigure.h"

#include <QByteArray>
#include <QImage>

namespace slipway {

// The comparison as files. Each holds the verdict and the protocol; the tables hold every repeat.
// Needs a QGuiApplication for the fonts; no widget.

/// On paper colours are light, whatever the window is.
QImage compareImage(const CompareModel& model, double scale = 2);
QByteArray compareSvg(const CompareModel& model);
QByteArray comparePdf(const CompareModel& model);
/// comparisonCsv() of all lanes under lines that begin with "#": verdict, rules, protocol.
QByteArray compareCsv(const CompareModel& model);
QByteArray compareMarkdown(const CompareModel& model);

/// As the suffix says: .png, .svg, .pdf, .csv or .md.
Result<void> saveComparison(const QString& path, const CompareModel& model);

} // namespace slipway
