// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/units.h"

#include <array>
#include <cmath>

namespace slipway {

namespace {

bool takesPrefix(const QString& unit)
{
    static constexpr const char* units[] = {
        "FLOP/s", "FLOPS", "FLOP", "B", "B/s", "bit/s", "W", "Hz", "J", "op/s"};
    for (const char* known : units) {
        if (unit == QLatin1String(known))
            return true;
    }
    return false;
}

QString superscript(int number)
{
    static constexpr std::array<char16_t, 10> digits = {
        u'⁰', u'¹', u'²', u'³', u'⁴', u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    QString text = number < 0 ? QStringLiteral(u"⁻") : QString();
    for (QChar c : QString::number(std::abs(number)))
        text += QChar(digits[size_t(c.digitValue())]);
    return text;
}

} // namespace

UnitScale unitScale(double largest, const QString& unit)
{
    static const QString prefixes = QStringLiteral(u"pnµm kMGTPE");
    constexpr int none = 4;
    const bool seconds = unit == QLatin1String("s");
    const double size = std::abs(largest);
    if ((!seconds && !takesPrefix(unit)) || !(size > 0) || !std::isfinite(size))
        return {1, unit};
    // 999.6 would be printed as 1000: three digits round up to the next prefix.
    int step = int(std::floor(std::log10(size * 1.0005) / 3));
    step = qBound(-none, step, seconds ? 0 : int(prefixes.size()) - none - 1);
    if (step == 0)
        return {1, unit};
    return {std::pow(1000.0, step), prefixes[none + step] + unit};
}

QString numberText(double value, int digits)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral(u"∞") : QStringLiteral(u"−∞");
    const double size = std::abs(value);
    if (size != 0 && (size >= 1e7 || size < 1e-4)) {
        int exponent = int(std::floor(std::log10(size)));
        QString mantissa = QString::number(value / std::pow(10.0, exponent), 'g', digits);
        if (mantissa == QLatin1String("10") || mantissa == QLatin1String("-10")) {
            mantissa.chop(1);
            ++exponent;
        }
        const QString power = u"10" + superscript(exponent);
        if (mantissa == QLatin1String("1"))
            return power;
        mantissa.replace(u'-', u'−');
        return mantissa + u'·' + power;
    }
    // 'g' would turn 16384 into 1.638e+04: digits before the point are never dropped.
    const int whole = size >= 1 ? int(std::floor(std::log10(size))) + 1 : 1;
    return QString::number(value, 'g', std::max(digits, whole)).replace(u'-', u'−');
}

QString quantityText(double value, const QString& unit, int digits)
{
    const UnitScale scale = unitScale(value, unit);
    const QString number =
        numberText(value / scale.factor, scale.factor == 1 && unit.isEmpty() ? digits + 1 : digits);
    return scale.unit.isEmpty() ? number : number + QStringLiteral(u"\u00a0") + scale.unit;
}

} // namespace slipway
