// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/cleanupview.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "ui/look/colours.h"
#include "ui/parts/announce.h"
#include "ui/parts/confirm.h"
#include "ui/parts/errorview.h"
#include "ui/parts/scriptview.h"
#include "ui/parts/words.h"
#include "ui/sites/cleanuptext.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QProgressBar>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

enum Column { WhatColumn, BelongsColumn, SizeColumn, ChangedColumn, StateColumn };
constexpr int thingRole = Qt::UserRole;

using CleanupKind = CleanupItem::Kind;
constexpr CleanupKind cleanupKinds[] = {CleanupKind::Job, CleanupKind::Process,
    CleanupKind::RunFolder, CleanupKind::Image, CleanupKind::Checkpoints, CleanupKind::Probe};

} // namespace

CleanupView::CleanupView(QWidget* parent)
    : QWidget(parent)
    , m_sentence(TextLabel::paragraph({}, "second"))
    , m_result(TextLabel::paragraph({}, "strong"))
    , m_stack(new QStackedWidget)
    , m_tree(new QTreeWidget)
    , m_command(new ScriptView)
    , m_look(makeButton(tr("Refresh")))
    , m_remove(makeButton(tr("Remove…"), ButtonKind::Danger))
    , m_removeAll(makeButton(tr("Remove all…")))
    , m_text(TextLabel::paragraph({}, "second"))
    , m_progress(new QProgressBar)
    , m_action(makeButton({}, ButtonKind::Primary))
    , m_error(new ErrorView)
{
    m_sentence->setObjectName(u"cleanupSentence"_s);
    m_result->setObjectName(u"cleanupResult"_s);
    m_stack->addWidget(makeListPage());
    m_stack->addWidget(makeStatePage());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_sentence);
    layout->addWidget(m_result);
    layout->addWidget(m_stack, 1);
    m_result->hide();
    setBusy({});
}

void CleanupView::prepareTree()
{
    m_tree->setObjectName(u"cleanupTree"_s);
    m_tree->setAccessibleName(tr("Files of Slipway there"));
    m_tree->setHeaderLabels({tr("Item"), tr("Belongs to"), tr("Size"), tr("Changed"), tr("State")});
    m_tree->setRootIsDecorated(false);
    m_tree->setItemsExpandable(false);
    m_tree->setIndentation(24);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(WhatColumn, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(BelongsColumn, QHeaderView::Interactive);
    m_tree->headerItem()->setTextAlignment(SizeColumn, Qt::AlignRight | Qt::AlignVCenter);
}

QWidget* CleanupView::makeListPage()
{
    prepareTree();
    m_command->setReadOnly(true);
    m_command->setObjectName(u"cleanupCommand"_s);
    m_command->setAccessibleName(tr("The command that found this"));
    auto* copy = makeButton(tr("copy"), ButtonKind::Quiet);
    copy->setAccessibleName(tr("Copy the command"));
    m_look->setObjectName(u"cleanupScan"_s);
    m_remove->setObjectName(u"cleanupRemove"_s);
    m_removeAll->setObjectName(u"cleanupRemoveAll"_s);
    auto* card = makeCard();
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(8, 8, 8, 8);
    inside->addWidget(m_tree);
    auto* found = new QHBoxLayout;
    found->addWidget(new TextLabel(tr("Found with"), "second"), 1);
    found->addWidget(copy);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_look);
    buttons->addStretch();
    buttons->addWidget(m_removeAll);
    buttons->addWidget(m_remove);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(card, 1);
    layout->addLayout(found);
    layout->addWidget(m_command);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    connect(m_tree, &QTreeWidget::itemChanged, this, &CleanupView::mark);
    connect(copy, &QPushButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_command->toPlainText()); });
    connect(m_look, &QPushButton::clicked, this, &CleanupView::lookRequested);
    connect(m_remove, &QPushButton::clicked, this, [this] { ask(marked()); });
    connect(m_removeAll, &QPushButton::clicked, this, [this] { ask(removable()); });
    return page;
}

QWidget* CleanupView::makeStatePage()
{
    auto* progress = qobject_cast<QProgressBar*>(m_progress);
    progress->setRange(0, 0);
    progress->setTextVisible(false);
    progress->setAccessibleName(tr("Busy"));
    m_text->setObjectName(u"cleanupState"_s);
    m_text->setAlignment(Qt::AlignCenter);
    m_action->setObjectName(u"cleanupAction"_s);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(m_error);
    layout->addStretch(2);
    layout->addWidget(m_text);
    progress->setFixedWidth(320);
    layout->addWidget(m_progress, 0, Qt::AlignHCenter);
    layout->addWidget(m_action, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_action, &QPushButton::clicked, this,
        [this] { m_connects ? emit connectRequested() : emit lookRequested(); });
    return page;
}

