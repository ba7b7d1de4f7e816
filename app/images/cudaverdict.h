// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/gpunode.h"
#include "app/images/imagecuda.h"

namespace slipway {

/// Whether an image will run on a partition. Unknown is an answer: nothing is guessed.
enum class Verdict { Ok, Fail, Unknown };
QString verdictName(Verdict verdict); ///< in JSON: "ok", "fail", "unknown"

/// A verdict with its reason, and the rule behind it. A value.
struct Judgement {
    Verdict verdict = Verdict::Unknown;
    QString sentence;
    QString rule;
    QString source; ///< of the rule; empty: no document was needed
};

/// The CUDA that decides: CUDA_VERSION, or what NVIDIA_REQUIRE_CUDA asks for where that is newer or
/// the only one. Empty: the image does not say.
QString decidingCuda(const ImageCuda& image);

/// Whether the driver runs the image's CUDA, in the order of NVIDIA's guide on compatibility:
/// backward, minor-version and forward compatibility. Pure; the table is
/// resources/cuda-drivers.json.
Judgement judgeDriver(const ImageCuda& image, const GpuNode& node);

/// Whether a CUDA version knows the GPUs. Ok without a sentence where nothing is known of them.
Judgement judgeCapability(const QString& cuda, const GpuNode& node);

} // namespace slipway
