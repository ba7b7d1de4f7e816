// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/base/result.h"

#include <QDialog>

#include <functional>

class QLineEdit;
class QPlainTextEdit;

namespace slipway {

class TextLabel;

/// LabelDialog edits the name, the tags and the note of a run. GUI thread; it deletes itself when
/// it is closed.
class LabelDialog : public QDialog {
    Q_OBJECT

public:
    /// `save` stores the labels; its error is shown, and the dialog stays.
    using Save = std::function<Result<void>(const RunLabels&)>;
    LabelDialog(const Run& run, Save save, QWidget* parent = nullptr);

private:
    void store();

    const RunLabels m_labels; ///< before
    Save m_save;
    QLineEdit* m_name = nullptr;
    QLineEdit* m_tags = nullptr;
    QPlainTextEdit* m_note = nullptr;
    TextLabel* m_problem;
};

} // namespace slipway
