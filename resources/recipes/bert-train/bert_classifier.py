#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Classifies news as fake or real with BERT, a pretrained language model.

Reads train.csv, valid.csv and test.csv (columns label and title, text or titletext; 1 is made up) from a folder
or below a web address. "--model tiny --source drawn" needs neither data nor network: a small transformer on
headlines that this program writes, for a try on a CPU. Where the image has matplotlib, the loss and the confusion
matrix are drawn beside the model. Exit code: 0 done, 1 data or libraries missing, 3 no GPU.
"""

import argparse
import csv
import io
import os
import random
import sys
import time
import urllib.request

SPLITS = ("train", "valid", "test")


def say(text=""):
    print(text, flush=True)


class Missing(Exception):
    """A requirement of this program is missing; the text says what to do."""


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-d", "--device", default="cuda", choices=["cuda", "cpu"], help="default: cuda")
    parser.add_argument("-o", "--output", default=".", help="folder for the model, the numbers and the plots; default: this one")
    parser.add_argument("-s", "--source", default="/code",
                        help="folder or web address of the CSV files, or the word drawn; default: /code, in the container")
    parser.add_argument("--model", default="bert-base-uncased", help="a name of Hugging Face, a folder, or the word tiny")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-5, help="learning rate")
    parser.add_argument("--words", type=int, default=128, help="longest text, in tokens")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    if min(options.epochs, options.batch, options.words) < 1:
        parser.error("--epochs, --batch and --words must be 1 or more")
    return options


def drawn(split):
    """Generated headlines; one word in eight is from the other class, so the task is learnable but not trivial."""
    tone = {1: "shocking secret miracle exposed unbelievable hoax aliens banned".split(),
            0: "senate budget report minister quarter election court agreement".split()}
    plain = "the of about after on new says people city year week plan".split()
    numbers = random.Random(SPLITS.index(split))
    rows = []
    for _ in range({"train": 512, "valid": 128, "test": 256}[split]):
        label = numbers.randint(0, 1)
        words = [numbers.choice(tone[label if numbers.random() > 0.125 else 1 - label] if numbers.random() < 0.4 else plain)
                 for _ in range(12)]
        rows.append((label, " ".join(words)))
    return rows


def rows_of(source, split):
    """(label, text) of one of the three files."""
    if source == "drawn":
        return drawn(split)
    place = source.rstrip("/") + "/" + split + ".csv"
    try:
        if place.startswith(("http://", "https://")):
            with urllib.request.urlopen(place, timeout=60) as answer:
                text = answer.read().decode("utf-8")
        else:
            with open(place, encoding="utf-8", newline="") as file:
                text = file.read()
    except OSError as error:
        raise Missing("{} cannot be read: {}. Name the folder of the three CSV files, and bind it when it lies outside "
                      "of what the container sees.".format(place, error))
    csv.field_size_limit(10**7)
    rows = list(csv.DictReader(io.StringIO(text)))
    column = next((name for name in ("titletext", "text", "title") if rows and name in rows[0]), None)
    if column is None or "label" not in rows[0]:
        raise Missing("{} has no columns label and titletext, text or title.".format(place))
    return [(int(float(row["label"])), row[column] or "") for row in rows]


class Tiny:
    """An untrained transformer of two layers, with words represented by their hash."""

    VOCABULARY = 4096

    def __init__(self, torch):
        nn, width = torch.nn, 32

        class Network(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed = nn.Embedding(Tiny.VOCABULARY, width, padding_idx=0)
                layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.1, batch_first=True)
                self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
                self.out = nn.Linear(width, 2)

            def forward(self, tokens):
                gaps = tokens == 0
                hidden = self.layers(self.embed(tokens), src_key_padding_mask=gaps)
                keep = (~gaps).unsqueeze(-1)
                return self.out((hidden * keep).sum(1) / keep.sum(1).clamp(min=1))

        self.torch, self.network = torch, Network()

    def tokens(self, texts, most):
        rows = [[sum(ord(c) * 31**i for i, c in enumerate(word)) % (self.VOCABULARY - 1) + 1
                 for word in text.lower().split()[:most]] or [1] for text in texts]
        longest = max(map(len, rows))
        return self.torch.tensor([row + [0] * (longest - len(row)) for row in rows])


class Bert:
    """BERT and its tokenizer from transformers; downloaded once, then kept in HF_HOME."""

    def __init__(self, torch, name):
        try:
            import transformers
        except ImportError as error:
            raise Missing("this image has no transformers: {}".format(error))
        transformers.logging.set_verbosity_error()
        try:
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(name)
            model = transformers.AutoModelForSequenceClassification.from_pretrained(name, num_labels=2)
        except OSError as error:
            raise Missing("the model {} cannot be had: {}. Without a way out of the node, fetch it on a login node "
                          "into a folder and name that folder.".format(name, str(error).splitlines()[0]))

        class Network(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.bert = model

            def forward(self, tokens):
                return self.bert(input_ids=tokens, attention_mask=(tokens != 0).long()).logits

        self.network = Network()

    def tokens(self, texts, most):
        return self.tokenizer(list(texts), padding=True, truncation=True, max_length=most, return_tensors="pt")["input_ids"]


class Classifier:
    """The model on its device, with the three data sets."""

    def __init__(self, torch, options):
        self.torch, self.options = torch, options
        say("Building tokenizer from '{}'".format(options.model))
        torch.manual_seed(options.seed)
        self.part = Tiny(torch) if options.model == "tiny" else Bert(torch, options.model)
        say("Creating tabular datasets")
        self.rows = {split: rows_of(options.source, split) for split in SPLITS}
        say("Building iterators")
        say("{} texts to learn from, {} to check, {} for the end".format(*(len(self.rows[s]) for s in SPLITS)))
        say("Creating BERT model" if options.model != "tiny" else "Creating a tiny transformer")
        self.device = torch.device(options.device)
        self.network = self.part.network.to(self.device)

    def batches(self, split, shuffled=None):
        rows = list(self.rows[split])
        if shuffled:
            shuffled.shuffle(rows)
        for at in range(0, len(rows), self.options.batch):
            some = rows[at:at + self.options.batch]
            tokens = self.part.tokens([text for _, text in some], self.options.words)
            yield tokens.to(self.device), self.torch.tensor([label for label, _ in some], device=self.device)

    def judged(self, split):
        """Mean loss, predicted labels, true labels."""
        self.network.eval()
        loss, found, there = 0.0, [], []
        with self.torch.no_grad():
            for tokens, labels in self.batches(split):
                logits = self.network(tokens)
                loss += self.torch.nn.functional.cross_entropy(logits, labels, reduction="sum").item()
                found += logits.argmax(1).tolist()
                there += labels.tolist()
        self.network.train()
        return loss / max(len(there), 1), found, there

    def save(self, name, what):
        path = os.path.join(self.options.output, name)
        self.torch.save(what, path)
        say("Model saved to ==> {}".format(path))


def train(classifier):
    torch, options = classifier.torch, classifier.options
    optimizer = torch.optim.AdamW(classifier.network.parameters(), lr=options.rate)
    numbers, best = random.Random(options.seed), float("inf")
    in_epoch = -(-len(classifier.rows["train"]) // options.batch)
    steps, every, step, curve = in_epoch * options.epochs, max(1, in_epoch // 2), 0, []
    say("Start Training...")
    begun, losses = time.time(), []
    for epoch in range(1, options.epochs + 1):
        for tokens, labels in classifier.batches("train", numbers):
            loss = torch.nn.functional.cross_entropy(classifier.network(tokens), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            losses.append(loss.item())
            if step % every:
                continue
            mean, losses = sum(losses) / len(losses), []
            valid, _, _ = classifier.judged("valid")
            curve.append((step, mean, valid))
            say("Epoch [{}/{}], Step [{}/{}], Train Loss: {:.4f}, Valid Loss: {:.4f}".format(
                epoch, options.epochs, step, steps, mean, valid))
            if valid < best:
                best = valid
                classifier.save("model.pt", classifier.network.state_dict())
                classifier.save("metrics.pt", curve)
    classifier.save("metrics.pt", curve)
    say("Finished Training!")
    draw_loss(curve, options.output)
    say("A total of {} epochs took {:.1f} seconds".format(options.epochs, time.time() - begun))


def plots():
    """matplotlib's pyplot, drawing to files only; None if the image does not have it."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        say("No plots are drawn: this image has no matplotlib. The numbers stand in this log.")
        return None
    return pyplot


