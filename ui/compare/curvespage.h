// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QWidget>

namespace slipway {

class CurvesCard;
class CurvesFeeder;
class CurvesHead;
class CurvesModel;
class MetricChart;
class PageContent;
class ViewSwitch;

/// CurvesPage is the part of the Compare page that shows the curves of any runs on one axis, and a
/// table of what differs between them. It joins its parts: CurvesFeeder fills the model, the cards
/// show it. Lives on the GUI thread, owned by the ComparePage; owns its model.
class CurvesPage : public QWidget {
    Q_OBJECT

public:
    explicit CurvesPage(Engine* engine, QWidget* parent = nullptr);

    CurvesModel* model() const { return m_model; }
    MetricChart* chart() const;
    void setRuns(const QStringList& runIds);
    void addRuns(const QStringList& runIds);
    /// Removes a run that was removed from the other view.
    void drop(const QString& runId);
    bool hasCurves() const;
    /// Whether the race of the same runs can be chosen.
    void setSwitchVisible(bool visible);
    ViewSwitch* viewSwitch() const { return m_switch; }
    void setNote(const QString& text);

signals:
    void addRequested();
    void raceRequested();
    /// A run is about to leave this view.
    void removed(const QString& runId);
    /// hasCurves() or the runs may have changed.
    void changed();

private:
    QWidget* makeContent();
    void connectParts();
    void refresh();
    void remove(const QString& runId);
    void save();

    CurvesModel* m_model;
    CurvesFeeder* m_feeder;
    PageContent* m_content; ///< what scrolls
    ViewSwitch* m_switch;
    CurvesHead* m_head;
    CurvesCard* m_card;
};

} // namespace slipway
