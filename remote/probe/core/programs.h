// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::probe {

/// The version in what a program prints for --version: "1.4.5" of "apptainer version 1.4.5-2".
std::string versionIn(std::string_view output);
/// "Open MPI 5.0.7", "MPICH 4.0", "Intel MPI 2021.11"; the first line where it is none of these.
std::string mpiVersionIn(std::string_view output);

/// What `srun --mpi=list` prints.
struct MpiList {
    std::vector<std::string> kinds; ///< "none", "pmi2", "pmix"
    std::vector<std::string> versions; ///< "pmix_v4"
};
MpiList readMpiList(std::string_view output);

} // namespace slipway::probe
