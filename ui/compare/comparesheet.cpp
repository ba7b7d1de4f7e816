// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparesheet.h"

#include "app/compare/words.h"
#include "app/report/comparisonreport.h"
#include "plots/figure/figure.h"
#include "remote/base/tr.h"
#include "ui/compare/comparepaint.h"
#include "ui/look/fonts.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr double sheetWidth = 1120;
constexpr double margin = 32;
constexpr double figureHeight = 440;

QStringList protocolOf(const CompareModel& model)
{
    return model.comparison() ? model.comparison()->protocol : QStringList();
}

/// Title, curves beside verdict and rules, table, protocol. Returns the total height.
double paintSheet(QPainter& painter, const CompareModel& model)
{
    const PaperStyle style{Colours::light(), fontFor(TextRole::Body), 13};
    const Colours& colours = style.colours;
    const double width = sheetWidth - 2 * margin, figureWidth = width * 0.66;
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF rest(margin, margin, width, 1e5);
    const auto down = [&rest](double by) { rest.setTop(rest.top() + by); };
    down(paintWords(painter, rest, compareTitle(model), style.face(1.7, true), colours.text) + 4);
    down(paintWords(painter, rest, compareSubtitle(model), style.face(1), colours.secondText) + 16);
    paintCurvesPart(
        painter, QRectF(margin - 16, rest.top(), figureWidth, figureHeight), model, style);
    QRectF side(margin + figureWidth + 8, rest.top() + 8, width - figureWidth - 8, figureHeight);
    side.setTop(side.top() + paintVerdict(painter, side, verdictOf(model), style, 3) + 20);
    side.setTop(side.top()
        + paintWords(painter, side, tr("Was it fair?"), style.face(1.1, true), colours.text) + 8);
    side.setTop(side.top() + paintRules(painter, side, model, style));
    rest.setTop(std::max(rest.top() + figureHeight, side.top()) + 16);
    down(paintTable(painter, rest, compareTable(model), style) + 20);
    const QStringList protocol = protocolOf(model);
    if (!protocol.isEmpty()) {
        down(paintWords(
                 painter, rest, tr("How it was measured"), style.face(1.1, true), colours.text)
            + 6);
        for (const QString& line : protocol) {
            down(paintWords(painter, rest, line, style.face(0.92), colours.secondText) + 3);
        }
    }
    return rest.top() + margin;
}

QSize sheetSize(const CompareModel& model)
{
    QImage nothing(1, 1, QImage::Format_RGB32);
    QPainter painter(&nothing);
    return {int(sheetWidth), int(std::ceil(paintSheet(painter, model)))};
}

template <typename Device> void paintOn(Device& device, QSize size, const CompareModel& model)
{
    QPainter painter(&device);
    painter.fillRect(QRect(QPoint(), size), Colours::light().surface);
    paintSheet(painter, model);
}

/// The comparison as text, one line per item: verdict, rules, absent lanes, protocol.
QStringList textLines(const CompareModel& model)
{
    const RaceVerdict verdict = verdictOf(model);
    QStringList lines{compareTitle(model), compareSubtitle(model)};
    lines << verdict.headline % (verdict.where.isEmpty() ? QString() : u' ' % verdict.where);
    lines << verdict.detail << verdict.crossover << verdict.remedy;
    if (const auto& pair = model.comparison()) {
        for (const FairnessRule& rule : pair->rules) {
            lines << rule.sign() % u' ' % rule.text;
        }
    }
    for (const AbsentLane& lane : model.absent()) {
        lines << absentWords(lane);
    }
    lines << protocolOf(model);
    lines.removeAll(QString());
    return lines;
}

QString cellText(QString text)
{
    return text.replace(u'|', u"\\|"_s).replace(u'\n', u' ');
}

QString rowText(const QStringList& cells)
{
    QStringList safe;
    for (const QString& cell : cells) {
        safe << cellText(cell);
    }
    return u"| "_s % safe.join(u" | "_s) % u" |\n"_s;
}

