// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/relaunch.h"
#include "ui/parts/text.h"

class QVBoxLayout;

namespace slipway {

class FlowLayout;
class RawText;

/// EvidenceLink shows a line of the log as a link to its place; it is elided if there is no room.
/// Lives on the GUI thread, owned by the explanation card.
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

/// ExplanationCard says why a run failed: the fault, its cause, how the run ended, the line that
/// shows it, what to do with a button that does it if a field is to be changed, and the raw text,
/// folded. With several faults, one is shown in full and the others are links below it. While the
/// run is still going, it is a warning. Lives on the GUI thread, owned by the run page.
class ExplanationCard : public QFrame {
    Q_OBJECT

public:
    explicit ExplanationCard(QWidget* parent = nullptr);
    /// Shows the faults among these; hidden if there are none. `plan` is that of the run; the
    /// offers are derived from it.
    void setExplanations(
        const std::vector<Explanation>& explanations, const Run& run, const Plan& plan);

signals:
    void lineRequested(qint64 line);
    void relaunchRequested(const slipway::RelaunchOffer& offer);
    /// Whether it shows the failure of the run.
    void explainsChanged(bool explains);

private:
    void fill(QVBoxLayout* layout);
    void showEnd(const Run& run);
    void show(int index);
    void showOffers(const std::vector<RelaunchOffer>& offers);
    void showOthers();

    std::vector<Explanation> m_faults;
    std::vector<std::vector<RelaunchOffer>> m_offers; ///< by fault, the best one first
    int m_current = 0;
    SignMark* m_sign;
    TextLabel* m_title;
    TextLabel* m_cause;
    TextLabel* m_end; ///< how the run ended, where the title does not say so
    EvidenceLink* m_evidence;
    TextLabel* m_further; ///< how sure it is, and how many lines say so
    TextLabel* m_remedy;
    QPushButton* m_relaunch;
    QWidget* m_alternatives; ///< buttons of other fields that could help
    FlowLayout* m_alternativeRow;
    RawText* m_raw;
    QWidget* m_others;
    FlowLayout* m_otherRow;
};

/// "Run again with memory 8G", "Run again without reservation", "Run again with another account…".
QString relaunchVerb(const RelaunchOffer& offer);

} // namespace slipway
