// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/confirm.h"
#include "ui/parts/errorview.h"
#include "ui/runs/runpage.h"

#include <QFileDialog>
#include <QPointer>
#include <QStandardPaths>

namespace slipway {

// What a person does to a run, after a question: cancel, release, fetch.

void RunPage::askCancel()
{
    auto* ask = new Confirm(tr("Cancel this run?"),
        tr("The job is ended at once. What it has printed and written so far is kept."),
        tr("Cancel the run"), ButtonKind::Danger, this);
    connect(ask, &QDialog::accepted, this, [this] { act(m_engine->runs()->cancel(m_runId)); });
    ask->open();
}

void RunPage::askRelease()
{
    auto* ask = new Confirm(tr("Release the allocation?"),
        tr("The nodes go back to the cluster. The log and the results are kept."), tr("Release"),
        ButtonKind::Primary, this);
    connect(ask, &QDialog::accepted, this, [this] { act(m_engine->runs()->release(m_runId)); });
    ask->open();
}

void RunPage::askFetch()
{
    auto* dialog = new QFileDialog(this, tr("Fetch into a folder"),
        QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
        [this](const QString& folder) { fetchTo(folder); });
    dialog->open();
}

void RunPage::act(QCoro::Task<Result<void>> task)
{
    perform(std::move(task));
}

QCoro::Task<void> RunPage::perform(QCoro::Task<Result<void>> task)
{
    const QPointer<RunPage> self(this);
    const Result<void> result = co_await task;
    if (self && !result.ok()) {
        m_error->setError(result.error());
        m_error->setAction({});
        m_error->show();
    }
}

QCoro::Task<void> RunPage::fetchTo(QString folder)
{
    const QPointer<RunPage> self(this);
    const Result<QString> result = co_await m_engine->runs()->fetch(m_runId, folder);
    if (!self) {
        co_return;
    }
    if (!result.ok()) {
        m_error->setError(result.error());
        m_error->setAction({});
        m_error->show();
        co_return;
    }
    showRun();
    showTab(FilesTab);
}

} // namespace slipway
