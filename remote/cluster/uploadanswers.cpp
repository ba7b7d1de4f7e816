// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/uploadanswers.h"

#include <QList>

namespace slipway {

std::optional<UploadThere> uploadThere(const QByteArray& line, qint64 most)
{
    const QList<QByteArray> words = line.split(' ');
    bool ok = false;
    UploadThere there;
    there.bytes = words.value(1).toLongLong(&ok);
    there.isWhole = words.value(0) == "file";
    there.sum = words.value(2);
    const bool isKnown = there.isWhole || words.value(0) == "part";
    const qint64 least = there.isWhole ? most : 0; // a whole file is as long as this one
    if (!ok || !isKnown || words.size() != 3 || there.bytes < least || there.bytes > most)
        return std::nullopt;
    return there;
}

} // namespace slipway
