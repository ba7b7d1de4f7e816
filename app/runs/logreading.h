// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QtGlobal>

namespace slipway {

// A whole log is read on the GUI thread, in slices.
constexpr qint64 logSlice = 64 * 1024;
constexpr int readingBudget = 8; ///< ms of reading before other events are processed

} // namespace slipway
