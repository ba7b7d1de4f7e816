# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of your own program as live curves in Slipway. One file, no packages, Python 3.6 or newer.

    import slipway_metrics as metrics
    metrics.sample("loss", 0.25, step=10)
    metrics.sample("throughput", 1200.0, step=10, unit="img/s", lane="gpu 0")
    metrics.event("checkpoint", "Saved model.pt")

Each call prints one line of standard output, which Slipway finds in the log. Elsewhere it is only a line of text.
"""

import json
import math
import sys
import threading

_lock = threading.Lock()


def _number(value):
    value = float(value)  # also of a tensor or an array with one element
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")


def _say(fields):
    line = "@slipway " + json.dumps(fields) + "\n"
    with _lock:
        sys.stdout.write(line)
        sys.stdout.flush()


def sample(name, y, step=None, x=None, x_name=None, unit="", lane="", low=None, high=None):
    """One point of the curve `name`. Without a step or another x it is drawn at the time of its line."""
    fields = {"sample": str(name), "y": _number(y)}
    if x is None and step is not None:
        x, x_name = step, x_name or "step"
    if x is not None:
        fields["x"] = _number(x)
        fields["x_name"] = x_name or "x"
    if unit:
        fields["unit"] = str(unit)
    if lane:
        fields["lane"] = str(lane)
    for key, value in (("low", low), ("high", high)):
        if value is not None:
            fields[key] = _number(value)
    _say(fields)


def samples(values, step=None, **options):
    """Several points at one step: samples({"loss": 0.25, "accuracy": 0.9}, step=10)."""
    for name, value in values.items():
        sample(name, value, step=step, **options)


def event(name, text="", **values):
    """Something that happened: a line of text, never a curve."""
    fields = {"event": str(name), "text": str(text)}
    for key, value in values.items():
        fields[key] = value if isinstance(value, (bool, int, str)) else str(value)
    _say(fields)
