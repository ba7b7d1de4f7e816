// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/compare/comparemodel.h"

#include <QWidget>

class QCheckBox;

namespace slipway {

class FlowLayout;

/// LaneStrip lists the lanes with the look that each has in the chart, to show and hide them; of
/// several runs each can be taken away again.
class LaneStrip : public QWidget {
    Q_OBJECT

public:
    explicit LaneStrip(CompareModel* model, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void renew();
    void build();
    void emulate();

    CompareModel* m_model;
    FlowLayout* m_flow;
    QStringList m_built; ///< what the strip was made of
    QHash<QString, QCheckBox*> m_boxes;
};

} // namespace slipway
