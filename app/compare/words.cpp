// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/words.h"

#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>

namespace slipway::racewords {

namespace {

/// Number types that may end the name of a work.
const std::pair<const char*, const char*> numberTypes[] = {{"fp64", "FP64"}, {"fp32", "FP32"},
    {"tf32", "TF32"}, {"fp16", "FP16"}, {"bf16", "BF16"}, {"fp8", "FP8"}, {"int8", "INT8"}};

} // namespace

QString significant(double value, int digits)
{
    if (value == 0 || !std::isfinite(value))
        return value == 0 ? QStringLiteral("0") : QStringLiteral("–");
    // Rounded first: 9.996 with three digits is 10.0, not 10.00.
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - digits + 1);
    const double rounded = std::round(value / unit) * unit;
    const int before = static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-9)) + 1;
    return QString::number(rounded, 'f', std::max(0, digits - before));
}

QString quantity(double value, const QString& unit, int digits)
{
    static constexpr std::pair<double, const char*> prefixes[] = {{1e18, "E"}, {1e15, "P"},
        {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"},
        {1e-9, "n"}};
    const bool time = unit == QLatin1String("s"); // there are no kiloseconds
    for (const auto& [factor, prefix] : prefixes) {
        if (std::abs(value) < factor * 0.9995 || (time && factor > 1))
            continue;
        return significant(value / factor, digits) + u' ' + QString::fromUtf8(prefix) + unit;
    }
    return significant(value, digits) + u' ' + unit;
}

QString times(double ratio)
{
    return significant(ratio, ratio >= 100 ? 3 : 2) + QStringLiteral(" ×");
}

QString percent(double part)
{
    const double value = part * 100;
    return (value < 10 ? significant(value, 2) : QString::number(std::round(value), 'f', 0))
        + QStringLiteral(" %");
}

QString power10(double value)
{
    if (value == 0 || !std::isfinite(value))
        return value == 0 ? QStringLiteral("0") : tr("no number");
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    double head = std::round(value / std::pow(10.0, exponent) * 10) / 10;
    if (std::abs(head) >= 10) {
        head /= 10;
        ++exponent;
    }
    QString raised = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent)))
        raised += digits.at(digit.digitValue());
    return QString::number(head, 'g', 2) + QStringLiteral("\u00A0·\u00A010") + raised;
}

QString size(double x)
{
    return QString::number(x, 'g', 12);
}

QString sizeOf(const QString& name, double x)
{
    return name.isEmpty() ? size(x) : name + QStringLiteral(" = ") + size(x);
}

QString workBase(const QString& work)
{
    const qsizetype dash = work.lastIndexOf(u'-');
    return dash > 0 && !workNumbers(work).isEmpty() ? work.left(dash) : work;
}

QString workNumbers(const QString& work)
{
    const QString last = work.mid(work.lastIndexOf(u'-') + 1);
    for (const auto& [name, shown] : numberTypes)
        if (last == QLatin1String(name))
            return QString::fromLatin1(shown);
    // The probe runs these in one number type only.
    return work == QLatin1String("nbody") || work == QLatin1String("triad") ? QStringLiteral("FP32")
                                                                            : QString();
}

QString work(const QString& work)
{
    const QString base = workBase(work);
    const QString numbers = base == work ? QString() : workNumbers(work) + u' ';
    if (base == QLatin1String("gemm"))
        return numbers + tr("matrix product");
    if (base == QLatin1String("triad"))
        return tr("memory triad");
    if (base == QLatin1String("nbody"))
        return tr("n-body step");
    if (base.startsWith(QLatin1String("train:")))
        return tr("training");
    if (base.startsWith(QLatin1String("epoch:")))
        return tr("one epoch of training");
    return work;
}

} // namespace slipway::racewords
