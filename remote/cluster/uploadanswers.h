// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

#include <optional>

namespace slipway {

/// What the cluster has: the complete file, or a part.
struct UploadThere {
    bool isWhole = false;
    qint64 bytes = 0;
    QByteArray sum;
};

/// Reads the first line of uploadScript(): "file BYTES SUM" or "part BYTES SUM", of a file of
/// `most` bytes; nothing: it is no such line. Pure.
std::optional<UploadThere> uploadThere(const QByteArray& line, qint64 most);

} // namespace slipway
