// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;
class QListView;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;

namespace slipway {

class RunListModel;
class TextLabel;

/// RunList is the first half of the Runs page: all runs with a search, or an invitation when there
/// are none.
class RunList : public QWidget {
    Q_OBJECT

public:
    explicit RunList(Engine* engine, QWidget* parent = nullptr);
    int activeCount() const;
    void focusList();

signals:
    void opened(const QString& runId);
    void launchRequested();
    void demoRequested();
    void compareRequested(const QStringList& runIds);
    void activeCountChanged(int count);

private:
    QWidget* makeEmpty();
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
