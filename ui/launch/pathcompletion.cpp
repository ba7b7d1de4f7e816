// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/pathcompletion.h"

#include "app/sessions/folderlist.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QPointer>
#include <QStringListModel>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr auto typingPause = std::chrono::milliseconds(250);
constexpr qsizetype mostFoldersKept = 200;

} // namespace

PathCompletion::PathCompletion(QLineEdit* line, Ask ask)
    : QObject(line)
    , m_line(line)
    , m_ask(std::move(ask))
    , m_completer(new QCompleter(this))
    , m_model(new QStringListModel(this))
{
    m_completer->setModel(m_model);
    m_completer->setWidget(line); // not setCompleter(): that would complete the whole line
    m_completer->setCompletionMode(QCompleter::PopupCompletion);
    m_completer->popup()->setObjectName(u"pathNames"_s);
    m_completer->popup()->setAccessibleName(tr("Folders on the cluster"));
    m_pause.setSingleShot(true);
    m_pause.setInterval(typingPause);
    connect(&m_pause, &QTimer::timeout, this, &PathCompletion::look);
    connect(line, &QLineEdit::textEdited, this, [this] {
        m_completer->popup()->hide();
        m_pause.start();
    });
    connect(
        m_completer, qOverload<const QString&>(&QCompleter::activated), this, &PathCompletion::put);
}

PathCompletion::Part PathCompletion::partAt(const QString& text, qsizetype cursor)
{
    cursor = qBound(qsizetype(0), cursor, text.size());
    Part part;
    part.begin = cursor == 0 ? 0 : text.lastIndexOf(u',', cursor - 1) + 1;
    const qsizetype comma = text.indexOf(u',', cursor);
    part.end = comma < 0 ? text.size() : comma;
    while (part.begin < cursor && text.at(part.begin).isSpace()) {
        ++part.begin;
    }
    return part;
}

QString PathCompletion::typed() const
{
    const QString text = m_line->text();
    const qsizetype cursor = m_line->cursorPosition();
    const qsizetype begin = partAt(text, cursor).begin;
    return text.mid(begin, cursor - begin);
}

void PathCompletion::look()
{
    const QString path = typed();
    const QString folder = folderPart(path);
    // After a colon comes a path in the container, which nobody can list.
    if (folder.isEmpty() || path.contains(u':') || !m_line->hasFocus()) {
        return;
    }
    if (m_names.contains(folder)) {
        show(folder, m_names.value(folder));
    } else if (folder != m_asked) {
        ask(folder);
    }
}

QCoro::Task<void> PathCompletion::ask(QString folder)
{
    const QPointer<PathCompletion> self(this);
    m_asked = folder;
    const QStringList names = co_await m_ask(folder);
    if (!self) {
        co_return;
    }
    m_asked.clear();
    if (names.isEmpty()) {
        co_return; // perhaps not connected: it is asked for again
    }
    if (m_names.size() >= mostFoldersKept) {
        m_names.clear();
    }
    m_names.insert(folder, names);
    if (folderPart(typed()) == folder && m_line->hasFocus()) {
        show(folder, names);
    }
}

void PathCompletion::show(const QString& folder, const QStringList& names)
{
    const QString path = typed();
    const QString begun = path.mid(folder.size());
    QStringList paths;
    for (const QString& name : names) {
        const bool isHidden = name.startsWith(u'.') && !begun.startsWith(u'.');
        if (!isHidden && name != begun) {
            paths << folder + name;
        }
    }
    m_model->setStringList(paths);
    m_completer->setCompletionPrefix(path);
    if (m_completer->completionCount() > 0) {
        m_completer->complete();
    }
}

/// The chosen path takes the place of what was typed of it.
void PathCompletion::put(const QString& path)
{
    const Part part = partAt(m_line->text(), m_line->cursorPosition());
    m_line->setSelection(int(part.begin), int(m_line->cursorPosition() - part.begin));
    m_line->insert(path); // it can be undone
    emit m_line->textEdited(m_line->text()); // as if it had been typed
}

} // namespace slipway

#include "moc_pathcompletion.cpp"
