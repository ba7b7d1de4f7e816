// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace slipway::bench {

/// Report prints what was measured, beside its target: as a table, or as JSON with --json.
/// run() ends with 1 when a target was missed.
class Report {
public:
    Report(const char* name, int argc, char** argv)
        : m_name(name)
    {
        for (int i = 1; i < argc; ++i)
            m_json = m_json || QByteArray(argv[i]) == "--json";
    }

    void add(
        const char* measure, double value, const char* unit, double target, bool higherIsBetter)
    {
        const bool met = higherIsBetter ? value >= target : value <= target;
        m_allMet = m_allMet && met;
        m_rows.append(QJsonObject{{QStringLiteral("measure"), QLatin1String(measure)},
            {QStringLiteral("value"), value}, {QStringLiteral("unit"), QLatin1String(unit)},
            {QStringLiteral("target"), target},
            {QStringLiteral("higher_is_better"), higherIsBetter}, {QStringLiteral("met"), met}});
        if (!m_json)
            std::printf("%-44s %12.4g %-8s target %s %-10.4g %s\n", measure, value, unit,
                higherIsBetter ? ">=" : "<=", target, met ? "met" : "MISSED");
    }

    int finish()
    {
#ifdef __SANITIZE_ADDRESS__
        const bool sanitised = true;
#else
        const bool sanitised = false;
#endif
        const QString build = QStringLiteral(SLIPWAY_BUILD_TYPE)
            + (sanitised ? QStringLiteral(", sanitised") : QString());
        if (m_json) {
            const QJsonObject all{{QStringLiteral("bench"), QLatin1String(m_name)},
                {QStringLiteral("build"), build}, {QStringLiteral("results"), m_rows}};
            std::printf("%s\n", QJsonDocument(all).toJson(QJsonDocument::Compact).constData());
        } else {
            std::printf("build: %s; the measured libraries are compiled with -O2 or more; time of "
                        "one core\n",
                qPrintable(build));
        }
        return m_allMet ? 0 : 1;
    }

private:
    const char* m_name;
    QJsonArray m_rows;
    bool m_json = false;
    bool m_allMet = true;
};

/// Seconds of this thread on its core: what else the machine does is not measured.
inline double coreSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}

/// How long each of some runs took, in seconds of one core, the fastest first.
template <typename Function> std::vector<double> sortedSeconds(int runs, Function function)
{
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) {
        const double start = coreSeconds();
        function();
        times.push_back(coreSeconds() - start);
    }
    std::sort(times.begin(), times.end());
    return times;
}

template <typename Function> double medianSeconds(int runs, Function function)
{
    return sortedSeconds(runs, function)[size_t(runs) / 2];
}

/// The fastest run: what others do on the same core and its caches only makes a run slower.
template <typename Function> double fastestSeconds(int runs, Function function)
{
    return sortedSeconds(runs, function).front();
}

} // namespace slipway::bench
