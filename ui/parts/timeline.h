// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QWidget>

#include <vector>

namespace slipway {

/// One segment of a timeline: a title with its state, followed by a note ("1:05", "62 %").
struct TimelinePart {
    QString title;
    QString note = {};
    StageState state = StageState::Pending;
    std::optional<double> share = {}; ///< the finished share of a running part, if known
    QString link = {}; ///< what activating it shows: "Show the node's checks"; empty: nothing

    bool operator==(const TimelinePart&) const = default;
};

/// The parts of the timeline of a run. Times come from the cluster; a running part counts up to
/// `now`; without one, for how long is not known.
std::vector<TimelinePart> timelineParts(const std::vector<RunStage>& stages, const QDateTime& now);

/// Timeline paints parts in order, each with a bar, a sign, its title and its note, in as many rows
/// as are needed. Its text is its accessible description; a change is announced. A part with a link
/// is underlined and activated with the mouse, or with Enter after it was chosen with Left and
/// Right. GUI thread; the page that shows it owns it.
class Timeline : public QWidget {
    Q_OBJECT

public:
    explicit Timeline(QWidget* parent = nullptr);
    void setParts(std::vector<TimelinePart> parts);
    const std::vector<TimelinePart>& parts() const { return m_parts; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void partActivated(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF areaOf(int index) const;
    int linkAt(const QPointF& point) const; ///< -1: none
    void chooseLink(int step);
    int rowsFor(int width) const;
    int rowHeight() const;
    void paintPart(
        QPainter& painter, const QRectF& area, const TimelinePart& part, bool ring) const;

    std::vector<TimelinePart> m_parts;
    int m_chosen = -1; ///< the link that Enter presses
};

} // namespace slipway
