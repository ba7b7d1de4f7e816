// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/look/colours.h"

#include <QString>

namespace slipway {

/// The style sheet of the application for one set of colours. Dynamic properties tell controls
/// apart: card, primary, quiet, chip, link, role.
QString styleSheet(const Colours& colours, double textScale);

} // namespace slipway
