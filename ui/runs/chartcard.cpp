// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/chartcard.h"

#include "plots/charts/metricchart.h"
#include "ui/parts/errorview.h"
#include "ui/parts/text.h"
#include "ui/runs/charttable.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMimeData>
#include <QTabBar>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr double smoothWeight = 0.88;
constexpr QSize exportSize(960, 600);

} // namespace

ChartCard::ChartCard(QWidget* parent)
    : QFrame(parent)
    , m_names(new QTabBar)
    , m_title(new TextLabel({}, "heading"))
    , m_chart(new MetricChart)
    , m_summary(TextLabel::paragraph({}, "second"))
    , m_tools(makeTools())
{
    setCardKind(this, "true");
    setObjectName(u"chartCard"_s);
    m_names->setDrawBase(false);
    m_names->setExpanding(false);
    m_names->setUsesScrollButtons(false);
    m_names->setAccessibleName(tr("Charts"));
    m_summary->setObjectName(u"chartSummary"_s);
    m_summary->setFixedHeight(2 * fontMetrics().lineSpacing() + 2); // a longer text moves nothing
    m_summary->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addWidget(m_names);
    head->addStretch();
    head->addWidget(m_tools);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 10);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_summary);
    connect(m_names, &QTabBar::currentChanged, this, &ChartCard::choose);
    connect(m_chart, &MetricChart::summaryChanged, this, &ChartCard::showSummary);
}

QWidget* ChartCard::makeTools()
{
    auto* tools = new QWidget;
    auto* layout = new QHBoxLayout(tools);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    const auto add = [layout](const QString& text, const QString& name) {
        auto* button = makeButton(text, ButtonKind::Quiet);
        button->setAccessibleName(name);
        layout->addWidget(button);
        return button;
    };
    m_smooth = add(tr("smooth"), tr("Smooth the curves"));
    m_logarithmic = add(tr("log y"), tr("Logarithmic y axis"));
    m_follow = add(tr("follow"), tr("Follow new data"));
    QPushButton* table = add(tr("table"), tr("Show the numbers as a table"));
    QPushButton* copyButton = add(tr("copy"), tr("Copy the chart as an image"));
    QPushButton* saveButton = add(tr("save…"), tr("Save the chart as PNG, SVG, PDF or CSV"));
    for (QPushButton* button : {m_smooth, m_logarithmic, m_follow}) {
        button->setCheckable(true);
    }
    m_follow->setChecked(true);
    connect(m_smooth, &QPushButton::clicked, this,
        [this](bool on) { m_chart->setSmoothing(on ? smoothWeight : 0); });
    connect(m_logarithmic, &QPushButton::clicked, m_chart, &MetricChart::setLogarithmicY);
    connect(m_follow, &QPushButton::clicked, m_chart, &MetricChart::setFollow);
    connect(m_chart, &MetricChart::logarithmicYChanged, m_logarithmic, &QPushButton::setChecked);
    connect(m_chart, &MetricChart::followChanged, m_follow, &QPushButton::setChecked);
    connect(m_chart, &MetricChart::smoothingChanged, this,
        [this](double weight) { m_smooth->setChecked(weight > 0); });
    connect(table, &QPushButton::clicked, this, &ChartCard::showTable);
    connect(copyButton, &QPushButton::clicked, this, &ChartCard::copy);
    connect(saveButton, &QPushButton::clicked, this, &ChartCard::save);
    return tools;
}

void ChartCard::setCharts(
    const std::vector<ChartSpec>& charts, RunFeed* feed, const QString& caption)
{
    if (m_feed) {
        m_feed->disconnect(m_chart);
    }
    m_feed = feed;
    m_charts = charts;
    m_chart->setStore(nullptr);
    m_chart->setCaption(caption);
    {
        const QSignalBlocker quiet(m_names);
        while (m_names->count() > 0) {
            m_names->removeTab(0);
        }
        for (const ChartSpec& chart : charts) {
            m_names->addTab(QString(chart.title).replace(u'&', u"&&"_s));
        }
    }
    m_names->setVisible(charts.size() > 1);
    m_title->setVisible(charts.size() <= 1);
    setVisible(!charts.empty());
    if (feed) {
        connect(feed, &RunFeed::samplesAppended, m_chart, &MetricChart::refresh);
        connect(feed, &RunFeed::restarted, m_chart, &MetricChart::refresh);
        connect(feed, &QObject::destroyed, m_chart, [this] { m_chart->setStore(nullptr); });
    }
    choose(0);
}

void ChartCard::choose(int index)
{
    if (index < 0 || index >= int(m_charts.size())) {
        return;
    }
    const ChartSpec& spec = m_charts[size_t(index)];
    m_title->setText(spec.title);
    m_chart->setSpec(spec);
    m_chart->setStore(m_feed ? &m_feed->series() : nullptr);
    m_chart->setLogarithmicY(spec.y.logarithmic);
    m_chart->refresh();
    showSummary(m_chart->summaryText());
    m_logarithmic->setChecked(m_chart->isLogarithmicY());
    m_follow->setChecked(m_chart->isFollowing());
}

void ChartCard::showSummary(const QString& text)
{
    m_summary->setText(text);
    m_summary->setToolTip(plainToolTip(text));
}

void ChartCard::setCompact(bool compact)
{
    m_tools->setVisible(!compact);
    m_summary->setVisible(!compact);
}

void ChartCard::showTable()
{
    auto* dialog = new ChartTableDialog(m_chart->spec().title, m_chart->dataTable(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void ChartCard::copy()
{
    auto* mime = new QMimeData;
    mime->setImageData(m_chart->picture().image(exportSize, 2));
    mime->setText(m_chart->summaryText());
    QGuiApplication::clipboard()->setMimeData(mime);
}

void ChartCard::save()
{
    auto* dialog = new QFileDialog(this, tr("Save the chart"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("PNG image (*.png)"), tr("SVG drawing (*.svg)"),
        tr("PDF document (*.pdf)"), tr("CSV table (*.csv)")});
    dialog->setDefaultSuffix(u"png"_s);
    dialog->selectFile(m_chart->spec().id % u".png"_s);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        const qsizetype dot = filter.lastIndexOf(u'.') + 1;
        dialog->setDefaultSuffix(filter.mid(dot, filter.size() - dot - 1));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const Result<void> saved = m_chart->picture().save(path, exportSize, 2);
        m_summary->setText(saved.ok() ? tr("Saved as %1.").arg(path) : saved.error().summary);
    });
    dialog->open();
}

} // namespace slipway

#include "moc_chartcard.cpp"
