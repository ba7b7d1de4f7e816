// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curvescontrols.h"

#include "plots/metrics/summary.h"
#include "ui/compare/curvesmodel.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSettings>
#include <QSlider>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostBoxes = 10; ///< boxes before the button that shows the others
constexpr int mostSmoothing = 99; ///< hundredths
const QString smoothingKey = u"compare/smoothing"_s;

QStringList usualAxes()
{
    return {u"step"_s, u"epoch"_s, u"time"_s};
}

} // namespace

CurvesControls::CurvesControls(CurvesModel* model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_weight(new TextLabel({}, "caption"))
    , m_logarithmic(makeButton(tr("log y"), ButtonKind::Quiet))
{
    auto* series = new QWidget;
    auto* axes = new QWidget;
    series->setObjectName(u"curvesSeries"_s);
    m_series = new FlowLayout(12, series);
    m_axes = new FlowLayout(8, axes);
    QWidget* const tools = makeTools();
    constexpr int charactersForAxes = 24;
    auto* second = new FoldLayout(16, charactersForAxes);
    second->addWidget(axes);
    second->addWidget(tools);
    second->setAlignment(tools, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(series);
    layout->addLayout(second);
}

QWidget* CurvesControls::makeTools()
{
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* name = new TextLabel(tr("Smooth"), "caption");
    m_slider->setObjectName(u"curvesSmooth"_s);
    m_slider->setRange(0, mostSmoothing);
    m_slider->setPageStep(10);
    m_slider->setFixedWidth(110);
    m_slider->setAccessibleName(tr("Smoothing: weight of the moving average"));
    name->setBuddy(m_slider);
    m_weight->setMinimumWidth(m_weight->fontMetrics().horizontalAdvance(u"0.00"_s) + 2);
    m_logarithmic->setCheckable(true);
    m_logarithmic->setAccessibleName(tr("Logarithmic y axis"));
    auto* table = makeButton(tr("table"), ButtonKind::Quiet);
    table->setAccessibleName(tr("Show the numbers of all curves as a table"));
    for (QWidget* part :
        std::initializer_list<QWidget*>{name, m_slider, m_weight, m_logarithmic, table}) {
        row->addWidget(part);
    }
    m_slider->setValue(QSettings().value(smoothingKey, 0).toInt());
    const auto showWeight = [this] {
        m_weight->setText(m_slider->value() == 0 ? tr("off") : QString::number(smoothing()));
    };
    showWeight();
    connect(m_slider, &QSlider::valueChanged, this, [this, showWeight] {
        showWeight();
        QSettings().setValue(smoothingKey, m_slider->value());
        emit smoothingChanged(smoothing());
    });
    connect(m_logarithmic, &QPushButton::clicked, this, &CurvesControls::logarithmicChanged);
    connect(table, &QPushButton::clicked, this, &CurvesControls::tableRequested);
    return tools;
}

double CurvesControls::smoothing() const
{
    return m_slider->value() / 100.0;
}

void CurvesControls::setLogarithmic(bool on)
{
    m_logarithmic->setChecked(on);
}

void CurvesControls::refresh()
{
    QStringList series;
    for (const OfferedSeries& one : m_model->offered()) {
        series << one.name % u' ' % one.unit % u' ' % QString::number(one.runs);
    }
    if (series != m_builtSeries) {
        m_builtSeries = series;
        buildSeries();
    }
    QStringList axes;
    for (const QString& axis : usualAxes() + m_model->axes()) {
        if (!axes.contains(axis)) {
            axes << axis;
        }
    }
    if (axes != m_builtAxes) {
        m_builtAxes = axes;
        buildAxes();
    }
    for (auto box = m_boxes.begin(); box != m_boxes.end(); ++box) {
        const QSignalBlocker quiet(box.value());
        box.value()->setChecked(m_model->view().series.contains(box.key()));
    }
    for (auto button = m_axisButtons.begin(); button != m_axisButtons.end(); ++button) {
        const bool possible = m_model->axes().contains(button.key());
        button.value()->setEnabled(possible);
        button.value()->setChecked(m_model->view().axis == button.key());
        button.value()->setToolTip(
            possible ? QString() : tr("The programs did not print how these series relate to it."));
    }
}

void CurvesControls::buildSeries()
{
    clearLayout(m_series);
    m_boxes.clear();
    const auto& offered = m_model->offered();
    for (const OfferedSeries& series : offered) {
        const bool shown = m_model->view().series.contains(series.name);
        if (!m_showsAll && m_boxes.size() >= mostBoxes && !shown) {
            continue;
        }
        const QString title = seriesTitle(series.name);
        auto* box = new QCheckBox(QString(title).replace(u'&', u"&&"_s));
        box->setObjectName(u"series-"_s % series.name);
        box->setAccessibleName(tr("Show %1").arg(title));
        const QString unit = series.unit.isEmpty() ? tr("no unit") : series.unit;
        box->setToolTip(plainToolTip(
            tr("%1; in %2 of %3 runs").arg(unit).arg(series.runs).arg(m_model->sources().size())));
        connect(box, &QCheckBox::toggled, this,
            [this, name = series.name](bool on) { chooseSeries(name, on); });
        m_series->addWidget(box);
        m_boxes.insert(series.name, box);
    }
    if (const qsizetype others = qsizetype(offered.size()) - m_boxes.size(); others > 0) {
        auto* more = makeButton(tr("%1 more…").arg(others), ButtonKind::Quiet);
        more->setAccessibleName(tr("Show the other series: %1").arg(others));
        connect(more, &QPushButton::clicked, this, [this] {
            m_showsAll = true;
            m_builtSeries.clear();
            refresh();
            if (QLayoutItem* next = m_series->itemAt(int(mostBoxes))) {
                next->widget()->setFocus();
            }
        });
        m_series->addWidget(more);
    }
}

void CurvesControls::buildAxes()
{
    clearLayout(m_axes);
    m_axisButtons.clear();
    m_axes->addWidget(new TextLabel(tr("by"), "caption"));
    for (const QString& axis : std::as_const(m_builtAxes)) {
        const QString title = curvesAxisTitle(axis, m_model->sources());
        auto* button = makeButton(title, ButtonKind::Quiet);
        button->setObjectName(u"axis-"_s % axis);
        button->setCheckable(true);
        button->setAccessibleName(fieldOfAxis(axis).isEmpty() ? tr("Horizontal axis: %1").arg(title)
                                                              : tr("Final value by %1").arg(title));
        connect(button, &QPushButton::clicked, this, [this, axis] {
            m_model->setAxis(axis);
            refresh(); // the button of the present axis stays pressed
        });
        m_axes->addWidget(button);
        m_axisButtons.insert(axis, button);
    }
}

void CurvesControls::chooseSeries(const QString& series, bool shown)
{
    const QStringList replaced = m_model->setSeries(series, shown);
    QStringList titles;
    for (const QString& name : replaced) {
        titles << seriesTitle(name);
    }
    emit noted(titles.isEmpty() ? QString()
                                : tr("One axis has one unit: %1 replaces %2.")
                                      .arg(seriesTitle(series), titles.join(u", "_s)));
    refresh(); // the last series cannot be switched off
}

} // namespace slipway

#include "moc_curvescontrols.cpp"
