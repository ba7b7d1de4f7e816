// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QStringList>

namespace slipway {

/// The options with which ssh would do something that is not done here: of those that `ssh -G`
/// printed, the ones that the person set. It prints every option, so those of algorithms and the
/// like are compared with `defaults`, its output without the person's file; where that is empty,
/// they are left out. Pure.
QStringList ignoredOptions(const QByteArray& printed, const QByteArray& defaults);

} // namespace slipway
