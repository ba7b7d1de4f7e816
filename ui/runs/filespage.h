// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QWidget>

class QPushButton;
class QTreeWidget;

namespace slipway {

class TextLabel;

/// FilesPage lists the fetched files of a run with their sizes; before that it says where they are
/// and offers to fetch them. Lives on the GUI thread, owned by the tabs of the run page.
class FilesPage : public QWidget {
    Q_OBJECT

public:
    explicit FilesPage(QWidget* parent = nullptr);
    void setRun(const Run& run);

signals:
    void fetchRequested();

private:
    void list(const QString& folder);

    QString m_folder;
    TextLabel* m_where;
    QTreeWidget* m_files;
    QPushButton* m_open;
    QPushButton* m_fetch;
};

} // namespace slipway
