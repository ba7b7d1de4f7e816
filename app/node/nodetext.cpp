// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/nodeplaces.h"
#include "app/node/nodereport.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <map>

namespace slipway {

namespace {

/// "2 × H100 80GB HBM3", "H100 and A30"
QString gpuWords(const NodePlace& place)
{
    std::map<QString, int> counts;
    for (QString name : place.names)
        ++counts[name.remove(QStringLiteral("NVIDIA ")).simplified()];
    QStringList words;
    for (const auto& [name, count] : counts)
        words << (name.isEmpty() ? tr("%1 GPUs").arg(count)
                : count == 1     ? name
                                 : tr("%1 × %2").arg(count).arg(name));
    return words.join(tr(" and "));
}

/// What a node has: "2 × H100, driver 580.65, CUDA 13.0".
QString hostWords(const NodePlace& place)
{
    QStringList words;
    if (place.gpus.value_or(0) > 0)
        words << gpuWords(place);
    else if (place.noDriver)
        return tr("no NVIDIA driver");
    else if (place.gpus || !place.driver.isEmpty())
        words << tr("no GPU that the job may use");
    if (!place.driver.isEmpty())
        words << tr("driver %1").arg(place.driver);
    if (!place.cuda.isEmpty())
        words << tr("CUDA %1").arg(place.cuda);
    return words.join(QStringLiteral(", "));
}

QString seenWords(int host, const NodePlace& container)
{
    const int sees = container.gpus.value_or(0);
    if (sees == 0)
        return host == 1 ? tr("the container does not see it")
                         : tr("the container sees none of them");
    if (sees < host)
        return tr("the container sees %1 of them").arg(sees);
    return host == 1 ? tr("the container sees it")
        : host == 2  ? tr("the container sees both")
                     : tr("the container sees all");
}

/// What one node has, and its container, without the node's name.
QString nodeWords(const std::vector<NodePlace>& places, const QString& node)
{
    QString text;
    for (const NodePlace& place : places)
        if (place.node == node && place.where == u"host")
            text = hostWords(place);
    for (const NodePlace& place : places) {
        if (place.node != node || place.where != u"container")
            continue;
        const auto host = std::find_if(places.begin(), places.end(),
            [&](const NodePlace& one) { return one.node == node && one.where == u"host"; });
        if (host != places.end() && host->gpus.value_or(0) > 0 && place.gpus)
            text += QStringLiteral("; ") + seenWords(*host->gpus, place);
        else if (host == places.end() && text.isEmpty())
            text = hostWords(place);
    }
    return text;
}

} // namespace

QString nodeSentence(const NodeReport& report)
{
    const std::vector<NodePlace> places = placesOf(report);
    // Equal nodes share one sentence.
    std::vector<std::pair<QString, QStringList>> groups;
    QStringList seen;
    for (const NodePlace& place : places) {
        if (seen.contains(place.node))
            continue;
        seen << place.node;
        const QString words = nodeWords(places, place.node);
        if (words.isEmpty())
            continue;
        const auto group = std::find_if(
            groups.begin(), groups.end(), [&](const auto& one) { return one.first == words; });
        const QString name = place.node.isEmpty() ? tr("the node") : place.node;
        if (group != groups.end())
            group->second << name;
        else
            groups.emplace_back(words, QStringList{name});
    }
    QStringList sentences;
    for (const auto& [words, nodes] : groups)
        sentences << (nodes.size() == 1
                ? tr("%1 has %2.").arg(nodes.front(), words)
                : tr("%1 each have %2.").arg(nodes.join(QStringLiteral(", ")), words));
    QStringList failed;
    for (const CheckRow& row : report.rows)
        if (row.state == CheckState::Fail && !failed.contains(checkTitle(row.id)))
            failed << checkTitle(row.id);
    if (!failed.isEmpty())
        sentences << tr("Failed: %1.").arg(failed.mid(0, 4).join(QStringLiteral(", ")));
    return sentences.join(u' ');
}

QString checkWord(CheckState state)
{
    switch (state) {
    case CheckState::Ok:
        return QStringLiteral("ok");
    case CheckState::Warn:
        return QStringLiteral("warn");
    case CheckState::Fail:
        return QStringLiteral("fail");
    case CheckState::Skip:
        break;
    }
    return QStringLiteral("skip");
}

/// "CPU: matrix product, FP32"; empty for an unknown benchmark.
static QString benchTitle(const QString& id)
{
    static const std::map<QString, const char*> works{
        {QStringLiteral("peak-fp32"), QT_TRANSLATE_NOOP("Slipway", "peak, FP32")},
        {QStringLiteral("peak-fp64"), QT_TRANSLATE_NOOP("Slipway", "peak, FP64")},
        {QStringLiteral("gemm-fp32"), QT_TRANSLATE_NOOP("Slipway", "matrix product, FP32")},
        {QStringLiteral("gemm-fp64"), QT_TRANSLATE_NOOP("Slipway", "matrix product, FP64")},
        {QStringLiteral("triad"), QT_TRANSLATE_NOOP("Slipway", "memory (triad)")},
        {QStringLiteral("nbody"), QT_TRANSLATE_NOOP("Slipway", "n-body")},
        {QStringLiteral("tensor-tf32"), QT_TRANSLATE_NOOP("Slipway", "tensor cores, TF32")},
        {QStringLiteral("tensor-fp16"), QT_TRANSLATE_NOOP("Slipway", "tensor cores, FP16")},
        {QStringLiteral("tensor-bf16"), QT_TRANSLATE_NOOP("Slipway", "tensor cores, BF16")},
        {QStringLiteral("cublas-fp32"), QT_TRANSLATE_NOOP("Slipway", "cuBLAS, FP32")},
        {QStringLiteral("cublas-fp64"), QT_TRANSLATE_NOOP("Slipway", "cuBLAS, FP64")},
        {QStringLiteral("cublas-tf32"), QT_TRANSLATE_NOOP("Slipway", "cuBLAS, TF32")},
        {QStringLiteral("cublas-fp16"), QT_TRANSLATE_NOOP("Slipway", "cuBLAS, FP16")},
        {QStringLiteral("cublas-bf16"), QT_TRANSLATE_NOOP("Slipway", "cuBLAS, BF16")},
        {QStringLiteral("h2d"), QT_TRANSLATE_NOOP("Slipway", "copies to it")},
        {QStringLiteral("d2h"), QT_TRANSLATE_NOOP("Slipway", "copies from it")},
        {QStringLiteral("h2d-pageable"), QT_TRANSLATE_NOOP("Slipway", "copies to it, pageable")},
        {QStringLiteral("d2h-pageable"), QT_TRANSLATE_NOOP("Slipway", "copies from it, pageable")},
        {QStringLiteral("d2d"), QT_TRANSLATE_NOOP("Slipway", "copies inside it")},
        {QStringLiteral("p2p"), QT_TRANSLATE_NOOP("Slipway", "copies to the next one")},
    };
    const QStringList parts = id.split(u'.');
    const auto work = works.find(parts.back());
    const bool gpu = parts.size() == 3 && parts[1] == u"gpu";
    if (work == works.end() || parts.front() != u"bench"
        || !(gpu || (parts.size() == 3 && parts[1] == u"cpu")))
        return {};
    return gpu ? tr("GPU: %1").arg(tr(work->second)) : tr("CPU: %1").arg(tr(work->second));
}

QString checkTitle(const QString& id)
{
    static const std::map<QString, const char*> titles{
        {QStringLiteral("driver.version"), QT_TRANSLATE_NOOP("Slipway", "Driver")},
        {QStringLiteral("driver.cuda"), QT_TRANSLATE_NOOP("Slipway", "CUDA of the driver")},
        {QStringLiteral("lib.libcuda"), QT_TRANSLATE_NOOP("Slipway", "libcuda")},
        {QStringLiteral("lib.nvml"), QT_TRANSLATE_NOOP("Slipway", "NVML")},
        {QStringLiteral("threads"), QT_TRANSLATE_NOOP("Slipway", "Threads")},
        {QStringLiteral("limits"), QT_TRANSLATE_NOOP("Slipway", "Limits")},
        {QStringLiteral("shm"), QT_TRANSLATE_NOOP("Slipway", "Shared memory")},
        {QStringLiteral("numa"), QT_TRANSLATE_NOOP("Slipway", "NUMA")},
        {QStringLiteral("disk.here"), QT_TRANSLATE_NOOP("Slipway", "Disk of the run")},
        {QStringLiteral("disk.home"), QT_TRANSLATE_NOOP("Slipway", "Disk of the home folder")},
        {QStringLiteral("disk.tmp"), QT_TRANSLATE_NOOP("Slipway", "Disk of /tmp")},
        {QStringLiteral("disk.cache"), QT_TRANSLATE_NOOP("Slipway", "Disk of the image cache")},
        {QStringLiteral("dev.nodes"), QT_TRANSLATE_NOOP("Slipway", "Device files")},
        {QStringLiteral("gpu.list"), QT_TRANSLATE_NOOP("Slipway", "GPUs")},
        {QStringLiteral("gpu.arch"), QT_TRANSLATE_NOOP("Slipway", "Architecture of the GPU")},
        {QStringLiteral("slurm.count"), QT_TRANSLATE_NOOP("Slipway", "GPUs of the job")},
        {QStringLiteral("image.cuda"), QT_TRANSLATE_NOOP("Slipway", "CUDA of the image")},
        {QStringLiteral("mig"), QT_TRANSLATE_NOOP("Slipway", "MIG")},
        {QStringLiteral("ecc"), QT_TRANSLATE_NOOP("Slipway", "ECC memory")},
        {QStringLiteral("xid"), QT_TRANSLATE_NOOP("Slipway", "GPU faults")},
        {QStringLiteral("state"), QT_TRANSLATE_NOOP("Slipway", "GPU state")},
        {QStringLiteral("pcie"), QT_TRANSLATE_NOOP("Slipway", "PCIe")},
        {QStringLiteral("nvlink"), QT_TRANSLATE_NOOP("Slipway", "NVLink")},
        {QStringLiteral("cpu"), QT_TRANSLATE_NOOP("Slipway", "CPUs")},
        {QStringLiteral("memory"), QT_TRANSLATE_NOOP("Slipway", "Memory")},
        {QStringLiteral("disk"), QT_TRANSLATE_NOOP("Slipway", "Disk")},
        {QStringLiteral("runtime"), QT_TRANSLATE_NOOP("Slipway", "Container runtimes")},
        {QStringLiteral("mpi"), QT_TRANSLATE_NOOP("Slipway", "MPI")},
        {QStringLiteral("compute.verify"), QT_TRANSLATE_NOOP("Slipway", "A kernel, verified")},
        {QStringLiteral("agent.gpu"), QT_TRANSLATE_NOOP("Slipway", "Live samples of the GPUs")},
        {QStringLiteral("nvidia-smi"), QT_TRANSLATE_NOOP("Slipway", "nvidia-smi")},
        {QStringLiteral("container"), QT_TRANSLATE_NOOP("Slipway", "Container")},
        {QStringLiteral("container.gpu"), QT_TRANSLATE_NOOP("Slipway", "GPUs in the container")},
        {QStringLiteral("probe.file"), QT_TRANSLATE_NOOP("Slipway", "Probe")},
        {QStringLiteral("probe.run"), QT_TRANSLATE_NOOP("Slipway", "Probe")},
    };
    const auto title = titles.find(id);
    if (title != titles.end())
        return tr(title->second);
    if (const QString bench = benchTitle(id); !bench.isEmpty())
        return bench;
    if (id.startsWith(u"disk."))
        return tr("Disk of $%1").arg(id.mid(5).toUpper());
    // A check of a newer probe: shown with its id.
    QString text = id;
    text.replace(u'.', u' ').replace(u'-', u' ').replace(u'_', u' ');
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString nodeReportText(const NodeReport& report)
{
    QString text = nodeSentence(report);
    if (!text.isEmpty())
        text += u'\n';
    QString place;
    for (const CheckRow& row : report.rows) {
        const QString here = QStringList{row.node, row.where}.join(QStringLiteral(", "));
        if (here != place || place.isEmpty())
            text += u"\n[" + here + u"]\n";
        place = here;
        text += (row.state == CheckState::Fail ? QStringLiteral("FAIL") : checkWord(row.state))
                    .leftJustified(5)
            + row.id.leftJustified(18) + u' '
            + (row.value.isEmpty() ? QStringLiteral("-") : row.value);
        if (!row.expected.isEmpty())
            text += u' ' + tr("(expected: %1)").arg(row.expected);
        text += u'\n';
        if (!row.why.isEmpty())
            text += QString(24, u' ') + row.why + u'\n';
        if (!row.fix.isEmpty())
            text += QString(24, u' ') + tr("Fix: %1").arg(row.fix) + u'\n';
    }
    if (!report.complete)
        text += u'\n' + tr("The node check has not finished.") + u'\n';
    return text;
}

} // namespace slipway
