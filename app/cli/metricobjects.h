// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"

#include <QJsonObject>

namespace slipway {

/// What was read from a log as --json prints it: {"series","x","x_name","y","unit","line"}, with
/// lane, low and high where they are known, and {"event","text","line"} with the event's own
/// values.
QJsonObject sampleObject(const Sample& sample);
QJsonObject eventObject(const MetricEvent& event);

} // namespace slipway
