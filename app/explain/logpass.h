// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "plots/metrics/pipeline.h"

#include <optional>

namespace slipway {

/// LogPass is one reading of a log, from its bytes to all that is made of them: lines, samples,
/// events, explanations. Each byte is assembled into lines once. Passive: no thread, clock or disk;
/// the owner feeds it and takes from it.
class LogPass {
public:
    using Lines = LineAssembler::Sink;

    /// Without a book nothing is explained. Recognisers and patterns as for MetricsPipeline.
    explicit LogPass(std::shared_ptr<const HintBook> book, QStringList recognisers = {},
        const std::vector<PatternSpec>& patterns = {});

    void learnNothing() { m_pipeline.learnNothing(); } ///< see MetricsPipeline

    /// `lines` gets each line, where somebody wants them.
    void feed(QByteArrayView bytes, const Lines& lines = {});
    /// The text has ended: a last line without a newline counts.
    void finish(const Lines& lines = {});
    /// The log begins again (a requeue): a line that was cut off ends; lines are counted on. What
    /// was read before and not taken is dropped.
    void restart(const Lines& lines = {});

    std::vector<Sample> takeSamples() { return m_pipeline.takeSamples(); }
    std::vector<MetricEvent> takeEvents() { return std::exchange(m_events, {}); }
    std::optional<MetricProgress> progress() const { return m_pipeline.progress(); }
    qint64 linesSeen() const { return m_pipeline.linesSeen(); }
    std::vector<Explanation> result(const ExplainContext& context = {}) const;

private:
    Lines reader(const Lines& lines);
    void readEvents();

    std::optional<Explainer> m_explainer;
    MetricsPipeline m_pipeline;
    std::vector<MetricEvent> m_events;
};

} // namespace slipway
