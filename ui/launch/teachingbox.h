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

/// TeachingBox says what a recipe is for and offers its exercises, each with a button that puts its
/// values into the form or takes them out again. What to expect and the advice are folded below.
/// GUI thread; LaunchPage owns it.
class TeachingBox : public QWidget {
    Q_OBJECT

public:
    explicit TeachingBox(QWidget* parent = nullptr);
    /// The rows and their focus are kept while the recipe stays the same.
    void setPlan(const Plan& plan);

signals:
    void exerciseRequested(const slipway::Exercise& exercise);
    /// The form should have the values that it had before this exercise.
    void exerciseUndone(const slipway::Exercise& exercise);

protected:
    void resizeEvent(QResizeEvent* event) override;

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
    void wrapMore();

    TextLabel* m_purpose;
    QWidget* m_exercises;
    QVBoxLayout* m_lines;
    QToolButton* m_more;
    TextLabel* m_rest;
    bool m_hasRest = false;
    QString m_shown; ///< identifies the recipe and the text that the rows were made for
    std::vector<Row> m_rows;
};

} // namespace slipway
