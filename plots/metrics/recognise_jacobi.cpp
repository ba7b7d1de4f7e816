// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

namespace slipway {

namespace {

/// Reads the Jacobi relaxation of NVIDIA's courses and samples (OpenACC's laplace2d, the
/// multi-GPU samples): below its title each row is an iteration and the largest change in it, "100,
/// 0.002397", which has no name of its own.
class JacobiRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.words = {"jacobi relaxation"}}; }
    bool isOpen() const override { return m_isOpen; }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    bool readTitle(std::string_view text);

    bool m_isOpen = false;
    double m_last = -1; ///< iteration
    int m_runs = 0;
    int m_missed = 0; ///< lines since the last row
};

/// "Jacobi relaxation Calculation: 4096 x 4096 mesh", "Single GPU jacobi relaxation: 1000
/// iterations on 16384 x 16384 mesh with norm check every 100 iterations"
bool JacobiRecogniser::readTitle(std::string_view text)
{
    const size_t at = text.find("acobi relaxation");
    if (at == std::string_view::npos || text.find(" mesh", at) == std::string_view::npos)
        return false;
    m_isOpen = true;
    m_last = -1;
    m_missed = 0;
    ++m_runs;
    return true;
}

bool JacobiRecogniser::read(const LogLine& line, MetricSink& sink)
{
    constexpr int mostBetween = 8;
    std::string_view text = trimmed(line.text);
    if (readTitle(text))
        return true;
    if (!m_isOpen)
        return false;
    const auto iteration = takeWholeCount(text);
    const auto error = iteration && skip(text, ", ") ? wholeNumber(trimmed(text)) : std::nullopt;
    if (!error || *iteration <= m_last) {
        m_isOpen = ++m_missed < mostBetween;
        return false;
    }
    m_missed = 0;
    m_last = *iteration;
    Sample sample;
    sample.series = QStringLiteral("error");
    sample.lane = rankLane(line.rank);
    if (m_runs > 1)
        addToLane(sample.lane, QStringLiteral("run %1").arg(m_runs));
    sample.x = *iteration;
    sample.xName = QStringLiteral("iteration");
    sample.y = *error;
    sample.line = line.number;
    sink.add(std::move(sample));
    return true;
}

} // namespace

std::unique_ptr<Recogniser> makeJacobiRecogniser()
{
    return std::make_unique<JacobiRecogniser>();
}

} // namespace slipway
