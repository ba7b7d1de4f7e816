# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains a small convolutional network on handwritten digits (MNIST) and times it. For TensorFlow 2.

Prints one line an epoch for people and, beside it, "@slipway {...}" lines for machines.
Exit code: 0 done, 1 no data or no TensorFlow, 2 wrong usage, 3 a GPU was wanted and is not there.
"""

import argparse
import json
import os
import sys
import time


def say(text=""):
    print(text, flush=True)


def fail(text, code):
    print("Error: " + text, file=sys.stderr, flush=True)
    return code


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=["gpu", "cpu"], required=True)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--data", default="", help="an mnist.npz that is here already; empty: Keras fetches it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lane", default="", help="the name of this competitor")
    options = parser.parse_args(argv)
    if options.epochs < 1 or options.batch < 1:
        parser.error("--epochs and --batch must be 1 or more")
    options.lane = options.lane or options.device
    return options


def load(tf, path):
    """The digits as numbers from 0 to 1, with a channel axis."""
    # Keras looks in ~/.keras/datasets for a relative name; an absolute path is used as it is.
    (x, y), (x_test, y_test) = tf.keras.datasets.mnist.load_data(os.path.abspath(path) if path else "mnist.npz")
    return (x[..., None] / 255.0).astype("float32"), y, (x_test[..., None] / 255.0).astype("float32"), y_test


class Training:
    """One network with its optimizer and the numbers of the epoch that runs."""

    def __init__(self, tf):
        self.tf = tf
        layers = tf.keras.layers
        self.model = tf.keras.Sequential([
            layers.Conv2D(32, 3, activation="relu"), layers.Flatten(),
            layers.Dense(128, activation="relu"), layers.Dense(10),
        ])
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.optimizer = tf.keras.optimizers.Adam()
        self.train_step = tf.function(self._train_step)
        self.test_step = tf.function(self._test_step)
        self.begin_epoch()
        self.model.build((None, 28, 28, 1))

    # New ones in each epoch, because the method to reset them differs between Keras 2 and 3.
    def begin_epoch(self):
        metrics = self.tf.keras.metrics
        if not hasattr(self, "numbers"):
            self.numbers = [metrics.Mean(), metrics.SparseCategoricalAccuracy(),
                            metrics.Mean(), metrics.SparseCategoricalAccuracy()]
            return
        for number in self.numbers:
            (number.reset_state if hasattr(number, "reset_state") else number.reset_states)()

    def _train_step(self, images, labels):
        with self.tf.GradientTape() as tape:
            logits = self.model(images, training=True)
            loss = self.loss(labels, logits)
        weights = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        self.numbers[0].update_state(loss)
        self.numbers[1].update_state(labels, logits)

    def _test_step(self, images, labels):
        logits = self.model(images, training=False)
        self.numbers[2].update_state(self.loss(labels, logits))
        self.numbers[3].update_state(labels, logits)

    def epoch(self, train, test):
        """Loss, accuracy in percent, test loss, test accuracy in percent."""
        self.begin_epoch()
        for images, labels in train:
            self.train_step(images, labels)
        for images, labels in test:
            self.test_step(images, labels)
        loss, accuracy, test_loss, test_accuracy = (float(number.result()) for number in self.numbers)
        return loss, 100 * accuracy, test_loss, 100 * test_accuracy


def tell(lane, epoch, numbers):
    names = ["train_loss", "train_accuracy", "test_loss", "test_accuracy"]
    for name, value in zip(names, numbers):
        fields = {"sample": name, "lane": lane, "x": epoch, "x_name": "epoch", "y": value}
        if name.endswith("accuracy"):
            fields["unit"] = "%"
        say("@slipway " + json.dumps(fields))


def main(argv):
    options = arguments(argv)
    if options.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    try:
        import tensorflow as tf
    except ImportError as error:
        return fail("this image has no TensorFlow: {}".format(error), 1)
    say("Tensorflow version: " + tf.__version__)
    gpus = tf.config.list_physical_devices("GPU")
    say(str(gpus))
    if options.device == "gpu" and not gpus:
        # TensorFlow would continue on the CPU, ten times slower and without a message.
        return fail("TensorFlow finds no GPU. Does the job ask for one, and is the container started with --nv?", 3)
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    tf.random.set_seed(options.seed)
    try:
        x, y, x_test, y_test = load(tf, options.data)
    except Exception as error:  # Keras raises plain exceptions when a download fails
        return fail("MNIST cannot be had: {}. Without a way out of the node, fetch mnist.npz on a login node "
                    "and name it as data.".format(error), 1)
    data = tf.data.Dataset.from_tensor_slices
    train = data((x, y)).shuffle(10000, seed=options.seed).batch(options.batch)
    test = data((x_test, y_test)).batch(options.batch)
    training, begun = Training(tf), time.time()
    for epoch in range(1, options.epochs + 1):
        epoch_begun = time.time()
        numbers = training.epoch(train, test)
        say("@slipway " + json.dumps({"sample": "epoch_seconds", "lane": options.lane, "x": epoch, "x_name": "epoch",
                                      "y": time.time() - epoch_begun, "unit": "s"}))
        say("Epoch {}, Loss: {}, Accuracy: {}, Test Loss: {}, Test Accuracy: {}".format(epoch, *numbers))
        tell(options.lane, epoch, numbers)
    seconds = time.time() - begun
    say("A total of {} epochs took {:.1f} seconds".format(options.epochs, seconds))
    say("@slipway " + json.dumps({"sample": "total_seconds", "lane": options.lane, "x": options.epochs,
                                  "x_name": "epochs", "y": seconds, "unit": "s"}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
