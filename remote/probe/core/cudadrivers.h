// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/row.h"
#include "remote/probe/core/text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::probe {

/// CudaDrivers is the table of resources/cuda-drivers.json: which driver a CUDA version needs and
/// which GPUs it supports. A value; the file is compiled into the program.
struct CudaDrivers {
    struct Entry {
        Version cuda, driver;
        bool unverified = false;
    };
    struct Architecture {
        Version capability;
        std::string name;
        Version first, last; ///< CUDA versions that support it; last empty: up to the newest
        bool unverified = false;
    };
    std::vector<Entry> families; ///< cuda has only its major version
    std::vector<Entry> exact;
    std::vector<Entry> native; ///< the driver that came out with it
    std::vector<Architecture> architectures;

    static CudaDrivers read(std::string_view json); ///< empty if it is not such a table
    static const CudaDrivers& own();

    /// The oldest driver on which that CUDA runs; empty: not in the table.
    Version oldestDriver(const Version& cuda) const;
    /// The newest CUDA version that this driver is native to; empty: older than the table.
    Version nativeCuda(const Version& driver) const;
    const Architecture* architecture(int major, int minor) const;
};

/// The versions of an image and a node.
struct ImageOnNode {
    Version cuda; ///< of the image
    Version driver; ///< of the node, "550.54"
    Version driverCuda; ///< the version that the driver itself reports; empty: unknown
    std::string compatPath; ///< a libcuda of the image's own that is in use; empty: none
    std::optional<int> compatError; ///< the result of cuInit with it
    std::vector<std::string> gpuNames;
};

/// Whether the image's CUDA runs on the node's driver, in the order of NVIDIA's guide.
Row imageCudaRow(const CudaDrivers& table, const ImageOnNode& pair);

} // namespace slipway::probe
