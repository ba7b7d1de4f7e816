// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runmeasures.h"

#include "app/node/nodesample.h"
#include "remote/base/tr.h"

#include <QDateTime>

#include <cmath>

namespace slipway {

namespace {

/// The moment at which the largest part of a memory was in use.
struct Peak {
    double used = 0, total = 0, t = 0;
    QString place;

    void look(double now, double limit, double time, const QString& where)
    {
        if (limit > 0 && now > 0 && now <= limit * 2 && (total == 0 || now / limit > used / total))
            *this = {now, limit, time, where};
    }
    bool known() const { return total > 0; }
    QString time() const
    {
        return QDateTime::fromSecsSinceEpoch(qint64(t)).toString(QStringLiteral("HH:mm:ss"));
    }
};

/// "79.1", as drivers and vendors count
QString gigabytes(double bytes)
{
    return QString::number(bytes / 1e9, 'f', 1);
}

} // namespace

QMap<QString, QString> measuredMemory(const QByteArray& samples)
{
    Peak host, gpu;
    for (qsizetype at = 0; at < samples.size();) {
        const qsizetype end = samples.indexOf('\n', at);
        const qsizetype size = (end < 0 ? samples.size() : end) - at;
        const auto sample = readNodeSample(samples.mid(at, size));
        at += size + 1;
        if (!sample || !std::isfinite(sample->t) || std::abs(sample->t) > 1e11)
            continue;
        if (sample->memoryUsed && sample->memoryTotal)
            host.look(*sample->memoryUsed, *sample->memoryTotal, sample->t, sample->node);
        for (const GpuSample& one : sample->gpus)
            if (one.memoryUsed && one.memoryTotal)
                gpu.look(*one.memoryUsed, *one.memoryTotal, sample->t,
                    tr("GPU %1 of %2").arg(one.index).arg(sample->node));
    }
    QMap<QString, QString> facts;
    if (host.known())
        facts.insert(QStringLiteral("memory"),
            tr("At its peak, at %1, the job used %2 of %3 GB on %4.")
                .arg(host.time(), gigabytes(host.used), gigabytes(host.total), host.place));
    if (gpu.known())
        facts.insert(QStringLiteral("gpu_memory"),
            tr("%1 of %2 GB were in use on %3 at %4, then the error.")
                .arg(gigabytes(gpu.used), gigabytes(gpu.total), gpu.place, gpu.time()));
    return facts;
}

} // namespace slipway
