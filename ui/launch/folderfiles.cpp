// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/folderfiles.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "ui/parts/text.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostFileRows = 2000; ///< of each kind; the numbers above count all

constexpr qsizetype longestTip = 512; ///< characters

enum FileColumn { FileNameColumn, FileWhatColumn, FileSizeColumn, FileColumns };

qint64 bytesOf(const Snapshot& snapshot, const QString& path)
{
    const auto found = std::lower_bound(snapshot.entries.begin(), snapshot.entries.end(), path,
        [](const SnapshotEntry& entry, const QString& name) { return entry.path < name; });
    return found != snapshot.entries.end() && found->path == path ? found->bytes : -1;
}

void addFiles(std::vector<FolderFileRow>* rows, const Snapshot& snapshot, const QStringList& paths,
    const QString& what)
{
    for (const QString& path : paths.mid(0, qsizetype(mostFileRows)))
        rows->push_back({path, what, bytesOf(snapshot, path)});
}

void addAllFiles(std::vector<FolderFileRow>* rows, const Snapshot& snapshot)
{
    for (const SnapshotEntry& entry : snapshot.entries) {
        if (rows->size() >= mostFileRows)
            return;
        rows->push_back({entry.path, FolderFilesDialog::tr("new"), entry.bytes});
    }
}

/// A large file that was chosen is in the snapshot, and can be left out again.
void markChosen(
    std::vector<FolderFileRow>* rows, const Snapshot& snapshot, const QStringList& chosen)
{
    for (const QString& path : chosen) {
        const auto row = std::find_if(rows->begin(), rows->end(),
            [&path](const FolderFileRow& one) { return one.path == path; });
        if (row != rows->end())
            row->isChoice = row->isChosen = true;
        else if (const qint64 bytes = bytesOf(snapshot, path); bytes >= 0)
            rows->push_back({path, FolderFilesDialog::tr("unchanged; large"), bytes, true, true});
    }
}

QString summaryText(const CodeChanges& changes)
{
    const QString files = counted(qint64(changes.snapshot.entries.size()),
        FolderFilesDialog::tr("1 file"), FolderFilesDialog::tr("%1 files"));
    const QString bytes = ByteCount(changes.snapshot.bytes()).text();
    if (!changes.difference)
        return FolderFilesDialog::tr("A run gets %1, %2. None was sent there yet.")
            .arg(files, bytes);
    const SnapshotDifference& since = *changes.difference;
    const qint64 differ = since.added.size() + since.changed.size() + since.removed.size();
    return FolderFilesDialog::tr("A run gets %1, %2. Since the last run there %3.")
        .arg(files, bytes,
            differ == 0 ? FolderFilesDialog::tr("none has changed")
                        : counted(differ, FolderFilesDialog::tr("1 has changed"),
                            FolderFilesDialog::tr("%1 have changed")));
}

} // namespace

std::vector<FolderFileRow> folderFileRows(const CodeChanges& changes, const QStringList& chosen)
{
    const Snapshot& snapshot = changes.snapshot;
    std::vector<FolderFileRow> rows;
    if (changes.difference) {
        addFiles(&rows, snapshot, changes.difference->changed, FolderFilesDialog::tr("changed"));
        addFiles(&rows, snapshot, changes.difference->added, FolderFilesDialog::tr("added"));
        addFiles(&rows, snapshot, changes.difference->removed, FolderFilesDialog::tr("removed"));
    } else {
        addAllFiles(&rows, snapshot);
    }
    markChosen(&rows, snapshot, chosen);
    std::size_t left = 0;
    for (const SnapshotOmission& one : snapshot.omissions) {
        if (++left > mostFileRows)
            break;
        rows.push_back({one.path, FolderFilesDialog::tr("not sent: %1").arg(one.reason), one.bytes,
            one.isLarge});
    }
    return rows;
}

FolderFilesDialog::FolderFilesDialog(
    const CodeChanges& changes, const QStringList& chosen, Choose choose, QWidget* parent)
    : QDialog(parent)
    , m_table(new QTableWidget(0, FileColumns))
{
    setWindowTitle(tr("Files of your folder"));
    setObjectName(u"folderFiles"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    const std::vector<FolderFileRow> rows = folderFileRows(changes, chosen);
    const bool asks = std::any_of(
        rows.begin(), rows.end(), [](const FolderFileRow& row) { return row.isChoice; });
    fill(rows);
    auto* words = TextLabel::paragraph(asks
            ? summaryText(changes) % u' ' % tr("A large file is sent if you check it.")
            : summaryText(changes),
        "second");
    auto* leave = makeButton(asks ? tr("Cancel") : tr("Close"));
    auto* use = makeButton(tr("Send what is checked"), ButtonKind::Primary);
    use->setObjectName(u"useFolderFiles"_s);
    use->setVisible(asks);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(leave);
    buttons->addWidget(use);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(8);
    layout->addWidget(new TextLabel(windowTitle(), "title"));
    layout->addWidget(words);
    layout->addWidget(m_table, 1);
    layout->addLayout(buttons);
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    connect(use, &QPushButton::clicked, this, [this, choose] {
        choose(this->chosen());
        accept();
    });
    const int unit = fontMetrics().averageCharWidth();
    resize(unit * 100, unit * 60);
    if (parent)
        resize(size().boundedTo(parent->window()->size() - QSize(64, 64)));
    m_table->setFocus();
}

void FolderFilesDialog::fill(const std::vector<FolderFileRow>& rows)
{
    m_table->setObjectName(u"folderFilesTable"_s);
    m_table->setAccessibleName(tr("Files of your folder"));
    m_table->setHorizontalHeaderLabels({tr("File"), tr("What"), tr("Size")});
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(FileNameColumn, QHeaderView::Stretch);
    for (int column = 0; column < FileColumns; ++column) {
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            (column == FileSizeColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    // Aligns the header text with the cells below it.
    m_table->setStyleSheet(u"QHeaderView::section { padding: 6px 3px; }"_s);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setRowCount(int(rows.size()));
    for (int i = 0; i < int(rows.size()); ++i) {
        const FolderFileRow& row = rows[std::size_t(i)];
        auto* name = new QTableWidgetItem(row.path);
        name->setToolTip(plainToolTip(row.path.left(longestTip)));
        name->setFlags(name->flags().setFlag(Qt::ItemIsUserCheckable, row.isChoice));
        if (row.isChoice) {
            name->setCheckState(row.isChosen ? Qt::Checked : Qt::Unchecked);
        }
        auto* size = new QTableWidgetItem(row.bytes < 0 ? QString() : ByteCount(row.bytes).text());
        size->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(i, FileNameColumn, name);
        m_table->setItem(i, FileWhatColumn, new QTableWidgetItem(row.what));
        m_table->setItem(i, FileSizeColumn, size);
    }
}

QStringList FolderFilesDialog::chosen() const
{
    QStringList paths;
    for (int i = 0; i < m_table->rowCount(); ++i) {
        const QTableWidgetItem* name = m_table->item(i, FileNameColumn);
        if (name->flags().testFlag(Qt::ItemIsUserCheckable) && name->checkState() == Qt::Checked)
            paths << name->text();
    }
    return paths;
}

} // namespace slipway

#include "moc_folderfiles.cpp"
