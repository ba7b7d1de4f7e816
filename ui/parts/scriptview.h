// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

namespace slipway {

/// ShellColours highlights a shell script: #SBATCH lines in the accent colour, comments in grey,
/// strings and the option --nv in their own colours. Follows the palette. Owned by its document.
class ShellColours : public QSyntaxHighlighter {
    Q_OBJECT

public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override;
};

/// ScriptView shows a script as plain text, without line numbers or wrapping, read-only by default.
/// GUI thread; the page that shows it owns it.
class ScriptView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit ScriptView(QWidget* parent = nullptr);
    /// Keeps the scroll position, so that a preview does not jump while the person types in a
    /// field.
    void setScript(const QByteArray& bytes);
    QByteArray script() const { return toPlainText().toUtf8(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    ShellColours* m_colours;
};

} // namespace slipway
