// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/report/report.h"

#include "remote/base/tr.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSaveFile>

namespace slipway {

namespace {

// Colours are those of the window (ui/look), which this file cannot read; contrast is at least 4.5
// to 1 in both schemes.
constexpr char reportStyle[] = R"CSS(
:root { color-scheme: light dark; --page: #ffffff; --text: #1b1f24; --quiet: #57606a;
  --line: #d0d7de; --soft: #f6f8fa; --good: #1a7f37; --bad: #b42318; }
@media (prefers-color-scheme: dark) { :root { --page: #14181d; --text: #e6e9ed; --quiet: #9aa4af;
  --line: #343b44; --soft: #1c2229; --good: #4ac26b; --bad: #ff8f80; } }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
p.subtitle, figcaption, p.note, footer { color: var(--quiet); }
p.subtitle { margin: .25rem 0 1.25rem; }
p.answer { font-size: 1.15rem; border-left: .3rem solid var(--line); padding: .6rem 1rem;
  background: var(--soft); }
p.answer.good { border-color: var(--good); }
p.answer.failure { border-color: var(--bad); }
figure { margin: 1rem 0; }
figure img { width: 100%; height: auto; background: #ffffff; border: 1px solid var(--line); }
figcaption { font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
table.facts th { font-weight: 400; color: var(--quiet); white-space: nowrap; }
table.facts td { overflow-wrap: anywhere; }
details { margin: .75rem 0; }
summary { cursor: pointer; }
pre { background: var(--soft); border: 1px solid var(--line); padding: .75rem 1rem;
  overflow-x: auto; font: .85rem/1.45 ui-monospace, monospace; }
footer { margin-top: 3rem; font-size: .9rem; }
@media print { pre { white-space: pre-wrap; }
  details:not([open]) > *:not(summary) { display: block; } }
@media print { details::details-content { display: block; content-visibility: visible; } }
)CSS";

QByteArray escaped(const QString& text)
{
    return text.toHtmlEscaped().toUtf8();
}

QByteArray element(const char* name, const QString& text)
{
    return QByteArray("<") + name + '>' + escaped(text) + "</" + name + ">\n";
}

QByteArray factsHtml(const std::vector<std::pair<QString, QString>>& facts)
{
    QByteArray html = "<table class=\"facts\">\n";
    for (const auto& [name, value] : facts)
        html += "<tr><th scope=\"row\">" + escaped(name) + "</th><td>" + escaped(value)
            + "</td></tr>\n";
    return html + "</table>\n";
}

/// As an image, the picture can neither run anything nor change the rest of the page. A screen
/// reader reads its description once.
QByteArray chartHtml(const ReportChart& chart)
{
    QByteArray html = "<section>\n" + element("h2", chart.title);
    html += "<figure><img alt=\"" + escaped(chart.summary) + "\" src=\"data:image/svg+xml;base64,"
        + chart.svg.toBase64() + "\">\n";
    html += "<figcaption aria-hidden=\"true\">" + escaped(chart.summary) + "</figcaption>\n";
    return html + "</figure></section>\n";
}

/// A row of cells that begin and end with these tags.
QByteArray rowHtml(const char* begin, const char* end, const QStringList& texts)
{
    QByteArray html = "<tr>";
    for (const QString& text : texts)
        html += begin + escaped(text) + end;
    return html + "</tr>\n";
}

QByteArray tableHtml(const ReportTable& table)
{
    QByteArray html = table.isFolded ? "<details>" : "<section>\n";
    html += element(table.isFolded ? "summary" : "h2", table.title);
    html += "<div class=\"wide\"><table>\n<thead>"
        + rowHtml("<th scope=\"col\">", "</th>", table.header) + "</thead>\n<tbody>\n";
    for (const QStringList& row : table.rows)
        html += rowHtml("<td>", "</td>", row);
    html += "</tbody></table></div>\n";
    if (!table.note.isEmpty())
        html += "<p class=\"note\">" + escaped(table.note) + "</p>\n";
    return html + (table.isFolded ? "</details>\n" : "</section>\n");
}

QByteArray listHtml(const QString& title, const QStringList& lines)
{
    QByteArray html = "<section>\n" + element("h2", title) + "<ul>\n";
    for (const QString& line : lines)
        html += element("li", line);
    return html + "</ul></section>\n";
}

QByteArray textHtml(const ReportText& text)
{
    return "<details>" + element("summary", text.title) + "<pre>" + escaped(text.text)
        + "</pre></details>\n";
}

const char* answerClass(ReportTone tone)
{
    switch (tone) {
    case ReportTone::Good:
        return "answer good";
    case ReportTone::Failure:
        return "answer failure";
    case ReportTone::Neutral:
        break;
    }
    return "answer";
}

} // namespace

QByteArray reportHtml(const ReportContent& content)
{
    QByteArray html =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    html += element("title", content.title) + "<style>" + reportStyle
        + "</style>\n</head>\n<body><main>\n";
    html += element("h1", content.title) + "<p class=\"subtitle\">" + escaped(content.subtitle)
        + "</p>\n";
    if (!content.answer.isEmpty())
        html += QByteArray("<p class=\"") + answerClass(content.tone) + "\">"
            + escaped(content.answer) + "</p>\n";
    if (!content.facts.empty())
        html += factsHtml(content.facts);
    for (const ReportChart& chart : content.charts)
        html += chartHtml(chart);
    for (const ReportTable& table : content.tables)
        html += tableHtml(table);
    if (!content.list.isEmpty())
        html += listHtml(content.listTitle, content.list);
    if (!content.texts.empty())
        html += element("h2", content.textsTitle);
    for (const ReportText& text : content.texts)
        html += textHtml(text);
    html += "<footer>" + escaped(content.writtenBy) + "</footer>\n";
    return html + "</main></body>\n</html>\n";
}

QString reportDate(const QDateTime& date)
{
    return QLocale::c().toString(date.toLocalTime(), QStringLiteral("d MMMM yyyy, HH:mm t"));
}

QString reportFooter()
{
    return tr("Written by Slipway %1 on %2. This file loads nothing from elsewhere.")
        .arg(QCoreApplication::applicationVersion(), reportDate(QDateTime::currentDateTime()));
}

Result<void> saveReport(const QString& path, const ReportContent& content)
{
    const QByteArray html = reportHtml(content);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(html) != html.size() || !file.commit())
        return Error{ErrorKind::Io,
            tr("The report could not be written to %1: %2.").arg(path, file.errorString()),
            tr("Choose another folder.")};
    return {};
}

} // namespace slipway
