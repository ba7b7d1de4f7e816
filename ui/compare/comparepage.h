// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/compare/comparemodel.h"
#include "ui/compare/viewswitch.h"

#include <QWidget>

class QBoxLayout;
class QScreen;
class QStackedWidget;

namespace slipway {

class CompareActions;
class CompareChart;
class CompareEmpty;
class CompareFeeder;
class CompareHead;
class CurvesPage;
class FairCard;
class MedianTable;
class MetricChart;
class PageContent;
class PresenterView;
class ProtocolCard;
class VerdictCard;

/// ComparePage shows the lanes of one or several runs on one axis, the resulting number or why
/// there is none, whether the race was fair, and the medians; live while a run measures. Runs that
/// are not a race, for example two trainings, are shown as curves by the CurvesPage. It joins its
/// parts and lays them out: CompareFeeder fills the model, the cards show it, CompareActions does
/// what the buttons ask for. Lives on the GUI thread, owned by the window; owns its model.
class ComparePage : public QWidget {
    Q_OBJECT

public:
    /// Without an engine the page shows what is put into its model.
    explicit ComparePage(Engine* engine, QWidget* parent = nullptr);
    ~ComparePage() override;

    CompareModel* model() const { return m_model; }
    MetricChart* chart() const;
    CurvesPage* curves() const { return m_curves; }
    bool showsCurves() const;
    /// Shows these runs and no others.
    void setRuns(const QStringList& runIds);
    void addRuns(const QStringList& runIds);
    /// Adds the newest run that measured several lanes, if the page is empty.
    void showNewest();
    /// Presents on this screen; null: on the screen of the window.
    PresenterView* present(QScreen* screen = nullptr);
    bool canPresent() const;

signals:
    void launchRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeContent();
    void connectParts();
    void place();
    void refresh();
    void showKind();
    bool isRace() const;
    void setNote(const QString& text);

    CompareModel* m_model;
    CompareActions* m_actions;
    CompareFeeder* m_feeder = nullptr;
    QStackedWidget* m_stack;
    PageContent* m_content; ///< what scrolls
    QBoxLayout* m_top; ///< the chart, and the verdict beside or below it
    CompareHead* m_head;
    CompareEmpty* m_empty;
    CurvesPage* m_curves;
    std::optional<CompareKind> m_chosen; ///< by the person, for these runs
    CompareChart* m_chart;
    VerdictCard* m_verdict;
    FairCard* m_fair;
    MedianTable* m_table;
    ProtocolCard* m_protocol;
};

} // namespace slipway
