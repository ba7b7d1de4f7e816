// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QLayout>

#include <vector>

namespace slipway {

/// FoldLayout puts its parts side by side, or one below the other where the width is not enough.
/// The first part takes the width that the others leave, but at least that of `leastChars`
/// characters. GUI thread; its parent owns it.
class FoldLayout : public QLayout {
    Q_OBJECT

public:
    explicit FoldLayout(int gap, int leastChars, QWidget* parent = nullptr);
    ~FoldLayout() override;

    void addPart(QLayout* part);
    void addItem(QLayoutItem* item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    /// That of the parts one below the other.
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// The width of the first part beside the others; 0: they do not fit beside each other.
    int widthBeside(int width) const;
    int arrange(const QRect& rect, bool move) const;

    std::vector<QLayoutItem*> m_items;
    int m_gap;
    int m_leastChars;
};

} // namespace slipway
