// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/difference.h"

#include <QPlainTextEdit>

namespace slipway {

/// DifferenceView shows the changes from one script to another: each line with its sign, + or -, on
/// a background in the matching colour. It can be read with the keyboard like any text; selected
/// lines are copied as a unified difference. GUI thread; the page that shows it owns it.
class DifferenceView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit DifferenceView(QWidget* parent = nullptr);
    void setDifference(const std::vector<DifferenceLine>& lines);
    /// "1 line removed, 2 lines added": a summary for screen readers.
    QString summary() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyColours();

    std::vector<DifferenceLine> m_lines;
};

} // namespace slipway
