// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/sign.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>

namespace slipway {

/// TextLabel shows text that may come from anywhere: always as plain text, never as markup. Its
/// role
/// ("title", "second", "caption", "code"…) is what the style sheet emulates it by.
class TextLabel : public QLabel {
    Q_OBJECT

public:
    explicit TextLabel(
        const QString& text = {}, const char* role = nullptr, QWidget* parent = nullptr);
    /// Wraps, and can be marked with the mouse.
    static TextLabel* paragraph(const QString& text, const char* role = nullptr);
    void setTint(Tint tint);
};

/// A label with one line that ends in "…" where there is no room; the whole text is its tool tip.
class ElidedLabel : public QWidget {
    Q_OBJECT

public:
    explicit ElidedLabel(
        const QString& text = {}, Tint tint = Tint::Plain, QWidget* parent = nullptr);
    void setText(const QString& text);
    QString text() const { return m_text; }
    void setTint(Tint tint);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    Tint m_tint;
};

/// A frame of 8-pixel corners and a 1-pixel line. Kinds: "true", "accent", "muted", "warning",
/// "error".
QFrame* makeCard(const char* kind = "true", QWidget* parent = nullptr);
void setCardKind(QFrame* card, const char* kind);

/// Buttons of the house: a verb, and how much it asks to be pressed. An ampersand in a name from
/// elsewhere stays an ampersand.
enum class ButtonKind { Ordinary, Primary, Danger, Quiet, Link };
QPushButton* makeButton(
    const QString& verb, ButtonKind kind = ButtonKind::Ordinary, QWidget* parent = nullptr);
void setButtonKind(QPushButton* button, ButtonKind kind);

/// Sets a property that the style sheet reads, and emulates the widget again.
void setLook(QWidget* widget, const char* property, const QVariant& value);

/// Text for a tool tip: tool tips take markup, names from elsewhere must not.
QString plainToolTip(const QString& text);

/// Removes everything from a layout, widgets and all.
void clearLayout(QLayout* layout);

} // namespace slipway
