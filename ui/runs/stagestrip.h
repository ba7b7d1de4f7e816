// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logstages.h"
#include "ui/runs/logview.h"

#include <QHash>
#include <QPushButton>

namespace slipway {

/// StageStrip has a button for each stage that printed something into the log, with its state and
/// its duration; it folds the lines of the stage and opens them again. Stages that went well are
/// folded, the last one excepted, for which the run was made. Hidden where no image is pulled or
/// built. GUI thread; the log card owns it.
class StageStrip : public QWidget {
    Q_OBJECT

public:
    explicit StageStrip(QWidget* parent = nullptr);
    /// Another run: what was folded by hand is forgotten.
    void reset();
    void setStages(const std::vector<RunStage>& stages, const QDateTime& now);
    void setHeaders(const std::vector<LogHeader>& headers);
    /// Opens the stage of this line, if it is folded.
    void reveal(qint64 line);
    /// The lines that are folded.
    const std::vector<LogFold>& folds() const { return m_folds; }

signals:
    void foldsChanged();
    /// A stage was opened by hand: its first line is wanted.
    void lineRequested(qint64 line);

private:
    void refresh();
    void updateFolds();
    bool isFolded(int stage) const;
    void showButton(int place, int stage);
    void toggle(int place);

    std::vector<RunStage> m_stages;
    std::vector<LogHeader> m_headers;
    std::vector<LogSection> m_sections;
    std::vector<int> m_shown; ///< the stages that have a button
    std::vector<LogFold> m_folds;
    QDateTime m_now;
    QHash<int, bool> m_chosen; ///< by stage: folded by hand, or opened
    QList<QPushButton*> m_buttons;
};

} // namespace slipway
