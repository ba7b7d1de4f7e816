// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/node/guest.h"

namespace slipway {

// Words for what Slipway has on a cluster. All pure.

QString guestKindName(GuestItem::Kind kind); ///< "Run folders"
bool isGuestFile(GuestItem::Kind kind); ///< no process and no job
QString guestName(const GuestItem& item); ///< its path, "job 42"
QString guestSize(qint64 bytes); ///< empty where there is none
QString guestCount(qsizetype count); ///< "3 things"
/// What a confirmation shows of a thing: its kind's word only where its name does not say it.
QString guestLine(const GuestItem& item);

/// "3 removed, 1 left: its job runs". `left` is what of `asked` is still there, each with its reason.
QString removalWords(const GuestList& asked, const GuestList& left);

} // namespace slipway
