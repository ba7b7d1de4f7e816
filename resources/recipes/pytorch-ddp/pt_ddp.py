# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains one model on all GPUs of the job, or on its CPUs: PyTorch's DistributedDataParallel.

torchrun starts one of this a GPU and says in RANK, LOCAL_RANK and WORLD_SIZE which one it is. The data is shared out,
so twice the GPUs means half the steps for each; after each step all ranks agree on one gradient.
Exit code: 0 trained, 1 no PyTorch or no partners, 2 wrong usage.
"""

import argparse
import datetime
import os
import sys
import time

import points


def say(text=""):
    print(text, flush=True)


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--items", type=int, default=131072)
    parser.add_argument("--batch", type=int, default=512, help="items that one rank takes a step")
    parser.add_argument("--width", type=int, default=4096, help="of the hidden layers")
    options = parser.parse_args(argv)
    if min(options.epochs, options.items, options.batch, options.width) < 1:
        parser.error("all numbers must be 1 or more")
    return options


class Place:
    """Which process this is, and its device."""

    def __init__(self, torch):
        missing = [name for name in ["RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"] if not os.environ.get(name)]
        if missing:
            raise KeyError(f"{', '.join(missing)} not set: start this with torchrun")
        self.rank = int(os.environ["RANK"])
        self.local_rank = int(os.environ.get("LOCAL_RANK", 0))
        self.world = int(os.environ["WORLD_SIZE"])
        self.cuda = torch.cuda.is_available()
        if self.cuda and self.local_rank >= torch.cuda.device_count():
            raise IndexError(f"rank {self.rank} is number {self.local_rank + 1} on its node, which shows "
                             f"{torch.cuda.device_count()} GPUs: start as many processes a node as it has GPUs")
        self.device = torch.device("cuda", self.local_rank) if self.cuda else torch.device("cpu")
        self.name = f"GPU{self.rank}" if self.cuda else f"RANK {self.rank}"


def announce(place, options):
    if place.rank != 0:
        return
    slurm = os.environ.get
    what = f"{place.world} GPUs" if place.cuda else f"{place.world} CPU processes over gloo"
    say(f"Launching on {slurm('SLURM_NNODES', '1')} nodes")
    say(f"Launching on: {slurm('SLURM_JOB_NODELIST', os.uname().nodename)}")
    tasks = slurm("SLURM_NTASKS_PER_NODE", "1")
    say(f"Launching {tasks} tasks per node")
    if tasks == "1" and slurm("SLURM_GPUS_ON_NODE"):
        say(f"Using {slurm('SLURM_GPUS_ON_NODE')} GPUs per task")
    say(f"Training on {what} - {os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}")
    say(f"Dataset has {options.items} items")


def train(torch, place, options):
    data = points.dataset(torch, options.items)
    sampler = torch.utils.data.distributed.DistributedSampler(data, num_replicas=place.world, rank=place.rank)
    loader = torch.utils.data.DataLoader(data, batch_size=options.batch, sampler=sampler, pin_memory=place.cuda)
    model = points.model(torch, options.width).to(place.device)
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[place.local_rank] if place.cuda else None)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.05)
    criterion = torch.nn.CrossEntropyLoss()
    for epoch in range(options.epochs):
        begun = time.perf_counter()
        sampler.set_epoch(epoch)
        total = torch.zeros((), device=place.device)
        for inputs, labels in loader:
            optimiser.zero_grad(set_to_none=True)
            loss = criterion(model(inputs.to(place.device)), labels.to(place.device))
            loss.backward()
            optimiser.step()
            total += loss.detach()
        mean = total.item() / len(loader)  # waits for the GPU
        say(f"[{place.name}] Epoch {epoch} | Batchsize: {options.batch} | Steps: {len(loader)} | Average Loss: {mean:.4f}")
        torch.distributed.barrier()
        if place.rank == 0:
            say(f"Finished epoch {epoch} in {time.perf_counter() - begun:.2f} seconds")


def main(argv):
    options = arguments(argv)
    try:
        import torch
    except ImportError as error:
        print(f"Error: this image has no PyTorch: {error}", file=sys.stderr, flush=True)
        return 1
    try:
        place = Place(torch)
    except (KeyError, IndexError) as error:
        print(f"Error: {error.args[0]}", file=sys.stderr, flush=True)
        return 1
    if place.cuda:
        torch.cuda.set_device(place.device)
    announce(place, options)
    torch.distributed.init_process_group("nccl" if place.cuda else "gloo", timeout=datetime.timedelta(minutes=5))
    say(f"[{place.name}] ready on {os.uname().nodename}")
    train(torch, place, options)
    torch.distributed.barrier()
    if not place.cuda:
        sys.stdout.flush()
        os._exit(0)  # gloo's threads and Python can wait for each other for ever while the group is taken down
    torch.distributed.destroy_process_group()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
