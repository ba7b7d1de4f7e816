// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "ui/launch/fieldinput.h"
#include "ui/parts/text.h"

class QLineEdit;

namespace slipway {

/// FieldEditor is one field of the form: label, control, help, and what lint reports about it. GUI
/// thread; LaunchForm owns it.
class FieldEditor : public QWidget {
    Q_OBJECT

public:
    FieldEditor(
        const Parameter& field, const QMap<QString, QString>& labels, QWidget* parent = nullptr);

    const QString& key() const { return m_key; }
    /// `force`: even while the person is typing here, because a fix was pressed.
    void setField(const Parameter& field, bool force);
    void setProblems(const std::vector<Problem>& problems);
    /// Whether this is the problem below the control: of several, it shows the worst.
    bool shows(const Problem& problem) const;
    /// What the value itself says, shown below the control when there is no problem: "python from
    /// Docker Hub, tag 3.13 · not checked".
    /// `source` says where it comes from, to those who ask.
    void setFact(const QString& text, const QString& source = {});
    /// A link below the control, for what belongs to the field but is not its value.
    void setAction(const QString& verb);
    void focusInput();
    /// The control, if it is a line of text; null: it is another one.
    QLineEdit* line() const;

signals:
    void edited(const QString& key, const QString& value);
    void fixRequested(const QString& key, const QString& value);
    void actionRequested(const QString& key);

private:
    void showNote();

    QString m_key;
    QString m_help;
    QString m_fact;
    std::optional<Problem> m_problem;
    FieldInput m_input;
    TextLabel* m_note;
    QPushButton* m_fix;
};

} // namespace slipway
