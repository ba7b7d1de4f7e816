// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/cleanupitem.h"

namespace slipway {

// Words for what Slipway has on a cluster. All pure.

QString cleanupKindName(CleanupItem::Kind kind); ///< "Run folders"
bool isSlipwayFile(CleanupItem::Kind kind); ///< no process and no job
QString cleanupName(const CleanupItem& item); ///< its path, "job 42"
QString cleanupSize(qint64 bytes); ///< empty where there is none
QString cleanupCount(qsizetype count); ///< "3 things"
/// What a confirmation shows of a thing: its kind's word only where its name does not say it.
QString cleanupLine(const CleanupItem& item);

/// "3 removed, 1 left: its job runs". `left` is what of `asked` is still there, each with its
/// reason.
QString removalWords(const CleanupList& asked, const CleanupList& left);

} // namespace slipway
