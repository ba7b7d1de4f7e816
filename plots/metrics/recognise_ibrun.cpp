// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

namespace slipway {

namespace {

/// Reads the lines of TACC's launcher: "TACC:  Starting up job 6982521", and the exit code that it
/// reports when a rank failed.
class IbrunRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {
            .first = "T", .fits = [](std::string_view text) { return text.starts_with("TACC: "); }};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        std::string_view text = line.text;
        if (line.progress || !skip(text, "TACC: "))
            return false;
        text = trimmed(text);
        MetricEvent event{QStringLiteral("launcher"), labelText(text), {}, line.number};
        std::string_view rest = text;
        if (skip(rest, "MPI job exited with code:")) {
            const auto code = wholeCount(trimmed(rest));
            if (code && *code > 0)
                event.event = QStringLiteral("failed");
            if (code)
                event.values.insert(QStringLiteral("code"), QString::number(*code, 'f', 0));
        } else if (skip(rest, "Starting up job ") && wholeCount(rest)) {
            event.values.insert(QStringLiteral("job"), labelText(rest));
        }
        constexpr int most = 1000;
        if (++m_reported <= most)
            sink.add(std::move(event));
        return true;
    }

private:
    int m_reported = 0;
};

} // namespace

std::unique_ptr<Recogniser> makeIbrunRecogniser()
{
    return std::make_unique<IbrunRecogniser>();
}

} // namespace slipway
