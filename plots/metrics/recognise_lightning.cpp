// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

#include <array>
#include <cmath>
#include <set>

namespace slipway {

namespace {

constexpr double mostMembers = 65536;

/// "55.6 M" → 55.6e6, "7.9 K" → 7900, "10" → 10.
std::optional<double> takeParameters(std::string_view& rest)
{
    skipSpaces(rest);
    const auto number = takeNumber(rest);
    if (!number || !(*number >= 0))
        return {};
    skipSpaces(rest);
    static constexpr std::string_view prefixes = "KMBT";
    const size_t prefix = rest.empty() ? std::string_view::npos : prefixes.find(rest[0]);
    if (prefix == std::string_view::npos || (rest.size() > 1 && isWordCharacter(rest[1])))
        return number; // the T of "222.464   Total …" does not mean tera
    rest.remove_prefix(1);
    return *number * std::pow(1000.0, static_cast<double>(prefix + 1));
}

/// Reads the messages of Lightning besides its bars: the devices it uses, its ranks as they
/// register
/// ("ranks", also as progress), the backend, the size of the model, and why it stopped. None of it
/// is plotted.
class LightningRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        return {.first = "GILAdS`0123456789",
            .words = {"|", "param", "gpu available: ", "global_rank: ", "local_rank: ",
                "distributed", "auto-requeueing", "`trainer.fit`"},
            .fits = mayBe};
    }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (line.progress || line.text.size() > 1000)
            return false;
        const std::string_view text = trimmed(line.text);
        if (text.size() < 12)
            return false;
        switch (text[0]) {
        case 'G':
            return readDevice(text, line, sink);
        case 'I':
            return readMember(text, line, sink);
        case 'L':
            return readLocalRank(text, line, sink);
        case 'A':
            return readRegistered(text, line, sink);
        case 'd':
            return readBackend(text, line, sink);
        case 'S':
            return readRequeue(text, line, sink);
        case '`':
            return readStopped(text, line, sink);
        default:
            return isDigit(text[0])
                && (readModel(text, line, sink) || readModule(text, line, sink));
        }
    }

