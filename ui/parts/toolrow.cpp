// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/toolrow.h"

#include "ui/parts/text.h"

#include <QEvent>
#include <QMenu>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int toolGap = 8;

} // namespace

ToolRow::ToolRow(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_more(makeButton(u"…"_s, ButtonKind::Quiet, this))
    , m_menu(new QMenu(m_more))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_more->setAccessibleName(name);
    m_more->setToolTip(name);
    m_more->setObjectName(u"moreTools"_s);
    m_more->setMenu(m_menu);
    m_more->hide();
    connect(m_menu, &QMenu::aboutToShow, this, &ToolRow::fillMenu);
}

void ToolRow::addButton(QPushButton* button)
{
    button->setParent(this);
    m_buttons.push_back(button);
    if (m_buttons.size() > 1) {
        setTabOrder(m_buttons[m_buttons.size() - 2], button);
    }
    setTabOrder(button, m_more);
    updateGeometry();
}

QSize ToolRow::sizeHint() const
{
    int height = m_more->sizeHint().height();
    for (const QPushButton* button : m_buttons) {
        height = std::max(height, button->sizeHint().height());
    }
    return {m_more->sizeHint().width(), height};
}

bool ToolRow::event(QEvent* event)
{
    // A button has another width: its text, its font or its style was changed.
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show
        || event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        arrange();
    }
    return QWidget::event(event);
}

void ToolRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

size_t ToolRow::fitting() const
{
    int all = 0;
    for (const QPushButton* button : m_buttons) {
        all += button->sizeHint().width() + toolGap;
    }
    if (all - toolGap <= width()) {
        return m_buttons.size();
    }
    int room = width() - m_more->sizeHint().width();
    size_t count = 0;
    while (count < m_buttons.size() && room >= m_buttons[count]->sizeHint().width() + toolGap) {
        room -= m_buttons[count]->sizeHint().width() + toolGap;
        ++count;
    }
    return count;
}

void ToolRow::arrange()
{
    const size_t count = fitting();
    std::vector<QPushButton*> shown(m_buttons.begin(), m_buttons.begin() + qsizetype(count));
    for (size_t i = count; i < m_buttons.size(); ++i) {
        m_buttons[i]->hide();
    }
    m_more->setVisible(count < m_buttons.size());
    if (count < m_buttons.size()) {
        shown.push_back(m_more);
    }
    int right = width();
    for (auto button = shown.rbegin(); button != shown.rend(); ++button) {
        const QSize size = (*button)->sizeHint();
        (*button)->setGeometry(
            right - size.width(), (height() - size.height()) / 2, size.width(), size.height());
        (*button)->show();
        right -= size.width() + toolGap;
    }
}

void ToolRow::fillMenu()
{
    m_menu->clear();
    for (QPushButton* button : m_buttons) {
        if (!button->isHidden()) {
            continue;
        }
        QAction* action = m_menu->addAction(
            QString(button->accessibleName()).replace(u'&', u"&&"_s), button, &QPushButton::click);
        action->setCheckable(button->isCheckable());
        action->setChecked(button->isChecked());
        action->setEnabled(button->isEnabled());
    }
}

} // namespace slipway

#include "moc_toolrow.cpp"
