// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/recogniser.h"

#include <string>
#include <string_view>

namespace slipway {

/// A text that a container runtime prints when a stage begins, and the id of that stage.
struct StageWords {
    std::string_view begins;
    std::string_view stage; ///< "fetch", "extract", "squash", "post", …
};

/// ImageStages emits "image-stage" when the stage of building or pulling an image changes: a
/// runtime prints the same stage many times. Passive; part of a recogniser.
class ImageStages {
public:
    /// The stage of the first entry that the text begins with; true when there is one.
    template <size_t N>
    bool read(const StageWords (&table)[N], std::string_view text, std::string_view whole,
        const LogLine& line, MetricSink& sink)
    {
        for (const StageWords& words : table) {
            if (text.starts_with(words.begins)) {
                begin(words.stage, whole, line, sink);
                return true;
            }
        }
        return false;
    }
    /// An empty stage: the image is finished, and what follows belongs to another one.
    void begin(std::string_view stage, std::string_view text, const LogLine& line, MetricSink& sink,
        QMap<QString, QString> values = {});
    bool is(std::string_view stage) const { return m_stage == stage; }
    bool any() const { return !m_stage.empty(); }

private:
    std::string m_stage;
};

/// "1.8GiB", "126.1 MiB", "25 B" at the start → bytes; removes it.
std::optional<double> takeBytes(std::string_view& rest);

} // namespace slipway
