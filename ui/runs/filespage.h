// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/runs/runfiles.h"

#include <QWidget>

class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace slipway {

class FilePreview;
class TextLabel;

/// FilesPage lists the files of a run, those on the cluster and those that were fetched, results
/// first and Slipway's own folded at the end, with a preview of the chosen one. The cluster is
/// asked when the page is shown; without a connection its last answer is listed. Lives on the GUI
/// thread, owned by the tabs of the run page.
class FilesPage : public QWidget {
    Q_OBJECT

public:
    explicit FilesPage(Engine* engine, QWidget* parent = nullptr);
    void setRun(const Run& run);

signals:
    void fetchRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeList();
    void refresh();
    QCoro::Task<void> readList();
    void showList();
    void showWhere();
    QTreeWidgetItem* itemOf(const RunFile& file) const;
    QCoro::Task<void> preview(RunFile file);
    const RunFile* fileOf(const QTreeWidgetItem* item) const;

    Engine* m_engine;
    Run m_run;
    RunFileList m_list;
    bool m_connected = false; ///< when the list was read
    bool m_reading = false;
    bool m_stale = true; ///< to be read when the page is shown
    QString m_trouble; ///< why the cluster could not be asked
    int m_previews = 0; ///< only the last one that was asked for is shown
    TextLabel* m_where;
    QTreeWidget* m_files;
    FilePreview* m_preview;
    QPushButton* m_again;
    QPushButton* m_open;
    QPushButton* m_fetch;
};

} // namespace slipway
