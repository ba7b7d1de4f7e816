// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QTimer>
#include <QWidget>

class QLayout;
class QLineEdit;
class QListView;
class QModelIndex;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;

namespace slipway {

class RunListModel;
class TextLabel;

/// RunList is the list on the Runs page: all runs with a search, or how to begin if there are none.
/// Lives on the GUI thread, owned by RunsPage.
class RunList : public QWidget {
    Q_OBJECT

public:
    explicit RunList(Engine* engine, QWidget* parent = nullptr);
    void focusList();

signals:
    void opened(const QString& runId);
    void launchRequested();
    void demoRequested();
    void compareRequested(const QStringList& runIds);

private:
    QWidget* makeEmpty();
    QLayout* makeHead();
    void setUpList();
    void connectParts();
    void open(const QModelIndex& index);
    void showState();
    void showSelection();
    QStringList selected() const;

    RunListModel* m_model;
    QSortFilterProxyModel* m_filter;
    QLineEdit* m_search;
    QListView* m_list;
    QStackedWidget* m_stack;
    TextLabel* m_none;
    QPushButton* m_compare;
    QTimer m_tick;
};

} // namespace slipway
