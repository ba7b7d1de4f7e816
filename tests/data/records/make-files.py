#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-files.py: writes the files of this folder, each from the published format of its logger, with numbers of
our own. Without libraries, so that a reader is not tested against the code that wrote its input:

  event files   TFRecord framing with masked CRC-32C; protocol buffers Event, Summary and TensorProto
  .wandb        LevelDB's log format with CRC-32, blocks of 32 KiB; protocol buffers Record and HistoryRecord
"""
import json
import math
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).parent


def varint(number):
    out = bytearray()
    while True:
        low, number = number & 127, number >> 7
        out.append(low | (128 if number else 0))
        if not number:
            return bytes(out)


def field(number, value):
    """An int is a varint, a float a double, bytes or text a string or message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def float32(number, value):
    return varint(number << 3 | 5) + struct.pack("<f", value)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def tfrecord(data):
    length = struct.pack("<Q", len(data))
    return length + masked(length) + data + masked(data)


def event(time, step, value=None):
    data = field(1, time) + (field(2, step) if step else b"")
    return tfrecord(data + (field(5, field(1, value)) if value else field(3, "brain.Event:2")))


def simple(tag, value):
    return field(1, tag) + float32(2, value)


def tensor(tag, value):
    content = field(1, 1) + field(2, b"") + field(4, struct.pack("<f", value))
    return field(1, tag) + field(8, content) + field(9, field(1, field(1, "scalars")) + field(4, 1))


def histogram(tag):
    return field(1, tag) + field(5, field(1, -1.0) + field(2, 1.0) + field(3, 4.0))


def image(tag):
    return field(1, tag) + field(4, field(1, 2) + field(2, 2) + field(3, 3) + field(4, b"\x89PNG..."))


def write_events():
    start = 1_750_000_000.0
    out = event(start, 0)
    for step in range(60):
        out += event(start + step, step, tensor("my_metric", step / 4))
    (HERE / "tensorboard-tensors-synthetic.tfevents.bin").write_bytes(out)
    out = event(start, 0)
    for step in range(9, 400, 10):
        out += event(start + step, step, simple("train_loss", 0.5 * math.exp(-step / 200)))
    out += event(start + 401, 0, simple("test_accuracy", 0.96875))
    out += event(start + 402, 0, histogram("weights")) + event(start + 403, 0, image("digits"))
    (HERE / "tensorboard-simple-values-synthetic.tfevents.bin").write_bytes(out)
    out = event(start, 0) + event(start + 1, 0, tensor("epoch_loss", 1.125))
    (HERE / "tensorboard-one-epoch-synthetic.tfevents.bin").write_bytes(out)


def leveldb(records):
    out = bytearray(b":W&B" + struct.pack("<HB", 0xBEE1, 0))
    for data in records:
        first = True
        while first or data:
            room = 32768 - len(out) % 32768 - 7
            if room < 0:
                out += bytes(room + 7)
                continue
            part, data = data[:room], data[room:]
            kind = 1 if first and not data else 2 if first else 3 if data else 4
            body = bytes([kind]) + part
            out += struct.pack("<IH", zlib.crc32(body), len(part)) + body
            first = False
    return bytes(out)


def history(number, step, items):
    all_items = dict(items, _timestamp=1.75e9 + step, _runtime=10.0 + step, _step=step)
    data = b"".join(field(1, field(2, key) + field(16, json.dumps(value))) for key, value in all_items.items())
    return field(1, number) + field(2, data + field(2, field(1, step) if step else b""))


def write_wandb():
    # Record 3 is a summary, 17 the run; what they hold is not read. The long one spans two blocks.
    rows, number = [field(1, 1) + field(17, field(1, "run") + field(2, "x" * 40000))], 1
    for step in range(12):
        number += 2
        rows.append(history(number, step, {"training_loss": 1.5 / (step + 1), "learning_rate": 0.001}))
        rows.append(field(1, number + 1) + field(3, b""))
    (HERE / "wandb-two-blocks-synthetic.wandb").write_bytes(leveldb(rows))
    rows = [history(step + 1, step, {"acc": 0.5 + step / 16, "loss": 2.0 - step / 8}) for step in range(8)]
    (HERE / "wandb-short-synthetic.wandb").write_bytes(leveldb(rows))


def write_texts():
    def text(name, lines):
        (HERE / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    text("detectron2-metrics-synthetic.json", [json.dumps({
        "data_time": 0.25, "eta_seconds": 900.0 - i, "iteration": i, "loss_box_reg": 0.5, "loss_cls": 1.0,
        "lr": 0.001 * i / 100, "time": 1.5, "total_loss": 2.5 - i / 100}) for i in range(19, 100, 20)])
    log = [{"epoch": i / 125, "grad_norm": 1.25, "learning_rate": 2e-05, "loss": 0.75 - i / 1000, "step": i}
           for i in range(20, 361, 20)]
    log += [{"epoch": float(i), "eval_accuracy": 0.8 + i / 100, "eval_loss": 0.5 - i / 16, "eval_runtime": 3.5,
             "eval_samples_per_second": 71.25, "step": 125 * i} for i in (1, 2, 3)]
    log.sort(key=lambda row: row["step"])
    state = {"best_metric": None, "epoch": 3.0, "global_step": 375, "is_world_process_zero": True,
             "log_history": log, "max_steps": 375, "num_train_epochs": 3, "train_batch_size": 8}
    text("hf-trainer_state-synthetic.json", [json.dumps(state, indent=2)])
    text("keras-csvlogger-synthetic.csv", ["epoch,accuracy,loss,val_accuracy,val_loss"] + [
        f"{i},{0.75 + i / 64},{0.5 / (i + 1)},{0.75 + i / 80},{0.625 / (i + 1)}" for i in range(9)])
    text("lightning-metrics-synthetic.csv", ["train_loss,epoch,step", "0.0625,0,49", "0.03125,0,99"])
    text("ultralytics-results-synthetic.csv", [
        "                  epoch,         train/box_loss,         train/cls_loss,   metrics/mAP50-95(B),                 lr/pg0",
        "                      1,                 1.6875,                    2.5,                 0.375,                  0.001",
        "                      2,                   1.25,                   1.75,                   0.5,                 0.0009"])
    text("mlflow-loss-synthetic.mlflow", [f"{1750000000000 + 997 * i} {320.5 - 8 * i} {i}" for i in range(10)])


write_events()
write_wandb()
write_texts()
