// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/cleanupitem.h"

namespace slipway {

// Texts about what Slipway has left on a cluster. All pure.

QString cleanupKindName(CleanupItem::Kind kind); ///< "Run folders"
bool isSlipwayFile(CleanupItem::Kind kind); ///< neither a process nor a job
QString cleanupName(const CleanupItem& item); ///< its path, or "job 42"
QString cleanupSize(qint64 bytes); ///< empty if it has none
QString cleanupCount(qsizetype count); ///< "3 items"
/// What a confirmation shows for an item, with the word for its kind only if the name does not
/// tell.
QString cleanupLine(const CleanupItem& item);

/// "3 removed, 1 left: its job is running". `left` holds the items of `asked` that still exist,
/// each with its reason.
QString removalWords(const CleanupList& asked, const CleanupList& left);

} // namespace slipway
