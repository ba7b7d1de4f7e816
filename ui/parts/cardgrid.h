// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QGridLayout>
#include <QWidget>

namespace slipway {

/// CardGrid arranges cards of equal width in as many columns as fit, in reading order. The cards of
/// a row have the same height. GUI thread; the page that shows it owns it.
class CardGrid : public QWidget {
    Q_OBJECT

public:
    explicit CardGrid(int leastWidth, QWidget* parent = nullptr);
    void setCards(const QList<QWidget*>& cards);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    int m_leastWidth;
    int m_columns = 0;
    QGridLayout* m_grid;
    QList<QWidget*> m_cards;
};

} // namespace slipway
