// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/text.h"

#include <QKeyEvent>
#include <QLayout>
#include <QLineEdit>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>
#include <QVariant>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// A button that Enter presses as the space bar does, while it has the focus: QPushButton passes
/// Enter on to the default button of a dialog, and there is none where a key must not decide. GUI
/// thread; its parent owns it.
class EnterButton : public QPushButton {
public:
    using QPushButton::QPushButton;

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        const bool plain =
            !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
        if (!enter || !plain) {
            QPushButton::keyPressEvent(event);
        } else if (!event->isAutoRepeat()) { // the key may still be held from what opened a dialog
            click();
        }
    }
};

} // namespace

TextLabel::TextLabel(const QString& text, const char* role, QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    if (role) {
        setProperty("role", QLatin1StringView(role));
    }
    setText(text);
}

TextLabel* TextLabel::paragraph(const QString& text, const char* role)
{
    auto* label = new TextLabel(text, role);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void TextLabel::setTint(Tint tint)
{
    static const QHash<Tint, QString> names{{Tint::Done, u"done"_s}, {Tint::Running, u"running"_s},
        {Tint::Warning, u"warning"_s}, {Tint::Error, u"error"_s}};
    setLook(this, "tint", names.value(tint));
}

void ElidedText::setText(const QString& text)
{
    setToolTip(plainToolTip(text));
    TextLabel::setText(text);
}

QSize ElidedText::minimumSizeHint() const
{
    constexpr int leastShown = 8; // characters
    const QSize whole = sizeHint();
    return {std::min(whole.width(), fontMetrics().averageCharWidth() * leastShown), whole.height()};
}

void ElidedText::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRect area = contentsRect();
    style()->drawItemText(&painter, area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        palette(), isEnabled(), fontMetrics().elidedText(text(), Qt::ElideRight, area.width()),
        foregroundRole());
}

ElidedParagraph::ElidedParagraph(int lines, const char* role, QWidget* parent)
    : TextLabel({}, role, parent)
    , m_lines(lines)
{
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setAlignment(Qt::AlignTop | Qt::AlignLeft);
    fixHeight();
}

void ElidedParagraph::fixHeight()
{
    setFixedHeight(m_lines * fontMetrics().lineSpacing() + 2);
}

void ElidedParagraph::setText(const QString& text)
{
    setToolTip(plainToolTip(text));
    TextLabel::setText(text);
}

void ElidedParagraph::changeEvent(QEvent* event)
{
    TextLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fixHeight();
    }
}

void ElidedParagraph::paintEvent(QPaintEvent* event)
{
    if (heightForWidth(width()) <= height()) {
        TextLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    const QRect area = contentsRect();
    style()->drawItemText(&painter, area, Qt::AlignLeft | Qt::AlignTop, palette(), isEnabled(),
        elidedLines(text(), font(), area.width(), m_lines).join(u'\n'), foregroundRole());
}

QStringList elidedLines(const QString& text, const QFont& font, int width, int lines)
{
    QTextLayout layout(text, font);
    layout.beginLayout();
    QStringList shown;
    while (shown.size() < lines) {
        QTextLine line = layout.createLine();
        if (!line.isValid()) {
            break;
        }
        line.setLineWidth(width);
        const bool last = shown.size() == lines - 1;
        shown << (last
                ? QFontMetrics(font).elidedText(text.mid(line.textStart()), Qt::ElideRight, width)
                : text.mid(line.textStart(), line.textLength()).trimmed());
    }
    layout.endLayout();
    return shown;
}

ElidedLabel::ElidedLabel(const QString& text, Tint tint, QWidget* parent)
    : QWidget(parent)
    , m_tint(tint)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setText(text);
}

void ElidedLabel::setText(const QString& text)
{
    if (text == m_text) {
        return;
    }
    m_text = text;
    setAccessibleName(text);
    setToolTip(plainToolTip(text));
    updateGeometry();
    update();
}

void ElidedLabel::setTint(Tint tint)
{
    m_tint = tint;
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {40, fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(tintColour(Colours::now(), m_tint));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        fontMetrics().elidedText(m_text, Qt::ElideRight, width()));
}

QFrame* makeCard(const char* kind, QWidget* parent)
{
    auto* card = new QFrame(parent);
    setCardKind(card, kind);
    return card;
}

void setCardKind(QFrame* card, const char* kind)
{
    setLook(card, "card", QString::fromLatin1(kind));
}

QLineEdit* addLabelledLine(
    QLayout* layout, const QString& label, const QString& name, const QString& text)
{
    auto* edit = new QLineEdit(text);
    edit->setObjectName(name);
    edit->setAccessibleName(label);
    auto* words = new TextLabel(label);
    words->setBuddy(edit);
    layout->addWidget(words);
    layout->addWidget(edit);
    return edit;
}

QPushButton* makeButton(const QString& verb, ButtonKind kind, QWidget* parent)
{
    auto* button = new EnterButton(parent);
    button->setText(QString(verb).replace(u'&', u"&&"_s));
    button->setAccessibleName(verb);
    button->setCursor(Qt::PointingHandCursor);
    button->setAutoDefault(false);
    setButtonKind(button, kind);
    return button;
}

void setButtonKind(QPushButton* button, ButtonKind kind)
{
    setLook(button, "primary", kind == ButtonKind::Primary);
    setLook(button, "danger", kind == ButtonKind::Danger);
    setLook(button, "quiet", kind == ButtonKind::Quiet);
    setLook(button, "link", kind == ButtonKind::Link);
}

void setLook(QWidget* widget, const char* property, const QVariant& value)
{
    if (widget->property(property) == value) {
        return;
    }
    widget->setProperty(property, value);
    if (widget->testAttribute(Qt::WA_WState_Polished)) {
        widget->style()->unpolish(widget);
        widget->style()->polish(widget);
        widget->update();
    }
}

QString plainToolTip(const QString& text)
{
    return text.isEmpty() ? QString() : u"<span>"_s % text.toHtmlEscaped() % u"</span>"_s;
}

void clearLayout(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        } else if (item->layout()) {
            clearLayout(item->layout());
        }
        delete item;
    }
}

} // namespace slipway

#include "moc_text.cpp"
