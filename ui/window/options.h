// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QSize>
#include <QString>
#include <QStringList>

namespace slipway {

/// The options on the command line of the window. A value.
struct WindowOptions {
    QString demoRecipe; ///< start the demo cluster if needed, and run this recipe
    bool benchmarkStartup = false; ///< print the milliseconds to the first frame, and quit
    QString screenshot; ///< a file: show a page, save a picture of it there, and quit
    QString page; ///< "sites", "launch:RECIPE", "compare:RUN,RUN", the id of a run: as in --help
    QString project; ///< a program or folder of this computer, to be read and launched
    QString theme; ///< light or dark; empty: the last choice, else that of the system
    QSize size;
    bool shares = true; ///< its connections with other programs
    bool help = false;
    bool version = false;
};

/// Reads the arguments after the program name. The error names the one that is not valid.
Result<WindowOptions> parseWindowOptions(const QStringList& arguments);
QString windowHelp();

} // namespace slipway
