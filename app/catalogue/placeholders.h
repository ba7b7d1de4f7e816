// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

namespace slipway {

// A recipe's command is shell text with placeholders, "python3 x.py --sizes {sizes}". Values are
// inserted as quoted words, so that data never becomes code. Pure.

/// The placeholder names in a command, each once, in order.
QStringList placeholderNames(const QString& command);

/// Why a command cannot be filled safely, in a sentence; empty when it can. A placeholder is not
/// allowed in quotes, back-quotes, a comment or a here-document: quoting would not work there.
QString placeholderProblem(const QString& command);

/// The words of one line of shell text as they are written; blanks inside quotes do not separate
/// words.
QStringList commandWords(const QString& line);

/// The text with each placeholder replaced by its value as a shell word. `raw` holds values that
/// are shell text already.
QString fillPlaceholders(const QString& text, const QMap<QString, QString>& values,
    const QMap<QString, QString>& raw = {});

/// Words as a command of several lines, none longer than about 90 columns, each but the last ended
/// with " \": an option stays on one line with its value. `indent` blanks stand before all but the
/// first line.
QString wrapWords(const QStringList& words, int indent = 4);

} // namespace slipway
