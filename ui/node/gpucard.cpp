// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/node/gpucard.h"

#include "plots/charts/metricchart.h"
#include "ui/node/curvewords.h"
#include "ui/parts/text.h"
#include "ui/runs/charttable.h"

#include <QComboBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int wordPace = 200; ///< ms: text that changes faster cannot be read
constexpr double idleBelow = 5; ///< per cent

QString quantityName(NodeQuantity quantity)
{
    static const QString names[] = {u"busy"_s, u"memory"_s, u"power"_s, u"temperature"_s};
    return names[int(quantity)];
}

QString quantityUnit(NodeQuantity quantity)
{
    static const QString units[] = {u"%"_s, u"%"_s, u"W"_s, u"°C"_s};
    return units[int(quantity)];
}

bool knows(const NodeTrack& track, NodeQuantity quantity)
{
    return !track.points.empty()
        && (std::isfinite(track.points.front().of(quantity))
            || std::isfinite(track.points.back().of(quantity)));
}

/// "3 of 4 busy · memory up to 91 %"
QString togetherWords(const std::vector<const NodeTrack*>& tracks)
{
    int busy = 0, told = 0;
    float memory = -1;
    for (const NodeTrack* track : tracks) {
        told += track->latest.utilization.has_value();
        busy += track->latest.utilization.value_or(0) >= idleBelow;
        memory = std::max(memory,
            track->points.empty() || std::isnan(track->points.back().memory)
                ? -1.0f
                : track->points.back().memory);
    }
    QStringList words;
    if (told > 0) {
        words << GpuCard::tr("%1 of %2 busy").arg(busy).arg(tracks.size());
    }
    if (memory >= 0) {
        words << GpuCard::tr("memory up to %1 %").arg(std::round(memory));
    }
    return words.join(u" · "_s);
}

} // namespace

GpuCard::GpuCard(QWidget* parent)
    : QFrame(parent)
    , m_title(new TextLabel({}, "heading"))
    , m_chooser(new QComboBox)
    , m_views(new QTabBar)
    , m_table(makeButton(tr("table"), ButtonKind::Quiet))
    , m_values(new CurveWords)
    , m_together(new ElidedLabel)
    , m_facts(new ElidedLabel({}, Tint::Second))
    , m_chart(new MetricChart)
    , m_stack(new QStackedWidget)
    , m_none(TextLabel::paragraph({}, "second"))
{
    setCardKind(this, "true");
    setObjectName(u"gpuCard"_s);
    setAccessibleName(tr("GPU activity"));
    m_values->setObjectName(u"gpuValues"_s);
    m_together->setObjectName(u"gpuTogether"_s);
    m_facts->setObjectName(u"gpuFacts"_s);
    m_none->setObjectName(u"gpuNone"_s);
    m_chooser->setObjectName(u"gpuChooser"_s);
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_chooser->setAccessibleName(tr("GPU to show"));
    m_views->setObjectName(u"gpuViews"_s);
    m_views->setDrawBase(false);
    m_views->setExpanding(false);
    m_views->setUsesScrollButtons(false);
    m_views->setAccessibleName(tr("Quantity in the chart"));
    m_table->setAccessibleName(tr("Show the GPU values as a table"));
    m_chart->setMinimumHeight(88);
    m_none->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_stack->addWidget(m_chart);
    m_stack->addWidget(m_none);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 10);
    layout->setSpacing(4);
    layout->addWidget(makeHead());
    layout->addWidget(m_stack, 1);
    m_soon.setSingleShot(true);
    m_soon.setInterval(wordPace);
    connect(&m_soon, &QTimer::timeout, this, &GpuCard::refresh);
    connect(m_chooser, &QComboBox::activated, this, &GpuCard::choose);
    connect(m_views, &QTabBar::currentChanged, this, &GpuCard::showView);
    connect(m_table, &QPushButton::clicked, this, &GpuCard::showTable);
    connect(m_chart, &MetricChart::tableRequested, this, &GpuCard::showTable);
    refresh();
}

