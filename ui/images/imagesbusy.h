// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/text.h"

class QProgressBar;

namespace slipway {

/// ImagesBusy says what the Images page waits for, with a button that stops waiting. GUI thread;
/// ImagesPage owns it.
class ImagesBusy : public QFrame {
    Q_OBJECT

public:
    explicit ImagesBusy(QWidget* parent = nullptr);
    void setStage(const QString& stage);

signals:
    void cancelled();

private:
    TextLabel* m_stage;
    QProgressBar* m_progress;
};

} // namespace slipway
