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

/// PreviewPane shows the exact script that will be submitted. Once the person has edited it by
/// hand, the form no longer changes it until it is reverted. If the launch repeats a run, the pane
/// shows the differences from that run, or the whole script on request. GUI thread; LaunchPage owns
/// it.
class PreviewPane : public QWidget {
    Q_OBJECT

public:
    explicit PreviewPane(QWidget* parent = nullptr);
    void setScript(const QByteArray& script);
    /// Empty while the script is the one made from the form.
    QByteArray editedScript() const;
    void revert();
    /// How the script differs from that of `run`; an empty run: there is nothing to compare it
    /// with.
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
