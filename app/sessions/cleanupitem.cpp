// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/cleanupitem.h"

namespace slipway {

qint64 CleanupList::bytes() const
{
    qint64 sum = 0;
    for (const CleanupItem& item : items)
        sum += item.bytes;
    return sum;
}

} // namespace slipway
