// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/storedpackages.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "ui/images/imagewords.h"
#include "ui/parts/confirm.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/words.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

enum PackageColumn { PackagesFrom, PackagesUsed, PackagesDeleted, PackagesSize, PackagesColumns };
constexpr int packageRowsInSight = 6;
constexpr int mostPackageText = 120;

QString packagesFrom(const PackageSet& set)
{
    if (!set.isComplete) {
        return StoredPackages::tr("incomplete: its installation was ended");
    }
    return shownText(set.requirements % u": "_s % set.firstLines.simplified(), mostPackageText);
}

QString packagesSize(const PackageSet& set)
{
    return set.bytes ? ByteCount(*set.bytes).text() : StoredPackages::tr("unknown");
}

} // namespace

StoredPackages::StoredPackages(QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableWidget(0, PackagesColumns))
    , m_remove(makeButton({}, ButtonKind::Danger))
{
    setObjectName(u"storedPackages"_s);
    m_table->setObjectName(u"storedPackagesTable"_s);
    m_table->setAccessibleName(tr("Python packages on the cluster"));
    m_table->setHorizontalHeaderLabels(
        {tr("Packages"), tr("Last used"), tr("Deleted on"), tr("Size")});
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QTableWidget::NoEditTriggers);
    m_table->setSelectionBehavior(QTableWidget::SelectRows);
    m_table->setSelectionMode(QTableWidget::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(PackagesFrom, QHeaderView::Stretch);
    m_remove->setObjectName(u"storedPackagesRemove"_s);
    auto* words = new QVBoxLayout;
    words->addWidget(new TextLabel(tr("Python packages"), "strong"));
    auto* head = new FoldLayout(8, 30);
    head->addPart(words);
    head->addWidget(m_remove);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_table);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &StoredPackages::showSelection);
    connect(m_remove, &QPushButton::clicked, this, &StoredPackages::ask);
    showSelection();
}

void StoredPackages::setPackages(const std::vector<PackageSet>& sets)
{
    m_table->clearSelection();
    m_sets = sets;
    m_table->setRowCount(int(sets.size()));
    const QDateTime now = QDateTime::currentDateTime();
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const PackageSet& set = m_sets[size_t(row)];
        const QString used = set.inUse ? tr("may be in use")
            : set.lastUsed.isValid()   ? agoText(set.lastUsed, now)
                                       : tr("unknown");
        const QString deleted =
            set.deletedOn ? set.deletedOn->toString(u"d MMM yyyy"_s) : tr("not known");
        const QStringList texts{packagesFrom(set), used, deleted, packagesSize(set)};
        for (int column = 0; column < PackagesColumns; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setToolTip({});
            m_table->setItem(row, column, item);
        }
    }
    const int line = m_table->fontMetrics().height() + 12;
    m_table->verticalHeader()->setDefaultSectionSize(line);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height()
        + line * std::clamp(m_table->rowCount(), 1, packageRowsInSight) + 4);
    showSelection();
}

std::vector<PackageSet> StoredPackages::removable() const
{
    std::vector<PackageSet> some;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        const auto row = size_t(index.row());
        if (row < m_sets.size() && !m_sets[row].inUse) {
            some.push_back(m_sets[row]);
        }
    }
    return some;
}

void StoredPackages::showSelection()
{
    const auto some = removable();
    m_remove->setEnabled(!some.empty());
    m_remove->setText(some.empty() ? tr("Remove…") : tr("Remove %1…").arg(some.size()));
    m_remove->setAccessibleName(tr("Remove the selected packages"));
}

void StoredPackages::ask()
{
    QStringList lines, paths;
    for (const PackageSet& set : removable()) {
        lines << tr("%1 (%2)").arg(packagesFrom(set), packagesSize(set));
        paths << set.path;
    }
    if (paths.isEmpty()) {
        return;
    }
    auto* question = new Confirm(
        counted(paths.size(), tr("Remove 1 set of packages?"), tr("Remove %1 sets of packages?")),
        tr("A later run that needs them installs them again."), tr("Remove"), ButtonKind::Danger,
        this);
    question->setList(lines, tr("What is removed"));
    connect(question, &QDialog::accepted, this, [this, paths] { emit removeRequested(paths); });
    question->open();
}

} // namespace slipway

#include "moc_storedpackages.cpp"
