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

/// How the parts of a comparison are painted: one size of text for all, from which the others
/// follow. A value for one drawing.
struct PaperStyle {
    Colours colours;
    QFont font;
    double text = 13; ///< pixels of body text

    QFont face(double times, bool bold = false) const;
};

// Each paints into the top of the area and says how high it was. The presenter's view and the
// exports are made of these, so that a room and a paper see the same.

double paintWords(QPainter& painter, const QRectF& area, const QString& text, const QFont& font,
    const QColor& colour, int align = Qt::AlignLeft);
/// `headline` times the body text, smaller where the area is too narrow for it.
double paintVerdict(QPainter& painter, const QRectF& area, const Verdict& verdict,
    const PaperStyle& style, double headline, int align = Qt::AlignLeft);
double paintRules(
    QPainter& painter, const QRectF& area, const CompareModel& model, const PaperStyle& style);
/// The last rows, of the largest sizes, where not all have room.
double paintTable(
    QPainter& painter, const QRectF& area, const ComparisonTable& table, const PaperStyle& style);
/// The curves, their words as large as the body text.
void paintCurvesPart(
    QPainter& painter, const QRectF& area, const CompareModel& model, const PaperStyle& style);

} // namespace slipway
