// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/node/nodetracks.h"

#include <QFrame>
#include <QTimer>

class QComboBox;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace slipway {

class CurveWords;
class ElidedLabel;
class MetricChart;
class TextLabel;

/// GpuCard draws the state of the GPUs of a job, live: utilization, memory, power and temperature,
/// of all GPUs together or of the chosen one; on a node without GPUs, its CPUs and memory. The
/// latest values are shown above as text. If there are no samples, it says why. It takes values and
/// is cheap to update. GUI thread; the page of the run owns it.
class GpuCard : public QFrame {
    Q_OBJECT

public:
    explicit GpuCard(QWidget* parent = nullptr);

    /// All samples so far, in order; empty: none.
    void setSamples(const std::vector<NodeSample>& samples);
    void add(const NodeSample& sample);
    /// Why there is nothing to draw; shown while there are no samples.
    void setWhyNone(const QString& why);
    /// The run has ended: no more samples will come.
    void setEnded(bool ended);
    bool isEmpty() const { return m_tracks.empty(); }

    MetricChart* chart() const { return m_chart; }
    /// All of it in one sentence, for screen readers.
    QString summary() const;
    QSize sizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct View {
        QString title;
        std::vector<NodeQuantity> quantities;
    };
    QWidget* makeHead();
    void soon();
    void refresh();
    void fillChooser();
    void choose();
    void showView();
    void draw();
    void showWords();
    void showTable();
    std::vector<const NodeTrack*> chosen() const;
    std::vector<View> views() const;

    NodeTracks m_tracks;
    SeriesStore m_store;
    bool m_ended = false;
    QString m_key; ///< of the chosen track; empty: all GPUs
    bool m_chose = false; ///< whether a person chose it
    quint64 m_shown = 0; ///< generation of the tracks that the chooser shows
    quint64 m_drawn = 0; ///< generation of those in the store
    std::vector<size_t> m_counts; ///< number of points of each drawn track that are in the store
    QTimer m_soon;
    TextLabel* m_title;
    QComboBox* m_chooser;
    QTabBar* m_views;
    QPushButton* m_table;
    CurveWords* m_values;
    ElidedLabel* m_together; ///< a summary of all GPUs
    ElidedLabel* m_facts;
    MetricChart* m_chart;
    QStackedWidget* m_stack;
    TextLabel* m_none;
};

} // namespace slipway
