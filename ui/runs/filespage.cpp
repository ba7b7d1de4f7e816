// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/filespage.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/cluster/worker.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/gripsplitter.h"
#include "ui/parts/text.h"
#include "ui/parts/words.h"
#include "ui/runs/filepreview.h"

#include <QDesktopServices>
#include <QFile>
#include <QHeaderView>
#include <QPointer>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostListed = 2000; ///< rows of each kind

PreviewContent previewOfCopy(const QString& name, const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        PreviewContent none;
        none.note = FilesPage::tr("The file could not be read: %1").arg(file.errorString());
        return none;
    }
    const qint64 most = previewLimit(name);
    if (most == largestPreviewedImage && file.size() > most) {
        PreviewContent none; // half an image is none
        none.note = FilesPage::tr("%1 is too large for a preview. Open the file to see it.")
                        .arg(ByteCount(file.size()).text());
        return none;
    }
    PreviewContent content = previewOf(name, file.read(most));
    if (!content.text.isEmpty() && !file.atEnd()) {
        content.text += u"\n…"_s;
    }
    return content;
}

} // namespace

FilesPage::FilesPage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_where(TextLabel::paragraph({}, "second"))
    , m_files(new QTreeWidget)
    , m_preview(new FilePreview)
    , m_again(makeButton(tr("List again")))
    , m_open(makeButton(tr("Open the folder")))
    , m_fetch(makeButton(tr("Fetch…"), ButtonKind::Primary))
{
    makeList();
    m_where->setObjectName(u"filesWhere"_s);
    m_again->setObjectName(u"filesAgain"_s);
    m_again->setAccessibleName(tr("List the files again"));
    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(8, buttons);
    for (QPushButton* button : {m_again, m_open, m_fetch}) {
        flow->addWidget(button);
    }
    constexpr int charactersForWhere = 30;
    auto* head = new FoldLayout(8, charactersForWhere);
    head->addWidget(m_where);
    head->addWidget(buttons);
    auto* parts = new GripSplitter(
        Qt::Horizontal, u"files/splitter"_s, tr("Divider between the files and the preview"), this);
    parts->addWidget(m_files);
    parts->addWidget(m_preview);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->restorePosition();
    auto* card = makeCard();
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(16, 12, 16, 12);
    inside->setSpacing(12);
    inside->addLayout(head);
    inside->addWidget(parts, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);
    connect(m_again, &QPushButton::clicked, this, &FilesPage::refresh);
    connect(m_open, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_run.fetchedTo)); });
    connect(m_fetch, &QPushButton::clicked, this, &FilesPage::fetchRequested);
}

void FilesPage::makeList()
{
    m_files->setObjectName(u"runFiles"_s);
    m_files->setHeaderLabels({tr("File"), tr("Size"), tr("On this computer")});
    m_files->setAccessibleName(tr("Files of the run"));
    m_files->setMinimumWidth(240);
    m_files->header()->setStretchLastSection(false);
    m_files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_files->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_files->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    connect(m_files, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const RunFile* file = fileOf(item); file && !file->here.isEmpty()) {
            QDesktopServices::openUrl(QUrl::fromLocalFile(file->here));
        }
    });
    connect(m_files, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (const RunFile* file = fileOf(item)) {
            preview(*file);
        } else {
            ++m_previews;
            m_preview->setNote(tr("Choose a file to see its beginning."));
        }
    });
}

void FilesPage::setRun(const Run& run)
{
    const bool other = run.id != m_run.id;
    m_stale = m_stale || other || run.fetchedTo != m_run.fetchedTo || run.phase != m_run.phase
        || run.folder != m_run.folder;
    m_run = run;
    if (other) {
        m_list = {};
        m_trouble.clear();
        showList();
    }
    const bool fetched = !run.fetchedTo.isEmpty();
    m_open->setVisible(fetched);
    m_fetch->setText(fetched ? tr("Fetch again…") : tr("Fetch…"));
    m_fetch->setAccessibleName(m_fetch->text());
    setButtonKind(m_fetch, fetched ? ButtonKind::Ordinary : ButtonKind::Primary);
    m_fetch->setEnabled(!run.folder.isEmpty());
    const auto files = m_engine->runs()->files(run.id);
    m_stale = m_stale || (files && files->isConnected() != m_connected);
    showWhere();
    if (m_stale && isVisible()) {
        refresh();
    }
}

void FilesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale) {
        refresh();
    }
}

void FilesPage::refresh()
{
    m_stale = true;
    if (!m_reading) {
        readList();
    }
}

