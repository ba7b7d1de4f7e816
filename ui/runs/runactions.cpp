// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runactions.h"

#include "ui/parts/confirm.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QPointer>
#include <QStandardPaths>
#include <QUrl>

namespace slipway {

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
    auto* dialog = new QFileDialog(m_page, tr("Fetch into a folder"),
        QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
        [this](const QString& folder) { fetchTo(folder); });
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
        emit relaunchRequested(run->spec);
    }
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

} // namespace slipway

#include "moc_runactions.cpp"
