// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imagestorescan.h"

#include <QStringList>

namespace slipway {

/// The images of a list by their paths below its folder, in order.
inline QStringList namesOf(const ImageList& list)
{
    QStringList names;
    for (const StoredImage& image : list.images)
        names << image.path.mid(list.folder.size() + 1);
    names.sort();
    return names;
}

} // namespace slipway
