// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/metricobjects.h"

#include "app/cli/command.h"
#include "plots/metrics/pipeline.h"

#include <QFile>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

/// JSON knows no NaN and no infinity: they are words there, as the lines that we read write them.
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

/// What was found since the last call, in the order of the lines.
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
        co_return context.misused(
            QStringLiteral("%1 cannot be read: %2.").arg(name, file.errorString()));
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
        QStringLiteral("read the numbers out of a log"),
        QStringLiteral("Prints what the recognisers find in a log, one JSON object a line: samples "
                       "with series, x, x_name, y,\n"
                       "unit and line (lane, low and high where they are known), and events. “-” "
                       "reads stdin as it comes."),
        {{QStringLiteral("--recipe"), QStringLiteral("R"),
            QStringLiteral("only the recognisers of this recipe, and its own patterns")}},
        1, 1, printMetrics};
}

} // namespace slipway
