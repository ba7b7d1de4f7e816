// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/fields.h"
#include "plots/metrics/lineassembler.h"
#include "plots/metrics/lineshapes.h"
#include "plots/metrics/scan.h"

#include <memory>
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
        bool isPlain = false; ///< one number, and then only words
        DecimalForm decimal; ///< of a plain one
        Counter counter;
        NamedNumber pair; ///< the value is that of the learnt line
        QString series; ///< of the pair
    };
    struct Form {
        LineTemplate text;
        std::vector<Field> fields;
    };
    struct Entry {
        uint64_t shape = 0; ///< LineShape::id
        int tries = 0; ///< times that it was learnt
        std::unique_ptr<Form> form;
    };
    static constexpr int mostTries = 8; ///< a form that never fits is not learnt again and again
    static constexpr size_t mostFields = 24; ///< so that a hostile log fills no memory

    static bool readField(const Field& field, std::string_view line, LineFields& out);

    std::vector<Entry> m_entries;
};

} // namespace slipway
