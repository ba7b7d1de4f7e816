// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/text.h"

class QVBoxLayout;

namespace slipway {

/// What the card of a person's own folder shows. A value.
struct FolderView {
    struct Row {
        QString label, value, reason;
        bool operator==(const Row&) const = default;
    };

    QString folder; ///< empty: none was chosen
    bool isReading = false;
    QString error; ///< why it could not be read; empty: it could
    QList<Row> rows; ///< what was read, each with its reason
    QStringList questions; ///< what could not be decided
    QString changes; ///< since the last run
    bool hasFiles = false; ///< whether its files can be listed

    bool operator==(const FolderView&) const = default;
};

/// FolderCard shows what was read from a person's own folder, or how to choose one. GUI thread;
/// LaunchPage owns it.
class FolderCard : public QFrame {
    Q_OBJECT

public:
    explicit FolderCard(QWidget* parent = nullptr);
    void setView(const FolderView& view);

signals:
    void chooseRequested();
    void readAgainRequested();
    void filesRequested();
    /// It is on the screen, perhaps again: the folder may be different by now.
    void shown();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillRows();
    void addRow(const FolderView::Row& row);
    void addQuestion(const QString& question);
    QString heard() const;

    FolderView m_view;
    TextLabel* m_title;
    ElidedText* m_folder;
    TextLabel* m_words;
    TextLabel* m_error;
    QVBoxLayout* m_rows;
    TextLabel* m_changes;
    QPushButton* m_choose;
    QPushButton* m_again;
    QPushButton* m_files;
};

} // namespace slipway
