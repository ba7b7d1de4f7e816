// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"

#include <QWidget>

class QCheckBox;
class QListView;
class QModelIndex;
class QPushButton;
class QStackedWidget;

namespace slipway {

class CheckModel;
class TextLabel;

/// NodePage shows what the probe found on the node of a run: one sentence, then every check with
/// what to do about it. It takes values; if there is no report, it says why. GUI thread; the page
/// of the run owns it.
class NodePage : public QWidget {
    Q_OBJECT

public:
    explicit NodePage(QWidget* parent = nullptr);

    /// `whyNone` is shown while the report has no rows; `running`: more rows may come.
    void setReport(const NodeReport& report, const QString& whyNone, bool running = false);
    const NodeReport& report() const { return m_report; }
    /// Goes to the first check with that id and that state.
    void showCheck(const QString& id, CheckState state);
    void setOnlyAttention(bool only);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void toggleSkipped(const QModelIndex& row);
    void copyReport();
    void showState();

    NodeReport m_report;
    QString m_whyNone;
    bool m_running = false;
    CheckModel* m_model;
    TextLabel* m_sentence;
    TextLabel* m_counts;
    TextLabel* m_note; ///< what could not be read, or what was copied
    QCheckBox* m_only;
    QPushButton* m_copy;
    QStackedWidget* m_stack;
    QListView* m_list;
    TextLabel* m_none;
};

} // namespace slipway
