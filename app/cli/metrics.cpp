// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/metricobjects.h"

#include "app/cli/command.h"
#include "plots/metrics/pipeline.h"
#include "remote/base/tr.h"

#include <QFile>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

/// JSON has no NaN and no infinity: they become strings, as in the lines that are read.
QJsonValue numberValue(double number)
{
    if (std::isfinite(number))
        return number;
    if (std::isnan(number))
        return QStringLiteral("nan");
    return number > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
}

} // namespace

QJsonObject sampleObject(const Sample& sample)
{
    QJsonObject object{{QStringLiteral("series"), sample.series},
        {QStringLiteral("x"), numberValue(sample.x)}, {QStringLiteral("x_name"), sample.xName},
        {QStringLiteral("y"), numberValue(sample.y)}, {QStringLiteral("unit"), sample.unit},
        {QStringLiteral("line"), sample.line}};
    if (!sample.lane.isEmpty())
        object.insert(QStringLiteral("lane"), sample.lane);
    if (sample.low)
        object.insert(QStringLiteral("low"), numberValue(*sample.low));
    if (sample.high)
        object.insert(QStringLiteral("high"), numberValue(*sample.high));
    return object;
}

QJsonObject eventObject(const MetricEvent& event)
{
    QJsonObject object;
    for (auto it = event.values.begin(); it != event.values.end(); ++it)
        object.insert(it.key(), it.value());
    object.insert(QStringLiteral("event"), event.event);
    object.insert(QStringLiteral("text"), event.text);
    object.insert(QStringLiteral("line"), event.line);
    return object;
}

namespace {

/// Prints what was found since the last call, in the order of the lines.
void printFound(Context& context, MetricsPipeline& pipeline)
{
    const std::vector<Sample> samples = pipeline.takeSamples();
    const std::vector<MetricEvent> events = pipeline.takeEvents();
    auto event = events.begin();
    for (const Sample& sample : samples) {
        for (; event != events.end() && event->line <= sample.line; ++event)
            context.out.object(eventObject(*event));
        context.out.object(sampleObject(sample));
    }
    for (; event != events.end(); ++event)
        context.out.object(eventObject(*event));
}

QCoro::Task<ExitCode> printMetrics(Context& context)
{
    const QString name = context.arguments.positional.value(0);
    QStringList recognisers;
    std::vector<PatternSpec> patterns;
    if (context.arguments.has("--recipe")) {
        const Recipe* recipe = context.recipe(context.arguments.value("--recipe"));
        if (!recipe)
            co_return ExitCode::Usage;
        recognisers = recipe->recognisers;
        patterns = recipe->patterns;
    }
    QFile file(name);
    const bool opened = name == u"-" ? file.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered)
                                     : file.open(QIODevice::ReadOnly);
    if (!opened)
        co_return context.misused(tr("%1 cannot be read: %2.").arg(name, file.errorString()));
    MetricsPipeline pipeline(recognisers, patterns);
    for (;;) {
        const QByteArray bytes = file.read(64 * 1024);
        if (bytes.isEmpty())
            break;
        pipeline.feed(bytes);
        printFound(context, pipeline);
    }
    pipeline.finish();
    printFound(context, pipeline);
    co_return ExitCode::Done;
}

} // namespace

Command metricsCommand()
{
    return {QStringLiteral("metrics"), QStringLiteral("FILE|- [--recipe R]"),
        tr("extract the numbers from a log"),
        tr("Prints what the recognisers find in a log, one JSON object per line: events, and "
           "samples with series, x,\nx_name, y, unit and line (and lane, low and high if they are "
           "known). “-” reads stdin as it arrives."),
        {{QStringLiteral("--recipe"), QStringLiteral("R"),
            tr("use only the recognisers and patterns of this recipe")}},
        1, 1, printMetrics};
}

} // namespace slipway
