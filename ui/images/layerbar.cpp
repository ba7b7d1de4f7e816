// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/layerbar.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "ui/images/imagewords.h"
#include "ui/look/colours.h"
#include "ui/parts/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t mostParts = 10; ///< that are shown one by one
constexpr double gap = 3;
constexpr double leastWidth = 3; ///< pixels of the smallest part
constexpr int mostInstruction = 160;

} // namespace

LayerBar::LayerBar(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setObjectName(u"layerBar"_s);
    setAccessibleName(tr("Layers by size"));
}

void LayerBar::setImage(const ImageDescription& image)
{
    m_parts.clear();
    const std::vector<ImageLayer> layers = layersBySize(image);
    Part rest;
    rest.isRest = true;
    for (size_t i = 0; i < layers.size(); ++i) {
        const qint64 bytes = std::max<qint64>(0, layers[i].bytes);
        if (i < mostParts) {
            const QString made = shownText(layers[i].createdBy, mostInstruction);
            const QString size = ByteCount(bytes).text();
            m_parts.push_back({bytes, made.isEmpty() ? size : QString(size % u": "_s % made)});
        } else {
            rest.bytes += bytes;
        }
    }
    if (layers.size() > mostParts) {
        rest.words =
            counted(qint64(layers.size() - mostParts), tr("1 more layer"), tr("%1 more layers"))
            % u", "_s % ByteCount(rest.bytes).text();
        m_parts.push_back(rest);
    }
    setAccessibleDescription(downloadLine(image) % u". "_s % layersLine(image));
    update();
}

QSize LayerBar::sizeHint() const
{
    return {200, std::max(14, fontMetrics().height())};
}

QSize LayerBar::minimumSizeHint() const
{
    return {80, sizeHint().height()};
}

/// Every part has a width that can be seen; the rest is shared by size.
std::vector<QRectF> LayerBar::areas() const
{
    std::vector<QRectF> areas;
    double all = 0;
    for (const Part& part : m_parts) {
        all += double(part.bytes);
    }
    const double count = double(m_parts.size());
    const double room = std::max(0.0, width() - gap * (count - 1) - leastWidth * count);
    double x = 0;
    for (const Part& part : m_parts) {
        const double share = all > 0 ? double(part.bytes) / all : 1 / count;
        const double wide = leastWidth + room * share;
        areas.emplace_back(x, 0, wide, height());
        x += wide + gap;
    }
    return areas;
}

bool LayerBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<QRectF> places = areas();
    for (size_t i = 0; i < places.size(); ++i) {
        if (places[i].contains(help->pos())) {
            QToolTip::showText(help->globalPos(), plainToolTip(m_parts[i].words), this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

void LayerBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const Colours& colours = Colours::now();
    const std::vector<QRectF> places = areas();
    for (size_t i = 0; i < places.size(); ++i) {
        const double share = std::max(0.25, 1 - 0.16 * double(i));
        painter.setBrush(
            m_parts[i].isRest ? colours.line : between(colours.accent, colours.surface, share));
        const double corner = std::min(3.0, places[i].width() / 2);
        painter.drawRoundedRect(places[i], corner, corner);
    }
}

} // namespace slipway

#include "moc_layerbar.cpp"
