// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/cleanupitem.h"
#include "remote/base/error.h"

#include <QWidget>

class QPushButton;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace slipway {

class ErrorView;
class ScriptView;
class TextLabel;

/// CleanupView lists what Slipway has left on a cluster by kind, with the command that found it,
/// and lets the person select what to remove. Items in use cannot be selected. It takes values and
/// requests actions by signals. GUI thread; CleanupDialog owns it.
class CleanupView : public QWidget {
    Q_OBJECT

public:
    explicit CleanupView(QWidget* parent = nullptr);

    void setList(const CleanupList& list);
    void setBusy(const QString& what);
    void setError(const Error& error);
    void setNotConnected();
    /// The outcome of the last removal; empty: nothing was removed yet.
    void setResult(const QString& words, bool complete = true);
    /// The selected items.
    CleanupList marked() const;
    /// The items that can be removed.
    CleanupList removable() const;

signals:
    void lookRequested();
    void connectRequested();
    /// The person saw the list and confirmed.
    void removeRequested(const slipway::CleanupList& items);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void prepareTree();
    QWidget* makeListPage();
    QWidget* makeStatePage();
    void addGroup(CleanupItem::Kind kind);
    void showItem(QTreeWidgetItem* item, const CleanupItem& thing) const;
    void mark(QTreeWidgetItem* item);
    void showMarked();
    void placeColumns();
    void ask(const CleanupList& items);
    void showText(const QString& text, bool busy, const QString& action);

    CleanupList m_list;
    TextLabel* m_sentence;
    TextLabel* m_result;
    QStackedWidget* m_stack;
    QTreeWidget* m_tree;
    ScriptView* m_command;
    QPushButton* m_look;
    QPushButton* m_remove;
    QPushButton* m_removeAll;
    TextLabel* m_text; ///< for a state without a list
    QWidget* m_progress;
    QPushButton* m_action;
    ErrorView* m_error;
    bool m_connects = false; ///< whether the button of that state connects, or queries again
};

} // namespace slipway
