// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/lanestrip.h"

#include "plots/figure/theme.h"
#include "ui/look/colours.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/text.h"

#include <QCheckBox>
#include <QEvent>
#include <QPainter>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize sampleSize(28, 12);

QIcon iconOf(int index, double ratio)
{
    const Colours& colours = Colours::now();
    const ChartTheme theme = colours.dark ? ChartTheme::dark() : ChartTheme::light();
    const SeriesStyle style = theme.style(index);
    QPixmap picture(sampleSize * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF middle(sampleSize.width() / 2.0, sampleSize.height() / 2.0);
    painter.setPen(style.pen(2));
    painter.drawLine(QPointF(0, middle.y()), QPointF(sampleSize.width(), middle.y()));
    paintMarker(painter, style.marker, middle, 8.5, style.colour, colours.surface);
    painter.end();
    return QIcon(picture);
}

} // namespace

LaneStrip::LaneStrip(CompareModel* model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_flow(new FlowLayout(12, this))
{
    setObjectName(u"laneStrip"_s);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(model, &CompareModel::changed, this, &LaneStrip::refresh);
    refresh();
}

void LaneStrip::refresh()
{
    QStringList wanted;
    for (const ComparedRun& run : m_model->runs()) {
        wanted << run.id % u' ' % run.title;
    }
    for (const CompareLane& lane : m_model->lanes()) {
        wanted << lane.key % u' ' % lane.label;
    }
    if (wanted != m_built) {
        m_built = wanted;
        build();
    }
    for (auto box = m_boxes.begin(); box != m_boxes.end(); ++box) {
        box.value()->setChecked(m_model->isShown(box.key()));
    }
}

void LaneStrip::build()
{
    clearLayout(m_flow);
    m_boxes.clear();
    for (const CompareLane& lane : m_model->lanes()) {
        auto* box = new QCheckBox(QString(lane.label).replace(u'&', u"&&"_s));
        box->setAccessibleName(tr("Show %1").arg(lane.label));
        box->setObjectName(u"show-"_s % lane.key);
        box->setIconSize(sampleSize);
        connect(box, &QCheckBox::toggled, this,
            [this, key = lane.key](bool on) { m_model->setShown(key, on); });
        m_flow->addWidget(box);
        m_boxes.insert(lane.key, box);
    }
    for (const ComparedRun& run : m_model->runs()) {
        if (m_model->runs().size() < 2) {
            break;
        }
        auto* remove = makeButton(tr("remove %1, %2").arg(run.title, run.id), ButtonKind::Quiet);
        remove->setAccessibleName(tr("Remove the run %1, %2").arg(run.title, run.id));
        remove->setObjectName(u"remove-"_s % run.id);
        connect(
            remove, &QPushButton::clicked, this, [this, id = run.id] { m_model->dismissRun(id); });
        m_flow->addWidget(remove);
    }
    updateIcons();
}

void LaneStrip::updateIcons()
{
    int index = 0;
    for (const CompareLane& lane : m_model->lanes()) {
        if (QCheckBox* box = m_boxes.value(lane.key)) {
            box->setIcon(iconOf(index, devicePixelRatioF()));
        }
        ++index;
    }
}

void LaneStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        updateIcons();
    }
}

} // namespace slipway

#include "moc_lanestrip.cpp"
