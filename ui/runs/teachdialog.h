// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logsource.h"
#include "app/runs/taughtreading.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/taughtpattern.h"

#include <QCoroTask>
#include <QDialog>
#include <QTimer>

#include <atomic>
#include <memory>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace slipway {

class ElidedParagraph;
class MetricChart;
class TextLabel;

/// What the dialog shows beside the pattern. A value.
struct TeachSubject {
    QString runId;
    QString line; ///< of the log, with the marked number in it
    LogSource log;
};

/// TeachDialog shows what a number that a person has marked would draw over the whole log of a run:
/// its name, unit, expression and x can be corrected, and the chart below follows. GUI thread; it
/// deletes itself when it is closed.
class TeachDialog : public QDialog {
    Q_OBJECT

public:
    TeachDialog(TeachSubject subject, TaughtNumber taught, QWidget* parent = nullptr);
    ~TeachDialog() override;

signals:
    /// The person wants a recipe that reads this.
    void keepRequested(const slipway::PatternSpec& pattern);

private:
    void layOut();
    void addFields(QVBoxLayout* parts);
    PatternSpec pattern() const;
    QString problem(const PatternSpec& pattern) const;
    void rename();
    void ask();
    QCoro::Task<void> read(PatternSpec pattern);
    void show(const TaughtReading& reading, const PatternSpec& pattern);
    void keep();

    TeachSubject m_subject;
    TaughtNumber m_taught;
    QLineEdit* m_name = nullptr;
    QLineEdit* m_unit = nullptr;
    QLineEdit* m_expression = nullptr;
    QLineEdit* m_x = nullptr;
    TextLabel* m_found;
    TextLabel* m_problem;
    MetricChart* m_chart;
    ElidedParagraph* m_command; ///< that does the same in a terminal
    QPushButton* m_keep;
    std::unique_ptr<SeriesStore> m_store; ///< of what the chart shows
    QTimer m_pause; ///< after the last change
    std::shared_ptr<std::atomic_bool> m_stopped; ///< of the reading that is under way
};

} // namespace slipway
