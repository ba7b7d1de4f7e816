// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

namespace slipway {

/// A value that must not be shown: typed on the terminal without echo, or all of stdin where that
/// is no terminal, without its last newline.
QCoro::Task<Result<QByteArray>> typedSecret(Context& context, QString prompt);

} // namespace slipway
