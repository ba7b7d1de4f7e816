// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "plots/metrics/pipeline.h"

namespace slipway {

/// LogExplainer is an Explainer for bytes as they come: lines are put together, and what the
/// recognisers say in events is heard too. Passive; the owner feeds it.
class LogExplainer {
public:
    explicit LogExplainer(std::shared_ptr<const HintBook> book, QStringList recognisers = {});

    void feed(QByteArrayView bytes);
    /// The text has ended: a last line without a newline counts.
    void finish();
    /// The log began again; its lines are counted on.
    void restart();
    std::vector<Explanation> result(const ExplainContext& context = {}) const
    {
        return m_explainer.result(context);
    }

private:
    void takeEvents();

    Explainer m_explainer;
    LineAssembler m_assembler;
    QStringList m_recognisers;
    MetricsPipeline m_pipeline;
    qint64 m_linesBefore = 0; ///< of earlier tries: the recognisers count anew
};

} // namespace slipway
