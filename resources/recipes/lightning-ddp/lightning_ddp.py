# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The training of pt_ddp.py with PyTorch Lightning, which handles data distribution, devices and the progress bar.

Slurm starts one of this a GPU; Lightning reads from Slurm's variables which one it is.
Exit code: 0 trained, 1 no Lightning or a wrong start, 2 wrong usage.
"""

import argparse
import os
import sys

import points


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, required=True)
    parser.add_argument("--processes", type=int, required=True, help="tasks, and GPUs, of one node")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--items", type=int, default=131072)
    parser.add_argument("--batch", type=int, default=512, help="items that one rank takes a step")
    parser.add_argument("--width", type=int, default=4096, help="of the hidden layers")
    options = parser.parse_args(argv)
    if min(options.nodes, options.processes, options.epochs, options.items, options.batch, options.width) < 1:
        parser.error("all numbers must be 1 or more")
    return options


def complaint(torch, options):
    """Why this cannot work: Lightning itself would wait forever, or stop with a message that is hard to understand."""
    tasks = int(os.environ.get("SLURM_NTASKS", options.nodes * options.processes))
    if tasks != options.nodes * options.processes:
        return (f"Slurm started {tasks} tasks, and {options.nodes} nodes with {options.processes} processes each need "
                f"{options.nodes * options.processes}: make the tasks of a node as many as its GPUs")
    if torch.cuda.is_available() and torch.cuda.device_count() < options.processes:
        return f"this task sees {torch.cuda.device_count()} GPUs, {options.processes} are needed on each node"
    return None


def module_class(torch, lightning):
    class Clouds(lightning.LightningModule):
        """The model, its loss and its optimiser, as Lightning requires, without any code for devices."""

        def __init__(self, width):
            super().__init__()
            self.model = points.model(torch, width)
            self.save_hyperparameters()

        def training_step(self, batch, batch_number):
            inputs, labels = batch
            loss = torch.nn.functional.cross_entropy(self.model(inputs), labels)
            self.log("train_loss", loss, prog_bar=True)
            return loss

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.05)

    return Clouds


def main(argv):
    options = arguments(argv)
    try:
        import torch
        import lightning
    except ImportError as error:
        print(f"Error: {error}. This needs an image with Lightning: the recipe Lightning image builds one.",
              file=sys.stderr, flush=True)
        return 1
    why_not = complaint(torch, options)
    if why_not:
        print(f"Error: {why_not}", file=sys.stderr, flush=True)
        return 1
    data = points.dataset(torch, options.items)
    loader = torch.utils.data.DataLoader(data, batch_size=options.batch, shuffle=True, num_workers=0)
    trainer = lightning.Trainer(accelerator="auto", strategy="ddp", num_nodes=options.nodes, devices=options.processes,
                                max_epochs=options.epochs, log_every_n_steps=10)
    trainer.fit(module_class(torch, lightning)(options.width), loader)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
