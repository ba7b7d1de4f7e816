// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>
#include <QWidget>

namespace slipway {

/// CurveWords shows the latest values of the curves of a chart, each after a sample of its line, so
/// that it is also the legend. It is painted, in brief where there is too little room, and never
/// cut: a part of a number is another number. GUI thread; GpuCard owns it.
class CurveWords : public QWidget {
    Q_OBJECT

public:
    explicit CurveWords(QWidget* parent = nullptr);
    /// In the order of the curves in the chart; an empty text takes no room, but its curve keeps
    /// its style. `brief` says the same in fewer words, where the width does not suffice.
    void setWords(const QStringList& words, const QStringList& brief = {});
    const QStringList& words() const { return m_words; }
    /// Those that are painted at the present width; a word for which there is no room is empty.
    QStringList paintedWords() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int widthOf(const QStringList& words) const;

    QStringList m_words;
    QStringList m_brief;
};

} // namespace slipway