QString everyRepeat(const CompareModel& model)
{
    QString text =
        rowText({tr("lane"), tr("size"), tr("repeat"), tr("seconds"), tr("with transfers")});
    text += u"|---|---:|---:|---:|---:|\n"_s;
    const auto number = [](const std::vector<double>& list, size_t at) {
        return at < list.size() ? QString::number(list[at], 'g', 9) : QString();
    };
    for (const CompareLane& lane : model.lanes()) {
        for (const Measurement& point : lane.points) {
            const size_t count = std::max(point.seconds.size(), point.secondsWithTransfers.size());
            for (size_t at = 0; at < count; ++at) {
                text += rowText({lane.label, racewords::size(point.x), QString::number(at + 1),
                    number(point.seconds, at), number(point.secondsWithTransfers, at)});
            }
        }
    }
    return text;
}

/// The report to hand on, with the lanes that the page shows.
Result<QByteArray> compareHtml(const CompareModel& model)
{
    const auto& pair = model.comparison();
    if (!pair) {
        return Error{ErrorKind::NotFound, tr("There is nothing to report yet."),
            tr("A report needs two lanes with measurements.")};
    }
    std::vector<CompareLane> shown;
    for (const CompareLane& lane : model.lanes()) {
        if (model.isShown(lane.key)) {
            shown.push_back(lane);
        }
    }
    ReportContent report = comparisonReport(*pair, shown, model.absent());
    report.subtitle = compareSubtitle(model);
    return reportHtml(report);
}

Result<QByteArray> bytesAs(const QString& suffix, const CompareModel& model)
{
    if (suffix == u"png"_s) {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        compareImage(model).save(&buffer, "PNG");
        return bytes;
    }
    if (suffix == u"svg"_s) {
        return compareSvg(model);
    }
    if (suffix == u"pdf"_s) {
        return comparePdf(model);
    }
    if (suffix == u"csv"_s) {
        return compareCsv(model);
    }
    if (suffix == u"md"_s) {
        return compareMarkdown(model);
    }
    if (suffix == u"html"_s) {
        return compareHtml(model);
    }
    return Error{ErrorKind::Usage, tr("A comparison cannot be saved as “.%1”.").arg(suffix),
        tr("Name the file .png, .svg, .pdf, .html, .csv or .md.")};
}

} // namespace

QImage compareImage(const CompareModel& model, double scale)
{
    const QSize size = sheetSize(model);
    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    paintOn(image, size, model);
    return image;
}

QByteArray compareSvg(const CompareModel& model)
{
    const QSize size = sheetSize(model);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    // QSvgGenerator writes both as they are.
    generator.setTitle(compareTitle(model).toHtmlEscaped());
    generator.setDescription(textLines(model).join(u'\n').toHtmlEscaped());
    paintOn(generator, size, model);
    removeControlCharacters(&bytes);
    return bytes;
}

QByteArray comparePdf(const CompareModel& model)
{
    const QSize size = sheetSize(model);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(compareTitle(model));
        writer.setResolution(96); // one logical pixel is one unit of the page
        writer.setPageMargins(QMarginsF());
        writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / 96.0, QPageSize::Point));
        paintOn(writer, size, model);
    }
    return bytes;
}

QByteArray compareCsv(const CompareModel& model)
{
    QString text;
    for (const QString& line : textLines(model)) {
        text += u"# "_s % QString(line).replace(u'\n', u' ') % u"\r\n"_s;
    }
    return text.toUtf8() + comparisonCsv(model.lanes());
}

QByteArray compareMarkdown(const CompareModel& model)
{
    QString text;
    if (const auto& pair = model.comparison()) {
        text = QString::fromUtf8(comparisonMarkdown(*pair, model.absent()));
    } else {
        text = u"# "_s % textLines(model).join(u"\n\n"_s) % u'\n';
    }
    text += u"\n## "_s % tr("Where") % u"\n\n"_s % compareSubtitle(model) % u'\n';
    text += u"\n## "_s % tr("Every repeat") % u"\n\n"_s % everyRepeat(model);
    return text.toUtf8();
}

Result<void> saveComparison(const QString& path, const CompareModel& model)
{
    const Result<QByteArray> bytes = bytesAs(QFileInfo(path).suffix().toLower(), model);
    if (!bytes.ok()) {
        return bytes.error();
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit()) {
        return Error{ErrorKind::Io,
            tr("The comparison could not be written to %1: %2.").arg(path, file.errorString())};
    }
    return {};
}

} // namespace slipway
