// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/images/newesttag.h"
#include "ui/parts/text.h"

namespace slipway {

/// NewestLine offers the newest tag that runs, after an image that does not exist or does not run
/// on a site. It is hidden otherwise. GUI thread; ImagesPage owns it.
class NewestLine : public QFrame {
    Q_OBJECT

public:
    explicit NewestLine(Engine* engine, QWidget* parent = nullptr);

    /// Looks for another tag if what was found of this one makes that worthwhile.
    void lookFor(
        const QString& siteId, const ImageReference& image, const Result<ImageInspection>& found);
    /// Whatever is still to come is outdated.
    void forget();

signals:
    void chosen(const QString& reference);
    void resized();

private:
    QCoro::Task<void> look(QString siteId, ImageReference image);
    void showText(const QString& text);

    Engine* m_engine;
    TextLabel* m_text;
    QPushButton* m_use;
    QString m_reference;
    int m_number = 0; ///< of the newest question
};

/// Whether another tag is worth a look: the registry has no such tag, or the image fails on a
/// partition and runs on none with a GPU.
bool wantsAnotherTag(const ImageReference& image, const Result<ImageInspection>& found);

} // namespace slipway
