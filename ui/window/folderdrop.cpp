// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/folderdrop.h"

#include "ui/look/colours.h"
#include "ui/parts/text.h"

#include <QDropEvent>
#include <QMimeData>
#include <QPainter>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostShown = 80; ///< characters of a name

/// Takes what is dropped as a copy: a move would make the other program delete it.
bool takes(QDropEvent* event)
{
    const Qt::DropActions possible = event->possibleActions();
    const bool copies = possible & Qt::CopyAction;
    if (!event->mimeData()->hasUrls() || !(copies || (possible & Qt::LinkAction))) {
        event->ignore();
        return false;
    }
    event->setDropAction(copies ? Qt::CopyAction : Qt::LinkAction);
    event->accept();
    return true;
}

QString hintText(const QMimeData& data)
{
    const Result<QString> path = droppedPath(data);
    if (!path.ok()) {
        return path.error().summary;
    }
    const QString name = path->section(u'/', -1, -1, QString::SectionSkipEmpty);
    return FolderDrop::tr("Drop “%1” to read what it needs and run it on a cluster")
        .arg(name.left(mostShown));
}

} // namespace

Result<QString> droppedPath(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    if (urls.size() != 1) {
        return Error{ErrorKind::Invalid,
            FolderDrop::tr("A run has one folder, and several things were dropped."),
            FolderDrop::tr("Drop the folder that they are in, or the program alone: its folder is "
                           "sent as well.")};
    }
    if (!urls.front().isLocalFile() || urls.front().toLocalFile().isEmpty()) {
        return Error{ErrorKind::Invalid, FolderDrop::tr("It is not a file of this computer."),
            FolderDrop::tr("Copy it into a folder here first, then drop that.")};
    }
    return urls.front().toLocalFile();
}

FolderDrop::FolderDrop(QWidget* window)
    : QFrame(window)
    , m_hint(new TextLabel({}, "title"))
{
    setObjectName(u"dropHint"_s);
    m_hint->setObjectName(u"dropHintText"_s);
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignCenter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(48, 48, 48, 48);
    layout->addWidget(m_hint);
    setAcceptDrops(true);
    hide();
    window->setAcceptDrops(true);
    window->installEventFilter(this);
}

/// The window gets what is dragged until the hint covers it.
bool FolderDrop::eventFilter(QObject* object, QEvent* event)
{
    switch (event->type()) {
    case QEvent::DragEnter:
        enter(static_cast<QDropEvent*>(event));
        return true;
    case QEvent::DragMove:
        takes(static_cast<QDropEvent*>(event));
        return true;
    case QEvent::Drop:
        finish(static_cast<QDropEvent*>(event));
        return true;
    case QEvent::DragLeave: // also when it goes on to the hint
        QTimer::singleShot(0, this, [this] {
            if (!m_inside) {
                end();
            }
        });
        return true;
    case QEvent::Resize:
        setGeometry(parentWidget()->rect());
        break;
    default:
        break;
    }
    return QFrame::eventFilter(object, event);
}

void FolderDrop::enter(QDropEvent* event)
{
    if (takes(event)) {
        m_hint->setText(hintText(*event->mimeData()));
        setGeometry(parentWidget()->rect());
        raise();
        show();
    }
}

void FolderDrop::finish(QDropEvent* event)
{
    end();
    if (!takes(event)) {
        return;
    }
    // Later: what reads the folder may take its time, and the other program waits for the drop.
    QTimer::singleShot(0, this, [this, path = droppedPath(*event->mimeData())] {
        if (path.ok()) {
            emit dropped(*path);
        } else {
            emit refused(path.error());
        }
    });
}

void FolderDrop::end()
{
    m_inside = false;
    hide();
}

void FolderDrop::dragEnterEvent(QDragEnterEvent* event)
{
    m_inside = true;
    enter(event);
}

void FolderDrop::dragMoveEvent(QDragMoveEvent* event)
{
    takes(event);
}

void FolderDrop::dragLeaveEvent(QDragLeaveEvent*)
{
    end();
}

void FolderDrop::dropEvent(QDropEvent* event)
{
    finish(event);
}

void FolderDrop::paintEvent(QPaintEvent*)
{
    constexpr int margin = 16;
    constexpr double cover = 0.92;
    const Colours& colours = Colours::now();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = colours.page;
    ground.setAlphaF(float(cover));
    painter.fillRect(rect(), ground);
    painter.setPen(QPen(colours.accent, 2, Qt::DashLine));
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(margin, margin, -margin, -margin), margin / 2.0, margin / 2.0);
}

} // namespace slipway

#include "moc_folderdrop.cpp"
