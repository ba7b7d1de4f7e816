// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/images/localimagebuild.h"

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace slipway {

class ErrorView;
class TextLabel;

/// LocalBuildDialog builds an image from a Dockerfile on this computer and uploads it, with its
/// commands and stages in sight. What makes an image file of the archive is then launched from the
/// form. GUI thread; deletes itself when it is closed, which ends a build.
class LocalBuildDialog : public QDialog {
    Q_OBJECT

public:
    LocalBuildDialog(Engine* engine, const QString& siteId, QWidget* parent = nullptr);
    void setDockerfile(const QString& path);

signals:
    /// The archive is there; this launch turns it into an image.
    void uploaded(const slipway::LaunchSpec& spec);

private:
    QLayout* makeFields();
    void browse();
    void showReady();
    void showUpload(qint64 there, qint64 total);
    QCoro::Task<void> lookForBuilders();
    QCoro::Task<void> build();
    void setRunning(bool running);

    QString m_siteId;
    LocalImageBuild* m_build;
    QLineEdit* m_file;
    QLineEdit* m_name;
    TextLabel* m_builder;
    TextLabel* m_stage;
    QProgressBar* m_progress;
    QPlainTextEdit* m_lines;
    ErrorView* m_error;
    QPushButton* m_start;
    QPushButton* m_cancel;
    bool m_running = false;
    bool m_hasBuilder = false;
};

} // namespace slipway
