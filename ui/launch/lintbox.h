// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "ui/parts/text.h"

class QVBoxLayout;

namespace slipway {

/// LintBox lists the findings of lint above the launch button, each with its fix as a link. It is
/// hidden if there are none. GUI thread; LaunchBar owns it.
class LintBox : public QFrame {
    Q_OBJECT

public:
    explicit LintBox(QWidget* parent = nullptr);
    /// `labelOf` maps the key of a field to its label.
    void setProblems(const std::vector<Problem>& problems, const QMap<QString, QString>& labelOf);

signals:
    void fixRequested(const QString& field, const QString& value);
    void fieldRequested(const QString& field);

private:
    QWidget* makeRow(const Problem& problem, const QString& label);

    TextLabel* m_count;
    QVBoxLayout* m_rows;
    QStringList m_shown;
};

} // namespace slipway
