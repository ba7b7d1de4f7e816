// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/sidebar.h"

#include "ui/look/colours.h"
#include "ui/look/fonts.h"
#include "ui/parts/text.h"
#include "ui/window/connectioncard.h"

#include <QFocusEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int usualHeight = 35; ///< of a page's button, in pixels

/// The mark, planks of a slipway, and the name.
class Wordmark : public QWidget {
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return {120, QFontMetrics(face()).height() + 12}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Colours& colours = Colours::now();
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours.accent);
        const double side = QFontMetrics(face()).ascent();
        const double top = (height() - side) / 2;
        for (int plank = 0; plank < 5; ++plank) {
            painter.drawRoundedRect(
                QRectF(0, top + plank * side / 4.6, side * 0.84, side / 6.4), 1, 1);
        }
        painter.setFont(face());
        painter.setPen(colours.text);
        painter.drawText(rect().adjusted(int(side) + 4, 0, 0, 0), Qt::AlignVCenter, u"Slipway"_s);
    }

private:
    static QFont face()
    {
        QFont font = fontFor(TextRole::Title);
        font.setPointSizeF(font.pointSizeF() * 0.87);
        return font;
    }
};

} // namespace

NavButton::NavButton(const QString& text, QWidget* parent)
    : QAbstractButton(parent)
{
    setText(text);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(text);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void NavButton::setCount(int count)
{
    if (count != m_count) {
        m_count = count;
        setAccessibleName(count > 0 ? tr("%1, %2 active").arg(text()).arg(count) : text());
        update();
    }
}

QSize NavButton::sizeHint() const
{
    // Large text leaves less room around it, so that all pages fit into a low window.
    const int line = fontMetrics().height();
    return {140, line + std::clamp(usualHeight - line, 6, 18)};
}

void NavButton::focusInEvent(QFocusEvent* event)
{
    m_ring = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QAbstractButton::focusInEvent(event);
}

void NavButton::enterEvent(QEnterEvent*)
{
    update();
}

void NavButton::leaveEvent(QEvent*)
{
    update();
}

void NavButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = Colours::now();
    const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    if (isChecked() || underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(isChecked() ? colours.soft(colours.accent) : colours.page);
        painter.drawRoundedRect(area, 6, 6);
    }
    if (hasFocus() && m_ring) {
        painter.setPen(QPen(colours.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(area, 6, 6);
    }
    QFont face = font();
    face.setWeight(isChecked() ? QFont::DemiBold : QFont::Medium);
    painter.setFont(face);
    painter.setPen(isChecked() ? colours.accent : colours.secondText);
    const QRect inside = rect().adjusted(10, 0, -10, 0);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, text());
    if (m_count > 0) {
        painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, QString::number(m_count));
    }
}

Sidebar::Sidebar(QWidget* parent)
    : QWidget(parent)
    , m_pages(new QVBoxLayout)
    , m_appearance(makeButton(tr("Settings"), ButtonKind::Quiet))
    , m_connection(new ConnectionCard)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_appearance->setObjectName(u"appearance"_s);
    m_pages->setSpacing(2);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 0, 0, 8);
    top->addWidget(new Wordmark);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 16);
    layout->setSpacing(8);
    layout->addLayout(top);
    layout->addLayout(m_pages);
    layout->addStretch();
    layout->addWidget(m_appearance, 0, Qt::AlignLeft);
    layout->addWidget(m_connection);
    connect(m_appearance, &QAbstractButton::clicked, this, &Sidebar::appearanceRequested);
}

NavButton* Sidebar::addPage(const QString& title)
{
    auto* button = new NavButton(title);
    const int index = int(m_buttons.size());
    m_pages->addWidget(button);
    // Tab goes from top to bottom: the pages, then what was made before them.
    if (!m_buttons.isEmpty()) {
        setTabOrder(m_buttons.last(), button);
    }
    setTabOrder(button, m_appearance);
    setTabOrder(m_appearance, m_connection->cleanupButton());
    m_buttons << button;
    connect(button, &QAbstractButton::clicked, this, [this, index] { emit pageRequested(index); });
    return button;
}

void Sidebar::setCurrent(int index)
{
    m_buttons[index]->setChecked(true);
    if (!focusWidget()) {
        m_buttons[index]->setFocus();
    }
}

void Sidebar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Colours& colours = Colours::now();
    painter.fillRect(rect(), colours.surface);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), colours.line);
}

} // namespace slipway

#include "moc_sidebar.cpp"
