// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QRegularExpression>
#include <QStringList>

namespace slipway {

/// The texts that are written in a drawing, in order: what a person reads in an exported chart.
inline QStringList svgTexts(const QByteArray& svg)
{
    static const QRegularExpression text(QStringLiteral("<text[^>]*>([^<]+)</text>"));
    QStringList texts;
    for (auto found = text.globalMatch(QString::fromUtf8(svg)); found.hasNext();) {
        texts << found.next()
                     .captured(1)
                     .replace(QLatin1String("&lt;"), QLatin1String("<"))
                     .replace(QLatin1String("&gt;"), QLatin1String(">"))
                     .replace(QLatin1String("&quot;"), QLatin1String("\""))
                     .replace(QLatin1String("&amp;"), QLatin1String("&"));
    }
    return texts;
}

/// The colour in which a text is written there, as "#1a2b3c"; empty: there is no such text.
inline QString svgTextColour(const QByteArray& svg, const QString& text)
{
    const QRegularExpression form(QStringLiteral("<text\\s[^>]*fill=\"(#[0-9a-fA-F]{6})\"[^>]*>%1<")
                                      .arg(QRegularExpression::escape(text)));
    return form.match(QString::fromUtf8(svg)).captured(1);
}

} // namespace slipway
