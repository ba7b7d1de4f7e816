// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/text.h"

namespace slipway {

/// ImagesIntro is what the Images page shows before anything was asked: what a look tells, and some
/// images to try it with. GUI thread; ImagesPage owns it.
class ImagesIntro : public QFrame {
    Q_OBJECT

public:
    explicit ImagesIntro(QWidget* parent = nullptr);
    /// Without a site there is nothing to compare an image with.
    void setHasSite(bool has);

signals:
    void chosen(const QString& reference);

private:
    TextLabel* m_noSite;
    QWidget* m_examples;
};

} // namespace slipway
