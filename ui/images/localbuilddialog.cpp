// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/localbuilddialog.h"

#include "app/images/imagelaunch.h"
#include "remote/base/quantities.h"
#include "ui/images/imagelabels.h"
#include "ui/images/imagewords.h"
#include "ui/parts/announce.h"
#include "ui/parts/errorview.h"
#include "ui/parts/text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostBuildLines = 2000;
constexpr int progressSteps = 1000;

} // namespace

LocalBuildDialog::LocalBuildDialog(Engine* engine, const QString& siteId, QWidget* parent)
    : QDialog(parent)
    , m_siteId(siteId)
    , m_build(new LocalImageBuild(engine->catalogue(), engine->sessions(), this))
    , m_file(new QLineEdit)
    , m_name(new QLineEdit)
    , m_builder(namedLabel("localBuilder", "second"))
    , m_stage(namedLabel("localStage", "strong"))
    , m_progress(new QProgressBar)
    , m_lines(new QPlainTextEdit)
    , m_error(new ErrorView)
    , m_start(makeButton(tr("Build and upload"), ButtonKind::Primary))
    , m_cancel(makeButton(tr("Close")))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Build an image on this computer"));
    setObjectName(u"localBuildDialog"_s);
    m_lines->setObjectName(u"localLines"_s);
    m_lines->setAccessibleName(tr("Commands and their output"));
    m_lines->setReadOnly(true);
    m_lines->setTabChangesFocus(true);
    m_lines->setMaximumBlockCount(mostBuildLines);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the build"));
    m_start->setObjectName(u"localStart"_s);
    m_start->setDefault(true);
    m_cancel->setObjectName(u"localCancel"_s);
    m_cancel->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_start);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(8);
    layout->addWidget(new TextLabel(windowTitle(), "title"));
    layout->addWidget(wrappedLabel(tr("The image is built on this computer, saved as an archive "
                                      "and uploaded; no registry account is needed.")));
    layout->addLayout(makeFields());
    layout->addWidget(m_builder);
    layout->addWidget(m_stage);
    layout->addWidget(m_progress);
    layout->addWidget(m_lines, 1);
    layout->addWidget(m_error);
    layout->addLayout(buttons);
    connect(m_start, &QPushButton::clicked, this, &LocalBuildDialog::build);
    connect(m_cancel, &QPushButton::clicked, this,
        [this] { m_running ? m_build->cancel() : void(close()); });
    connect(m_build, &LocalImageBuild::stageBegan, this,
        [this](const QString& title, const QString& command) {
            m_stage->setText(title);
            announce(m_progress, title);
            if (!command.isEmpty())
                m_lines->appendPlainText(u"$ "_s % command);
        });
    connect(m_build, &LocalImageBuild::line, m_lines, &QPlainTextEdit::appendPlainText);
    connect(m_build, &LocalImageBuild::uploaded, this, &LocalBuildDialog::showUpload);
    setRunning(false);
    m_error->hide();
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 30);
    if (parent) {
        resize(size().boundedTo(parent->window()->size() - QSize(64, 64)));
    }
    lookForBuilders();
}

QLayout* LocalBuildDialog::makeFields()
{
    auto* choose = makeButton(tr("Choose…"));
    choose->setObjectName(u"localChoose"_s);
    choose->setAccessibleName(tr("Choose a Dockerfile"));
    choose->setAutoDefault(false);
    m_file->setObjectName(u"localFile"_s);
    m_file->setAccessibleName(tr("Dockerfile"));
    m_name->setObjectName(u"localName"_s);
    m_name->setAccessibleName(tr("Name of the image"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_file, 1);
    row->addWidget(choose);
    auto* form = new QFormLayout;
    form->addRow(tr("Dockerfile"), row);
    form->addRow(tr("Name"), m_name);
    connect(choose, &QPushButton::clicked, this, &LocalBuildDialog::browse);
    connect(m_file, &QLineEdit::textChanged, this, &LocalBuildDialog::showReady);
    connect(m_name, &QLineEdit::textChanged, this, &LocalBuildDialog::showReady);
    return form;
}

void LocalBuildDialog::setDockerfile(const QString& path)
{
    m_file->setText(path);
    if (m_name->text().isEmpty()) {
        m_name->setText(buildNameFor(QFileInfo(path).absolutePath()));
    }
}

void LocalBuildDialog::browse()
{
    auto* files = new QFileDialog(this, tr("Choose a Dockerfile"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setFileMode(QFileDialog::ExistingFile);
    connect(files, &QFileDialog::fileSelected, this, &LocalBuildDialog::setDockerfile);
    files->open();
}

void LocalBuildDialog::showReady()
{
    const bool hasName = m_name->text().isEmpty() || isBuildName(m_name->text());
    m_start->setEnabled(!m_running && m_hasBuilder && hasName && !m_file->text().isEmpty());
}

void LocalBuildDialog::setRunning(bool running)
{
    m_running = running;
    m_progress->setRange(0, 0);
    m_progress->setVisible(running);
    m_file->setEnabled(!running);
    m_name->setEnabled(!running);
    m_cancel->setText(running ? tr("Cancel") : tr("Close"));
    showReady();
}

void LocalBuildDialog::showUpload(qint64 there, qint64 total)
{
    m_progress->setRange(0, progressSteps);
    m_progress->setValue(total > 0 ? int(there * progressSteps / total) : 0);
    m_stage->setText(tr("%1 of %2 uploaded").arg(ByteCount(there).text(), ByteCount(total).text()));
}

QCoro::Task<void> LocalBuildDialog::lookForBuilders()
{
    const QPointer<LocalBuildDialog> self(this);
    m_builder->setText(tr("Looking for docker, podman or buildah…"));
    const LocalBuilders builders = co_await findLocalBuilders();
    if (!self) {
        co_return;
    }
    m_hasBuilder = !builders.found.empty();
    if (m_hasBuilder) {
        const LocalBuilder& first = builders.found.front();
        m_builder->setText(
            tr("Built by %1 %2").arg(builderName(first.kind), shownText(first.version, 40)));
    } else {
        m_builder->hide();
        m_error->setError(noLocalBuilder(builders));
        m_error->show();
    }
    showReady();
}

QCoro::Task<void> LocalBuildDialog::build()
{
    if (m_running) {
        co_return;
    }
    const QPointer<LocalBuildDialog> self(this);
    m_error->hide();
    m_lines->clear();
    setRunning(true);
    LocalImageBuild::Request request;
    request.siteId = m_siteId;
    request.dockerfile = m_file->text();
    request.name = m_name->text();
    const Result<LocalImageBuild::Archive> archive = co_await m_build->run(request);
    if (!self) {
        co_return;
    }
    setRunning(false);
    if (!archive.ok()) {
        m_stage->setText(archive.error().kind == ErrorKind::Cancelled
                ? tr("Cancelled. If the upload had begun, the next attempt continues it.")
                : QString());
        m_error->setError(archive.error());
        m_error->setVisible(archive.error().kind != ErrorKind::Cancelled);
        co_return;
    }
    emit uploaded(archiveImageLaunch(m_siteId, archive->name, archive->path, false));
    close();
}

} // namespace slipway

#include "moc_localbuilddialog.cpp"
