// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipefile.h"
#include "app/cli/command.h"
#include "app/cli/jsonobjects.h"
#include "app/runs/localrun.h"
#include "plots/metrics/pipeline.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/taughtpattern.h"
#include "plots/records/recordfile.h"
#include "remote/base/tr.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace slipway {

namespace {

/// Prints what was found since the last call, in the order of the lines, in the lanes of the
/// window. `store`: what was printed.
void printFound(Context& context, MetricsPipeline& pipeline, SeriesStore& store)
{
    std::vector<Sample> samples = pipeline.takeSamples();
    const std::vector<MetricEvent> events = pipeline.takeEvents();
    auto event = events.begin();
    for (Sample& sample : samples) {
        for (; event != events.end() && event->line <= sample.line; ++event)
            context.out.object(eventObject(*event));
        if (const MetricSeries* const series = store.add(sample))
            sample.lane = series->lane();
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

/// The pattern that --like with --number, or --pattern, asks for.
Result<PatternSpec> askedPattern(const Arguments& arguments)
{
    PatternSpec pattern;
    if (arguments.has("--like")) {
        const QString line = arguments.value("--like"), number = arguments.value("--number");
        const qsizetype at = number.isEmpty() ? -1 : line.indexOf(number);
        if (at < 0)
            return Error{ErrorKind::Invalid, tr("--number does not name a number of that line."),
                tr("Write it as it stands there: --like 'step 3 flux 0.25' --number 0.25")};
        auto taught = taughtNumber(line, at, number.size());
        if (!taught.ok())
            return taught.error();
        pattern = taught->pattern;
    } else {
        pattern.match = arguments.value("--pattern");
    }
    if (arguments.has("--x"))
        pattern.x = arguments.value("--x");
    for (const QString& unit : arguments.values("--unit")) {
        if (!unit.contains(u'='))
            return Error{ErrorKind::Invalid, tr("--unit takes CAPTURE=UNIT, such as flux=W.")};
        pattern.units.insert(unit.section(u'=', 0, 0), unit.section(u'=', 1));
    }
    if (const QString problem = patternProblem(pattern); !problem.isEmpty())
        return Error{ErrorKind::Invalid, tr("It cannot be used: %1.").arg(problem)};
    return pattern;
}

/// What is read, and by what. None: the error was printed.
struct Reading {
    QStringList recognisers;
    std::vector<PatternSpec> patterns;
    bool isAsked = false; ///< for something in particular
};

std::optional<Reading> askedReading(Context& context)
{
    Reading reading;
    if (context.arguments.has("--recipe")) {
        const Recipe* recipe = context.recipe(context.arguments.value("--recipe"));
        if (!recipe)
            return {};
        reading = {recipe->recognisers, recipe->patterns, true};
    }
    const bool asks = context.arguments.has("--pattern") || context.arguments.has("--like");
    for (const char* option : {"--x", "--unit", "--number"}) {
        if (context.arguments.has(option) && !asks) {
            context.misused(tr("%1 goes with --pattern or --like.").arg(QLatin1String(option)));
            return {};
        }
    }
    if (!asks)
        return reading;
    const auto pattern = askedPattern(context.arguments);
    if (!pattern.ok()) {
        context.misused(pattern.error().summary, pattern.error().remedy);
        return {};
    }
    context.out.note(
        tr("For a recipe.json: \"patterns\": [%1]")
            .arg(QString::fromUtf8(
                QJsonDocument(patternToJson(*pattern)).toJson(QJsonDocument::Compact))));
    reading.patterns.insert(reading.patterns.begin(), *pattern);
    if (!reading.isAsked) // what it alone draws
        reading.recognisers = noRecognisers();
    reading.isAsked = true;
    return reading;
}

QCoro::Task<ExitCode> printMetrics(Context& context)
{
    const QString name = context.arguments.positional.value(0);
    const bool mayBeRun = name != u"-" && !name.contains(u'/') && !QFile::exists(name);
    const auto reading = askedReading(context);
    if (!reading)
        co_return ExitCode::Usage;
    const auto files =
        mayBeRun && reading->isAsked ? context.engine().runs()->files(name) : std::nullopt;
    const QString log = files ? LocalRun(files->localFolder()).logFile() : QString();
    if (mayBeRun && log.isEmpty() && printRunMetrics(context, name))
        co_return ExitCode::Done;
    QFile file(log.isEmpty() ? name : log);
    const bool opened = name == u"-" ? file.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered)
                                     : file.open(QIODevice::ReadOnly);
    if (!opened && !log.isEmpty())
        co_return context.misused(tr("The log of run %1 is not on this computer.").arg(name),
            tr("“slipway-cli log %1” brings it.").arg(name));
    if (!opened && mayBeRun)
        co_return context.misused(tr("There is no file and no run “%1”.").arg(name),
            tr("“slipway-cli runs” lists the runs."));
    if (!opened)
        co_return context.misused(tr("%1 cannot be read: %2.").arg(name, file.errorString()));
    const auto kind = name == u"-" || reading->isAsked ? std::nullopt : recordFileOf(name);
    if (kind && printRecords(context, *kind, file))
        co_return ExitCode::Done;
    if (kind)
        file.seek(0);
    MetricsPipeline pipeline(reading->recognisers, reading->patterns);
    SeriesStore store;
    for (;;) {
        const QByteArray bytes = file.read(64 * 1024);
        if (bytes.isEmpty())
            break;
        pipeline.feed(bytes);
        printFound(context, pipeline, store);
    }
    pipeline.finish();
    printFound(context, pipeline, store);
    co_return ExitCode::Done;
}

} // namespace

Command metricsCommand()
{
    return {QStringLiteral("metrics"),
        QStringLiteral("FILE|RUN|- [--recipe R] [--pattern REGEX | --like LINE --number N]"),
        tr("extract the numbers from a log or a logger’s file, or those of a run"),
        tr("Prints what the recognisers find in a log, one JSON object per line: events, and "
           "samples with series, x,\nx_name, y, unit and line (and lane, low and high if they are "
           "known). “-” reads stdin as it arrives.\n"
           "The files of metrics loggers are read as well: TensorBoard, CSV, JSON, W&B and "
           "MLflow.\n"
           "Of a run, prints the last value of each curve, as it is known on this computer: of its "
           "log and of the files\nthat metrics loggers wrote beside it, at most 24.\n"
           "With a pattern, prints what that pattern finds in the whole log, and the pattern as a "
           "recipe takes it: with\n--like, the number of such lines. Of a run, reads its log."),
        {{QStringLiteral("--recipe"), QStringLiteral("R"),
             tr("use only the recognisers and patterns of this recipe")},
            {QStringLiteral("--pattern"), QStringLiteral("REGEX"),
                tr("draw the named captures of this expression: 'it (?<step>\\d+): "
                   "(?<flux>\\S+)'")},
            {QStringLiteral("--x"), QStringLiteral("CAPTURE"),
                tr("the capture that is x; without it, the line")},
            {QStringLiteral("--unit"), QStringLiteral("CAPTURE=UNIT"),
                tr("the unit of a capture: flux=W"), true},
            {QStringLiteral("--like"), QStringLiteral("LINE"),
                tr("draw one number of all lines like this one")},
            {QStringLiteral("--number"), QStringLiteral("N"),
                tr("that number, as it stands in the line")}},
        1, 1, printMetrics};
}

} // namespace slipway
