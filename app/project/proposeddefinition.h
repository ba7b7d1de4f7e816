// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/proposal.h"

namespace slipway {

/// A definition file for a person's own program: the proposed image with its packages in it. The
/// program itself is not in the image, because it is sent with each run. Invalid: nothing was
/// proposed that a definition could start from. Pure.
Result<QString> proposedDefinition(const Proposal& proposal);

} // namespace slipway
