// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/container/runtime.h"

#include <QString>

#include <optional>

namespace slipway {

/// A version of CUDA. A value; ordered.
struct CudaVersion {
    int major = 0;
    int minor = 0;

    static std::optional<CudaVersion> parse(const QString& text); ///< "12.4", "12.4.1"
    QString text() const { return QStringLiteral("%1.%2").arg(major).arg(minor); }
    auto operator<=>(const CudaVersion&) const = default;
};

/// The CUDA that an image was built with, as far as its name tells: "…:2.4.1-cuda12.1-cudnn9" is 12.1,
/// "nvidia/cuda:12.4.1-devel" is 12.4; NGC's months and TensorFlow's versions by the table that their
/// makers published. None: the name does not tell.
std::optional<CudaVersion> imageCuda(const ImageReference& image);

/// The first CUDA that knows a compute capability, "8.0" → 11.0 (CUDA Toolkit release notes: Volta 9.0,
/// Turing 10.0, Ampere 11.0, Ada and Hopper 11.8). None: older than all of these, or unknown.
std::optional<CudaVersion> firstCudaFor(const QString& computeCapability);

} // namespace slipway
