// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFile>
#include <QString>

namespace slipway {

/// The local files of runs are private: logs and scripts may contain names, paths and tokens. Files
/// are 0600 and folders 0700, whatever the umask is.
inline constexpr QFile::Permissions privateFile = QFile::ReadOwner | QFile::WriteOwner;
inline constexpr QFile::Permissions privateFolder = privateFile | QFile::ExeOwner;

/// Creates a folder with its parents, for this account only. An existing folder that others can
/// enter is closed, with everything in it.
void makePrivateFolder(const QString& path);

/// Makes a file private; a missing one is created empty.
void makePrivateFile(const QString& path);

/// The same for an SQLite database, which gives its auxiliary files the same permissions; existing
/// ones are made private too.
void makePrivateDatabase(const QString& path);

} // namespace slipway
