// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "app/runs/runfinding.h"
#include "plots/metrics/sample.h"
#include "ui/parts/text.h"

class QVBoxLayout;

namespace slipway {

/// One line of the summary: a sign, a sentence, and a link to more about it. A value.
struct WordLine {
    Sign sign = Sign::None;
    Tint tint = Tint::Plain;
    QString text;
    QString link = {}; ///< the text of the link; empty: none
    QString target = {}; ///< where the link leads, for whoever created the line
    bool strong = false; ///< the answer, which is read first
    QString copied = {}; ///< what the link copies; empty: it leads to the target

    bool operator==(const WordLine&) const = default;
};

/// What the run has found, how far it is, and what is odd about its numbers. Pure.
std::vector<WordLine> findingLines(const RunFinding& finding, RunPhase phase);

/// A run in sentences: its state, its exit code, the devices and failures that its log reports, and
/// the explanations that are notes and no faults. What the card of a failure says is left out.
/// Pure.
std::vector<WordLine> wordLines(const Run& run, const std::vector<MetricEvent>& events,
    const std::vector<Explanation>& explanations = {});

/// SummaryCard shows those lines beside the charts, and how old the last line of the log is. Lives
/// on the GUI thread, owned by the live tab of the run page.
class SummaryCard : public QFrame {
    Q_OBJECT

public:
    explicit SummaryCard(QWidget* parent = nullptr);
    void setLines(const std::vector<WordLine>& lines);
    void setAge(const QString& text);
    QSize sizeHint() const override;

signals:
    void linkRequested(const QString& target);

private:
    void addRow(const WordLine& line);

    std::vector<WordLine> m_lines;
    std::vector<std::pair<SignMark*, TextLabel*>> m_shown; ///< of each line
    QVBoxLayout* m_rows;
    TextLabel* m_age;
};

} // namespace slipway
