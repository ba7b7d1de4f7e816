// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/compare/comparefigure.h"
#include "ui/compare/verdict.h"
#include "ui/look/colours.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace slipway {

/// How the parts of a comparison are painted; all sizes follow from the size of the body text. A
/// value for one drawing.
struct PaperStyle {
    Colours colours;
    QFont font;
    double text = 13; ///< pixels of body text

    QFont face(double times, bool bold = false) const;
};

// Each function paints at the top of the area and returns the height that it used. The presenter's
// view and the exports are built from them, so that both look the same.

double paintWords(QPainter& painter, const QRectF& area, const QString& text, const QFont& font,
    const QColor& colour, int align = Qt::AlignLeft);
/// `headline` is its size as a multiple of the body text; it shrinks to fit the width of the area.
double paintVerdict(QPainter& painter, const QRectF& area, const RaceVerdict& verdict,
    const PaperStyle& style, double headline, int align = Qt::AlignLeft);
double paintRules(
    QPainter& painter, const QRectF& area, const CompareModel& model, const PaperStyle& style);
/// Paints only the last rows, those of the largest sizes, if not all of them fit.
double paintTable(
    QPainter& painter, const QRectF& area, const ComparisonTable& table, const PaperStyle& style);
/// The curves, with labels as large as the body text.
void paintCurvesPart(
    QPainter& painter, const QRectF& area, const CompareModel& model, const PaperStyle& style);

} // namespace slipway
