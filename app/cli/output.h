// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// A text from a cluster or a file, made safe for a terminal: control and escape characters become
/// spaces or replacement characters.
QString terminalText(const QString& text);

/// The width of a text in terminal columns.
int terminalWidth(const QString& text);

/// Output writes text or, with --json, one object per line to stdout. Progress and errors go to
/// stderr: progress overwrites its line on a terminal and is a line elsewhere. The Context owns the
/// only one, used on the main thread.
class Output {
public:
    bool json = false;

    void line(const QString& text = {});
    void raw(const QByteArray& bytes);
    void object(const QJsonObject& object);
    /// Prints columns with headings; the last column is not padded.
    void table(const QStringList& headings, const std::vector<QStringList>& rows);

    /// Shows what the program is doing; replaces the previous progress.
    void progress(const QString& text);
    /// Clears the progress line of a terminal, before other output.
    void clearProgress();
    void note(const QString& text); ///< a line on stderr
    void error(const Error& error);

private:
    QString m_progress; ///< the last one, to show each once
    bool m_progressShown = false;
};

} // namespace slipway
