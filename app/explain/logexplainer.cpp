// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/logexplainer.h"

namespace slipway {

LogExplainer::LogExplainer(std::shared_ptr<const HintBook> book, QStringList recognisers)
    : m_explainer(std::move(book))
    , m_recognisers(std::move(recognisers))
    , m_pipeline(m_recognisers)
{
}

void LogExplainer::feed(QByteArrayView bytes)
{
    m_assembler.feed(bytes, [this](const LogLine& line) { m_explainer.read(line); });
    m_pipeline.feed(bytes);
    takeEvents();
}

void LogExplainer::finish()
{
    m_assembler.finish([this](const LogLine& line) { m_explainer.read(line); });
    m_pipeline.finish();
    takeEvents();
}

void LogExplainer::restart()
{
    m_assembler.finish([](const LogLine&) {});
    m_explainer.restart();
    m_pipeline = MetricsPipeline(m_recognisers);
    m_linesBefore = m_assembler.linesSeen();
}

void LogExplainer::takeEvents()
{
    m_pipeline.takeSamples();
    for (MetricEvent& event : m_pipeline.takeEvents()) {
        event.line += m_linesBefore;
        m_explainer.take(event);
    }
}

} // namespace slipway
