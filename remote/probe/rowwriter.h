// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/row.h"

#include <chrono>
#include <string>
#include <vector>

namespace slipway::probe {

/// RowWriter writes rows at once: as JSON to stdout, or appended to a file with a readable line
/// each on stdout. It also writes the first and the last row. Used by one thread, owned by main.
class RowWriter {
public:
    /// `file` empty: stdout.
    explicit RowWriter(const std::string& file);
    ~RowWriter();
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;

    void begin(const char* level, const char* where); ///< the first row
    void add(const Row& row);
    void end(); ///< the last row
    /// A line for the job's log ("@slipway …"): only if stdout does not contain the rows.
    void say(const std::string& line);
    int exitCode() const; ///< 0, 1: a row failed, 3: it could not write

private:
    void write(int file, const std::string& line);
    int _file = 1;
    bool _broken = false;
    RowCount _count;
    std::vector<std::string> _reasons; ///< of the rows that were left out
    std::chrono::steady_clock::time_point _begin = std::chrono::steady_clock::now();
};

} // namespace slipway::probe
