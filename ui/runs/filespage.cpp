// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/filespage.h"

#include "remote/base/quantities.h"
#include "ui/parts/text.h"

#include <QDesktopServices>
#include <QDirIterator>
#include <QHeaderView>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostFiles = 2000; ///< in the list

} // namespace

FilesPage::FilesPage(QWidget* parent)
    : QWidget(parent)
    , m_where(TextLabel::paragraph({}, "second"))
    , m_files(new QTreeWidget)
    , m_open(makeButton(tr("Open the folder")))
    , m_fetch(makeButton(tr("Fetch…"), ButtonKind::Primary))
{
    m_files->setHeaderLabels({tr("File"), tr("Size")});
    m_files->setRootIsDecorated(false);
    m_files->setAccessibleName(tr("Fetched files"));
    m_files->header()->setStretchLastSection(false);
    m_files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_files->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_where, 1);
    head->addWidget(m_open);
    head->addWidget(m_fetch);
    auto* card = makeCard();
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(16, 12, 16, 12);
    inside->setSpacing(12);
    inside->addLayout(head);
    inside->addWidget(m_files, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);
    connect(m_open, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_folder)); });
    connect(m_fetch, &QPushButton::clicked, this, &FilesPage::fetchRequested);
    connect(m_files, &QTreeWidget::itemActivated, this, [](QTreeWidgetItem* item) {
        QDesktopServices::openUrl(QUrl::fromLocalFile(item->data(0, Qt::UserRole).toString()));
    });
}

void FilesPage::setRun(const Run& run)
{
    const bool fetched = !run.fetchedTo.isEmpty();
    m_where->setText(fetched ? tr("Fetched to %1").arg(run.fetchedTo)
            : run.folder.isEmpty()
            ? tr("There is no run folder on the cluster yet.")
            : tr("Not fetched yet. The files are on the cluster in %1").arg(run.folder));
    m_open->setVisible(fetched);
    m_fetch->setText(fetched ? tr("Fetch again…") : tr("Fetch…"));
    m_fetch->setAccessibleName(m_fetch->text());
    setButtonKind(m_fetch, fetched ? ButtonKind::Ordinary : ButtonKind::Primary);
    m_fetch->setEnabled(!run.folder.isEmpty());
    if (run.fetchedTo != m_folder) {
        m_folder = run.fetchedTo;
        list(m_folder);
    }
}

void FilesPage::list(const QString& folder)
{
    m_files->clear();
    if (folder.isEmpty()) {
        return;
    }
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext() && m_files->topLevelItemCount() < mostFiles) {
        files.next();
        const QString name = QDir(folder).relativeFilePath(files.filePath());
        auto* item =
            new QTreeWidgetItem(m_files, {name, ByteCount(files.fileInfo().size()).text()});
        item->setData(0, Qt::UserRole, files.filePath());
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_files->sortItems(0, Qt::AscendingOrder);
}

} // namespace slipway

#include "moc_filespage.cpp"
