// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/sweep.h"
#include "ui/launch/launchdraft.h"
#include "ui/parts/text.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace slipway {

class ScriptView;
class Stepper;

/// SweepDialog asks for the values of one or more fields, says how many runs they make, checks all
/// of them as lint does, and requests their launch. GUI thread; it deletes itself when it is
/// closed.
class SweepDialog : public QDialog {
    Q_OBJECT

public:
    /// `draft` must outlive the dialog; its values at this moment are those of all runs.
    explicit SweepDialog(LaunchDraft* draft, QWidget* parent = nullptr);

    /// A sweep of more runs is refused.
    static constexpr qsizetype mostRuns = 64;

signals:
    void sweepRequested(const std::vector<slipway::LaunchSpec>& specs);

private:
    /// A field and the control for its values.
    struct Row {
        QWidget* widget = nullptr;
        QComboBox* field = nullptr;
        QLineEdit* values = nullptr;
    };

    void layOut();
    void addRow(const QString& key, const QString& values);
    void addNextRow();
    void addSuggestion();
    void removeRow(QWidget* widget);
    void check();
    QString mistake() const;
    void showProblems();
    std::vector<SweepField> fields() const;
    int atOnce() const;
    void showArray();
    void launch();

    LaunchDraft* m_draft;
    LaunchSpec m_spec;
    QString m_id; ///< of the sweep
    std::vector<Row> m_rows;
    bool m_chosen = false; ///< the user chose how it is submitted
    bool m_isArray = false;
    std::vector<LaunchSpec> m_specs; ///< empty: the values do not make a sweep
    QVBoxLayout* m_lines;
    Stepper* m_atOnce;
    QComboBox* m_submission; ///< one array, or a job each
    TextLabel* m_array; ///< what that means, or why there is no array
    ScriptView* m_script; ///< array.sh
    TextLabel* m_count;
    QVBoxLayout* m_problems;
    QPushButton* m_add;
    QPushButton* m_launch;
    QTimer m_soon;
};

} // namespace slipway
