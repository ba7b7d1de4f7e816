// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/container/runtime.h"

#include <QString>

#include <optional>

namespace slipway {

/// A version of CUDA. A value; ordered. Of some images only the major version is known.
struct CudaVersion {
    static constexpr int unknownMinor = -1;

    int major = 0;
    int minor = 0;

    static std::optional<CudaVersion> parse(const QString& text); ///< "12.4", "12.4.1"
    QString text() const;
    /// Whether it is certainly older, or newer, than the other one, even if minor versions are
    /// unknown.
    bool isSurelyOlder(const CudaVersion& than) const;
    bool isSurelyNewer(const CudaVersion& than) const { return than.isSurelyOlder(*this); }
    auto operator<=>(const CudaVersion&) const = default;
};

/// The CUDA that an image was built with, according to its name: "…:2.4.1-cuda12.1-cudnn9"
/// is 12.1, "…:centos7-cuda10-tf2.4-pt1.7" is 10, "nvidia/cuda:12.4.1-devel" is 12.4; NGC's months
/// and TensorFlow's versions by the tables that their makers published. None: not known from the
/// name.
std::optional<CudaVersion> imageCuda(const ImageReference& image);

/// Whether the tag is moved to a different image from time to time: "latest", "latest-gpu", or
/// none.
bool isMovingTag(const QString& tag);

/// Whether an image is the one that a pattern names: "tensorflow/tensorflow:2.18" fits 2.18.0-gpu
/// and not 2.180. The registry is ignored.
bool fitsImage(const QString& pattern, const ImageReference& image);

/// The first CUDA that supports a compute capability, "8.0" → 11.0 (CUDA Toolkit release notes:
/// Volta 9.0, Turing 10.0, Ampere 11.0, Ada and Hopper 11.8). None: older than all of these, or
/// unknown.
std::optional<CudaVersion> firstCudaFor(const QString& computeCapability);

} // namespace slipway
