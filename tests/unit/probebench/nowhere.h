// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/child.h"

#include <fcntl.h>

namespace slipway::probe {

/// A pipe whose other end nobody reads.
inline const ChildPipe& nowhere()
{
    static const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    static const ChildPipe pipe(null);
    return pipe;
}

} // namespace slipway::probe
