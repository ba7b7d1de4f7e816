// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QPushButton;

namespace slipway {

class CompareModel;

/// CompareControls is the strip above the chart of the Compare page: it chooses the two lanes, the
/// kind of work and the view (with or without transfers, rate or seconds). It writes every choice
/// to the model and follows it. Lives on the GUI thread, owned by the chart card.
class CompareControls : public QWidget {
    Q_OBJECT

public:
    explicit CompareControls(CompareModel* model, QWidget* parent = nullptr);
    void refresh();
    /// The unit of the chart's y axis, for the button that shows rates.
    void setUnit(const QString& unit);

signals:
    /// The numbers of all curves, as a table.
    void tableRequested();

private:
    QHBoxLayout* makePickers();
    QHBoxLayout* makeTools();
    void addPair(QHBoxLayout* tools, QPushButton* one, QPushButton* other);
    void pickLanes();

    CompareModel* m_model;
    QComboBox* m_first;
    QComboBox* m_second;
    QComboBox* m_work;
    QWidget* m_pickers; ///< holds the three above
    QPushButton* m_compute;
    QPushButton* m_transfers;
    QPushButton* m_rate;
    QPushButton* m_seconds;
};

} // namespace slipway
