# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long does a function take?"""

import time


def microseconds(torch, function, *arguments, repeats=1):
    """The mean of some calls. A GPU works asynchronously, so it is synchronised before the clock is read."""
    def wait():
        if arguments[0].is_cuda:
            torch.cuda.synchronize()

    wait()
    begun = time.perf_counter()
    for _ in range(repeats):
        function(*arguments)
    wait()
    return (time.perf_counter() - begun) / repeats * 1e6
