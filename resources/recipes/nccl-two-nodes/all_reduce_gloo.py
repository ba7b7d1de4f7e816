# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how fast the tasks of a job sum a buffer, over gloo and CPUs, for nodes without GPUs.

This is not NCCL, and its numbers say nothing about the links between GPUs; what it teaches is the same: each task
finds the others, and large buffers use the network better than small ones.
Exit code: 0 measured, 1 no PyTorch, no partners or a wrong sum, 2 wrong usage.
"""

import argparse
import datetime
import json
import os
import re
import sys
import time

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def say(text=""):
    print(text, flush=True)


def byte_count(text):
    match = re.fullmatch(r"(\d+)([KMG]?)", text.upper())
    if not match or int(match[1]) == 0:
        raise argparse.ArgumentTypeError("a size is a whole number, with K, M or G behind it if you like")
    return int(match[1]) * UNITS[match[2]]


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=byte_count, default="1M")
    parser.add_argument("--most", type=byte_count, default="16M")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args(argv)
    if options.most < options.least or options.repeats < 1:
        parser.error("--most must not be less than --least, and --repeats must be 1 or more")
    return options


def measure(torch, size, repeats):
    """Seconds for one sum over all tasks. The sum is checked."""
    dist = torch.distributed
    count, tasks = size // 4, dist.get_world_size()
    buffer = torch.empty(count)
    taken = []
    for turn in range(repeats + 1):  # the first one opens the connections
        buffer.fill_(dist.get_rank() + 1)
        dist.barrier()
        begun = time.perf_counter()
        dist.all_reduce(buffer)
        taken.append(time.perf_counter() - begun)
    wanted = tasks * (tasks + 1) / 2
    if not bool((buffer == wanted).all()):
        raise ArithmeticError(f"the sum is {buffer[0].item()}, it should be {wanted}")
    slowest = torch.tensor(sum(taken[1:]) / repeats)
    dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
    return slowest.item()


def report(size, seconds, tasks):
    alone = size / seconds
    on_the_bus = alone * 2 * (tasks - 1) / tasks
    say(f"{size:>12} {seconds * 1e6:>12.1f} {alone / 1e9:>10.3f} {on_the_bus / 1e9:>10.3f}")
    for series, y, unit in [("seconds", seconds, "s"), ("algbw", alone, "B/s"), ("busbw", on_the_bus, "B/s")]:
        say("@slipway " + json.dumps({"sample": series, "x": size, "x_name": "size", "y": y, "unit": unit}))
    return on_the_bus


def main(argv):
    options = arguments(argv)
    try:
        import torch
    except ImportError as error:
        print(f"Error: this image has no PyTorch: {error}", file=sys.stderr, flush=True)
        return 1
    rank, tasks = int(os.environ.get("SLURM_PROCID", 0)), int(os.environ.get("SLURM_NTASKS", 1))
    if not os.environ.get("MASTER_ADDR") or not os.environ.get("MASTER_PORT"):
        print("Error: MASTER_ADDR and MASTER_PORT, which the tasks need to connect, are not set", file=sys.stderr, flush=True)
        return 1
    torch.distributed.init_process_group("gloo", rank=rank, world_size=tasks, timeout=datetime.timedelta(seconds=120))
    first = rank == 0
    if first:
        say(f"All-reduce over gloo on the CPUs of {tasks} tasks: Slipway's own small test, not NCCL")
    print(f"Task {rank} on {os.uname().nodename}", flush=True)
    torch.distributed.barrier()
    if first:
        say(f"{'size (B)':>12} {'time (us)':>12} {'algbw GB/s':>10} {'busbw GB/s':>10}")
    size, speeds = options.least, []
    while size <= options.most:
        try:
            seconds = measure(torch, size, options.repeats)
        except ArithmeticError as error:
            print(f"Error: wrong result on task {rank}: {error}", file=sys.stderr, flush=True)
            return 1
        if first:
            speeds.append(report(size, seconds, tasks))
        size *= 2
    if first:
        say(f"Mean bus bandwidth: {sum(speeds) / len(speeds) / 1e9:.3f} GB/s; the sums are right.")
    torch.distributed.barrier()
    sys.stdout.flush()
    os._exit(0)  # gloo's threads and Python can wait for each other for ever while the group is taken down


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
