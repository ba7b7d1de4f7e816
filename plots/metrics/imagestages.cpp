// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/imagestages.h"

#include "plots/metrics/baseunit.h"
#include "plots/metrics/scan.h"

namespace slipway {

void ImageStages::begin(std::string_view stage, std::string_view text, const LogLine& line,
    MetricSink& sink, QMap<QString, QString> values)
{
    if (m_stage == stage)
        return;
    m_stage = stage;
    if (stage.empty())
        return;
    values.insert(QStringLiteral("stage"), labelText(stage));
    sink.add(MetricEvent{
        QStringLiteral("image-stage"), labelText(text, 1000), std::move(values), line.number});
}

std::optional<double> takeBytes(std::string_view& rest)
{
    std::string_view at = rest;
    const auto number = takeNumber(at);
    if (!number || !(*number >= 0) || *number > 1e18)
        return {};
    skipSpaces(at);
    size_t end = 0;
    while (end < at.size() && isLetter(at[end]))
        ++end;
    const BaseUnit unit = baseUnit(at.substr(0, end));
    if (unit.unit != QLatin1String("B"))
        return {};
    rest = at.substr(end);
    return *number * unit.factor;
}

} // namespace slipway
