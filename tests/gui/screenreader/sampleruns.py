# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs for the window to show: a list of runs as the first version of Slipway wrote it, which each
later one upgrades."""

import datetime
import json
import pathlib
import sqlite3

LOGS = pathlib.Path(__file__).parent.parent / "data"
BEGIN = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=10)


def moment(second):
    when = BEGIN + datetime.timedelta(seconds=second)
    return when.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def training(batch):
    lines = [
        json.dumps({"sample": series, "x_name": "step", "x": step, "y": much / batch / step})
        for step in range(1, 5)
        for series, much in (("train_loss", 64), ("valid_loss", 65))
    ]
    return "".join(f"@slipway {line}\n" for line in lines).encode()


def runs():
    yield "done", "matmul-scaling", {}, (LOGS / "matmul-two-lanes.txt").read_bytes()
    for batch in (32, 64):
        yield f"batch{batch}", "train-digits", {"batch": str(batch)}, training(batch)


def write(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("runs.sqlite*"):
        old.unlink()
    store = sqlite3.connect(folder / "runs.sqlite")
    store.execute(
        "CREATE TABLE run (id TEXT PRIMARY KEY, tag TEXT NOT NULL UNIQUE,"
        " created INTEGER NOT NULL, body TEXT NOT NULL)"
    )
    store.execute("CREATE INDEX run_created ON run (created)")
    store.execute("PRAGMA user_version=1")
    for name, recipe, values, log in runs():
        spec = {"site": "demo", "recipe": recipe, "mode": "batch", "values": values}
        body = {
            "id": name,
            "tag": f"tag-{name}",
            "spec": spec,
            "title": recipe,
            "folder": f"/scratch/demo/{name}",
            "logFile": f"/scratch/demo/{name}/slurm-1.out",
            "job": "1",
            "phase": "done",
            "sentence": "Done.",
            "exitCode": 0,
            "nodeList": "gpu01",
            "created": moment(0),
            "started": moment(5),
            "ended": moment(300),
        }
        row = (name, body["tag"], int(BEGIN.timestamp() * 1000), json.dumps(body))
        store.execute("INSERT INTO run VALUES (?, ?, ?, ?)", row)
        own = folder / "runs" / name
        own.mkdir(parents=True, exist_ok=True)
        (own / "log.bin").write_bytes(log)
        facts = {"site": "Demo cluster", "partition": "gpu", "values": {"epochs": "4", **values}}
        (own / "facts.json").write_text(json.dumps(facts))
    store.commit()
    store.close()
