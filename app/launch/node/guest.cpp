// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/node/guest.h"

namespace slipway {

qint64 GuestList::bytes() const
{
    qint64 sum = 0;
    for (const GuestItem& item : items)
        sum += item.bytes;
    return sum;
}

} // namespace slipway
