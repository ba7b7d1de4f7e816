// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/compare/comparemodel.h"

#include <QHash>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include <memory>

class QBoxLayout;
class QComboBox;
class QScreen;
class QStackedWidget;
class QTableWidget;

namespace slipway {

class ElidedLabel;
class FairCard;
class FlowLayout;
class LaneStrip;
class MetricChart;
class PresenterView;
class SeriesStore;
class TextLabel;
class VerdictCard;

/// ComparePage shows the lanes of one or several runs on one axis, the number that came out or why
/// there is none, whether it was fair, and the medians; live while a run measures.
class ComparePage : public QWidget {
    Q_OBJECT

public:
    /// Without a engine the page shows what is put into its model.
    explicit ComparePage(Engine* engine, QWidget* parent = nullptr);
    ~ComparePage() override;

    CompareModel* model() const { return m_model; }
    MetricChart* chart() const { return m_chart; }
    /// These runs and no others.
    void setRuns(const QStringList& runIds);
    void addRuns(const QStringList& runIds);
    /// The newest run that raced, where the page is empty.
    void showNewest();
    /// On this screen; null: where the window is.
    PresenterView* present(QScreen* screen = nullptr);
    bool canPresent() const;

signals:
    void launchRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // comparepageparts.cpp
    QWidget* makeEmpty();
    QWidget* makeHead();
    QWidget* makeChartCard();
    QWidget* makeTableCard();
    QWidget* makeProtocolCard();
    // comparepage.cpp
    void place();
    void settle();
    void refresh();
    void showPickers();
    void showView();
    void showTable();
    void showProtocol();
    void pickLanes();
    void say(const QString& text);
    // comparepageactions.cpp
    std::optional<ComparedRun> comparedRun(const QString& runId) const;
    void renewRun(const QString& runId);
    void lookAtCandidate();
    void dropEmpty();
    void holdFeeds();
    void pickRuns();
    void askPresent();
    void save();
    void copy();
    void showNumbers();

    QPointer<Engine> m_engine;
    CompareModel* m_model;
    std::unique_ptr<SeriesStore> m_store;
    std::unique_ptr<ChartSpec> m_spec; ///< what the chart was given last
    QSet<QString> m_stale; ///< runs with more points, read in the next turn of the event loop
    QHash<QString, std::shared_ptr<RunFeed>> m_feeds; ///< of the runs in the model
    QStringList m_candidates; ///< of showNewest()
    QStringList m_unread; ///< runs that were added, and whose log is perhaps not read yet
    int m_looks = 0;
    QPointer<PresenterView> m_presenter;

    QTimer m_settle; ///< one look at the heights after whatever changed them
    QStackedWidget* m_stack = nullptr;
    QWidget* m_content = nullptr; ///< what scrolls
    TextLabel* m_title = nullptr;
    ElidedLabel* m_subtitle = nullptr;
    TextLabel* m_note = nullptr;
    TextLabel* m_emptyNote = nullptr; ///< the same where there is nothing else
    QPushButton* m_present = nullptr;
    QPushButton* m_add = nullptr;
    QBoxLayout* m_top = nullptr;
    MetricChart* m_chart = nullptr;
    QWidget* m_pickers = nullptr; ///< holds the three below
    QComboBox* m_first = nullptr;
    QComboBox* m_second = nullptr;
    QComboBox* m_work = nullptr;
    QPushButton* m_compute = nullptr;
    QPushButton* m_transfers = nullptr;
    QPushButton* m_rate = nullptr;
    QPushButton* m_seconds = nullptr;
    ElidedLabel* m_summary = nullptr;
    VerdictCard* m_verdict = nullptr;
    FairCard* m_fair = nullptr;
    QTableWidget* m_table = nullptr;
    TextLabel* m_tableNote = nullptr;
    QPushButton* m_fold = nullptr;
    TextLabel* m_protocol = nullptr;
};

} // namespace slipway
