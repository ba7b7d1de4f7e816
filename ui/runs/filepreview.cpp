// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/filepreview.h"

#include "ui/parts/text.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImageReader>
#include <QPlainTextEdit>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int widestPreview = 4096; ///< pixels

bool isPreviewedImage(const QString& name)
{
    static const QStringList kinds{u"png"_s, u"jpg"_s, u"jpeg"_s, u"gif"_s, u"bmp"_s};
    return kinds.contains(QFileInfo(name).suffix().toLower());
}

} // namespace

qint64 previewLimit(const QString& name)
{
    return isPreviewedImage(name) ? largestPreviewedImage : largestPreviewedText;
}

PreviewContent previewOf(const QString& name, const QByteArray& bytes)
{
    PreviewContent content;
    if (bytes.isEmpty()) {
        content.note = FilePreview::tr("The file is empty.");
    } else if (isPreviewedImage(name)) {
        QBuffer buffer;
        buffer.setData(bytes);
        QImageReader reader(&buffer, QFileInfo(name).suffix().toLower().toLatin1());
        reader.setAutoDetectImageFormat(false); // a name does not choose among all decoders
        if (const QSize size = reader.size();
            size.width() > widestPreview || size.height() > widestPreview) {
            reader.setScaledSize(size.scaled(widestPreview, widestPreview, Qt::KeepAspectRatio));
        }
        content.image = reader.read();
        if (content.image.isNull()) {
            content.note = FilePreview::tr("The image could not be read.");
        }
    } else if (bytes.contains('\0')) {
        content.note = FilePreview::tr("There is no preview of this kind of file.");
    } else {
        content.text = QString::fromUtf8(bytes);
    }
    return content;
}

FilePreview::FilePreview(QWidget* parent)
    : QStackedWidget(parent)
    , m_note(TextLabel::paragraph({}, "second"))
    , m_text(new QPlainTextEdit)
    , m_image(new QLabel)
{
    m_note->setObjectName(u"previewNote"_s);
    m_note->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_text->setObjectName(u"previewText"_s);
    m_text->setProperty("code", true);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_image->setObjectName(u"previewImage"_s);
    m_image->setTextFormat(Qt::PlainText);
    m_image->setAlignment(Qt::AlignCenter);
    m_image->setMinimumSize(1, 1); // its picture follows it, not the other way round
    addWidget(m_note);
    addWidget(m_text);
    addWidget(m_image);
    setMinimumWidth(200);
}

void FilePreview::setContent(const QString& name, const PreviewContent& content)
{
    if (!content.note.isEmpty()) {
        setNote(content.note);
    } else if (!content.image.isNull()) {
        m_whole = QPixmap::fromImage(content.image);
        m_image->setAccessibleName(tr("%1, an image of %2 × %3 pixels")
                                       .arg(name)
                                       .arg(content.image.width())
                                       .arg(content.image.height()));
        setCurrentWidget(m_image);
        scaleImage();
    } else {
        m_text->setAccessibleName(name);
        m_text->setPlainText(content.text);
        setCurrentWidget(m_text);
    }
}

void FilePreview::setNote(const QString& note)
{
    m_note->setText(note);
    setCurrentWidget(m_note);
}

void FilePreview::resizeEvent(QResizeEvent* event)
{
    QStackedWidget::resizeEvent(event);
    if (currentWidget() == m_image) {
        scaleImage();
    }
}

void FilePreview::scaleImage()
{
    const double ratio = devicePixelRatioF();
    const QSize room = QSizeF(size().width() * ratio, size().height() * ratio).toSize();
    const bool larger = m_whole.width() > room.width() || m_whole.height() > room.height();
    QPixmap shown = larger && !room.isEmpty()
        ? m_whole.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation)
        : m_whole;
    shown.setDevicePixelRatio(ratio);
    m_image->setPixmap(shown);
}

} // namespace slipway

#include "moc_filepreview.cpp"
