# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains a small network to read digits that this program generates: no download, any PyTorch.

Prints loss and accuracy every few steps and after each epoch, then a classification report; "@slipway {...}"
lines say the same for machines. Exit code: 0 done, 1 no PyTorch, 2 wrong usage, 3 no GPU.
"""

import argparse
import json
import os
import sys
import time

# Five columns and seven rows per digit, one number per row: the font of small displays.
FONT = {
    0: [14, 17, 19, 21, 25, 17, 14], 1: [4, 12, 4, 4, 4, 4, 14], 2: [14, 17, 1, 2, 4, 8, 31],
    3: [31, 2, 4, 2, 1, 17, 14], 4: [2, 6, 10, 18, 31, 2, 2], 5: [31, 16, 30, 1, 1, 17, 14],
    6: [6, 8, 16, 30, 17, 17, 14], 7: [31, 1, 2, 4, 8, 8, 8], 8: [14, 17, 17, 14, 17, 17, 14],
    9: [14, 17, 17, 15, 1, 2, 12],
}
SIDE = 12  # rows and columns of an image


def say(text=""):
    print(text, flush=True)


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--images", type=int, default=20000, help="drawn for training; a fifth more for each test")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.003, help="how far one step moves the weights")
    parser.add_argument("--noise", type=float, default=0.35, help="how dirty the images are, 0 to 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lane", default="", help="the name of this competitor")
    options = parser.parse_args(argv)
    if min(options.epochs, options.batch) < 1 or options.images < options.batch:
        parser.error("--epochs and --batch must be 1 or more, and --images no less than --batch")
    options.lane = options.lane or options.device
    return options


def cpus():
    """The CPUs of the job; more threads than that only wait for each other."""
    said = os.environ.get("SLURM_CPUS_PER_TASK", "")
    there = len(os.sched_getaffinity(0))
    return min(there, int(said)) if said.isdigit() and int(said) > 0 else there


class Teller:
    """Lines for machines, all of one lane."""

    def __init__(self, lane):
        self._lane = lane

    def sample(self, name, x, x_name, y, unit=""):
        fields = {"sample": name, "lane": self._lane, "x": x, "x_name": x_name, "y": y}
        if unit:
            fields["unit"] = unit
        say("@slipway " + json.dumps(fields))


def draw(torch, count, noise, generator):
    """Images of digits, each shifted, thinned and with noise, and their labels."""
    glyphs = torch.zeros(10, SIDE, SIDE)
    for digit, rows in FONT.items():
        for row, bits in enumerate(rows):
            for column in range(5):
                glyphs[digit, row, column] = (bits >> (4 - column)) & 1
    labels = torch.randint(0, 10, (count,), generator=generator)
    # Near the middle, shifted by up to one row and one column.
    down = (SIDE - 7) // 2 + torch.randint(-1, 2, (count,), generator=generator)
    right = (SIDE - 5) // 2 + torch.randint(-1, 2, (count,), generator=generator)
    places = torch.arange(SIDE)
    rows = (places[None, :] - down[:, None]) % SIDE
    columns = (places[None, :] - right[:, None]) % SIDE
    images = glyphs[labels[:, None, None], rows[:, :, None], columns[:, None, :]]
    images = images * (0.6 + 0.4 * torch.rand(count, SIDE, SIDE, generator=generator))
    return images + noise * torch.randn(count, SIDE, SIDE, generator=generator), labels


def network(torch):
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(16 * (SIDE // 2) ** 2, 64), nn.ReLU(), nn.Linear(64, 10),
    )


def judge(torch, model, images, labels):
    """Mean loss and the predicted label of each image."""
    model.eval()
    with torch.no_grad():
        parts = [model(part) for part in images.split(4096)]
        logits = torch.cat(parts)
        loss = torch.nn.functional.cross_entropy(logits, labels).item()
    model.train()
    return loss, logits.argmax(1)


def report(torch, found, labels):
    """Precision, recall and F1 per digit, in the format of scikit-learn."""
    say("Classification Report:")
    say("              precision    recall  f1-score   support\n")
    rows = []
    for digit in range(10):
        hit = int(((found == digit) & (labels == digit)).sum())
        called, there = int((found == digit).sum()), int((labels == digit).sum())
        precision, recall = hit / max(called, 1), hit / max(there, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-12)
        rows.append((precision, recall, f1, there))
        say("{:>12} {:>10.4f} {:>9.4f} {:>9.4f} {:>9d}".format(digit, precision, recall, f1, there))
    total = len(labels)
    accuracy = int((found == labels).sum()) / total
    say("\n{:>12} {:>10} {:>9} {:>9.4f} {:>9d}".format("accuracy", "", "", accuracy, total))
    macro = [sum(row[i] for row in rows) / len(rows) for i in range(3)]
    weighted = [sum(row[i] * row[3] for row in rows) / total for i in range(3)]
    say("{:>12} {:>10.4f} {:>9.4f} {:>9.4f} {:>9d}".format("macro avg", *macro, total))
    say("{:>12} {:>10.4f} {:>9.4f} {:>9.4f} {:>9d}".format("weighted avg", *weighted, total))
    return accuracy, [row[2] for row in rows]


def train(torch, options, teller):
    device = torch.device(options.device)
    generator = torch.Generator().manual_seed(options.seed)
    fifth = max(options.images // 5, 10)
    images, labels = draw(torch, options.images + 2 * fifth, options.noise, generator)
    images, labels = images[:, None].to(device), labels.to(device)
    (x, x_valid, x_test), (y, y_valid, y_test) = (part.split([options.images, fifth, fifth]) for part in (images, labels))
    torch.manual_seed(options.seed)
    model = network(torch).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=options.rate)
    in_epoch = -(-len(x) // options.batch)
    steps, every = options.epochs * in_epoch, max(1, in_epoch // 4)
    say("{} images to learn from, {} to check, {} for the end; {} steps".format(len(x), len(x_valid), len(x_test), steps))
    step, begun = 0, time.time()
    for epoch in range(1, options.epochs + 1):
        epoch_begun = time.time()
        order = torch.randperm(len(x), generator=generator).to(device)
        loss_sum = hits = seen = 0.0
        for part in order.split(options.batch):
            step += 1
            logits = model(x[part])
            loss = torch.nn.functional.cross_entropy(logits, y[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss_sum += loss.item() * len(part)
            hits += (logits.argmax(1) == y[part]).sum().item()
            seen += len(part)
            if step % every:
                continue
            valid_loss, found = judge(torch, model, x_valid, y_valid)
            accuracy = 100 * (found == y_valid).float().mean().item()
            say("Epoch [{}/{}], Step [{}/{}], Train Loss: {:.4f}, Valid Loss: {:.4f}, Train Accuracy: {:.2f}, Valid Accuracy: {:.2f}".format(
                epoch, options.epochs, step, steps, loss_sum / seen, valid_loss, 100 * hits / seen, accuracy))
            teller.sample("train_loss", step, "step", loss_sum / seen)
            teller.sample("valid_loss", step, "step", valid_loss)
            teller.sample("train_accuracy", step, "step", 100 * hits / seen, "%")
            teller.sample("valid_accuracy", step, "step", accuracy, "%")
            loss_sum = hits = seen = 0.0
        teller.sample("epoch_seconds", epoch, "epoch", time.time() - epoch_begun, "s")
        test_loss, found = judge(torch, model, x_test, y_test)
        accuracy = 100 * (found == y_test).float().mean().item()
        say("Epoch {}, Test Loss: {:.4f}, Test Accuracy: {:.2f}".format(epoch, test_loss, accuracy))
        teller.sample("test_loss", epoch, "epoch", test_loss)
        teller.sample("test_accuracy", epoch, "epoch", accuracy, "%")
    seconds = time.time() - begun
    say("A total of {} epochs took {:.1f} seconds\n".format(options.epochs, seconds))
    teller.sample("total_seconds", options.epochs, "epochs", seconds, "s")
    accuracy, f1 = report(torch, judge(torch, model, x_test, y_test)[1], y_test)
    for digit, value in enumerate(f1):
        teller.sample("f1", digit, "digit", value)
    teller.sample("accuracy", 1, "report", accuracy)
    os.makedirs("results", exist_ok=True)
    name = "results/digits-{}.pt".format("".join(c if c.isalnum() else "-" for c in options.lane))
    torch.save(model.state_dict(), name)
    say("Model saved to ==> {}".format(name))
    say("@slipway " + json.dumps({"event": "done", "text": "{:.2f} % of the test images are read right".format(100 * accuracy),
                                  "lane": options.lane}))


def main(argv):
    options = arguments(argv)
    try:
        import torch
    except ImportError as error:
        print("Error: this image has no PyTorch: {}".format(error), file=sys.stderr, flush=True)
        return 1
    if options.device == "cuda" and not torch.cuda.is_available():
        print("Error: PyTorch finds no GPU: does the job ask for one, is the container started with --nv, and is "
              "this PyTorch built with CUDA?", file=sys.stderr, flush=True)
        return 3
    if options.device == "cpu":
        torch.set_num_threads(cpus())
    threads = torch.get_num_threads()
    processor = "CPU, {} thread{}".format(threads, "" if threads == 1 else "s")
    name = torch.cuda.get_device_name(0) if options.device == "cuda" else processor
    say("PyTorch {} on {}".format(torch.__version__, name))
    say("@slipway " + json.dumps({"event": "device", "text": name, "lane": options.lane, "device": options.device,
                                  "threads": threads, "cpus": cpus()}))
    train(torch, options, Teller(options.lane))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
