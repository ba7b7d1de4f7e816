// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QImage>
#include <QPixmap>
#include <QStackedWidget>

class QLabel;
class QPlainTextEdit;

namespace slipway {

class TextLabel;

/// What can be shown of a file: a text, an image, or why neither. A value.
struct PreviewContent {
    QString text;
    QImage image;
    QString note;
};

constexpr qint64 largestPreviewedText = 256 * 1024;
constexpr qint64 largestPreviewedImage = 8 * 1024 * 1024;

/// The largest file of that name that is read for a preview.
qint64 previewLimit(const QString& name);
/// Decodes the bytes of a file; takes its time with an image, so it is for a worker.
PreviewContent previewOf(const QString& name, const QByteArray& bytes);

/// FilePreview shows the beginning of a text or an image. Lives on the GUI thread, owned by the
/// files page.
class FilePreview : public QStackedWidget {
    Q_OBJECT

public:
    explicit FilePreview(QWidget* parent = nullptr);
    void setContent(const QString& name, const PreviewContent& content);
    void setNote(const QString& note);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void scaleImage();

    TextLabel* m_note;
    QPlainTextEdit* m_text;
    QLabel* m_image;
    QPixmap m_whole;
};

} // namespace slipway
