// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QFrame>

class QDropEvent;
class QMimeData;

namespace slipway {

class TextLabel;

/// The one program or folder of this computer that was dropped; else a sentence on why it is not
/// one. Looks at no disk.
Result<QString> droppedPath(const QMimeData& data);

/// FolderDrop takes a program or a folder that is dropped on the window, and covers the window with
/// a hint while something is dragged over it. GUI thread; the window owns it.
class FolderDrop : public QFrame {
    Q_OBJECT

public:
    explicit FolderDrop(QWidget* window);
    bool eventFilter(QObject* object, QEvent* event) override;

signals:
    void dropped(const QString& path);
    void refused(const slipway::Error& error);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void enter(QDropEvent* event);
    void finish(QDropEvent* event);
    void end();

    TextLabel* m_hint;
    bool m_inside = false; ///< what is dragged is over the hint, not over the window below it
};

} // namespace slipway
