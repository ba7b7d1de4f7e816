// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/compare/comparemodel.h"

#include <QWidget>

class QCheckBox;

namespace slipway {

class FlowLayout;

/// LaneStrip shows and hides lanes; each check box carries the line and marker that the lane has in
/// the chart. If there are several runs, each can be removed. Lives on the GUI thread, owned by the
/// chart card.
class LaneStrip : public QWidget {
    Q_OBJECT

public:
    explicit LaneStrip(CompareModel* model, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void build();
    void updateIcons();

    CompareModel* m_model;
    FlowLayout* m_flow;
    QStringList m_built; ///< the runs and lanes that the strip was built from
    QHash<QString, QCheckBox*> m_boxes;
};

} // namespace slipway
