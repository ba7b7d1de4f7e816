// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/relaunch.h"
#include "ui/parts/text.h"

class QHBoxLayout;

namespace slipway {

/// EvidenceLink is a line of the log as a link to its place: one line that ends in "…" where there
/// is no room.
class EvidenceLink : public QPushButton {
    Q_OBJECT

public:
    explicit EvidenceLink(QWidget* parent = nullptr);
    void setEvidence(const QString& label, const QString& text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();

    QString m_text;
};

/// ExplanationCard says why a run went wrong: what it is, why it happens, the line that shows it,
/// what to do, and where that is a field, a button that does it. Of several faults one is open, the
/// others are named below it.
class ExplanationCard : public QFrame {
    Q_OBJECT

public:
    explicit ExplanationCard(QWidget* parent = nullptr);
    /// Faults of these; hidden when there is none. `plan` is the run's, for the offers.
    void setExplanations(const std::vector<Explanation>& explanations, const Plan& plan);

signals:
    void lineRequested(qint64 line);
    void againRequested(const slipway::RelaunchOffer& offer);

private:
    void show(int index);
    void showOthers();

    std::vector<Explanation> m_faults;
    std::vector<std::optional<RelaunchOffer>> m_offers;
    int m_current = 0;
    TextLabel* m_title;
    TextLabel* m_cause;
    EvidenceLink* m_evidence;
    TextLabel* m_remedy;
    QPushButton* m_again;
    QWidget* m_others;
    QHBoxLayout* m_otherRow;
};

/// "Run again with memory 8G", "Run again without reservation", "Run again with another account…".
QString againVerb(const RelaunchOffer& offer);

} // namespace slipway
