// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>
#include <QWidget>

namespace slipway {

/// CurveWords shows the latest values of the curves of a chart, each after a sample of its line, so
/// that it is also the legend. It is painted; text that does not fit ends in "…". GUI thread;
/// GpuCard owns it.
class CurveWords : public QWidget {
    Q_OBJECT

public:
    explicit CurveWords(QWidget* parent = nullptr);
    /// In the order of the curves in the chart; an empty text takes no room, but its curve keeps
    /// its style.
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