QWidget* GpuCard::makeHead()
{
    auto* head = new QWidget;
    auto* first = new QHBoxLayout;
    first->setSpacing(12);
    first->addWidget(m_title);
    first->addWidget(m_chooser);
    first->addWidget(m_together, 1);
    first->addStretch();
    first->addWidget(m_values);
    auto* second = new QHBoxLayout;
    second->setSpacing(8);
    second->addWidget(m_views);
    second->addWidget(m_facts, 1);
    second->addStretch();
    second->addWidget(m_table);
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(first);
    layout->addLayout(second);
    return head;
}

void GpuCard::setSamples(const std::vector<NodeSample>& samples)
{
    m_tracks.clear();
    for (const NodeSample& sample : samples) {
        m_tracks.add(sample);
    }
    refresh();
}

void GpuCard::add(const NodeSample& sample)
{
    const bool first = m_tracks.empty();
    m_tracks.add(sample);
    first ? refresh() : soon();
}

void GpuCard::setWhyNone(const QString& why)
{
    if (why != m_none->text()) {
        m_none->setText(why);
    }
}

void GpuCard::setEnded(bool ended)
{
    if (ended != m_ended) {
        m_ended = ended;
        soon();
    }
}

void GpuCard::soon()
{
    if (isVisible() && !m_soon.isActive()) {
        m_soon.start();
    }
}

QSize GpuCard::sizeHint() const
{
    // The height is limited so that the log below keeps its share.
    return {minimumSizeHint().width(), minimumSizeHint().height() + 2 * fontMetrics().height()};
}

void GpuCard::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    refresh();
}

void GpuCard::refresh()
{
    const bool any = !m_tracks.empty();
    m_stack->setCurrentIndex(any ? 0 : 1);
    if (m_shown != m_tracks.generation() || !any) {
        fillChooser();
    }
    draw();
    showWords();
}

void GpuCard::fillChooser()
{
    m_shown = m_tracks.generation();
    if (!m_chose || !m_tracks.find(m_key)) {
        m_key.clear(); // until the person chooses: all GPUs, or the only track
    }
    if (m_key.isEmpty() && m_tracks.gpus() < 2 && !m_tracks.empty()) {
        m_key = m_tracks.all().front().key;
    }
    m_chooser->clear();
    if (m_tracks.gpus() > 1) {
        m_chooser->addItem(tr("All %1 GPUs").arg(m_tracks.gpus()), QString());
    }
    for (const NodeTrack& track : m_tracks.all()) {
        m_chooser->addItem(track.title, track.key);
    }
    m_chooser->setCurrentIndex(std::max(0, m_chooser->findData(m_key)));
    m_chooser->setVisible(m_chooser->count() > 1);
    m_title->setText(m_tracks.empty() ? tr("GPU") : m_chooser->currentText());
    m_title->setVisible(m_chooser->count() <= 1);
    const QSignalBlocker quiet(m_views);
    const int before = m_views->currentIndex();
    while (m_views->count() > 0) {
        m_views->removeTab(0);
    }
    for (const View& view : views()) {
        m_views->addTab(view.title);
    }
    m_views->setCurrentIndex(std::clamp(before, 0, std::max(0, m_views->count() - 1)));
    m_views->setVisible(m_views->count() > 1);
    m_drawn = 0;
}

void GpuCard::choose()
{
    m_key = m_chooser->currentData().toString();
    m_chose = true;
    fillChooser();
    refresh();
}

void GpuCard::showView()
{
    m_drawn = 0;
    refresh();
}

std::vector<const NodeTrack*> GpuCard::chosen() const
{
    std::vector<const NodeTrack*> tracks;
    for (const NodeTrack& track : m_tracks.all()) {
        if (m_key.isEmpty() ? track.isGpu : track.key == m_key) {
            tracks.push_back(&track);
        }
    }
    return tracks;
}

std::vector<GpuCard::View> GpuCard::views() const
{
    const auto tracks = chosen();
    const auto known = [&](NodeQuantity quantity) {
        return std::any_of(tracks.begin(), tracks.end(),
            [&](const NodeTrack* track) { return knows(*track, quantity); });
    };
    std::vector<View> all;
    if (tracks.size() > 1) {
        all.push_back({tr("Busy"), {NodeQuantity::Busy}});
        all.push_back({tr("Memory"), {NodeQuantity::Memory}});
    } else {
        all.push_back({tr("Use"), {NodeQuantity::Busy, NodeQuantity::Memory}});
    }
    if (known(NodeQuantity::Power)) {
        all.push_back({tr("Power"), {NodeQuantity::Power}});
    }
    if (known(NodeQuantity::Temperature)) {
        all.push_back({tr("Temperature"), {NodeQuantity::Temperature}});
    }
    return all;
}

