// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

namespace slipway {

/// A picture of a report, and the same in words for those who cannot see it.
struct ReportChart {
    QString title;
    QByteArray svg;
    QString summary;
};

struct ReportTable {
    QString title;
    QStringList header;
    std::vector<QStringList> rows;
    QString note = {}; ///< below the table; may be empty
    bool isFolded = false; ///< shown when the reader opens it: many rows of numbers
};

/// Text in a fixed-width font, folded away at first: a script, the end of a log.
struct ReportText {
    QString title;
    QString text;
};

/// Whether the finding of a report is good or bad news. Neutral: neither, or not known.
enum class ReportTone { Neutral, Good, Failure };

/// What a report says, in the order of its parts. A value; strings are plain text, never markup.
struct ReportContent {
    QString title;
    QString subtitle; ///< run, site and date
    QString answer; ///< the finding, in a sentence or two
    ReportTone tone = ReportTone::Neutral; ///< of the answer
    std::vector<std::pair<QString, QString>> facts;
    std::vector<ReportChart> charts;
    std::vector<ReportTable> tables;
    QString listTitle;
    QStringList list; ///< how it was measured
    QString textsTitle;
    std::vector<ReportText> texts;
    QString writtenBy; ///< the program and the date
};

/// The report as one HTML file, UTF-8. It contains no script and loads nothing: pictures are part
/// of it, and its policy forbids the browser everything else. Light or dark as the reader's system
/// is; what is folded on the screen is printed on paper. Pure.
QByteArray reportHtml(const ReportContent& content);

/// "21 November 2026, 13:00 CET"
QString reportDate(const QDateTime& date);

/// "Written by Slipway 1.0 on …".
QString reportFooter();

/// Replaces the file as a whole, or leaves it as it was.
Result<void> saveReport(const QString& path, const ReportContent& content);

} // namespace slipway
