// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/stepper.h"

#include "ui/parts/text.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

Stepper::Stepper(QWidget* parent)
    : QFrame(parent)
    , m_edit(new QLineEdit)
    , m_less(new QToolButton)
    , m_more(new QToolButton)
{
    setProperty("field", true);
    setFocusProxy(m_edit);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2, 1, 4, 1);
    layout->setSpacing(0);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_less);
    layout->addWidget(m_more);
    m_less->setText(u"−"_s);
    m_more->setText(u"+"_s);
    for (QToolButton* button : {m_less, m_more}) {
        button->setAutoRepeat(true);
        button->setFocusPolicy(Qt::NoFocus); // the Up and Down keys do the same
    }
    m_edit->installEventFilter(this);
    connect(m_less, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_more, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_edit, &QLineEdit::textEdited, this, [this](const QString& text) {
        showRange();
        emit textEdited(text);
    });
}

void Stepper::setName(const QString& name)
{
    m_edit->setAccessibleName(name);
    m_less->setAccessibleName(tr("Decrease %1").arg(name));
    m_more->setAccessibleName(tr("Increase %1").arg(name));
}

void Stepper::setText(const QString& text)
{
    if (text != m_edit->text()) {
        m_edit->setText(text);
    }
    showRange();
}

void Stepper::setRange(std::optional<qint64> least, std::optional<qint64> most)
{
    m_least = least;
    m_most = most;
    showRange();
}

void Stepper::showRange()
{
    bool isNumber = false;
    const qint64 value = m_edit->text().toLongLong(&isNumber);
    m_less->setEnabled(!isNumber || !m_least || value > *m_least);
    m_more->setEnabled(!isNumber || !m_most || value < *m_most);
}

void Stepper::step(qint64 by)
{
    qint64 value = m_edit->text().toLongLong() + by;
    value = std::max(value, m_least.value_or(0));
    if (m_most) {
        value = std::min(value, *m_most);
    }
    setText(QString::number(value));
    emit textEdited(m_edit->text());
}

bool Stepper::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        setLook(this, "active", event->type() == QEvent::FocusIn);
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            step(key == Qt::Key_Up ? 1 : -1);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace slipway

#include "moc_stepper.cpp"
