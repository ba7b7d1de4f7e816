// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/json.h"

#include <optional>
#include <string>
#include <string_view>

namespace slipway::probe {

enum class State { Ok, Warn, Fail, Skip };

std::string_view stateName(State state);

/// Row is the result of one check: the value, the expected value, the reason, and what to do about
/// it. A value; remote/probe/README.md documents its JSON format.
struct Row {
    std::string id;
    State state = State::Ok;
    std::string value; ///< for display; empty: unknown
    std::string expected;
    std::string why; ///< a sentence
    std::string fix; ///< a sentence that a user can act on
    Json data; ///< an object of numbers and lists, or null
    std::optional<double> ms;
    Json more; ///< members of rows that are not checks: lane, label, seconds, …

    static Row ok(std::string id, std::string value);
    static Row skip(std::string id, std::string why, std::string fix = {});
    static Row warn(std::string id, std::string value, std::string why, std::string fix);
    static Row fail(std::string id, std::string value, std::string why, std::string fix);

    Json toJson() const;
    static std::optional<Row> fromJson(const Json& json); ///< none if it is not a row
    /// One line for a job's log: "warn  ecc           3 corrected errors: …".
    std::string readable() const;

    bool operator==(const Row&) const = default;
};

/// Counts the rows, and creates the last one.
struct RowCount {
    int ok = 0, warn = 0, fail = 0, skip = 0;
    void add(State state);
    int all() const { return ok + warn + fail + skip; }
    State worst() const; ///< except Skip, unless there is nothing else
    Row end(double seconds) const;
};

} // namespace slipway::probe
