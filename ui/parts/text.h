// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/sign.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>

class QLineEdit;

namespace slipway {

/// TextLabel shows text of any origin, always as plain text and never as markup. Its role ("title",
/// "second", "caption", "code"…) selects its look in the style sheet. GUI thread; its parent owns
/// it.
class TextLabel : public QLabel {
    Q_OBJECT

public:
    explicit TextLabel(
        const QString& text = {}, const char* role = nullptr, QWidget* parent = nullptr);
    /// Wraps, and can be selected with the mouse.
    static TextLabel* paragraph(const QString& text, const char* role = nullptr);
    void setTint(Tint tint);
};

/// A TextLabel of one line that ends in "…" if it does not fit; the tool tip has the whole text.
/// Its role gives it its look. GUI thread; its parent owns it.
class ElidedText : public TextLabel {
    Q_OBJECT

public:
    using TextLabel::TextLabel;
    void setText(const QString& text);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A wrapping TextLabel of a fixed number of lines, the last of which ends in "…" if the text is
/// longer; the tool tip has the whole text. GUI thread; its parent owns it.
class ElidedParagraph : public TextLabel {
    Q_OBJECT

public:
    explicit ElidedParagraph(int lines, const char* role = nullptr, QWidget* parent = nullptr);
    void setText(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fixHeight();

    int m_lines;
};

/// The text in at most so many lines of that width, in pixels; the last one ends in "…" if there is
/// more of it.
QStringList elidedLines(const QString& text, const QFont& font, int width, int lines);

/// A label of one line that ends in "…" if it does not fit; the tool tip has the whole text.
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

/// A frame with 8-pixel corners and a 1-pixel border. Kinds: "true", "accent", "muted", "warning",
/// "error".
QFrame* makeCard(const char* kind = "true", QWidget* parent = nullptr);
void setCardKind(QFrame* card, const char* kind);

/// A button with a verb, in one of the styles of the application. Enter presses it while it has the
/// focus. An ampersand in the text is shown as an ampersand.
enum class ButtonKind { Ordinary, Primary, Danger, Quiet, Link };
QPushButton* makeButton(
    const QString& verb, ButtonKind kind = ButtonKind::Ordinary, QWidget* parent = nullptr);
void setButtonKind(QPushButton* button, ButtonKind kind);

/// A field below its label, which names it for a screen reader as well; both go to the end of the
/// layout. `name` is its object name.
QLineEdit* addLabelledLine(
    QLayout* layout, const QString& label, const QString& name, const QString& text = {});

/// Sets a property that the style sheet reads, and applies the style again.
void setLook(QWidget* widget, const char* property, const QVariant& value);

/// Text for a tool tip, escaped: tool tips interpret markup, which names from elsewhere must not
/// contain.
QString plainToolTip(const QString& text);

/// Deletes everything in a layout, including the widgets.
void clearLayout(QLayout* layout);

} // namespace slipway
