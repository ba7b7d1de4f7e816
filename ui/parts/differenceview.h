// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/difference.h"

#include <QPlainTextEdit>

namespace slipway {

/// DifferenceView shows what changes from one script to another: each line with its sign, + or -,
/// and a quiet ground in the colour that belongs to it. Read with the keyboard as any text; marked
/// lines are copied as a unified difference.
class DifferenceView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit DifferenceView(QWidget* parent = nullptr);
    void setDifference(const std::vector<DifferenceLine>& lines);
    /// "1 line removed, 2 lines added": the same for who does not see it.
    QString summary() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void emulate();

    std::vector<DifferenceLine> m_lines;
};

} // namespace slipway
