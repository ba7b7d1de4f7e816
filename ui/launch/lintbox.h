// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "ui/parts/text.h"

class QVBoxLayout;

namespace slipway {

/// LintBox counts the findings of lint above the launch button. Those that a field of the form
/// shows are links to the field; the others are listed with their fixes. It is hidden if there are
/// none. GUI thread; LaunchBar owns it.
class LintBox : public QFrame {
    Q_OBJECT

public:
    explicit LintBox(QWidget* parent = nullptr);
    /// `elsewhere` are those of `problems` that no visible field shows. `labelOf` maps the key of a
    /// field to its label.
    void setProblems(const std::vector<Problem>& problems, const std::vector<Problem>& elsewhere,
        const QMap<QString, QString>& labelOf);

signals:
    void fixRequested(const QString& field, const QString& value);
    void fieldRequested(const QString& field);

private:
    void showCount(const std::vector<Problem>& problems);
    void addLink(const QString& field, const QString& label);
    QWidget* makeRow(const Problem& problem, const QString& label);

    TextLabel* m_count;
    QWidget* m_fields;
    QVBoxLayout* m_rows;
    QStringList m_shown;
};

} // namespace slipway
