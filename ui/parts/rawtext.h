// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QPlainTextEdit>

class QPushButton;

namespace slipway {

/// RawText is the text behind an error, folded until its button is pressed, and then shown at its
/// end, where programs say what went wrong. The owner puts toggle() where it belongs. GUI thread;
/// its parent owns it.
class RawText : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit RawText(QWidget* parent = nullptr);
    /// Folds it; without a text there is no button.
    void setText(const QByteArray& text);
    QPushButton* toggle() const { return m_toggle; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fold(bool open);
    void goToEnd();

    QPushButton* m_toggle;
};

} // namespace slipway
