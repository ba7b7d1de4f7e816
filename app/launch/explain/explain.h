// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/explain/hints.h"
#include "plots/metrics/lineassembler.h"
#include "plots/metrics/sample.h"

#include <QByteArrayView>
#include <QMap>

namespace slipway {

/// What is known of a job besides its log. Everything may be unknown.
struct ExplainContext {
    QString refusal; ///< what sbatch, salloc or srun said, as it was
    QString state; ///< Slurm's last word: "OUT_OF_MEMORY"
    QString reason; ///< its reason: "PartitionTimeLimit"
    std::optional<bool> endedWell;
    std::optional<int> gpus; ///< how many the job asked for
    QMap<QString, QString> facts; ///< of the site: "site", "driver", "modules", "runtime"…
};

/// Explainer looks for known failures in a log while it is written, and in what the scheduler said. A
/// value: fed line by line, it keeps a few numbers a hint and the first line that shows each, however
/// long the log. Unknown stays unknown: it says nothing of a text that no hint names.
class Explainer {
public:
    explicit Explainer(std::shared_ptr<const HintBook> book);

    void read(const LogLine& line);
    void take(const MetricEvent& event);
    /// The log began again: what was seen belongs to the try before.
    void restart();

    /// What is known now: faults before notes, each in the order of the log. One a failure.
    std::vector<Explanation> result(const ExplainContext& context = {}) const;

    static constexpr int longestEvidence = 300; ///< characters

private:
    struct Seen {
        int count = 0;
        qint64 line = 0;
        QString evidence;
        bool also = false;
        bool unless = false;
        qint64 armedUntil = 0; ///< the last line in which it may match after its question
    };
    struct Finding;

    void note(int match, qint64 line, std::string_view text, size_t at);
    bool matches(const HintMatch& match, std::string_view text, size_t at) const;
    void readArmed(const LogLine& line, std::string_view text);
    std::vector<Finding> findings(const ExplainContext& context) const;
    void lookAtScheduler(const ExplainContext& context, std::vector<Finding>& found) const;

    std::shared_ptr<const HintBook> m_book;
    std::vector<Seen> m_seen; ///< by match
    std::vector<AnchorScan::Hit> m_hits; ///< of the present line
    std::vector<int> m_armed;
};

/// A whole log at once.
std::vector<Explanation> explain(const std::shared_ptr<const HintBook>& book, QByteArrayView log,
    const ExplainContext& context = {});

} // namespace slipway