/// The copies here and the last listing first, then what the cluster answers.
QCoro::Task<void> FilesPage::readList()
{
    const QPointer<FilesPage> self(this);
    m_reading = true;
    while (self && m_stale && !m_run.id.isEmpty()) {
        m_stale = false;
        const QString id = m_run.id;
        const auto files = m_engine->runs()->files(id);
        if (!files) {
            break;
        }
        m_connected = files->isConnected();
        const auto known = [files = *files] { return files.known(); };
        const RunFileList before = co_await onWorker(known);
        if (!self) {
            co_return;
        }
        if (id != m_run.id) {
            continue;
        }
        m_list = before;
        m_trouble.clear();
        showList();
        if (!files->isConnected() || m_run.folder.isEmpty()) {
            continue;
        }
        const auto listed = co_await files->list();
        if (!self) {
            co_return;
        }
        if (id != m_run.id) {
            continue;
        }
        m_trouble = listed.ok() ? QString() : listed.error().summary;
        m_list = listed.ok() ? *listed : m_list;
        showList();
    }
    m_reading = false;
    showWhere();
}

void FilesPage::showWhere()
{
    QStringList words;
    if (m_run.folder.isEmpty()) {
        words << tr("There is no run folder on the cluster yet.");
    } else if (m_list.asOf) {
        words << (m_connected ? tr("On the cluster in %1, as of %2.")
                              : tr("On the cluster in %1, as of %2; not connected."))
                     .arg(m_run.folder, clockText(*m_list.asOf, QDateTime::currentDateTime()));
    } else if (m_connected) {
        words << (m_reading ? tr("Listing %1…") : tr("The files are on the cluster in %1."))
                     .arg(m_run.folder);
    } else {
        words << tr("The files are on the cluster in %1. Connect to list them.").arg(m_run.folder);
    }
    if (!m_trouble.isEmpty()) {
        words << m_trouble;
    }
    if (m_list.leftOut > 0) {
        words << counted(
            m_list.leftOut, tr("1 more file is not listed."), tr("%1 more files are not listed."));
    }
    if (!m_run.fetchedTo.isEmpty()) {
        words << tr("Fetched to %1.").arg(m_run.fetchedTo);
    }
    m_where->setText(words.join(u' '));
    m_again->setEnabled(m_connected && !m_reading);
    m_again->setVisible(m_connected && !m_run.folder.isEmpty());
}

QTreeWidgetItem* FilesPage::itemOf(const RunFile& file) const
{
    auto* item = new QTreeWidgetItem(
        {file.name, ByteCount(file.size).text(), file.here.isEmpty() ? QString() : tr("yes")});
    item->setToolTip(0, plainToolTip(file.name)); // the column may be too narrow for it
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setData(0, Qt::UserRole, qulonglong(&file - m_list.files.data()));
    return item;
}

void FilesPage::showList()
{
    const QTreeWidgetItem* current = m_files->currentItem();
    const QString chosen = current ? current->text(0) : QString();
    bool wasOpen = false;
    for (int i = 0; i < m_files->topLevelItemCount(); ++i) {
        wasOpen |= m_files->topLevelItem(i)->isExpanded();
    }
    m_files->clear();
    auto* own = new QTreeWidgetItem;
    int results = 0;
    for (const RunFile& file : m_list.files) {
        if (file.own && own->childCount() < mostListed) {
            own->addChild(itemOf(file));
        } else if (!file.own && results++ < mostListed) {
            m_files->addTopLevelItem(itemOf(file));
        }
    }
    own->setText(0, tr("Slipway’s own files (%1)").arg(own->childCount()));
    if (own->childCount() > 0) {
        m_files->addTopLevelItem(own);
        own->setExpanded(wasOpen);
    } else {
        delete own;
    }
    const auto again = m_files->findItems(chosen, Qt::MatchExactly | Qt::MatchRecursive);
    if (!chosen.isEmpty() && !again.isEmpty()) {
        m_files->setCurrentItem(again.first());
    } else {
        m_preview->setNote(
            m_list.files.empty() ? QString() : tr("Choose a file to see its beginning."));
    }
    showWhere();
}

const RunFile* FilesPage::fileOf(const QTreeWidgetItem* item) const
{
    const QVariant index = item ? item->data(0, Qt::UserRole) : QVariant();
    return index.isValid() && index.toULongLong() < m_list.files.size()
        ? &m_list.files[size_t(index.toULongLong())]
        : nullptr;
}

QCoro::Task<void> FilesPage::preview(RunFile file)
{
    const QPointer<FilesPage> self(this);
    const int number = ++m_previews;
    const auto files = m_engine->runs()->files(m_run.id);
    PreviewContent content;
    if (!file.here.isEmpty()) {
        const auto read = [file] { return previewOfCopy(file.name, file.here); };
        content = co_await onWorker(read);
    } else if (file.size > previewLimit(file.name)) {
        content.note = tr("%1 is too large for a preview. Fetch the files to open it.")
                           .arg(ByteCount(file.size).text());
    } else if (!files || !files->isConnected()) {
        content.note = tr("Connect to the site to see this file.");
    } else {
        m_preview->setNote(tr("Reading…"));
        const auto bytes = co_await files->read(file.name, previewLimit(file.name));
        if (bytes.ok()) {
            const auto decode = [name = file.name, got = *bytes] { return previewOf(name, got); };
            content = co_await onWorker(decode);
        } else {
            content.note = bytes.error().summary;
        }
    }
    if (self && number == m_previews) {
        m_preview->setContent(file.name, content);
    }
}

} // namespace slipway

#include "moc_filespage.cpp"
