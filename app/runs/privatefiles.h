// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFile>
#include <QString>

namespace slipway {

/// What Slipway keeps of runs is nobody else's business: logs and scripts may hold names, paths and
/// tokens. Files are 0600 and folders 0700, whatever the umask says.
inline constexpr QFile::Permissions privateFile = QFile::ReadOwner | QFile::WriteOwner;
inline constexpr QFile::Permissions privateFolder = privateFile | QFile::ExeOwner;

/// Makes a folder with its parents, for this account alone. One that others could enter before is
/// closed with everything in it.
void makePrivateFolder(const QString& path);

/// Takes a file away from others; one that does not exist is made, empty.
void makePrivateFile(const QString& path);

/// The same for a database of SQLite, which gives the files that it makes beside it the same
/// permissions; those that are there already are taken away from others too.
void makePrivateDatabase(const QString& path);

} // namespace slipway
