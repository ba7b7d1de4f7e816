// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imageinspector.h"
#include "ui/parts/text.h"

namespace slipway {

class LayerBar;

/// InspectionCard shows what a registry says of an image: its name, digest and platforms, what is
/// to be downloaded, what the image says of itself, where it would be kept, and its layers. GUI
/// thread; ImagesPage owns it.
class InspectionCard : public QFrame {
    Q_OBJECT

public:
    explicit InspectionCard(QWidget* parent = nullptr);
    void setInspection(const ImageInspection& inspection);

signals:
    /// This image is wanted for a launch.
    void useRequested();
    /// It is to be pulled, in a job.
    void pullRequested();

private:
    QLayout* makeRows();
    void copyDigest();

    QString m_copied; ///< the digest
    ElidedText* m_title;
    QPushButton* m_digest;
    TextLabel* m_origin;
    TextLabel* m_download;
    TextLabel* m_self;
    TextLabel* m_where;
    LayerBar* m_bar;
    TextLabel* m_layers;
    QPushButton* m_use;
    QPushButton* m_pull;
};

} // namespace slipway
