// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace slipway {

class TextLabel;

/// TeachingBox says what a recipe is for and offers its exercises, each with a button that sets the
/// form to it or back; what to expect and the advice unfold below. Lives on the GUI thread, owned
/// by the launch page.
class TeachingBox : public QWidget {
    Q_OBJECT

public:
    explicit TeachingBox(QWidget* parent = nullptr);
    /// The rows stay while the recipe does, and the focus on them.
    void setPlan(const Plan& plan);

signals:
    void exerciseRequested(const slipway::Exercise& exercise);
    /// The form is to be what it was before this exercise.
    void exerciseUndone(const slipway::Exercise& exercise);

private:
    /// An exercise and its button.
    struct Row {
        Exercise exercise;
        QPushButton* button = nullptr;
        bool elsewhere = false; ///< it opens another recipe
        bool set = false; ///< the form has its values
    };

    void setRecipe(const Recipe& recipe);
    void addRow(const Exercise& exercise, const Recipe& recipe);
    void showState(Row& row, const Plan& plan);
    void unfold(bool open);

    TextLabel* m_purpose;
    QWidget* m_exercises;
    QVBoxLayout* m_lines;
    QToolButton* m_more;
    TextLabel* m_rest;
    bool m_hasRest = false;
    QString m_shown; ///< the recipe that the rows were made for, and what they say
    std::vector<Row> m_rows;
};

} // namespace slipway
