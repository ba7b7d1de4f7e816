// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>
#include <QWidget>

namespace slipway {

/// CurveWords says the values of a chart's curves, each behind a piece of its line: the legend and
/// the numbers in one. Painted; what has no room ends in "…".
class CurveWords : public QWidget {
    Q_OBJECT

public:
    explicit CurveWords(QWidget* parent = nullptr);
    /// In the order of the chart's curves; an empty text takes no room and keeps its curve's style.
    void setWords(const QStringList& words);
    const QStringList& words() const { return m_words; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList m_words;
};

} // namespace slipway
