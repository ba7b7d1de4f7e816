// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/fields.h"
#include "plots/metrics/lineassembler.h"
#include "plots/metrics/lineshapes.h"

#include <vector>

namespace slipway {

/// LearntFields reads lines of names with numbers as readFields() does, but those of a form that it
/// read before without parsing them: only the numbers are taken anew. Keeps one form for each
/// shape of line.
class LearntFields {
public:
    /// Whether the line is of a known form. The views of `out` are valid until the next learn().
    bool read(const LogLine& line, LineFields& out) const;
    /// What readFields() found in this line, and how its names become those of series.
    void learn(const LogLine& line, const LineFields& fields, QString (*name)(std::string_view));

private:
    struct Field {
        LineFields::Field::Kind kind = LineFields::Field::Other;
        bool isCounter = false;
        size_t at = 0, size = 0; ///< in the line
        bool hasTotal = false;
        NumberForm number;
        Counter counter;
        NamedNumber pair; ///< the value is that of the learnt line
        QString series; ///< of the pair
    };
    struct Form {
        LineTemplate text;
        std::vector<Field> fields;
    };
    static constexpr size_t mostFields = 24; ///< so that a hostile log fills no memory

    static Field fieldOf(const LineFields::Field& found, const LineFields& fields,
        const LineTemplate& text, std::string_view line);
    static bool readField(const Field& field, std::string_view line, LineFields& out);

    ShapeMemory<Form> m_forms;
};

} // namespace slipway
