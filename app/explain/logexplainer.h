// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "plots/metrics/pipeline.h"

namespace slipway {

/// LogExplainer is an Explainer for raw bytes: it assembles lines and also uses the events of the
/// recognisers. Passive; the owner feeds it.
class LogExplainer {
public:
    explicit LogExplainer(std::shared_ptr<const HintBook> book, QStringList recognisers = {});

    void feed(QByteArrayView bytes);
    /// The text has ended: a last line without a newline is processed.
    void finish();
    /// The log was restarted; line numbers continue.
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
    qint64 m_linesBefore = 0; ///< of earlier attempts: the recognisers start counting again
};

} // namespace slipway
