// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/run.h"

namespace slipway {

bool isTerminal(RunPhase phase)
{
    return phase >= RunPhase::Done;
}

} // namespace slipway