void GpuCard::draw()
{
    const auto tracks = chosen();
    const auto all = views();
    if (tracks.empty()) {
        m_chart->setStore(nullptr);
        m_drawn = 0;
        return;
    }
    const View view = all[size_t(std::clamp(m_views->currentIndex(), 0, int(all.size()) - 1))];
    if (m_drawn != m_tracks.generation() || m_counts.size() != tracks.size()) {
        m_drawn = m_tracks.generation();
        m_store.clear();
        m_counts.assign(tracks.size(), 0);
        const bool percent = quantityUnit(view.quantities.front()) == u"%"_s;
        ChartSpec spec;
        spec.title = tr("%1: %2").arg(m_chooser->currentText(), view.title);
        spec.x = {u"time"_s, u"s"_s};
        spec.y.unit = quantityUnit(view.quantities.front());
        m_chart->setSpec(spec);
        m_chart->setAxisCaption(spec.y.unit);
        m_chart->setEndLabelsVisible(tracks.size() > 1);
        m_chart->setFollowedY(percent ? std::optional(ValueRange{0, 104}) : std::nullopt);
        m_chart->setStore(&m_store);
    }
    for (size_t i = 0; i < tracks.size(); ++i) {
        const auto& points = tracks[i]->points;
        for (; m_counts[i] < points.size(); ++m_counts[i]) {
            const NodeTrack::Point& point = points[m_counts[i]];
            for (const NodeQuantity quantity : view.quantities) {
                const float y = point.of(quantity);
                if (std::isfinite(y)) {
                    m_store.add({quantityName(quantity),
                        tracks.size() > 1 ? tracks[i]->title : QString(),
                        point.t - m_tracks.begin(), u"time"_s, double(y), quantityUnit(quantity)});
                }
            }
        }
    }
    m_chart->refresh();
}

void GpuCard::showWords()
{
    const auto tracks = chosen();
    QStringList values, brief;
    QString facts, together;
    bool warned = false;
    if (tracks.size() == 1) {
        const NodeTrack& track = *tracks.front();
        if (m_views->currentIndex() <= 0) {
            values = {busyWords(track), memoryWords(track)};
            brief = {busyWords(track, false), memoryWords(track, false)};
            facts = powerWords(track, false);
        } else {
            facts =
                QStringList{busyWords(track), memoryWords(track), powerWords(track)}.join(u" · "_s);
        }
        warned = !track.latest.throttle.isEmpty();
    } else if (!tracks.empty()) {
        together = togetherWords(tracks);
    }
    if (m_ended && !tracks.empty()) {
        QString& last = tracks.size() == 1 ? facts : together;
        last = last.isEmpty() ? tr("at the end") : tr("at the end: %1").arg(last);
    }
    m_values->setVisible(!values.join(QString()).isEmpty());
    m_values->setWords(values, brief);
    m_together->setText(together);
    m_together->setVisible(!together.isEmpty());
    m_facts->setTint(warned ? Tint::Warning : Tint::Second);
    m_facts->setText(facts);
    m_facts->setVisible(!facts.isEmpty());
    m_table->setVisible(!tracks.empty());
    setAccessibleDescription(summary());
}

QString GpuCard::summary() const
{
    if (m_tracks.empty()) {
        return tr("GPU. %1").arg(m_none->text());
    }
    QStringList said;
    for (const NodeTrack* track : chosen()) {
        QStringList words{track->title};
        for (const QString& one : {track->isGpu ? track->latest.name : QString(), busyWords(*track),
                 memoryWords(*track), powerWords(*track)}) {
            if (!one.isEmpty()) {
                words << one;
            }
        }
        said << words.join(u", "_s);
    }
    return said.join(u". "_s);
}

void GpuCard::showTable()
{
    auto* dialog = new ChartTableDialog(m_chart->spec().title, m_chart->dataTable(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace slipway

#include "moc_gpucard.cpp"
