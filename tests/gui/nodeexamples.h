// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"
#include "app/node/nodesample.h"
#include "app/sessions/cleanupitem.h"

#include <QByteArray>

namespace slipway {

// What a probe and its agent could have said, and what a look at a cluster could have found:
// plausible values for tests and pictures of the window. None of it was measured.

/// A node with two H100, and a container that was started without its GPUs.
QByteArray missingNvRows();
/// The same node, where nothing is wrong.
QByteArray goodRows();

/// What the agent saw `second` seconds after it began.
NodeSample sampleAt(
    double begin, int second, int gpus, const QString& node = QStringLiteral("gpu01"));
/// A sample a second, the last of them now.
std::vector<NodeSample> samplesOver(int seconds, int gpus);

CleanupList exampleCleanupList();

} // namespace slipway
