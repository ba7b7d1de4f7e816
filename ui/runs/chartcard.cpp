// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/chartcard.h"

#include "plots/charts/metricchart.h"
#include "plots/metrics/chartparts.h"
#include "ui/parts/errorview.h"
#include "ui/parts/savedialog.h"
#include "ui/parts/text.h"
#include "ui/parts/toolrow.h"
#include "ui/runs/charttable.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr double smoothWeight = 0.88;
constexpr QSize exportSize(960, 600);

} // namespace

ChartCard::ChartCard(QWidget* parent)
    : QFrame(parent)
    , m_names(new QTabBar)
    , m_title(new ElidedText({}, "heading"))
    , m_chart(new MetricChart)
    , m_summary(new ElidedParagraph(2, "second")) // a longer text moves nothing
    , m_tools(makeTools())
{
    setCardKind(this, "true");
    setObjectName(u"chartCard"_s);
    m_names->setDrawBase(false);
    m_names->setExpanding(false);
    m_names->setUsesScrollButtons(true); // there may be more than fit
    m_names->setAccessibleName(tr("Charts"));
    m_summary->setObjectName(u"chartSummary"_s);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addWidget(m_names);
    head->addWidget(m_tools, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 10);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_summary);
    connect(m_names, &QTabBar::currentChanged, this, &ChartCard::choose);
    connect(m_chart, &MetricChart::summaryChanged, this, &ChartCard::showSummary);
    connect(m_chart, &MetricChart::tableRequested, this, &ChartCard::showTable);
}

QWidget* ChartCard::makeTools()
{
    auto* tools = new ToolRow(tr("More chart tools"));
    const auto add = [tools](const QString& text, const QString& name) {
        auto* button = makeButton(text, ButtonKind::Quiet);
        button->setAccessibleName(name);
        tools->addButton(button);
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
    setVisible(!charts.empty());
    if (feed) {
        connect(feed, &RunFeed::samplesAppended, m_chart, [this] { regroup(); });
        connect(feed, &RunFeed::restarted, m_chart, [this] { regroup(); });
        connect(feed, &QObject::destroyed, m_chart, [this] { m_chart->setStore(nullptr); });
    }
    m_parts = parts();
    showTabs();
    {
        const QSignalBlocker quiet(m_names);
        m_names->setCurrentIndex(0);
    }
    choose(0);
}

std::vector<ChartSpec> ChartCard::parts() const
{
    if (!m_feed) {
        return m_charts;
    }
    std::vector<ChartSpec> all;
    for (const ChartSpec& chart : m_charts) {
        const auto some = chartParts(chart, m_feed->series());
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void ChartCard::showTabs()
{
    m_shape = m_feed ? m_feed->series().shape() : 0;
    const QSignalBlocker quiet(m_names);
    while (m_names->count() > int(m_parts.size())) {
        m_names->removeTab(m_names->count() - 1);
    }
    for (int i = 0; i < int(m_parts.size()); ++i) {
        const QString text = QString(m_parts[size_t(i)].title).replace(u'&', u"&&"_s);
        if (i == m_names->count()) {
            m_names->addTab(text);
        } else if (m_names->tabText(i) != text) {
            m_names->setTabText(i, text);
        }
    }
    m_names->setVisible(m_parts.size() > 1);
    m_title->setVisible(m_parts.size() <= 1);
}

void ChartCard::regroup()
{
    if (m_feed && m_feed->series().shape() != m_shape) {
        const int index = m_names->currentIndex();
        const ChartSpec before =
            index >= 0 && index < int(m_parts.size()) ? m_parts[size_t(index)] : ChartSpec();
        m_parts = parts();
        showTabs();
        const auto same = std::find_if(m_parts.begin(), m_parts.end(),
            [&](const ChartSpec& part) { return part.id == before.id; });
        const int now = same == m_parts.end() ? 0 : int(same - m_parts.begin());
        {
            const QSignalBlocker quiet(m_names);
            m_names->setCurrentIndex(now);
        }
        // Otherwise the section that the person has chosen stays.
        if (same == m_parts.end()) {
            choose(now);
        } else if (*same != before) {
            const bool logarithmic = m_chart->isLogarithmicY();
            choose(now);
            m_chart->setLogarithmicY(logarithmic);
        }
    }
    m_chart->refresh();
}

void ChartCard::choose(int index)
{
    if (index < 0 || index >= int(m_parts.size())) {
        return;
    }
    const ChartSpec& spec = m_parts[size_t(index)];
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
    askWhereToSave(this, tr("Save the chart"),
        {tr("PNG image (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF document (*.pdf)"),
            tr("CSV table (*.csv)")},
        m_chart->spec().id % u".png"_s, [this](const QString& path) {
            const Result<void> saved = m_chart->picture().save(path, exportSize, 2);
            m_summary->setText(saved.ok() ? tr("Saved as %1.").arg(path) : saved.error().summary);
        });
}

} // namespace slipway

#include "moc_chartcard.cpp"
