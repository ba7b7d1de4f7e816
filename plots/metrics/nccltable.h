// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// One measurement of nccl-tests, in base units.
struct NcclTiming {
    double seconds = 0;
    bool cpuTime = false; ///< the column was "cputime": time on the host
    std::optional<double> low, high; ///< fastest and slowest iteration, seconds
    double algbw = 0; ///< B/s
    double busbw = 0; ///< B/s
    std::optional<double> wrong; ///< number of wrong values; absent: not checked
};

struct NcclRow {
    double size = 0; ///< bytes
    std::array<NcclTiming, 2> timings; ///< out-of-place, in-place
};

/// The columns of a table of nccl-tests, by the names in its header: some depend on version and
/// options. The first five occur once, the rest twice (out-of-place, then in-place). A value.
class NcclColumns {
public:
    /// "size count type redop root time algbw busbw #wrong time …", without the leading "#".
    static std::optional<NcclColumns> read(std::string_view header);

    /// The columns of the tables of today, for a log that begins below its header.
    static const NcclColumns& usual();
    /// Whether a line is a row of them beyond doubt: its type and operation have known names.
    static bool isUsualRow(std::string_view line);

    /// A row without exactly these columns is rejected: it was truncated, or two rows were mixed.
    std::optional<NcclRow> readRow(std::string_view line) const;

private:
    static constexpr size_t most = 32;
    std::vector<std::string> m_names;
    size_t m_second = 0; ///< index of the second time column
    bool m_iterations = false; ///< i_min and i_max occur in both groups
};

/// A launcher that tags each write of a rank also tags them in the middle of a line:
/// "sum      -1[0]    1626.5". Removes such tags.
std::string withoutTags(std::string_view line);

} // namespace slipway
