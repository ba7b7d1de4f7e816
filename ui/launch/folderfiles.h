// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/codechanges.h"

#include <QDialog>

#include <functional>
#include <vector>

class QTableWidget;

namespace slipway {

/// One row of the list of a person's own files. A value.
struct FolderFileRow {
    QString path;
    QString what; ///< "changed", "not sent: larger than 100 MB"
    qint64 bytes = -1; ///< -1: unknown, because the file is gone
    bool isChoice = false; ///< a large file: sent only if the person chooses so
    bool isChosen = false;
};

/// What a launch would send of the folder, and what stays here: files that differ from the last run
/// there, before those that stay; all files, where none was sent there yet. Pure.
std::vector<FolderFileRow> folderFileRows(const CodeChanges& changes, const QStringList& chosen);

/// FolderFilesDialog lists these rows; large files have a check box. GUI thread; deletes itself
/// when it is closed.
class FolderFilesDialog : public QDialog {
    Q_OBJECT

public:
    using Choose = std::function<void(const QStringList& largeFiles)>;

    FolderFilesDialog(
        const CodeChanges& changes, const QStringList& chosen, Choose choose, QWidget* parent);

private:
    void fill(const std::vector<FolderFileRow>& rows);
    QStringList chosen() const;

    QTableWidget* m_table;
};

} // namespace slipway
