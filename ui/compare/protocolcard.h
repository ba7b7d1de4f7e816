// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFrame>

class QPushButton;

namespace slipway {

class TextLabel;

/// ProtocolCard says how a comparison was measured. The text is folded at first; without a protocol
/// the card is hidden. Lives on the GUI thread, owned by the Compare page.
class ProtocolCard : public QFrame {
    Q_OBJECT

public:
    explicit ProtocolCard(QWidget* parent = nullptr);
    void setProtocol(const QString& text);

signals:
    /// It was opened or folded, so its height changed.
    void folded();

private:
    void nameButton();

    QPushButton* m_fold;
    TextLabel* m_text;
};

} // namespace slipway
