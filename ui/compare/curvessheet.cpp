// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curvessheet.h"

#include "app/report/curvesreport.h"
#include "plots/figure/figure.h"
#include "remote/base/tr.h"
#include "ui/compare/curvesmodel.h"
#include "ui/look/fonts.h"

#include <QFileInfo>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize curvesSheetSize(1120, 640);
constexpr double curvesSheetScale = 2;

Result<void> saveCurvesReport(
    const QString& path, const CurvesModel& model, double smoothing, Engine* engine)
{
    ReportedCurves curves;
    curves.sources = model.sources();
    curves.offered = model.offered();
    curves.entries = model.entries();
    curves.view = model.view();
    curves.store = &model.store();
    curves.smoothing = smoothing;
    curves.theme = model.theme(ChartTheme::light());
    curves.order = model.order();
    ReportContent report = curvesReport(curves);
    if (engine) {
        addLaunches(report, *engine, model.sources());
    }
    return saveReport(path, report);
}

} // namespace

Result<void> saveCurves(
    const QString& path, const CurvesModel& model, double smoothing, Engine* engine)
{
    if (!model.isComplete()) {
        return Error{ErrorKind::Unsupported, tr("The curves are still being read."),
            tr("Save them when the chart is complete, in a few seconds.")};
    }
    if (QFileInfo(path).suffix().toLower() == u"html"_s) {
        return saveCurvesReport(path, model, smoothing, engine);
    }
    FigureOptions options;
    options.theme = model.theme(ChartTheme::light());
    options.font = fontFor(TextRole::Body);
    options.legend = true;
    options.smoothing = smoothing;
    options.caption = curvesSubtitle(model.sources());
    if (smoothing > 0) {
        options.caption += u" · "_s % smoothingSentence(smoothing);
    }
    return saveChart(
        path, model.chart(), model.store(), curvesSheetSize, curvesSheetScale, options);
}

} // namespace slipway
