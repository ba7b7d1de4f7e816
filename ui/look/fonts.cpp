// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/look/fonts.h"

#include <QApplication>
#include <QFontDatabase>

namespace slipway {

using namespace Qt::StringLiterals;

QFont applicationFont(double scale)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    // Without a desktop setting, the generic font is whatever fontconfig finds first.
    const QStringList generic{
        u"Sans Serif"_s, u"Sans"_s, u"sans-serif"_s, u"Helvetica"_s, u"DejaVu Sans"_s, u""_s};
    if (generic.contains(font.family(), Qt::CaseInsensitive)) {
        font.setFamilies({u"Inter"_s, u"Noto Sans"_s, u"DejaVu Sans"_s, u"Sans Serif"_s});
    }
    font.setPointSizeF(pointsOf(TextRole::Body) * scale);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

double pointsOf(TextRole role)
{
    switch (role) {
    case TextRole::Title:
        return 15;
    case TextRole::Heading:
        return 11;
    case TextRole::Figure:
        return 30;
    case TextRole::Caption:
        return 9;
    case TextRole::Code:
        return 9.5;
    default:
        return 10;
    }
}

QFont fontFor(TextRole role)
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * pointsOf(role) / pointsOf(TextRole::Body));
    switch (role) {
    case TextRole::Title:
    case TextRole::Heading:
    case TextRole::Strong:
    case TextRole::Figure:
        font.setWeight(QFont::DemiBold);
        break;
    case TextRole::Code:
        font.setFamilies(codeFamilies());
        font.setFixedPitch(true);
        font.setStyleHint(QFont::Monospace);
        break;
    default:
        break;
    }
    return font;
}

QStringList codeFamilies()
{
    return {u"JetBrains Mono NL"_s, u"DejaVu Sans Mono"_s, u"Noto Sans Mono"_s,
        u"Liberation Mono"_s, u"monospace"_s};
}

} // namespace slipway
