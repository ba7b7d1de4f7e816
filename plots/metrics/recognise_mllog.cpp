// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace slipway {

namespace {

/// Reads the lines of MLPerf's logger, ":::MLLOG {…}" and its first form, ":::MLPv0.5.0 …": events
/// with a value whose key is a measurement ("eval_accuracy"), and the numbers of "tracked_stats". x
/// is the step, the samples or the epoch in their metadata. Everything else on such lines is a
/// setting or a mark.
class MLLogRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {.holds = ":{"}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        const size_t at = line.text.substr(0, 200).find(":::ML");
        if (at == std::string_view::npos)
            return false;
        const std::string_view json =
            line.text.substr(std::min(line.text.find('{', at), line.text.size()));
        if (json.empty() || json.size() > longest)
            return false;
        const QJsonObject event =
            QJsonDocument::fromJson(QByteArray::fromRawData(json.data(), qsizetype(json.size())))
                .object();
        if (line.text.substr(at).starts_with(":::MLP"))
            return readFirstForm(line, at, event, sink);
        const QString key = event.value(QLatin1String("key")).toString();
        if (key.isEmpty())
            return false;
        const QJsonValue value = event.value(QLatin1String("value"));
        const QJsonObject metadata = event.value(QLatin1String("metadata")).toObject();
        if (value.isObject() && key == QLatin1String("tracked_stats")) {
            const QJsonObject stats = value.toObject();
            for (auto member = stats.begin(); member != stats.end(); ++member)
                give(member.key(), *member, metadata, line, sink);
        } else {
            give(key, value, metadata, line, sink);
        }
        return true;
    }

private:
    static constexpr size_t longest = 65536;

    /// ":::MLPv0.5.0 ncf 1541818394.968 (ncf.py:450) eval_accuracy: {"epoch": 12, "value": 0.62}"
    bool readFirstForm(const LogLine& line, size_t at, const QJsonObject& event, MetricSink& sink)
    {
        const std::string_view before = line.text.substr(at, line.text.find('{', at) - at);
        const size_t key = before.rfind(") ");
        const size_t colon = before.rfind(": ");
        if (key == std::string_view::npos || colon == std::string_view::npos || colon < key)
            return false;
        give(labelText(before.substr(key + 2, colon - key - 2)),
            event.value(QLatin1String("value")), event, line, sink);
        return true;
    }

    static bool place(const QJsonObject& metadata, Sample& sample)
    {
        struct StepKey {
            const char* key;
            const char* name;
        };
        static constexpr StepKey stepKeys[] = {{"step_num", "step"}, {"step", "step"},
            {"iteration", "iteration"}, {"samples_count", "samples"}, {"epoch_num", "epoch"},
            {"epoch", "epoch"}};
        for (const StepKey& known : stepKeys) {
            const QJsonValue x = metadata.value(QLatin1String(known.key));
            if (!x.isDouble())
                continue;
            sample.x = x.toDouble();
            sample.xName = QLatin1String(known.name);
            return true;
        }
        return false;
    }

    void give(const QString& key, const QJsonValue& value, const QJsonObject& metadata,
        const LogLine& line, MetricSink& sink)
    {
        const NameMeaning& meaning = m_cache.find(key.left(80).toStdString());
        Sample sample;
        if (!value.isDouble() || meaning.kind != NameMeaning::Metric || !place(metadata, sample))
            return;
        sample.series = meaning.series;
        sample.lane = rankLane(line.rank);
        sample.y = value.toDouble();
        sample.unit = meaning.quantity->unit;
        sample.line = line.number;
        sink.add(std::move(sample));
    }

    NameCache m_cache{MetricNames::builtIn()};
};

} // namespace

std::unique_ptr<Recogniser> makeMLLogRecogniser()
{
    return std::make_unique<MLLogRecogniser>();
}

} // namespace slipway
