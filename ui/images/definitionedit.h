// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

namespace slipway {

/// DefinitionColours highlights a definition file: sections and the keys of the header in the
/// accent colour, comments in grey, a section that does not exist in the colour of errors. Owned by
/// its document.
class DefinitionColours : public QSyntaxHighlighter {
    Q_OBJECT

public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override;
};

/// DefinitionEdit edits a definition file as plain text. Tab goes to the next control. GUI thread;
/// BuildEditor owns it.
class DefinitionEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit DefinitionEdit(QWidget* parent = nullptr);
    /// Selects lines of the text and shows them; they count from 1.
    void showLines(int first, int last);

protected:
    void changeEvent(QEvent* event) override;

private:
    DefinitionColours* m_colours;
};

/// Selects lines of any text and shows them.
void selectLines(QPlainTextEdit* edit, int first, int last);

} // namespace slipway
