// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>

namespace slipway {

/// What the samples of a job's nodes say about its memory, in sentences for an explanation:
/// "memory" and "gpu_memory", each with its peak, limit and time. What was not sampled is absent.
/// `samples` are the lines of slipway-probe's agent. Pure.
QMap<QString, QString> measuredMemory(const QByteArray& samples);

} // namespace slipway
