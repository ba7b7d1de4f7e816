// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sampleraces.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QJsonArray numbers(const std::vector<double>& list)
{
    QJsonArray array;
    for (const double one : list) {
        array.append(one);
    }
    return array;
}

/// The repeats around a time: always the same, never alike.
std::vector<double> repeatsOf(double time, int count)
{
    std::vector<double> list;
    for (int i = 0; i < count; ++i) {
        list.push_back(time * (1 + 0.012 * std::sin(1.7 * i + 0.3)));
    }
    return list;
}

} // namespace

SampleLane sampleGpu()
{
    return {u"gpu"_s, u"GPU"_s, u"gpu"_s, u"Test card 80GB"_s, 52e12, 900};
}

SampleLane sampleCpu(int threads)
{
    const QString label = threads == 1 ? u"CPU, 1 thread"_s : u"CPU, all threads"_s;
    return {threads == 1 ? u"cpu-1"_s : u"cpu"_s, label, u"cpu"_s, u"Test processor"_s,
        threads == 1 ? 0.11e12 : 1.65e12, threads == 1 ? 60.0 : 350.0, threads};
}

std::vector<Measurement> samplePoints(const SampleLane& lane, int sizes, const QString& runId)
{
    std::vector<Measurement> points;
    for (int i = 0; i < sizes; ++i) {
        const double n = 512 * std::pow(2, i);
        const bool gpu = lane.device == u"gpu"_s;
        Measurement point;
        point.runId = runId;
        point.work = u"gemm-fp32"_s;
        point.lane = lane.lane;
        point.label = lane.label;
        point.device = lane.device;
        point.name = lane.name;
        point.node = u"test-node-1"_s;
        point.x = n;
        point.xName = u"n"_s;
        point.operations = 2 * n * n * n;
        point.bytes = 12 * n * n;
        const double time = *point.operations / (lane.most * n / (n + lane.half));
        point.seconds = repeatsOf(time, lane.repeats);
        if (gpu) {
            point.secondsWithTransfers = repeatsOf(time + *point.bytes / 24e9 + 4e-4, lane.repeats);
            point.throttle = QStringList();
            point.power = 640;
            point.temperature = 58;
        } else {
            point.threads = lane.threads;
            point.cpus = lane.cpus;
            point.library = u"own, AVX-512"_s;
        }
        point.energy = time * (gpu ? 640 : 310);
        point.warmups = 2;
        point.synchronised = true;
        point.verified = true;
        point.error = 3e-7;
        point.bound = 1e-5;
        point.peak = gpu ? 61.2e12 : lane.threads == 1 ? 0.125e12 : 1.95e12;
        points.push_back(point);
    }
    return points;
}

ComparedRun sampleRace(const QString& runId, const std::vector<SampleLane>& lanes, int sizes)
{
    ComparedRun run;
    run.id = runId;
    run.title = u"Race, made-up numbers"_s;
    run.site = u"Test site"_s;
    run.image = u"sha256:7c1f09a2b3d4…"_s;
    run.when = QDateTime(QDate(2026, 11, 20), QTime(10, 30));
    run.file.runId = runId;
    run.file.title = run.title;
    for (const SampleLane& lane : lanes) {
        const auto points = samplePoints(lane, sizes, runId);
        run.file.points.insert(run.file.points.end(), points.begin(), points.end());
    }
    run.references = {{u"Made-up reference, GPU"_s, u"flops"_s, u"test data"_s,
                          {{2048, 4.67e12}, {4096, 4.78e12}, {8192, 4.88e12}}},
        {u"Made-up reference, CPU"_s, u"flops"_s, u"test data"_s,
            {{2048, 86e9}, {4096, 88e9}, {8192, 88.4e9}}}};
    return run;
}

AbsentLane sampleAbsentGpu()
{
    return {u"gpu"_s, u"GPU"_s, u"this node has no GPU driver"_s,
        u"Launch it on a partition with GPUs."_s};
}

QByteArray raceRows(const RaceFile& file)
{
    QByteArray rows;
    for (const Measurement& point : file.points) {
        QJsonObject row{{u"id"_s, u"race.point"_s}, {u"state"_s, u"ok"_s}, {u"work"_s, point.work},
            {u"lane"_s, point.lane}, {u"label"_s, point.label}, {u"device"_s, point.device},
            {u"name"_s, point.name}, {u"node"_s, point.node}, {u"x"_s, point.x},
            {u"x_name"_s, point.xName}, {u"seconds"_s, numbers(point.seconds)},
            {u"operations"_s, *point.operations}, {u"bytes"_s, *point.bytes},
            {u"warmups"_s, *point.warmups}, {u"synchronised"_s, true}, {u"verified"_s, true},
            {u"error"_s, *point.error}, {u"bound"_s, *point.bound}, {u"peak"_s, *point.peak}};
        if (point.device == u"gpu"_s) {
            row.insert(u"seconds_with_transfers"_s, numbers(point.secondsWithTransfers));
            row.insert(u"throttle"_s, QJsonArray());
        } else {
            row.insert(u"threads"_s, *point.threads);
            row.insert(u"cpus"_s, *point.cpus);
            row.insert(u"library"_s, point.library);
        }
        rows += QJsonDocument(row).toJson(QJsonDocument::Compact) + '\n';
    }
    return rows;
}

} // namespace slipway
