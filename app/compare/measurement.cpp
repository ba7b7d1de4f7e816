// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/measurement.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimeZone>

#include <cmath>
#include <limits>

namespace slipway {

namespace {

constexpr int longestText = 300;
constexpr int mostRepeats = 100'000;

/// Reads members of a row. A member of the wrong type is treated as unknown.
class RowFields {
public:
    explicit RowFields(const QJsonObject& row)
        : m_row(row)
    {
    }

    QString text(const char* key) const
    {
        return at(key).toString().simplified().left(longestText);
    }

    std::optional<double> number(const char* key) const
    {
        const QJsonValue value = at(key);
        if (value.isDouble() && std::isfinite(value.toDouble()))
            return value.toDouble();
        return {};
    }

    std::optional<int> count(const char* key) const
    {
        const auto value = number(key);
        if (!value || *value < 0 || *value > std::numeric_limits<int>::max()
            || *value != std::floor(*value))
            return {};
        return static_cast<int>(*value);
    }

    std::optional<bool> flag(const char* key) const
    {
        const QJsonValue value = at(key);
        return value.isBool() ? std::optional(value.toBool()) : std::nullopt;
    }

    /// Times: invalid ones are left out, and `bad` is set.
    std::vector<double> times(const char* key, bool* bad) const
    {
        std::vector<double> times;
        for (const QJsonValue& value : at(key).toArray()) {
            const double time = value.toDouble();
            if (value.isDouble() && std::isfinite(time) && time > 0 && times.size() < mostRepeats)
                times.push_back(time);
            else
                *bad = true;
        }
        return times;
    }

    std::optional<QStringList> words(const char* key) const
    {
        const QJsonValue value = at(key);
        if (!value.isArray())
            return {};
        QStringList words;
        for (const QJsonValue& word : value.toArray())
            if (!word.toString().trimmed().isEmpty())
                words << word.toString().simplified().left(longestText);
        return words;
    }

    /// Seconds since 1970; invalid where there is no time.
    QDateTime time(const char* key) const
    {
        const auto t = number(key);
        return t && *t > 0 && *t < 1e11
            ? QDateTime::fromMSecsSinceEpoch(qint64(*t * 1000), QTimeZone::utc())
            : QDateTime();
    }

    std::optional<RowFields> object(const char* key) const
    {
        const QJsonValue value = at(key);
        return value.isObject() ? std::optional(RowFields(value.toObject())) : std::nullopt;
    }

private:
    QJsonValue at(const char* key) const { return m_row.value(QLatin1String(key)); }

    QJsonObject m_row;
};

/// The name of a size; the row may contain it.
QString sizeName(const QString& work)
{
    if (work.startsWith(QLatin1String("gemm")))
        return QStringLiteral("n");
    if (work == QLatin1String("triad"))
        return QStringLiteral("elements");
    if (work == QLatin1String("nbody"))
        return QStringLiteral("bodies");
    return QStringLiteral("size");
}

/// Only positive values are valid: a count of operations, a peak, a power.
std::optional<double> positive(std::optional<double> value)
{
    return value && *value > 0 ? value : std::nullopt;
}

std::optional<Measurement> readPoint(const RowFields& row)
{
    Measurement point;
    bool bad = false;
    const auto x = row.number("x");
    point.seconds = row.times("seconds", &bad);
    point.secondsWithTransfers = row.times("seconds_with_transfers", &bad);
    point.otherSeconds = row.times("other_seconds", &bad);
    point.work = row.text("work");
    point.lane = row.text("lane");
    if (bad || !x || *x <= 0 || point.seconds.empty() || point.work.isEmpty()
        || point.lane.isEmpty())
        return {};
    point.x = *x;
    point.label = row.text("label");
    if (point.label.isEmpty())
        point.label = point.lane;
    point.device = row.text("device");
    point.name = row.text("name");
    point.node = row.text("node");
    point.xName = row.text("x_name");
    if (point.xName.isEmpty())
        point.xName = sizeName(point.work);
    point.operations = positive(row.number("operations"));
    point.bytes = positive(row.number("bytes"));
    point.warmups = row.count("warmups");
    point.synchronised = row.flag("synchronised");
    point.verified = row.flag("verified");
    point.error = row.number("error");
    point.bound = row.number("bound");
    point.threads = row.count("threads");
    point.cpus = row.count("cpus");
    point.library = row.text("library");
    point.otherLibrary = row.text("other_library");
    point.peak = positive(row.number("peak"));
    if (const auto clock = row.object("clock")) {
        point.clockLow = positive(clock->number("low"));
        point.clockMedian = positive(clock->number("median"));
        point.clockHigh = positive(clock->number("high"));
    }
    point.clockLimit = positive(row.number("clock_limit"));
    point.power = positive(row.number("power"));
    point.energy = positive(row.number("energy"));
    point.temperature = row.number("temperature");
    point.throttle = row.words("throttle");
    point.when = row.time("t");
    return point;
}

/// A call of the probe begins with its first row, which applies to the points after it.
struct Call {
    QString node;
    QDateTime when;
};

std::optional<Call> readCall(const RowFields& row)
{
    const auto data = row.object("data");
    return data ? std::optional(Call{data->text("node"), data->time("t")}) : std::nullopt;
}

} // namespace

RaceFile readRace(const QByteArray& ndjson, const QString& runId)
{
    RaceFile file;
    file.runId = runId;
    Call call;
    for (const QByteArray& line : ndjson.split('\n')) {
        if (line.trimmed().isEmpty())
            continue;
        const QJsonDocument document = QJsonDocument::fromJson(line);
        const RowFields row(document.object());
        const QString id = row.text("id");
        if (!document.isObject() || id.isEmpty()) {
            ++file.unreadable;
        } else if (id == QLatin1String("race.point")) {
            auto point = readPoint(row);
            if (!point) {
                ++file.unreadable;
                continue;
            }
            point->runId = runId;
            if (point->node.isEmpty())
                point->node = call.node;
            if (!point->when.isValid())
                point->when = call.when;
            file.points.push_back(*std::move(point));
        } else if (id == QLatin1String("probe")) {
            call = readCall(row).value_or(Call());
        } else if (id == QLatin1String("race.size")) {
            if (const auto x = positive(row.number("x")))
                file.leftOut.push_back({row.text("lane"), row.text("work"), *x, row.text("why")});
        } else if (id == QLatin1String("race.lane") && row.text("state") != QLatin1String("ok")) {
            AbsentLane absent{
                row.text("lane"), row.text("label"), row.text("why"), row.text("fix")};
            if (absent.label.isEmpty())
                absent.label = absent.lane;
            file.absent.push_back(std::move(absent));
        }
    }
    return file;
}

} // namespace slipway
