// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/resultfiles.h"

#include "app/cli/connectionwatch.h"
#include "app/cli/interrupts.h"
#include "app/report/report.h"
#include "app/runs/runfeed.h"
#include "plots/figure/figure.h"
#include "plots/metrics/chartparts.h"
#include "plots/metrics/csv.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace slipway {

namespace {

/// Says that a file was written. `what` is data with --json and translated otherwise.
void reportFile(Context& context, const char* what, const QString& path)
{
    if (context.out.json)
        context.out.object(
            {{QStringLiteral("wrote"), QLatin1String(what)}, {QStringLiteral("path"), path}});
    else
        context.out.note(QStringLiteral("%1: %2").arg(tr(what), path));
}

Result<void> drawPlot(Context& context, const Run& run, const SeriesStore& store,
    const QString& what, const QString& path)
{
    const std::vector<ChartSpec> charts = context.engine().runs()->reading(run.id).charts;
    const ChartSpec chart = charts.empty() ? ChartSpec() : charts.front();
    if (store.empty())
        return Error{ErrorKind::NotFound, tr("The run printed no numbers to plot.")};
    FigureOptions options;
    const QString site = context.engine().catalogue()->site(run.spec.siteId)
        ? context.engine().catalogue()->site(run.spec.siteId)->name
        : run.spec.siteId;
    options.caption = tr("%1 on %2, %3").arg(run.title, site, what);
    const std::vector<ChartSpec> parts = chartParts(chart, store);
    QStringList others;
    for (size_t i = 1; i < parts.size(); ++i)
        others << parts[i].title;
    if (!others.isEmpty() && !context.out.json)
        context.out.note(tr("Not in the plot, because of another unit or quantity: %1.")
                             .arg(others.join(QStringLiteral(", "))));
    return saveChart(path, parts.front(), store, pictureSize, pictureScale, options);
}

} // namespace

Result<void> writeFile(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return Error{ErrorKind::Io, tr("%1 cannot be written: %2.").arg(path, file.errorString())};
    return {};
}

std::optional<Error> plotAndCsvProblem(const Arguments& arguments)
{
    static const QStringList pictures{
        QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")};
    const QString plot = arguments.value("--plot");
    if (arguments.has("--plot") && !pictures.contains(QFileInfo(plot).suffix().toLower()))
        return Error{ErrorKind::Usage, tr("The format of “%1” is not supported.").arg(plot),
            tr("The file name must end with .png, .svg or .pdf.")};
    for (const char* option : {"--plot", "--csv"}) {
        const QString path = arguments.value(option);
        if (arguments.has(option)
            && (path.isEmpty() || !QFileInfo(QFileInfo(path).absolutePath()).isDir()))
            return Error{ErrorKind::Usage,
                tr("%1: the folder of “%2” does not exist.").arg(QLatin1String(option), path)};
    }
    return {};
}

std::optional<Error> resultFilesProblem(const Arguments& arguments)
{
    if (const std::optional<Error> wrong = plotAndCsvProblem(arguments))
        return wrong;
    const bool follows =
        arguments.has("--plot") || arguments.has("--csv") || arguments.has("--fetch");
    if (arguments.has("--detach") && follows)
        return Error{ErrorKind::Usage,
            tr("--detach does not wait for results, so it cannot be combined with --plot, --csv or "
               "--fetch."),
            tr("Use “slipway-cli fetch” when the run has ended.")};
    return {};
}

std::optional<Error> reportPathProblem(const QString& option, const QString& path)
{
    const QFileInfo file(path);
    const QString suffix = file.suffix().toLower();
    if (suffix != u"html" && suffix != u"htm")
        return Error{ErrorKind::Usage, tr("A report is an HTML file, not “%1”.").arg(path),
            tr("The file name must end with .html.")};
    if (!QFileInfo(file.absolutePath()).isDir())
        return Error{
            ErrorKind::Usage, tr("%1: the folder of “%2” does not exist.").arg(option, path)};
    return {};
}

ExitCode keepReport(Context& context, const QString& path, const ReportContent& report)
{
    if (const Result<void> saved = saveReport(path, report); !saved.ok())
        return context.fail(saved.error());
    if (context.out.json)
        context.out.object(
            {{QStringLiteral("wrote"), QStringLiteral("report")}, {QStringLiteral("path"), path}});
    else
        context.out.note(tr("Report: %1").arg(path));
    return ExitCode::Done;
}

ExitCode writeSeriesFiles(
    Context& context, const Run& run, const SeriesStore& store, const QString& what)
{
    ExitCode code = ExitCode::Done;
    const QString plot = context.arguments.value("--plot"), csv = context.arguments.value("--csv");
    if (!plot.isEmpty()) {
        const Result<void> drawn = drawPlot(context, run, store, what, plot);
        if (drawn.ok())
            reportFile(context, QT_TRANSLATE_NOOP("Slipway", "Plot"), plot);
        else
            code = context.fail(drawn.error());
    }
    if (!csv.isEmpty()) {
        const Result<void> written = writeFile(csv, toCsv(store));
        if (written.ok())
            reportFile(context, QT_TRANSLATE_NOOP("Slipway", "Numbers"), csv);
        else
            code = context.fail(written.error());
    }
    return code;
}

QCoro::Task<Result<QString>> fetchFiles(Context& context, Run run, QString folder)
{
    // Disconnecting ends the transfer, and an incomplete file is deleted with it.
    QObject receiver;
    QObject::connect(&context.interrupts(), &Interrupts::interrupted, &receiver,
        [&context, site = run.spec.siteId] { context.engine().sessions()->disconnectSite(site); });
    ConnectionWatch connection(context, run.spec.siteId, {});
    QObject::connect(context.engine().sessions(), &Sessions::connectionChanged, &receiver,
        [&connection] { connection.report(); });
    auto fetched = Result<QString>(QString());
    if (!Interrupts::pending())
        fetched = co_await context.engine().runs()->fetch(
            run.id, folder, [&connection](ConnectionState::Phase) { return connection.mayWait(); });
    if (Interrupts::pending() && (!fetched.ok() || fetched->isEmpty()))
        co_return Error{ErrorKind::Cancelled,
            tr("Not all files of run %1 were fetched.").arg(run.id),
            tr("Fetch them with: slipway-cli fetch %1 DIR").arg(run.id)};
    co_return fetched;
}

QCoro::Task<ExitCode> writeResultFiles(Context& context, Run run)
{
    const RunFeed* feed = context.engine().runs()->feed(run.id);
    ExitCode code = ExitCode::Done;
    if (feed)
        code = writeSeriesFiles(context, run, feed->series(), tr("run %1").arg(run.id));
    const QString folder = context.arguments.value("--fetch");
    if (!folder.isEmpty()) {
        const Result<QString> fetched = co_await fetchFiles(context, run, folder);
        if (fetched.ok())
            reportFile(context, QT_TRANSLATE_NOOP("Slipway", "Fetched"), *fetched);
        else
            code = context.fail(fetched.error());
    } else if (!context.out.json && !run.folder.isEmpty()) {
        context.out.note(
            tr("The files are in %1 on the cluster. Fetch them: slipway-cli fetch %2 DIR")
                .arg(run.folder, run.id));
    }
    co_return code;
}

} // namespace slipway
