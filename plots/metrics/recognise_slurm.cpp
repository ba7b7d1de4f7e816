// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

namespace slipway {

namespace {

/// "job 204631 queued …": the job ID and the text after it.
QString onJob(std::string_view& rest)
{
    size_t digits = 0;
    while (digits < rest.size() && isDigit(rest[digits]))
        ++digits;
    if (digits == 0 || digits > 18 || (digits < rest.size() && isWordCharacter(rest[digits])))
        return {};
    const QString job = labelText(rest.substr(0, digits));
    rest.remove_prefix(digits);
    return job;
}

/// Reads the messages of Slurm's commands and TACC's idev until a job starts: "job-submitted",
/// "job-queued", "job-allocated", "job-nodes", "job-state", "job-released", and the checks of idev
/// ("check", or "warning" for one that is not OK). Errors are left to the explanations.
class SlurmRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "sS-", .words = {"salloc: ", "srun: ", "submitted ", "> "}};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress || line.text.size() > 2000)
            return false;
        const std::string_view text = trimmed(line.text);
        std::string_view rest = text;
        if (text.size() < 12)
            return false;
        if (text[0] == 's')
            return (skip(rest, "salloc: ") || skip(rest, "srun: "))
                && readWaiting(rest, text, line, sink);
        if (text[0] == 'S') {
            if (!skip(rest, "Submitted batch job "))
                return false;
            return tell("job-submitted", onJob(rest), text, line, sink);
        }
        if (text[0] == '-')
            return (skip(rest, "--> ") || skip(rest, "-> "))
                && readIdev(trimmed(rest), text, line, sink);
        return false;
    }

private:
    /// The two commands report the same in different words; each step of a job is emitted once.
    bool tell(const char* event, const QString& job, std::string_view text, const LogLine& line,
        MetricSink& sink)
    {
        if (job.isEmpty())
            return false;
        const QString reported = QLatin1String(event) + u' ' + job;
        if (reported == m_reported)
            return true;
        m_reported = reported;
        sink.add(MetricEvent{QLatin1String(event), labelText(text, 1000),
            {{QStringLiteral("job"), job}}, line.number});
        return true;
    }

    bool readWaiting(
        std::string_view rest, std::string_view text, const LogLine& line, MetricSink& sink)
    {
        if (skip(rest, "Pending job allocation "))
            return tell("job-queued", onJob(rest), text, line, sink);
        if (skip(rest, "Granted job allocation "))
            return tell("job-allocated", onJob(rest), text, line, sink);
        if (skip(rest, "Relinquishing job allocation "))
            return tell("job-released", onJob(rest), text, line, sink);
        if (skip(rest, "job ")) {
            const QString job = onJob(rest);
            if (rest == " queued and waiting for resources")
                return tell("job-queued", job, text, line, sink);
            return rest == " has been allocated resources"
                && tell("job-allocated", job, text, line, sink);
        }
        constexpr std::string_view ready = " are ready for job";
        if (skip(rest, "Nodes ") && rest.ends_with(ready)) {
            rest.remove_suffix(ready.size());
            return nodes(rest, text, line, sink);
        }
        return false;
    }

    static bool nodes(
        std::string_view names, std::string_view text, const LogLine& line, MetricSink& sink)
    {
        if (names.empty() || names.find(' ') != std::string_view::npos)
            return false;
        sink.add(MetricEvent{QStringLiteral("job-nodes"), labelText(text, 1000),
            {{QStringLiteral("nodes"), labelText(names, 1000)}}, line.number});
        return true;
    }

    bool readIdev(
        std::string_view rest, std::string_view text, const LogLine& line, MetricSink& sink)
    {
        if (rest.starts_with("Verifying ") || rest.starts_with("Checking ")) {
            const bool good = rest.ends_with("OK");
            // A check without a result yet, or text that only begins like one.
            if (!good && rest.find("...") == std::string_view::npos)
                return false;
            sink.add(MetricEvent{good ? QStringLiteral("check") : QStringLiteral("warning"),
                labelText(text, 1000), {}, line.number});
            return true;
        }
        if (skip(rest, "job status: ")) {
            const QString state = labelText(trimmed(rest), 20);
            if (state.isEmpty() || state == m_state)
                return !state.isEmpty();
            m_state = state;
            sink.add(MetricEvent{QStringLiteral("job-state"), labelText(text),
                {{QStringLiteral("state"), state}}, line.number});
            return true;
        }
        if (!skip(rest, "Job is now running on masternode= "))
            return false;
        return nodes(rest.substr(0, rest.find("...")), text, line, sink);
    }

    QString m_reported;
    QString m_state;
};

} // namespace

std::unique_ptr<Recogniser> makeSlurmRecogniser()
{
    return std::make_unique<SlurmRecogniser>();
}

} // namespace slipway
