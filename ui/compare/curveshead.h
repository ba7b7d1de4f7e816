// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

class QPushButton;

namespace slipway {

class CurvesModel;
class ElidedLabel;
class TextLabel;

/// CurvesHead is the top of the curves view of the Compare page: the title, where the runs ran, a
/// note on the last action, and the buttons. It only reports which button was pressed. Lives on the
/// GUI thread, owned by the CurvesPage.
class CurvesHead : public QWidget {
    Q_OBJECT

public:
    explicit CurvesHead(QWidget* parent = nullptr);
    void refresh(const CurvesModel& model);
    /// Shows the note and announces it; an empty text hides it.
    void setNote(const QString& text);

signals:
    void addRequested();
    void saveRequested();

private:
    TextLabel* m_title;
    ElidedLabel* m_subtitle;
    TextLabel* m_note;
    QPushButton* m_save;
};

} // namespace slipway
