// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

#include <QDateTime>

#include <vector>

namespace slipway {

namespace {

constexpr size_t longestTiming = 300;
constexpr size_t mostTimings = 16;

/// "2021-03-14_00:01:00" → seconds since 1970; its calendar is that of the model.
std::optional<double> modelTime(std::string_view text)
{
    // Read by hand: QDateTime asks the system for the time zone of each text.
    const auto part = [text](size_t at, size_t size) {
        const auto value = text.size() == 19 ? wholeCount(text.substr(at, size)) : std::nullopt;
        return value ? int(*value) : -1;
    };
    const QDate date(part(0, 4), part(5, 2), part(8, 2));
    const QTime time(part(11, 2), part(14, 2), part(17, 2));
    if (!date.isValid() || !time.isValid() || text[4] != '-' || text[7] != '-' || text[10] != '_'
        || text[13] != ':' || text[16] != ':')
        return {};
    const QDateTime utc(date, time, Qt::UTC);
    return double(utc.toSecsSinceEpoch());
}

/// Reads the clock of weather models: "Timing for main: time 2021-03-14_00:01:00 on domain   1:
/// 2.81 elapsed seconds" is the time of one step at that time of the model, which is x, in seconds
/// since the first that was printed; so is the step's length where it changes: "Timing for main
/// (dt= 15.00): time …", and what else took time there: "Timing for Writing wrfout_d01_… for domain
/// 1:", "Timing for processing lateral boundary …". One line alone may be a quotation.
class TimingRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.first = "T", .words = {"timing for "}}; }

    bool read(const LogLine& line, MetricSink& sink) override
    {
        std::string_view rest = trimmed(line.text);
        if (rest.size() > longestTiming || !skip(rest, "Timing for "))
            return false;
        return skip(rest, "main") ? readStep(rest, line, sink) : readOther(rest, line, sink);
    }

private:
    /// ": time 2021-03-14_00:01:00 on domain   1:    2.81 elapsed seconds"
    bool readStep(std::string_view rest, const LogLine& line, MetricSink& sink)
    {
        std::optional<double> length;
        if (skip(rest, " (dt=")) {
            skipSpaces(rest);
            length = takeNumber(rest);
            if (!length || !skip(rest, ")"))
                return false;
        }
        if (!skip(rest, ": time "))
            return false;
        const auto time = modelTime(takeWord(rest));
        skipSpaces(rest);
        Sample sample;
        if (!time || !skip(rest, "on domain") || !takeSeconds(rest, line, sample))
            return false;
        m_last = time;
        if (!m_first)
            m_first = time;
        sample.series = QStringLiteral("step_time");
        sample.x = *time - *m_first;
        give(sample, sink);
        if (length) {
            sample.series = QStringLiteral("dt");
            sample.y = *length;
            give(std::move(sample), sink);
        }
        return true;
    }

    /// "processing lateral boundary for domain        1:    0.13263 elapsed seconds"
    bool readOther(std::string_view rest, const LogLine& line, MetricSink& sink)
    {
        const bool isWritten = rest.starts_with("Writing ");
        const size_t domain = rest.find(" for domain");
        Sample sample;
        if (domain == std::string_view::npos
            || !(isWritten || rest.starts_with("processing lateral boundary"))
            || !takeSeconds(rest.substr(domain + 11), line, sample))
            return false;
        sample.series = isWritten ? QStringLiteral("write_time") : QStringLiteral("boundary_time");
        sample.x = m_last ? *m_last - *m_first : 0; // before the first step
        give(std::move(sample), sink);
        return true;
    }

    /// "   1:    0.13263 elapsed seconds"
    static bool takeSeconds(std::string_view rest, const LogLine& line, Sample& sample)
    {
        skipSpaces(rest);
        const size_t colon = rest.find(':');
        const auto domain = wholeCount(rest.substr(0, colon));
        if (!domain)
            return false;
        rest.remove_prefix(colon + 1);
        skipSpaces(rest);
        const auto seconds = takeNumber(rest);
        if (!seconds || trimmed(rest) != "elapsed seconds")
            return false;
        sample.lane = rankLane(line.rank);
        addToLane(sample.lane, QStringLiteral("domain %1").arg(*domain));
        sample.xName = QStringLiteral("time");
        sample.y = *seconds;
        sample.unit = QStringLiteral("s");
        sample.line = line.number;
        sample.place = line.end - 1;
        return true;
    }

    void give(Sample sample, MetricSink& sink)
    {
        if (!m_isProven && m_held.empty()) {
            m_held.push_back(std::move(sample));
            return;
        }
        m_isProven = m_isProven || m_held.front().x != sample.x || m_held.size() >= mostTimings;
        m_held.push_back(std::move(sample));
        if (!m_isProven)
            return;
        for (Sample& held : m_held)
            sink.add(std::move(held));
        m_held.clear();
    }

    std::optional<double> m_first, m_last; ///< the times of the model
    std::vector<Sample> m_held;
    bool m_isProven = false;
};

} // namespace

std::unique_ptr<Recogniser> makeTimingRecogniser()
{
    return std::make_unique<TimingRecogniser>();
}

} // namespace slipway