def draw_loss(curve, folder):
    pyplot = plots()
    if pyplot is None or not curve:
        return
    steps, training, validation = zip(*curve)
    figure, axes = pyplot.subplots()
    axes.plot(steps, training, label="Train")
    axes.plot(steps, validation, label="Valid")
    axes.set_xlabel("Global Steps")
    axes.set_ylabel("Loss")
    axes.legend()
    path = os.path.join(folder, "loss_v_global_steps.png")
    figure.savefig(path)
    pyplot.close(figure)
    say("Plot of loss vs. global steps saved as {}".format(path))


def draw_confusion(matrix, folder):
    pyplot = plots()
    if pyplot is None:
        return
    figure, axes = pyplot.subplots()
    axes.imshow(matrix, cmap="Blues")
    most = max(map(max, matrix))
    for y, row in enumerate(matrix):
        for x, count in enumerate(row):
            axes.text(x, y, str(count), ha="center", va="center", color="white" if 2 * count > most else "black")
    axes.set_xticks([0, 1])
    axes.set_yticks([0, 1])
    axes.set_xticklabels(["FAKE", "REAL"])
    axes.set_yticklabels(["FAKE", "REAL"])
    axes.set_xlabel("Predicted")
    axes.set_ylabel("True")
    axes.set_title("Confusion Matrix")
    path = os.path.join(folder, "confusion_matrix.png")
    figure.savefig(path)
    pyplot.close(figure)
    say("Confusion matrix saved as {}".format(path))


