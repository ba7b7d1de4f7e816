# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that survives a restart: it writes checkpoints and continues from the last one.

Estimates a curve step by step; each step is saved before the next. Exit code: 0 all steps done, 1 the
checkpoint cannot be read.
"""

import argparse
import json
import os
import sys
import time


def say(text):
    print(text, flush=True)


def load(path):
    """The last step of an earlier start; 0 if there was none."""
    try:
        with open(path, encoding="ascii") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"step": 0, "value": 1.0, "starts": 0}


def save(path, state):
    # Written to a new file and renamed, so that a job that ends during a write leaves the last complete one.
    with open(path + ".part", "w", encoding="ascii") as file:
        json.dump(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--pause", type=float, default=1, help="seconds a step takes")
    parser.add_argument("--checkpoint", default="results/checkpoint.json")
    options = parser.parse_args(argv)
    os.makedirs(os.path.dirname(options.checkpoint) or ".", exist_ok=True)
    try:
        state = load(options.checkpoint)
    except ValueError as error:
        print("Error: {} is not a checkpoint of this program: {}".format(options.checkpoint, error), file=sys.stderr)
        return 1
    state["starts"] += 1
    if state["step"]:
        say("Start {}: found a checkpoint, going on after step {}".format(state["starts"], state["step"]))
    else:
        say("Start {}: no checkpoint, beginning".format(state["starts"]))
    while state["step"] < options.steps:
        time.sleep(options.pause)
        state["step"] += 1
        state["value"] *= 0.9
        save(options.checkpoint, state)
        say("Step {} of {}: value {:.5f}, saved".format(state["step"], options.steps, state["value"]))
        for name, y in [("value", state["value"]), ("starts", state["starts"])]:
            say("@slipway " + json.dumps({"sample": name, "x": state["step"], "x_name": "step", "y": y}))
    say("All {} steps done in {} starts. No step was done twice.".format(options.steps, state["starts"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
