// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/compare/verdict.h"
#include "ui/parts/text.h"

class QVBoxLayout;

namespace slipway {

/// VerdictCard shows the one big number of a comparison, or why there is none and what to do about
/// it. Lives on the GUI thread, owned by the Compare page.
class VerdictCard : public QFrame {
    Q_OBJECT

public:
    explicit VerdictCard(QWidget* parent = nullptr);
    void setVerdict(const RaceVerdict& verdict);

private:
    RaceVerdict m_verdict;
    TextLabel* m_where;
    SignMark* m_sign;
    TextLabel* m_headline;
    TextLabel* m_detail;
    TextLabel* m_crossover;
    TextLabel* m_remedy;
};

/// FairCard lists the rules of a fair race, each with its sign, and the lanes that did not run.
/// Lives on the GUI thread, owned by the Compare page.
class FairCard : public QFrame {
    Q_OBJECT

public:
    explicit FairCard(QWidget* parent = nullptr);
    void setRules(const std::vector<FairnessRule>& rules, const std::vector<AbsentLane>& absent);

private:
    void addRow(Sign sign, Tint tint, const QString& text);

    QVBoxLayout* m_rows;
    QString m_shown;
};

} // namespace slipway