private:
    static bool mayBe(std::string_view text)
    {
        const size_t number = text.find_first_not_of("0123456789.+-eEdD \t");
        return startsWithOneOf(text,
                   {"GPU available: ", "Initializing distributed: ", "All distributed ",
                       "LOCAL_RANK: ", "distributed_backend=", "SLURM auto", "`Trainer.fit`"})
            || (number != 0 && number != std::string_view::npos && text[number] == '|')
            || (isDigit(text[0]) && text.find("param") != std::string_view::npos);
    }
    static bool say(const char* word, std::string_view text, QMap<QString, QString> values,
        const LogLine& line, MetricSink& sink)
    {
        sink.add(MetricEvent{
            QLatin1String(word), labelText(text, 1000), std::move(values), line.number});
        return true;
    }

    /// "GPU available: True (cuda), used: True"
    static bool readDevice(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        std::string_view rest = text;
        if (!skip(rest, "GPU available: "))
            return false;
        const bool available = rest.starts_with("True");
        const size_t used = rest.find(", used: ");
        if (used == std::string_view::npos || (!available && !rest.starts_with("False")))
            return false;
        const bool isUsed = rest.substr(used + 8) == "True";
        return say(available && isUsed ? "device" : "no_device", text,
            {{QStringLiteral("available"),
                 available ? QStringLiteral("true") : QStringLiteral("false")},
                {QStringLiteral("used"),
                    isUsed ? QStringLiteral("true") : QStringLiteral("false")}},
            line, sink);
    }

    /// "Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/16": the rendezvous waits for all.
    bool readMember(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        std::string_view rest = text;
        if (!skip(rest, "Initializing distributed: GLOBAL_RANK: "))
            return false;
        const auto rank = takeNumber(rest);
        if (!rank || !skip(rest, ", MEMBER: "))
            return false;
        const auto member = takeNumber(rest);
        const auto total = skip(rest, "/") ? wholeNumber(rest) : std::nullopt;
        if (!member || !total || !(*member >= 1 && *member <= *total && *total <= mostMembers))
            return false;
        if (*total != m_total)
            m_members.clear();
        m_total = *total;
        m_members.insert(*member);
        const double registered = static_cast<double>(m_members.size());
        sink.setProgress(QStringLiteral("ranks"), registered, m_total);
        return say("rank", text,
            {{QStringLiteral("rank"), QString::number(*rank)},
                {QStringLiteral("registered"), QString::number(registered)},
                {QStringLiteral("ranks"), QString::number(m_total)}},
            line, sink);
    }

    /// "All distributed processes registered. Starting with 16 processes"
    static bool readRegistered(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        std::string_view rest = text;
        if (!skip(rest, "All distributed processes registered. Starting with "))
            return false;
        const auto ranks = takeNumber(rest);
        if (!ranks || !rest.starts_with(" process"))
            return false;
        sink.setProgress(QStringLiteral("ranks"), *ranks, *ranks);
        return say("ranks", text, {{QStringLiteral("ranks"), QString::number(*ranks)}}, line, sink);
    }

    /// "LOCAL_RANK: 5 - CUDA_VISIBLE_DEVICES: [0,1,2,3]"
    static bool readLocalRank(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        std::string_view rest = text;
        if (!skip(rest, "LOCAL_RANK: "))
            return false;
        const auto rank = takeNumber(rest);
        if (!rank || !skip(rest, " - CUDA_VISIBLE_DEVICES: "))
            return false;
        return say("devices", text,
            {{QStringLiteral("local_rank"), QString::number(*rank)},
                {QStringLiteral("devices"), labelText(rest)}},
            line, sink);
    }

    static bool readBackend(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        std::string_view rest = text;
        if (!skip(rest, "distributed_backend=") || rest.find(' ') != std::string_view::npos)
            return false;
        return say("backend", text, {{QStringLiteral("backend"), labelText(rest)}}, line, sink);
    }

    /// Each rank prints this; one event is enough.
    bool readRequeue(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        if (!text.starts_with("SLURM auto-requeueing enabled."))
            return false;
        return m_requeueSaid || (m_requeueSaid = say("requeue", text, {}, line, sink));
    }

    /// "`Trainer.fit` stopped: `max_epochs=5` reached."
    static bool readStopped(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        std::string_view rest = text;
        if (!skip(rest, "`Trainer.fit` stopped: "))
            return false;
        const size_t open = rest.find('`');
        const size_t close = rest.find('`', open == std::string_view::npos ? open : open + 1);
        const QString reason = close == std::string_view::npos
            ? labelText(rest)
            : labelText(rest.substr(open + 1, close - open - 1));
        return say("done", text, {{QStringLiteral("reason"), reason}}, line, sink);
    }

    /// A row of the table of modules: "0 | model | Sequential | 55.6 M", newer with "| train".
    static bool readModule(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        const size_t first = text.find('|');
        if (first == std::string_view::npos || !wholeNumber(text.substr(0, first)))
            return false;
        std::array<std::string_view, 4> cells;
        std::string_view rest = text;
        for (std::string_view& cell : cells) {
            const size_t bar = std::min(rest.find('|'), rest.size());
            cell = trimmed(rest.substr(0, bar));
            rest.remove_prefix(std::min(bar + 1, rest.size()));
        }
        std::string_view count = cells[3];
        const auto parameters = takeParameters(count);
        const auto isName = [](std::string_view cell) {
            return !cell.empty() && (isLetter(cell[0]) || cell[0] == '_');
        };
        if (!isName(cells[1]) || !isName(cells[2]) || !parameters || !count.empty()
            || rest.find('|') != std::string_view::npos)
            return false;
        return say("module", text,
            {{QStringLiteral("name"), labelText(cells[1])},
                {QStringLiteral("type"), labelText(cells[2])},
                {QStringLiteral("parameters"), QString::number(*parameters, 'f', 0)}},
            line, sink);
    }

    /// Below the table: "55.6 M    Trainable params", "222.464   Total estimated model params size
    /// (MB)".
    static bool readModel(std::string_view text, const LogLine& line, MetricSink& sink)
    {
        static constexpr std::string_view tails[] = {"Trainable params", "Non-trainable params",
            "Total params", "Total estimated model params size (MB)"};
        static constexpr const char* names[] = {
            "trainable_parameters", "fixed_parameters", "parameters", "bytes"};
        for (size_t i = 0; i < std::size(tails); ++i) {
            if (!text.ends_with(tails[i]))
                continue;
            std::string_view rest = text;
            const auto number = takeParameters(rest);
            if (!number || trimmed(rest) != tails[i])
                return false;
            const double factor = i == 3 ? 1e6 : 1;
            return say("model", text,
                {{QLatin1String(names[i]), QString::number(*number * factor, 'f', 0)}}, line, sink);
        }
        return false;
    }

    std::set<double> m_members;
    double m_total = 0;
    bool m_requeueSaid = false;
};

} // namespace

std::unique_ptr<Recogniser> makeLightningRecogniser()
{
    return std::make_unique<LightningRecogniser>();
}

} // namespace slipway
