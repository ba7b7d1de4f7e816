// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/imagedescription.h"

#include <QWidget>

#include <vector>

namespace slipway {

/// LayerBar paints the layers of an image side by side, the largest first, each as wide as its
/// share of the download; small ones are one part at the end. The tool tip of a part tells its size
/// and its instruction; the accessible description tells the whole. GUI thread; InspectionCard owns
/// it.
class LayerBar : public QWidget {
    Q_OBJECT

public:
    explicit LayerBar(QWidget* parent = nullptr);
    void setImage(const ImageDescription& image);

    /// One painted part. A value.
    struct Part {
        qint64 bytes = 0;
        QString words; ///< for its tool tip
        bool isRest = false; ///< all layers that are not shown one by one
    };
    const std::vector<Part>& parts() const { return m_parts; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<QRectF> areas() const;

    std::vector<Part> m_parts;
};

} // namespace slipway
