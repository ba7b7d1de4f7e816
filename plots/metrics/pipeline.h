// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/lineassembler.h"
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

    /// From now on each line is read as if it were the first of its form. Slower, and the same
    /// result: for tests.
    void learnNothing();
    /// Every recogniser is asked about every line, whatever its signs. Slower, and the same is
    /// read.
    void askAboutEveryLine();

    /// `lines`, where there is one, gets each line before the recognisers read it: whoever wants
    /// the lines as well needs no assembler of its own.
    void feed(QByteArrayView bytes, const LineAssembler::Sink& lines = {});
    /// The text has ended: a last line without a newline counts.
    void finish(const LineAssembler::Sink& lines = {});
    /// The log begins again: the recognisers know nothing of what was before, and what was not
    /// taken is dropped. Lines are counted on.
    void restart();

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
