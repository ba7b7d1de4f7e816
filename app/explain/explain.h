// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/hints.h"
#include "app/explain/tracebacks.h"
#include "plots/metrics/lineassembler.h"
#include "plots/metrics/lineshapes.h"
#include "plots/metrics/sample.h"

#include <QByteArrayView>
#include <QMap>

#include <string>

namespace slipway {

/// What is known of a job besides its log. Any field may be unknown.
struct ExplainContext {
    QString refusal; ///< the message of sbatch, salloc or srun, unchanged
    QString state; ///< the last state that Slurm reported: "OUT_OF_MEMORY"
    QString reason; ///< its reason: "PartitionTimeLimit"
    std::optional<bool> endedWell;
    std::optional<int> gpus; ///< number of GPUs that the job requested
    std::optional<int> exitCode; ///< of the job: 137 is 128 + 9, signal KILL
    std::optional<int> signal; ///< that ended it, as Slurm reported
    QMap<QString, QString> facts; ///< of the site: "site", "driver", "modules", "runtime"…
    /// What was measured, in sentences, by kind: "memory", "gpu_memory".
    QMap<QString, QString> measured;
};

/// Explainer searches a log for known failures while it is written, and the messages of the
/// scheduler. A value: fed line by line, it keeps a few numbers per hint and the first lines that
/// show each, however long the log is. A text that no hint matches is named only if it is the
/// exception that ended a Python program. A failure that a step is expected to show, according to
/// the log, is a note and not a fault.
class Explainer {
public:
    explicit Explainer(std::shared_ptr<const HintBook> book);

    void read(const LogLine& line);
    void take(const MetricEvent& event);
    /// The log was restarted: earlier matches belong to the previous attempt.
    void restart();

    /// What is known now: faults before notes, each in the order of the log. One entry per failure.
    std::vector<Explanation> result(const ExplainContext& context = {}) const;

    static constexpr int longestEvidence = 300; ///< characters
    static constexpr size_t mostEvidence = 6; ///< lines of one explanation

private:
    struct Seen {
        int count = 0;
        qint64 lastLine = 0;
        std::vector<EvidenceLine> lines; ///< the first ones
        bool also = false;
        bool unless = false;
        bool touched = false; ///< of m_step: it is listed in m_touched
        qint64 armedUntil = 0; ///< the last line in which it may match after its question

        void add(const Seen& later);
    };
    struct Finding;
    class Choice;

    static void note(Seen& seen, qint64 line, std::string_view text, size_t at);
    static bool holds(const HintMatch& match, const Seen& seen);
    Seen& stepSeen(int match);
    bool readStepLine(const LogLine& line);
    bool isQuiet(const LogLine& line);
    void readTraceback(const LogLine& line, std::string_view text);
    void endStep(std::vector<Seen>& place);
    bool matches(const HintMatch& match, std::string_view text, size_t at) const;
    void readHits(const LogLine& line, std::string_view text);
    void readArmed(const LogLine& line, std::string_view text);
    std::vector<Finding> findings(const ExplainContext& context) const;
    std::vector<Finding> meantFindings() const;
    void addFinding(std::vector<Finding>& found, int hint, const Seen& seen) const;
    bool fits(const Hint& hint, const ExplainContext& context) const;
    Explanation explanation(const Finding& finding, const ExplainContext& context) const;
    void addTracebacks(std::vector<Finding>& found) const;
    bool isEnd(qint64 line, const ExplainContext& context) const;
    std::optional<Explanation> lastException(
        const ExplainContext& context, const std::vector<Finding>& found) const;
    void lookAtScheduler(const ExplainContext& context, std::vector<Finding>& found) const;

    std::shared_ptr<const HintBook> m_book;
    std::vector<Seen> m_seen; ///< by match: in finished steps that were not expected to fail
    std::vector<Seen> m_meant; ///< in steps that ended as expected
    std::vector<Seen> m_step; ///< in the current step, or before the first one
    std::vector<int> m_touched; ///< the matches with an entry in m_step
    std::string m_title; ///< of the current step; empty: none
    qint64 m_stepBegin = 0; ///< its line
    std::vector<std::pair<qint64, qint64>> m_meantLines; ///< first and last line of such steps
    std::vector<AnchorScan::Hit> m_hits; ///< of the current line
    ShapeMemory<bool> m_quiet; ///< whether no anchor occurs in lines of a shape
    std::vector<int> m_armed;
    TracebackReader m_tracebacks;
    qint64 m_lastLine = 0;
};

/// A whole log at once.
std::vector<Explanation> explain(const std::shared_ptr<const HintBook>& book, QByteArrayView log,
    const ExplainContext& context = {});

} // namespace slipway
