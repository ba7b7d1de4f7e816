// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/logpass.h"

namespace slipway {

LogPass::LogPass(std::shared_ptr<const HintBook> book, QStringList recognisers,
    const std::vector<PatternSpec>& patterns)
    : m_pipeline(std::move(recognisers), patterns)
{
    if (book)
        m_explainer.emplace(std::move(book));
}

LogPass::Lines LogPass::reader(const Lines& lines)
{
    return [this, &lines](const LogLine& line) {
        if (m_explainer)
            m_explainer->read(line);
        if (lines)
            lines(line);
    };
}

void LogPass::feed(QByteArrayView bytes, const Lines& lines)
{
    m_pipeline.feed(bytes, reader(lines));
    readEvents();
}

void LogPass::finish(const Lines& lines)
{
    m_pipeline.finish(reader(lines));
    readEvents();
}

void LogPass::restart(const Lines& lines)
{
    finish(lines);
    if (m_explainer)
        m_explainer->restart();
    m_pipeline.restart();
    m_events.clear();
}

std::vector<Explanation> LogPass::result(const ExplainContext& context) const
{
    return m_explainer ? m_explainer->result(context) : std::vector<Explanation>();
}

void LogPass::readEvents()
{
    for (MetricEvent& event : m_pipeline.takeEvents()) {
        if (m_explainer)
            m_explainer->take(event);
        m_events.push_back(std::move(event));
    }
}

} // namespace slipway
