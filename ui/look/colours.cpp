// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/look/colours.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

double channel(double value)
{
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF())
        + 0.0722 * channel(colour.blueF());
}

} // namespace

QColor Colours::soft(const QColor& tint) const
{
    const double share = dark ? 0.13 : 0.10;
    const auto mix = [share](double a, double b) { return a * share + b * (1 - share); };
    return QColor::fromRgbF(float(mix(tint.redF(), surface.redF())),
        float(mix(tint.greenF(), surface.greenF())), float(mix(tint.blueF(), surface.blueF())));
}

QColor Colours::ink(const QColor& tint) const
{
    const auto reads = [this, ground = soft(tint)](const QColor& colour) {
        return contrastRatio(colour, ground) >= 4.5 && contrastRatio(colour, page) >= 4.5
            && contrastRatio(colour, surface) >= 4.5;
    };
    QColor colour = tint;
    for (int step = 0; step < 20 && !reads(colour); ++step) {
        colour = dark ? colour.lighter(104) : colour.darker(104);
    }
    return colour;
}

const Colours& Colours::light()
{
    static const Colours set{
        .page = QColor(0xF4F6F8),
        .surface = QColor(0xFFFFFF),
        .line = QColor(0xDDE2E8),
        .text = QColor(0x1B2430),
        .secondText = QColor(0x5B6776),
        .accent = QColor(0x0B7285),
        .onAccent = QColor(0xFFFFFF),
        .done = QColor(0x2B8A3E),
        .running = QColor(0x1864AB),
        .warning = QColor(0xA85A00),
        .error = QColor(0xC92A2A),
        .dark = false,
    };
    return set;
}

const Colours& Colours::darkSet()
{
    static const Colours set{
        .page = QColor(0x14181E),
        .surface = QColor(0x1C222A),
        .line = QColor(0x2E3742),
        .text = QColor(0xE6EAF0),
        .secondText = QColor(0x9AA6B5),
        .accent = QColor(0x3BC9DB),
        .onAccent = QColor(0x0A1D21),
        .done = QColor(0x69DB7C),
        .running = QColor(0x74C0FC),
        .warning = QColor(0xFFB454),
        .error = QColor(0xFF8787),
        .dark = true,
    };
    return set;
}

const Colours& Colours::now()
{
    // Not the palette of a widget: a style sheet with a transparent background makes that one
    // black.
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? darkSet()
                                                                                : light();
}

QPalette Colours::palette() const
{
    QPalette palette(text, surface, line.lighter(110), line.darker(130), line, text, surface);
    palette.setColor(QPalette::Window, page);
    palette.setColor(QPalette::Base, surface);
    palette.setColor(QPalette::AlternateBase, page);
    palette.setColor(QPalette::Button, surface);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::PlaceholderText, secondText);
    palette.setColor(QPalette::ToolTipBase, surface);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, onAccent);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, accent);
    palette.setColor(QPalette::Mid, line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, secondText);
    }
    return palette;
}

double contrastRatio(const QColor& one, const QColor& other)
{
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor between(const QColor& a, const QColor& b, double share)
{
    const auto mix = [share](double x, double y) { return float(x * share + y * (1 - share)); };
    return QColor::fromRgbF(
        mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

} // namespace slipway