void CleanupView::showText(const QString& text, bool busy, const QString& action)
{
    m_error->hide();
    m_sentence->hide();
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_progress->setVisible(busy);
    m_action->setText(action);
    m_action->setAccessibleName(action);
    m_action->setVisible(!action.isEmpty());
    m_stack->setCurrentIndex(1);
}

void CleanupView::setBusy(const QString& what)
{
    showText(what, true, {});
    announce(m_progress, what);
}

void CleanupView::setError(const Error& error)
{
    m_connects = false;
    showText({}, false, tr("Refresh"));
    m_error->setError(error);
    m_error->show();
}

void CleanupView::setNotConnected()
{
    m_connects = true;
    showText(tr("Not connected. Connect to see and remove what Slipway has left on this site."),
        false, tr("Connect"));
}

void CleanupView::setResult(const QString& words, bool complete)
{
    m_result->setText(words);
    m_result->setTint(complete ? Tint::Done : Tint::Warning);
    m_result->setVisible(!words.isEmpty());
    m_result->setAccessibleName({});
    announce(m_result, words);
}

void CleanupView::setList(const CleanupList& list)
{
    m_list = list;
    m_command->setScript(list.command.toUtf8());
    const int lines = std::clamp(int(list.command.count(u'\n')) + 1, 1, 4);
    m_command->setFixedHeight(lines * QFontMetrics(m_command->font()).lineSpacing() + 34);
    if (list.items.empty()) {
        const QSignalBlocker quiet(m_tree);
        m_tree->clear(); // its rows refer to positions in the list
        m_connects = false;
        showText(tr("Slipway has left nothing there."), false, tr("Refresh"));
        return;
    }
    {
        const QSignalBlocker quiet(m_tree);
        m_tree->clear();
        std::for_each(std::begin(cleanupKinds), std::end(cleanupKinds),
            [this](CleanupKind kind) { addGroup(kind); });
        m_tree->expandAll();
        m_tree->setCurrentItem(m_tree->topLevelItem(0));
    }
    const auto used = std::count_if(
        list.items.begin(), list.items.end(), [](const CleanupItem& item) { return item.inUse; });
    QStringList words{
        tr("%1, %2 on disk.")
            .arg(cleanupCount(qsizetype(list.items.size())), ByteCount(list.bytes()).text())};
    if (used > 0) {
        words << counted(used, tr("1 is in use and cannot be removed."),
            tr("%1 are in use and cannot be removed."));
    }
    m_sentence->setText(words.join(u' '));
    m_sentence->show();
    m_stack->setCurrentIndex(0);
    placeColumns();
    showMarked();
    if (!focusWidget() || focusWidget()->isHidden() || !focusWidget()->isVisibleTo(this)) {
        m_tree->setFocus();
    }
}

void CleanupView::addGroup(CleanupItem::Kind kind)
{
    QTreeWidgetItem* group = nullptr;
    qint64 bytes = 0;
    int count = 0;
    for (size_t i = 0; i < m_list.items.size(); ++i) {
        const CleanupItem& thing = m_list.items[i];
        if (thing.kind != kind) {
            continue;
        }
        if (!group) {
            group = new QTreeWidgetItem(m_tree);
            group->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            QFont strong = font();
            strong.setWeight(QFont::DemiBold);
            group->setFont(WhatColumn, strong);
        }
        auto* item = new QTreeWidgetItem(group);
        item->setData(WhatColumn, thingRole, quint64(i));
        showItem(item, thing);
        bytes += thing.bytes;
        ++count;
    }
    if (!group) {
        return;
    }
    group->setText(WhatColumn, tr("%1 (%2)").arg(cleanupKindName(kind)).arg(count));
    group->setText(SizeColumn, cleanupSize(bytes));
    group->setTextAlignment(SizeColumn, Qt::AlignRight | Qt::AlignVCenter);
    for (int i = 0; i < group->childCount(); ++i) {
        if (group->child(i)->flags() & Qt::ItemIsUserCheckable) {
            group->setFlags(group->flags() | Qt::ItemIsUserCheckable);
            group->setCheckState(WhatColumn, Qt::Unchecked);
            return;
        }
    }
}

void CleanupView::showItem(QTreeWidgetItem* item, const CleanupItem& thing) const
{
    item->setText(WhatColumn, cleanupName(thing));
    item->setText(BelongsColumn, thing.detail);
    item->setText(SizeColumn, cleanupSize(thing.bytes));
    item->setTextAlignment(SizeColumn, Qt::AlignRight | Qt::AlignVCenter);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    item->setText(ChangedColumn,
        thing.modified.isValid()        ? agoText(thing.modified, now)
            : isSlipwayFile(thing.kind) ? tr("unknown")
                                        : QString());
    item->setText(StateColumn, thing.inUse ? tr("in use") : QString());
    item->setToolTip(WhatColumn, plainToolTip(thing.path));
    item->setToolTip(BelongsColumn, plainToolTip(thing.detail));
    item->setForeground(StateColumn, tintColour(Colours::now(), Tint::Running));
    item->setForeground(BelongsColumn, Colours::now().secondText);
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (!thing.inUse) {
        flags |= Qt::ItemIsUserCheckable;
        if (item->data(WhatColumn, Qt::CheckStateRole).isNull()) {
            item->setCheckState(WhatColumn, Qt::Unchecked);
        }
    }
    item->setFlags(flags);
    item->setData(WhatColumn, Qt::AccessibleTextRole,
        thing.inUse ? tr("%1, in use, cannot be removed").arg(cleanupName(thing))
                    : cleanupName(thing));
}

