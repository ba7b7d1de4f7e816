// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/difference.h"
#include "ui/parts/scriptview.h"

#include <QPushButton>

class QStackedWidget;

namespace slipway {

class DifferenceView;
class TextLabel;

/// PreviewPane shows the exact script that will be submitted. Edit lets the person change it by
/// hand; from then on the form no longer changes it, until Revert. Where the launch repeats a run,
/// it shows what changes instead, until the whole script is asked for.
class PreviewPane : public QWidget {
    Q_OBJECT

public:
    explicit PreviewPane(QWidget* parent = nullptr);
    void setScript(const QByteArray& script);
    /// Empty while the script is the form's own.
    QByteArray editedScript() const;
    void revert();
    /// How the script differs from the one of `run`; no run: nothing to compare with.
    void setDifference(const QString& run, const std::vector<DifferenceLine>& lines);
    void showDifference(bool show);
    void focusDifference();
    ScriptView* view() const { return m_view; }

signals:
    void editedChanged();

private:
    void showState();

    QByteArray m_script;
    bool m_edited = false;
    QString m_before;
    ScriptView* m_view;
    DifferenceView* m_difference;
    QStackedWidget* m_views;
    TextLabel* m_heading;
    TextLabel* m_note;
    QPushButton* m_edit;
    QPushButton* m_revert;
    QPushButton* m_changes;
};

} // namespace slipway
