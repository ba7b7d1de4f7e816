// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <vector>

namespace slipway::probe {

/// What every check knows of the node. A value, gathered once.
struct Facts {
    std::vector<std::string> gpus; ///< UUIDs that CUDA lets this process use
};

} // namespace slipway::probe
