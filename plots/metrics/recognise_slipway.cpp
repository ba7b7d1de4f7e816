// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/scan.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace slipway {

namespace {

constexpr int longestLabel = 200;

QString text(const QJsonObject& object, const char* member)
{
    return object.value(QLatin1String(member)).toString().left(longestLabel);
}

std::optional<double> number(const QJsonObject& object, const char* member)
{
    const QJsonValue value = object.value(QLatin1String(member));
    if (value.isDouble())
        return value.toDouble();
    // JSON cannot represent these; programs write the word instead.
    const QString word = value.toString().toLower();
    if (word == QLatin1String("nan"))
        return std::nan("");
    if (word == QLatin1String("inf") || word == QLatin1String("infinity"))
        return INFINITY;
    if (word == QLatin1String("-inf") || word == QLatin1String("-infinity"))
        return -INFINITY;
    return {};
}

QString valueText(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::String:
        return value.toString().left(4096);
    case QJsonValue::Double:
        return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
    case QJsonValue::Bool:
        return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    default:
        return {};
    }
}

/// Reads the lines that our own programs print for machines, one JSON object per line:
/// `@slipway {"sample":"flops","lane":"cuda","x":2048,"x_name":"n","y":1.2e11,"unit":"FLOP/s"}` and
/// `@slipway {"event":"device","text":"Quadro RTX 5000"}`. Anything else is ignored. Unknown
/// members ("repeat": 3) are ignored; the series keeps its name.
class SlipwayRecogniser : public Recogniser {
public:
    LineSigns signs() const override { return {"@"}; }
    bool read(const LogLine& line, MetricSink& sink) override
    {
        std::string_view rest = line.text;
        skipSpaces(rest);
        if (!skip(rest, "@slipway "))
            return false;
        if (line.progress)
            return true;
        const auto bytes =
            QByteArray::fromRawData(rest.data(), static_cast<qsizetype>(rest.size()));
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
        if (error.error != QJsonParseError::NoError || !document.isObject())
            return true;
        const QJsonObject object = document.object();
        if (object.contains(QLatin1String("sample")))
            readSample(object, line, sink);
        else if (object.contains(QLatin1String("event")))
            readEvent(object, line, sink);
        return true;
    }

private:
    static void readSample(const QJsonObject& object, const LogLine& line, MetricSink& sink)
    {
        const auto y = number(object, "y");
        Sample sample;
        sample.series = text(object, "sample");
        if (!y || sample.series.isEmpty())
            return;
        sample.y = *y;
        sample.lane = text(object, "lane");
        sample.unit = text(object, "unit");
        sample.line = line.number;
        if (object.contains(QLatin1String("x"))) {
            const auto x = number(object, "x");
            if (!x || !std::isfinite(*x))
                return;
            sample.x = *x;
            sample.xName = text(object, "x_name");
            if (sample.xName.isEmpty())
                sample.xName = QStringLiteral("x");
        } else {
            sample.x = static_cast<double>(line.number);
            sample.xName = QStringLiteral("line");
        }
        sample.low = number(object, "low");
        sample.high = number(object, "high");
        sink.add(std::move(sample));
    }

    static void readEvent(const QJsonObject& object, const LogLine& line, MetricSink& sink)
    {
        MetricEvent event;
        event.event = text(object, "event");
        if (event.event.isEmpty())
            return;
        event.text = object.value(QLatin1String("text")).toString().left(4096);
        event.line = line.number;
        for (auto member = object.begin(); member != object.end(); ++member) {
            if (member.key() == QLatin1String("event") || member.key() == QLatin1String("text"))
                continue;
            const QString value = valueText(member.value());
            if (!value.isNull() && event.values.size() < 64)
                event.values.insert(member.key().left(longestLabel), value);
        }
        sink.add(std::move(event));
    }
};

} // namespace

std::unique_ptr<Recogniser> makeSlipwayRecogniser()
{
    return std::make_unique<SlipwayRecogniser>();
}

} // namespace slipway
