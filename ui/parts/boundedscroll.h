// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QScrollArea>

namespace slipway {

/// BoundedScroll is as high as its content, up to a limit; beyond it the content scrolls. GUI
/// thread; the widget that shows it owns it.
class BoundedScroll : public QScrollArea {
    Q_OBJECT

public:
    /// `name` is its accessible name: while it scrolls, it can have the focus.
    BoundedScroll(QWidget* content, const QString& name, QWidget* parent = nullptr);
    void setMostHeight(int pixels);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    int m_most = 240;
};

} // namespace slipway
