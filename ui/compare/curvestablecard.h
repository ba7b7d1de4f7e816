// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFrame>
#include <QStringList>

class QComboBox;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace slipway {

class CurvesModel;

/// CurvesTableCard is the table of the runs whose curves are compared: the fields that differ,
/// where the series ended, duration, node, image and its digest; filtered, sorted, with pinned runs
/// first. The sample of line in a row is that of its curve. It scrolls where it has less room than
/// rows. Lives on the GUI thread, owned by the CurvesPage.
class CurvesTableCard : public QFrame {
    Q_OBJECT

public:
    explicit CurvesTableCard(CurvesModel* model, QWidget* parent = nullptr);
    /// The height at which this many rows are seen, or all if there are fewer, at this width.
    int heightFor(int rows, int width) const;

signals:
    void removeRequested(const QString& runId);
    /// heightFor() has changed.
    void resized();

protected:
    void changeEvent(QEvent* event) override;

private:
    QLayout* makeTools();
    void refresh();
    void refreshSorting();
    void fill(const std::vector<size_t>& rows);
    void fitHeight();
    void sortBy(const QString& column, bool descending);
    QString currentRun() const;

    CurvesModel* m_model;
    QLineEdit* m_filter;
    QComboBox* m_sort;
    QPushButton* m_descending;
    QPushButton* m_remove;
    QTableWidget* m_table;
    QStringList m_sortable; ///< ids and titles of the columns in m_sort
    QStringList m_shown; ///< what the table was last filled with
};

} // namespace slipway
