// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"
#include "ui/parts/text.h"

namespace slipway {

class RawText;

/// ErrorView shows one failure: what happened and why, what to do (with a button if there is an
/// action), and the raw text, folded. All of it is plain text. GUI thread; the page that shows it
/// owns it.
class ErrorView : public QFrame {
    Q_OBJECT

public:
    explicit ErrorView(QWidget* parent = nullptr);

    void setError(const Error& error);
    /// The button below the remedy; an empty verb removes it.
    void setAction(const QString& verb);

signals:
    void actionRequested();

private:
    TextLabel* m_summary;
    TextLabel* m_remedy;
    QPushButton* m_action;
    RawText* m_raw;
};

} // namespace slipway
