// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fieldsamples.h"

namespace slipway {

namespace {

/// Reads any line that consists only of names with numbers, one of them a step, an iteration or an
/// epoch: "step 10 loss 0.5", "iter=200 | lr=1e-4 | loss=2.31", "{'loss': 2.6, 'epoch': 0.04}".
/// Names are kept as printed, in one spelling.
class NameValueRecogniser : public Recogniser {
public:
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (!readFields(line.text, m_fields))
            return false;
        giveFields(m_fields, m_clock.read(m_fields, line.rank), line, seriesName, sink);
        return true;
    }

private:
    LineFields m_fields;
    StepClock m_clock;
};

} // namespace

std::unique_ptr<Recogniser> makeNameValueRecogniser()
{
    return std::make_unique<NameValueRecogniser>();
}

} // namespace slipway
