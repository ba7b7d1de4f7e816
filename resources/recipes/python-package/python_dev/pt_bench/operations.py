# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same dot products of the rows of two tensors, written in two ways."""


def mul_sum(a, b):
    """Element by element, then the sum: two passes over memory."""
    return (a * b).sum(-1)


def bmm(a, b):
    """As a batch of matrix products, one row times one column each."""
    rows = a.reshape(-1, 1, a.shape[-1])
    columns = b.reshape(-1, b.shape[-1], 1)
    return rows.bmm(columns).reshape(a.shape[:-1])
