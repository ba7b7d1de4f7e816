// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runactions.h"

#include "app/report/runreport.h"
#include "app/runs/continuing.h"
#include "ui/launch/keepdialog.h"
#include "ui/parts/confirm.h"
#include "ui/parts/words.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QPointer>
#include <QStandardPaths>
#include <QUrl>

namespace slipway {

QString existingFolder(const QStringList& candidates)
{
    for (const QString& folder : candidates) {
        if (!folder.isEmpty() && QDir(folder).exists()) {
            return folder;
        }
    }
    return {};
}

RunActions::RunActions(Engine* engine, QWidget* page)
    : QObject(page)
    , m_engine(engine)
    , m_page(page)
{
}

void RunActions::askCancel()
{
    auto* ask = new Confirm(tr("Cancel this run?"),
        tr("The job ends at once. Its output and files so far are kept."), tr("Cancel the run"),
        ButtonKind::Danger, m_page);
    connect(ask, &QDialog::accepted, this, [this] { perform(m_engine->runs()->cancel(m_runId)); });
    ask->open();
}

void RunActions::askRelease()
{
    auto* ask = new Confirm(tr("Release the allocation?"),
        tr("The nodes are returned to the cluster. The log and the results are kept."),
        tr("Release"), ButtonKind::Primary, m_page);
    connect(ask, &QDialog::accepted, this, [this] { perform(m_engine->runs()->release(m_runId)); });
    ask->open();
}

void RunActions::askFetch()
{
    const auto place = &QStandardPaths::writableLocation;
    auto* dialog = new QFileDialog(m_page, tr("Fetch into a folder"),
        existingFolder({place(QStandardPaths::DownloadLocation),
            place(QStandardPaths::DocumentsLocation), QDir::homePath()}));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
        [this](const QString& folder) { fetchTo(folder); });
    dialog->open();
}

void RunActions::askReport()
{
    auto* dialog = new QFileDialog(m_page, tr("Save a report"),
        existingFolder({QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation),
            QDir::homePath()}));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("HTML file to hand on (*.html)"));
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->selectFile(QStringLiteral("slipway-%1.html").arg(m_runId));
    connect(dialog, &QFileDialog::fileSelected, this,
        [this, runId = m_runId](const QString& path) { saveReportOf(runId, path); });
    dialog->open();
}

void RunActions::openFolder()
{
    if (const auto run = m_engine->runs()->run(m_runId)) {
        QDesktopServices::openUrl(QUrl::fromLocalFile(run->fetchedTo));
    }
}

void RunActions::relaunch()
{
    if (const auto run = m_engine->runs()->run(m_runId)) {
        emit relaunchRequested(repeatingSpec(*run));
    }
}

void RunActions::continueRun()
{
    if (m_continuing.contains(m_runId)) {
        return; // a second click: one job is enough
    }
    const auto run = m_engine->runs()->run(m_runId);
    if (!run) {
        return;
    }
    const Recipe* const recipe = m_engine->catalogue()->recipe(run->spec.recipeId);
    const Result<LaunchSpec> spec =
        continuingSpec(*run, recipe, m_engine->catalogue()->site(run->spec.siteId));
    if (spec.ok()) {
        launchAfter(run->id, *spec);
    } else {
        emit failed(spec.error());
    }
}

QCoro::Task<void> RunActions::launchAfter(QString runId, LaunchSpec spec)
{
    const QPointer<RunActions> self(this);
    m_continuing << runId;
    const Result<QString> launched = co_await m_engine->runs()->launch(spec);
    if (!self) {
        co_return;
    }
    m_continuing.removeAll(runId);
    if (launched.ok()) {
        emit continued(runId, *launched);
    } else {
        emit failed(launched.error());
    }
}

void RunActions::askKeep()
{
    const auto run = m_engine->runs()->run(m_runId);
    if (!run) {
        return;
    }
    KeepRequest request = keepRequest(m_engine->runs()->plan(run->spec));
    request.title = runTitle(*run);
    request.id = proposedRecipeId(request.title);
    (new KeepDialog(m_engine, request, m_page))->open();
}

QCoro::Task<void> RunActions::perform(QCoro::Task<Result<void>> task)
{
    const QPointer<RunActions> self(this);
    const Result<void> result = co_await task;
    if (self && !result.ok()) {
        emit failed(result.error());
    }
}

QCoro::Task<void> RunActions::fetchTo(QString folder)
{
    const QPointer<RunActions> self(this);
    const Result<QString> result = co_await m_engine->runs()->fetch(m_runId, folder);
    if (!self) {
        co_return;
    }
    if (result.ok()) {
        emit fetched();
    } else {
        emit failed(result.error());
    }
}

void RunActions::saveReportOf(const QString& runId, const QString& path)
{
    const auto run = m_engine->runs()->run(runId);
    if (!run) {
        return;
    }
    std::vector<std::shared_ptr<RunFeed>> feeds; // the curves of its sweep are drawn as well
    bool isRead = true;
    for (const Run& one : m_engine->runs()->all()) {
        const bool sweep = !run->spec.sweep.isEmpty() && one.spec.sweep == run->spec.sweep;
        if (one.id == runId || sweep) {
            feeds.push_back(m_engine->runs()->holdFeed(one.id));
            isRead = isRead && (!feeds.back() || feeds.back()->isCaughtUp());
        }
    }
    if (!isRead) {
        emit failed(Error{ErrorKind::Unsupported, tr("The log is still being read."),
            tr("Save the report in a few seconds, when it is complete.")});
        return;
    }
    const std::shared_ptr<RunFeed> feed = m_engine->runs()->holdFeed(runId);
    const Result<void> saved = saveReport(path, runReport(*m_engine, *run, feed.get()));
    if (saved.ok()) {
        emit reportSaved(path);
    } else {
        emit failed(saved.error());
    }
}

} // namespace slipway

#include "moc_runactions.cpp"
