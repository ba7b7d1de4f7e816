// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

namespace slipway {

/// ShellColours emulates a shell script lightly: #SBATCH lines in the accent, comments quiet,
/// strings and the flag --nv told apart. Follows the palette.
class ShellColours : public QSyntaxHighlighter {
    Q_OBJECT

public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override;
};

/// ScriptView is a script as text: plain, without line numbers or wrapping, read-only until asked
/// otherwise.
class ScriptView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit ScriptView(QWidget* parent = nullptr);
    /// Keeps the scroll position, so that a preview does not jump while a field is typed in.
    void setScript(const QByteArray& bytes);
    QByteArray script() const { return toPlainText().toUtf8(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    ShellColours* m_colours;
};

} // namespace slipway
