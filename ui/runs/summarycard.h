// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "plots/metrics/sample.h"
#include "ui/parts/text.h"

class QVBoxLayout;

namespace slipway {

/// One line of "In words": a sign, a sentence, and a link to where more stands. A value.
struct WordLine {
    Sign sign = Sign::None;
    Tint tint = Tint::Plain;
    QString text;
    QString link = {}; ///< the words of the link; empty: none
    QString target = {}; ///< what it goes to, for whoever made the line

    bool operator==(const WordLine&) const = default;
};

/// What a run says in words: its sentence, the devices and failures that its log told, its exit
/// code, and what is worth knowing of it though no fault.
std::vector<WordLine> wordLines(const Run& run, const std::vector<MetricEvent>& events,
    const std::vector<Explanation>& explanations = {});

/// SummaryCard shows those lines before any chart, and how old the last line of the log is.
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
