// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/shell.h"

#include <QCoroTask>

#include <QStringList>

#include <memory>

namespace slipway {

// The folders in one folder of a cluster, to complete a path that a person types.

/// How many names are asked for.
inline constexpr int mostFolderNames = 500;

/// What is typed before the last slash, "/data/im" and "$SCRATCH/x/" → "/data/" and "$SCRATCH/x/";
/// empty: there is nothing to list yet. Pure.
QString folderPart(const QString& path);

/// A script that prints the names of the folders in `folder`, each ended by NUL: one level, at most
/// mostFolderNames, with the variables of a login shell. Empty: that is no folder's path. Pure.
QByteArray folderListScript(const QString& folder);

/// The names, sorted. Those that a path in the form cannot contain are left out: control and
/// invisible characters, quotes, "$", "\", ":" and ",". Pure.
QStringList readFolderNames(const QByteArray& answer);

/// The names of the folders in `folder`; empty if they cannot be read, for whatever reason.
QCoro::Task<QStringList> listFolders(std::shared_ptr<Shell> shell, QString folder);

} // namespace slipway