/// The first column gets the width that the others leave; the second at most a quarter.
void CleanupView::placeColumns()
{
    m_tree->header()->resizeSection(BelongsColumn,
        std::min(fontMetrics().averageCharWidth() * 32, m_tree->viewport()->width() / 4));
}

void CleanupView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeColumns();
}

void CleanupView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    const bool look =
        event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange;
    const QSignalBlocker quiet(m_tree);
    for (int g = 0; look && g < m_tree->topLevelItemCount(); ++g) {
        QTreeWidgetItem* group = m_tree->topLevelItem(g);
        for (int i = 0; i < group->childCount(); ++i) {
            showItem(group->child(i),
                m_list.items[group->child(i)->data(WhatColumn, thingRole).toULongLong()]);
        }
    }
}

/// Selecting a group selects every item in it that can be removed; the group shows whether all,
/// some or none of them are selected. (The automatic tristate of Qt does not work if one of the
/// items cannot be checked.)
void CleanupView::mark(QTreeWidgetItem* item)
{
    const QSignalBlocker quiet(m_tree);
    QTreeWidgetItem* group = item->parent() ? item->parent() : item;
    int all = 0, some = 0;
    for (int i = 0; i < group->childCount(); ++i) {
        QTreeWidgetItem* child = group->child(i);
        if (!(child->flags() & Qt::ItemIsUserCheckable)) {
            continue;
        }
        if (item == group) {
            child->setCheckState(WhatColumn, group->checkState(WhatColumn));
        }
        ++all;
        some += child->checkState(WhatColumn) == Qt::Checked;
    }
    if (all > 0) {
        group->setCheckState(WhatColumn,
            some == 0         ? Qt::Unchecked
                : some == all ? Qt::Checked
                              : Qt::PartiallyChecked);
    }
    showMarked();
}

CleanupList CleanupView::marked() const
{
    CleanupList some;
    some.command = m_list.command;
    for (int g = 0; g < m_tree->topLevelItemCount(); ++g) {
        const QTreeWidgetItem* group = m_tree->topLevelItem(g);
        for (int i = 0; i < group->childCount(); ++i) {
            const QTreeWidgetItem* item = group->child(i);
            if (item->checkState(WhatColumn) == Qt::Checked
                && (item->flags() & Qt::ItemIsUserCheckable)) {
                some.items.push_back(m_list.items[item->data(WhatColumn, thingRole).toULongLong()]);
            }
        }
    }
    return some;
}

CleanupList CleanupView::removable() const
{
    CleanupList some = m_list;
    // Checkpoints may be worth weeks: they are removed only when they are selected.
    std::erase_if(some.items, [](const CleanupItem& item) {
        return item.inUse || item.kind == CleanupKind::Checkpoints;
    });
    return some;
}

void CleanupView::showMarked()
{
    const CleanupList some = marked();
    const qsizetype count = qsizetype(some.items.size());
    const QString size = cleanupSize(some.bytes());
    m_remove->setEnabled(count > 0);
    m_remove->setText(count == 0 ? tr("Remove…")
            : size.isEmpty()     ? tr("Remove %1…").arg(count)
                                 : tr("Remove %1, %2…").arg(count).arg(size));
    m_remove->setAccessibleName(count == 0 ? tr("Remove the selected items") : m_remove->text());
    m_removeAll->setEnabled(!removable().items.empty());
}

void CleanupView::ask(const CleanupList& items)
{
    if (items.items.empty()) {
        return;
    }
    QStringList lines;
    bool ends = false;
    for (const CleanupItem& item : items.items) {
        lines << cleanupLine(item);
        ends |= !isSlipwayFile(item.kind);
    }
    const qsizetype count = qsizetype(items.items.size());
    const QString lost =
        tr("This cannot be undone. Results in run folders that were not fetched are lost.");
    const QString what = ends ? QString(lost % u' ' % tr("Processes and jobs are ended.")) : lost;
    const QString size = cleanupSize(items.bytes());
    auto* sure = new Confirm(size.isEmpty() ? tr("Remove %1?").arg(cleanupCount(count))
                                            : tr("Remove %1, %2?").arg(cleanupCount(count), size),
        what, tr("Remove"), ButtonKind::Danger, this);
    sure->setList(lines, tr("Items to be removed"));
    connect(sure, &QDialog::accepted, this, [this, items] { emit removeRequested(items); });
    sure->open();
}

} // namespace slipway
