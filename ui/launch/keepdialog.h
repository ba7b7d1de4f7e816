// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/runs/keeprecipe.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QPushButton;

namespace slipway {

class TextLabel;

/// KeepDialog asks for the title and id under which a launch is kept as a recipe, says what goes
/// into it and what stays out, and writes it. GUI thread; it deletes itself when it is closed.
class KeepDialog : public QDialog {
    Q_OBJECT

public:
    KeepDialog(Engine* engine, KeepRequest request, QWidget* parent = nullptr);

signals:
    /// It was written, and is in the catalogue.
    void kept(const QString& recipeId);

private:
    void layOut();
    QCoro::Task<void> look();
    QCoro::Task<void> save();
    void showId();
    void showProblem(const QString& text);
    KeepRequest request() const;

    Catalogue* m_catalogue;
    KeepRequest m_request;
    QLineEdit* m_title = nullptr;
    QLineEdit* m_id = nullptr;
    QLineEdit* m_summary = nullptr;
    bool m_idEntered = false; ///< otherwise it follows the title
    TextLabel* m_content;
    TextLabel* m_leftOut;
    QCheckBox* m_replace;
    TextLabel* m_problem;
    QPushButton* m_leave;
    QPushButton* m_keep;
};

} // namespace slipway
