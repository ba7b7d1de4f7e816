// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/jsonobjects.h"
#include "plots/metrics/pipeline.h"
#include "plots/records/recordfile.h"
#include "remote/base/tr.h"

#include <QFile>

#include <algorithm>

namespace slipway {

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

/// Reads a file as that of a metrics logger. False: it has nothing that one writes, so it may be a
/// log.
bool printRecords(Context& context, const RecordFile& kind, QFile& file)
{
    const auto reader = makeRecordReader(kind);
    qint64 count = 0;
    const auto print = [&] {
        for (const Sample& sample : reader->takeSamples()) {
            context.out.object(sampleObject(sample));
            ++count;
        }
    };
    for (QByteArray bytes; !(bytes = file.read(64 * 1024)).isEmpty();) {
        reader->feed(bytes);
        print();
    }
    reader->finish();
    print();
    for (const QString& what : reader->notDrawn())
        context.out.note(tr("Not a number, so not drawn: %1").arg(what));
    const bool isRead = count > 0 || !reader->notDrawn().isEmpty();
    if (isRead && reader->broken() > 0)
        context.out.note(tr("%1 records could not be read.").arg(reader->broken()));
    return isRead;
}

/// Of a run, what its log and the files of its metrics loggers came to. False: there is none.
bool printRunMetrics(Context& context, const QString& id)
{
    const auto run = context.engine().runs()->run(id);
    if (!run)
        return false;
    if (run->digest.last.empty())
        context.out.note(tr("No numbers of run %1 are known yet.").arg(run->id));
    const QJsonArray objects = metricObjects(run->digest);
    for (const auto& object : objects)
        context.out.object(object.toObject());
    return true;
}

QCoro::Task<ExitCode> printMetrics(Context& context)
{
    const QString name = context.arguments.positional.value(0);
    const bool mayBeRun = name != u"-" && !name.contains(u'/') && !QFile::exists(name);
    if (mayBeRun && printRunMetrics(context, name))
        co_return ExitCode::Done;
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
    if (!opened && mayBeRun)
        co_return context.misused(tr("There is no file and no run “%1”.").arg(name),
            tr("“slipway-cli runs” lists the runs."));
    if (!opened)
        co_return context.misused(tr("%1 cannot be read: %2.").arg(name, file.errorString()));
    const auto kind =
        name == u"-" || context.arguments.has("--recipe") ? std::nullopt : recordFileOf(name);
    if (kind && printRecords(context, *kind, file))
        co_return ExitCode::Done;
    if (kind)
        file.seek(0);
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
    return {QStringLiteral("metrics"), QStringLiteral("FILE|RUN|- [--recipe R]"),
        tr("extract the numbers from a log or a logger’s file, or those of a run"),
        tr("Prints what the recognisers find in a log, one JSON object per line: events, and "
           "samples with series, x,\nx_name, y, unit and line (and lane, low and high if they are "
           "known). “-” reads stdin as it arrives.\n"
           "The files of metrics loggers are read as well: TensorBoard, CSV, JSON, W&B and "
           "MLflow.\n"
           "Of a run, prints the last value of each curve, as it is known on this computer: of its "
           "log and of the files\nthat metrics loggers wrote beside it, at most 24."),
        {{QStringLiteral("--recipe"), QStringLiteral("R"),
            tr("use only the recognisers and patterns of this recipe")}},
        1, 1, printMetrics};
}

} // namespace slipway
