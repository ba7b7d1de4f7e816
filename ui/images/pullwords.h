// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imageinspector.h"
#include "app/plan/plan.h"

namespace slipway {

// The question before an image is pulled. All pure.

QString pullQuestion(const ImageInspection& image, const Plan& plan);
/// What it means; and whether it cannot fit.
QString pullWarning(const ImageInspection& image);
/// Image, site, partition, time limit, size and folder, one a line.
QStringList pullLines(const ImageInspection& image, const Plan& plan);

} // namespace slipway