def evaluate(classifier):
    """The report of the best model in the format of scikit-learn, and its confusion matrix in the format of numpy."""
    say("Evaluating the model")
    best = os.path.join(classifier.options.output, "model.pt")
    classifier.network.load_state_dict(classifier.torch.load(best, map_location=classifier.device))
    say("Model loaded from <== {}".format(best))
    _, found, there = classifier.judged("test")
    say("Classification Report:")
    say("              precision    recall  f1-score   support\n")
    rows, pairs = [], list(zip(found, there))
    for label in (1, 0):
        hit = sum(f == label == t for f, t in pairs)
        called, support = found.count(label), there.count(label)
        precision, recall = hit / max(called, 1), hit / max(support, 1)
        rows.append((precision, recall, 2 * precision * recall / max(precision + recall, 1e-12), support))
        say("{:>12} {:>10.4f} {:>9.4f} {:>9.4f} {:>9d}".format(label, *rows[-1]))
    total = len(there)
    say("\n{:>12} {:>10} {:>9} {:>9.4f} {:>9d}".format("accuracy", "", "", sum(f == t for f, t in pairs) / total, total))
    say("{:>12} {:>10.4f} {:>9.4f} {:>9.4f} {:>9d}".format("macro avg", *(sum(r[i] for r in rows) / 2 for i in range(3)), total))
    say("{:>12} {:>10.4f} {:>9.4f} {:>9.4f} {:>9d}".format(
        "weighted avg", *(sum(r[i] * r[3] for r in rows) / total for i in range(3)), total))
    # One row per true label, one column per predicted label, 1 before 0 as in the report.
    matrix = [[sum(f == column and t == row for f, t in pairs) for column in (1, 0)] for row in (1, 0)]
    width = len(str(max(map(max, matrix))))
    say("\nConfusion matrix:")
    say("[[{:>{w}} {:>{w}}]\n [{:>{w}} {:>{w}}]]".format(*matrix[0], *matrix[1], w=width))
    draw_confusion(matrix, classifier.options.output)


def main(argv):
    options = arguments(argv)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import torch
    except ImportError as error:
        print("Error: this image has no PyTorch: {}".format(error), file=sys.stderr, flush=True)
        return 1
    if options.device == "cuda" and not torch.cuda.is_available():
        print("Error: PyTorch finds no GPU. Does the job ask for one, and is the container started with --nv?",
              file=sys.stderr, flush=True)
        return 3
    said = os.environ.get("SLURM_CPUS_PER_TASK", "")
    if options.device == "cpu" and said.isdigit() and int(said) > 0:
        torch.set_num_threads(int(said))  # more threads than CPUs only wait for each other
    try:
        os.makedirs(options.output, exist_ok=True)
        classifier = Classifier(torch, options)
        train(classifier)
        evaluate(classifier)
    except Missing as error:
        print("Error: {}".format(error), file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
