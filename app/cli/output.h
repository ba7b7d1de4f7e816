// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// A text from a cluster or a file, safe for a terminal: controls and escapes become spaces or
/// marks.
QString terminalText(const QString& text);

/// How wide a text stands in a terminal.
int terminalWidth(const QString& text);

/// Output writes for the person or, with --json, for a program: one object a line on stdout.
/// Progress and errors go to stderr: a line that is written over on a terminal, plain lines
/// elsewhere. One for the program, used on its main thread.
class Output {
public:
    bool json = false;

    void line(const QString& text = {});
    void raw(const QByteArray& bytes);
    void object(const QJsonObject& object);
    /// Columns under their headings; the last one is not padded.
    void table(const QStringList& headings, const std::vector<QStringList>& rows);

    /// What is going on; replaces the progress before it.
    void progress(const QString& text);
    /// Takes a progress line off a terminal, before other output.
    void clearProgress();
    void note(const QString& text); ///< a line on stderr
    void error(const Error& error);

private:
    QString m_progress; ///< the last one, so that it is not said twice
    bool m_progressShown = false;
};

} // namespace slipway
