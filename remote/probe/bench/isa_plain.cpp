// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#undef __ARM_NEON // the portable one, here too
#define SLIPWAY_ISA isaPlain
#include "remote/probe/bench/isakernels.h"
