// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <qcustomplot.h>

#include <functional>

namespace slipway {

/// ChartLayer is a layer of the plot on which a function paints. GUI thread; its plot owns it.
class ChartLayer : public QCPLayerable {
public:
    using Paint = std::function<void(QPainter&)>;

    ChartLayer(QCustomPlot* plot, const QString& layer, Paint paint)
        : QCPLayerable(plot, layer)
        , m_paint(std::move(paint))
    {
    }

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override { }
    void draw(QCPPainter* painter) override { m_paint(*painter); }
    QRect clipRect() const override { return mParentPlot->viewport(); }

private:
    Paint m_paint;
};

} // namespace slipway
