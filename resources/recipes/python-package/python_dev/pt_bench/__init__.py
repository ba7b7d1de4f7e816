# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two ways to multiply batches of matrices, timed. A small package to practise with."""

from .operations import bmm, mul_sum
from .timing import microseconds

__all__ = ["bmm", "microseconds", "mul_sum"]
__version__ = "1.0"
