// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QTimer>
#include <QWidget>

class QScrollArea;

namespace slipway {

/// PageContent is what scrolls on a page: at least as high as its layout needs at its width, so
/// that no text is cut off. GUI thread; its scroll area owns it.
class PageContent : public QWidget {
    Q_OBJECT

public:
    explicit PageContent(QWidget* parent = nullptr);
    /// The scroll area to put on the page.
    QScrollArea* inScrollArea();
    /// Adjusts the height, once after several changes.
    void settle() { m_settle.start(); }

signals:
    /// The height is about to be adjusted: all layouts have been invalidated.
    void settling();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    QTimer m_settle;
};

} // namespace slipway
