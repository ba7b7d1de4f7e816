// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#define SLIPWAY_ISA isaAvx512
#include "remote/probe/bench/isakernels.h"
