// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/patternspec.h"
#include "plots/metrics/recogniser.h"

#include <QByteArrayView>
#include <QStringList>

#include <memory>
#include <vector>

namespace slipway {

/// MetricsPipeline converts the bytes of a log into samples and events: LineAssembler (carriage
/// returns, ANSI, UTF-8 split anywhere), then the recognisers in order. Chunk borders never change
/// the result. Passive: no thread, clock or disk; the owner feeds it and collects the results.
class MetricsPipeline {
public:
    /// The recognisers by name ("slipway", "matmul-table", "name-value"…), in order; empty: all.
    /// An unknown name is ignored (a newer recipe may name one that this program lacks).
    /// The recipe's patterns are tried before them; those rejected by patternProblem() are ignored.
    explicit MetricsPipeline(
        QStringList recognisers = {}, const std::vector<PatternSpec>& patterns = {});
    ~MetricsPipeline();
    MetricsPipeline(MetricsPipeline&&) noexcept;
    MetricsPipeline& operator=(MetricsPipeline&&) noexcept;

    void feed(QByteArrayView bytes);
    /// The text has ended: a last line without a newline is processed.
    void finish();

    std::vector<Sample> takeSamples();
    std::vector<MetricEvent> takeEvents();
    /// The latest "step 112 of 160" that the program printed, if any.
    std::optional<MetricProgress> progress() const;
    qint64 linesSeen() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace slipway
