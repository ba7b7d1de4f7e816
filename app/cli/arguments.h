// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// One option that a command takes. A value.
struct OptionSpec {
    QString name; ///< "--site"
    QString valueName; ///< "S"; empty: a switch
    QString help;
    bool repeatable = false;
    QString formerName = {}; ///< "--again": its name in the previous version
};

/// The parsed arguments of one command. A value.
struct Arguments {
    QStringList positional;
    QMap<QString, QStringList> options; ///< by name; a switch has an empty list
    QStringList rest; ///< the words after “--”, of a command that passes them on
    QStringList renamed; ///< a sentence for each former name that was used

    bool has(const char* name) const { return options.contains(QLatin1String(name)); }
    QString value(const char* name) const { return options.value(QLatin1String(name)).value(0); }
    QStringList values(const char* name) const { return options.value(QLatin1String(name)); }
};

/// Parses the words of a command with QCommandLineParser: "--site demo", "--site=demo", options
/// after words, "--" ends the options, "-" is a word. Errors are ErrorKind::Usage and name the
/// nearest option that exists. `keepsRest`: the words after "--" are kept apart, for a program that
/// gets them. Pure.
Result<Arguments> parseArguments(
    const QStringList& words, const std::vector<OptionSpec>& options, bool keepsRest = false);

/// “--again” is now called “--relaunch”.
QString renamedText(const QString& formerName, const QString& name);

/// The candidate that differs from a word by a few letters; empty: there is none.
QString nearest(const QString& word, const QStringList& candidates);

} // namespace slipway
