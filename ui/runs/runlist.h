// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QDate>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QItemSelection;
class QLayout;
class QLineEdit;
class QModelIndex;
class QPushButton;
class QStackedWidget;

namespace slipway {

class RunGroups;
class RunListModel;
class RunListView;
class TextLabel;

/// RunList is the list on the Runs page: all runs in groups, with a search and with ticks for the
/// comparison, or how to begin if there are none. Lives on the GUI thread, owned by RunsPage.
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
    void setUpGroups();
    void connectParts();
    void connectList();
    void open(const QModelIndex& index);
    void search(const QString& text);
    void compare();
    void editLabels(const QModelIndex& index);
    void showMenu(const QModelIndex& index, const QPoint& place);
    void tickSelected(const QItemSelection& selected, const QItemSelection& deselected);
    void showState();
    void showTicks();
    void keepPlace();
    void tick();

    Engine* m_engine;
    RunListModel* m_model;
    RunGroups* m_groups;
    QLineEdit* m_search;
    QComboBox* m_grouping;
    RunListView* m_list;
    QStackedWidget* m_stack;
    TextLabel* m_count;
    TextLabel* m_keys;
    TextLabel* m_none; ///< why there is nothing, or what is wrong with the search
    QPushButton* m_compare;
    QString m_problem; ///< of the search; empty: it is understood
    QDate m_today = QDate::currentDate();
    QTimer m_tick;
};

} // namespace slipway
