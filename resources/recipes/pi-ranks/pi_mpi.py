#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates pi with random points, on as many MPI ranks as the launcher starts.

Every rank throws its share of the darts; the hits are summed on rank 0. Takes mpi4py where the image has it,
else the image's MPI library itself. Exit code: 0 done, 1 no MPI in the image, 2 wrong usage.
"""

import argparse
import ctypes
import json
import math
import random
import socket
import sys
import time


def say(text):
    # One write per line, because many ranks write to one file.
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Mpi4py:
    """MPI as mpi4py offers it."""

    def __init__(self):
        from mpi4py import MPI
        self._mpi = MPI
        self._world = MPI.COMM_WORLD
        self.rank, self.size = self._world.Get_rank(), self._world.Get_size()
        self.library = MPI.Get_library_version()

    def sum(self, value):
        return self._world.reduce(value, op=self._mpi.SUM, root=0)

    def barrier(self):
        self._world.Barrier()

    def finish(self):
        pass  # mpi4py does it when Python ends


class PlainMpi:
    """The MPI library without mpi4py: five functions by ctypes. The two families name their constants differently."""

    NAMES = ["libmpi.so", "libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi.so.20"]

    def __init__(self):
        self._lib = self._load()
        text, length = ctypes.create_string_buffer(8192), ctypes.c_int()
        self._lib.MPI_Get_library_version(text, ctypes.byref(length))
        self.library = text.value.decode(errors="replace")
        if "Open MPI" in self.library:
            def symbol(name):
                return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(self._lib, name)))
            self._world, self._double, self._sum = map(symbol, ["ompi_mpi_comm_world", "ompi_mpi_double", "ompi_mpi_op_sum"])
        else:  # MPICH, Intel MPI, MVAPICH2: one binary interface, plain numbers
            self._world, self._double, self._sum = map(ctypes.c_int, [0x44000000, 0x4C00080B, 0x58000003])
        self._lib.MPI_Init(None, None)
        rank, size = ctypes.c_int(), ctypes.c_int()
        self._lib.MPI_Comm_rank(self._world, ctypes.byref(rank))
        self._lib.MPI_Comm_size(self._world, ctypes.byref(size))
        self.rank, self.size = rank.value, size.value

    def _load(self):
        errors = []
        for name in self.NAMES:
            try:
                return ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
            except OSError as error:
                errors.append(str(error))
        raise OSError(errors[0])

    def sum(self, value):
        mine, total = ctypes.c_double(value), ctypes.c_double(0)
        self._lib.MPI_Reduce(ctypes.byref(mine), ctypes.byref(total), 1, self._double, self._sum, 0, self._world)
        return total.value

    def barrier(self):
        self._lib.MPI_Barrier(self._world)

    def finish(self):
        self._lib.MPI_Finalize()


def connect():
    try:
        return Mpi4py()
    except ImportError:
        return PlainMpi()


def hits_of(samples, seed):
    """Points inside the quarter circle."""
    throw, hits = random.Random(seed).random, 0
    for _ in range(samples):
        x, y = throw(), throw()
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


def tell(name, y, ranks, unit=""):
    fields = {"sample": name, "x": ranks, "x_name": "ranks", "y": y}
    if unit:
        fields["unit"] = unit
    say("@slipway " + json.dumps(fields))


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", type=int, help="darts, of all ranks together")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    try:
        mpi = connect()
    except OSError as error:
        print("Error: this image has neither mpi4py nor an MPI library: {}".format(error), file=sys.stderr)
        return 1
    if options.samples < mpi.size:
        print("Error: {} samples are fewer than {} ranks.".format(options.samples, mpi.size), file=sys.stderr)
        return 2
    share = options.samples // mpi.size
    if mpi.rank == 0:
        say("MPI inside: " + " ".join(mpi.library.replace("\0", " ").split())[:90])
        say("Computing {} samples on each of the {} ranks".format(share, mpi.size))
    mpi.barrier()
    begun = time.time()
    hits = hits_of(share, options.seed * 100003 + mpi.rank)
    local = 4.0 * hits / share
    say("[{}-{:02d}] Local Estimate: {:.16f}   Error: {:.16f}".format(
        socket.gethostname(), mpi.rank, local, abs(local - math.pi)))
    total = mpi.sum(float(hits))
    if mpi.rank == 0:
        seconds = time.time() - begun
        estimate = 4.0 * total / (share * mpi.size)
        error = abs(estimate - math.pi)
        say("Finished computing {} samples in {:.3f} seconds".format(share * mpi.size, seconds))
        say("Final Estimate: {:.16f}   Error: {:.16f}".format(estimate, error))
        tell("seconds", seconds, mpi.size, "s")
        tell("pi_error", error, mpi.size)
    mpi.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
