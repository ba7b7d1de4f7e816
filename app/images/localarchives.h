// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/localbuild.h"

#include <QByteArray>

namespace slipway {

// Archives of images on this computer that wait for their upload: a file and, beside it, a stamp of
// what it was built from, so that a repeated command continues the upload of the same bytes. Two
// builds of one Dockerfile never give the same bytes.

/// The stamp of the Dockerfile and of the names, sizes and times in its folder, for one platform.
/// Reads the disk; any thread. An error: the Dockerfile cannot be read.
Result<QByteArray> archiveStamp(const LocalBuild& build);

/// Where the archive of this image is kept, in a folder that only this account can read.
Result<QString> archiveFile(const QString& name);

bool isArchiveOf(const QString& file, const QByteArray& stamp);
void noteArchive(const QString& file, const QByteArray& stamp);
void forgetArchive(const QString& file);

} // namespace slipway
