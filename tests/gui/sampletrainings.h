// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "rig.h"

namespace slipway {

/// Trainings that differ in the batch size, before start(); their ids are "batch64", "batch32"….
/// Each printed two losses and the time of its epochs. With `sweep` they are the runs of one sweep.
void addTrainings(
    Rig& rig, const QList<int>& batches = {64, 32}, const QString& sweep = {}, int steps = 4);

} // namespace slipway
