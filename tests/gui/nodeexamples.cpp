// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "nodeexamples.h"

#include <QDateTime>

#include <cmath>

namespace slipway {

QByteArray missingNvRows()
{
    return R"({"id":"begin","state":"ok","value":"job 42"}
{"id":"probe","state":"ok","value":"0.1.0","data":{"protocol":1,"level":"quick",)"
           R"("where":"host","node":"gpu01","arch":"x86_64","t":1760000000.1}}
{"id":"driver.version","state":"ok","value":"580.65.06"}
{"id":"driver.cuda","state":"ok","value":"13.0"}
{"id":"lib.libcuda","state":"ok","value":"/usr/lib64/libcuda.so.1"}
{"id":"gpu.list","state":"ok","value":"2 × NVIDIA H100 80GB HBM3",)"
           R"("data":{"gpus":[{"uuid":"GPU-1","name":"NVIDIA H100 80GB HBM3"},{"uuid":"GPU-2",)"
           R"("name":"NVIDIA H100 80GB HBM3"}]}}
{"id":"slurm.count","state":"ok","value":"2 GPUs","expected":"2, as the job asked for"}
{"id":"ecc","state":"ok","value":"on, no errors"}
{"id":"pcie","state":"warn","value":"8 lanes at 16 GT/s","expected":"16 lanes at 32 GT/s, )"
           R"(measured under load",)"
           R"("why":"Copies between CPU and GPU 1 run at a quarter of their speed.",)"
           R"("fix":"Tell the site which node and GPU it is; a job that rarely copies will not )"
           R"(feel it."}
{"id":"cpu","state":"ok","value":"AMD EPYC 9554, 16 of 128 CPUs, AVX-512","expected":"16 CPUs,)"
           R"( as the job asked for"}
{"id":"memory","state":"ok","value":"128 GB for this job, 121 GB free"}
{"id":"disk","state":"warn","value":"/scratch/demo: 38 GB free of 2 TB",)"
           R"("expected":"100 GB free",)"
           R"("why":"A full scratch folder ends a training run when it saves its model.",)"
           R"("fix":"Remove old run folders: “Files on the cluster…” on the card of the site )"
           R"(lists them."}
{"id":"nvlink","state":"ok","value":"18 links between the two GPUs"}
{"id":"mig","state":"skip","why":"MIG is off."}
{"id":"end","state":"warn","value":"12 checks","data":{"ok":9,"warn":2,"fail":0,"skip":1,)"
           R"("seconds":1.4}}
{"id":"container","state":"ok","value":"apptainer exec pytorch.sif","where":"container",)"
           R"("node":"gpu01"}
{"id":"probe","state":"ok","value":"0.1.0","data":{"protocol":1,"level":"quick",)"
           R"("where":"container","node":"gpu01","arch":"x86_64","t":1760000003.2}}
{"id":"driver.version","state":"skip","why":"There is no NVIDIA driver in here."}
{"id":"lib.libcuda","state":"fail","value":"not found",)"
           R"("expected":"libcuda.so.1 of the node's driver",)"
           R"("why":"No folder that the loader looks into has it; the node itself has it.",)"
           R"("fix":"Start the container with --nv."}
{"id":"gpu.list","state":"skip","why":"Without libcuda no GPU can be asked."}
{"id":"image.cuda","state":"ok","value":"12.6 in the image","expected":"at most 13.0, the driver's"}
{"id":"mpi","state":"skip","why":"The image has no MPI."}
{"id":"end","state":"fail","value":"5 checks","data":{"ok":1,"warn":0,"fail":1,"skip":3,)"
           R"("seconds":0.3}}
)";
}

QByteArray goodRows()
{
    return R"({"id":"probe","state":"ok","value":"0.1.0","data":{"protocol":1,"level":"quick",)"
           R"("where":"host","node":"gpu01","t":1760000000.1}}
{"id":"driver.version","state":"ok","value":"580.65.06"}
{"id":"driver.cuda","state":"ok","value":"13.0"}
{"id":"gpu.list","state":"ok","value":"2 × NVIDIA H100 80GB HBM3",)"
           R"("data":{"gpus":[{"uuid":"GPU-1","name":"NVIDIA H100 80GB HBM3"},{"uuid":"GPU-2",)"
           R"("name":"NVIDIA H100 80GB HBM3"}]}}
{"id":"end","state":"ok","value":"3 checks","data":{"ok":3,"warn":0,"fail":0,"skip":0,)"
           R"("seconds":0.9}}
)";
}

NodeSample sampleAt(double begin, int second, int gpus, const QString& node)
{
    NodeSample sample;
    sample.t = begin + second;
    sample.node = node;
    sample.cpus = 16;
    sample.cpu = 41 + 12 * std::sin(second / 9.0);
    sample.memoryUsed = 21e9 + 2e7 * std::min(second, 120);
    sample.memoryTotal = 128e9;
    for (int i = 0; i < gpus; ++i) {
        const bool works = i != 1; // the second one has nothing to do
        const double ramp = std::min(1.0, second / 25.0);
        GpuSample gpu;
        gpu.uuid = QStringLiteral("GPU-%1-%2").arg(node).arg(i);
        gpu.name = QStringLiteral("NVIDIA H100 80GB HBM3");
        gpu.index = i;
        gpu.utilization = works ? ramp * (94 + 4 * std::sin(second * 1.7 + i)) : 0;
        gpu.memoryUsed = works ? 2e9 + 71e9 * std::min(1.0, second / 60.0) : 0.6e9;
        gpu.memoryTotal = 80e9;
        gpu.power = works ? 120 + 520 * ramp + 15 * std::sin(second + i) : 71;
        gpu.powerLimit = 700;
        gpu.temperature = works ? 34 + 30 * std::min(1.0, second / 90.0) : 31;
        gpu.clock = 1.98e9;
        sample.gpus.push_back(gpu);
    }
    return sample;
}

std::vector<NodeSample> samplesOver(int seconds, int gpus)
{
    std::vector<NodeSample> samples;
    const double begin = double(QDateTime::currentSecsSinceEpoch() - seconds);
    for (int second = 0; second <= seconds; ++second) {
        samples.push_back(sampleAt(begin, second, gpus));
    }
    return samples;
}

CleanupList exampleCleanupList()
{
    using Kind = CleanupItem::Kind;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const auto item = [&](Kind kind, const char* path, const char* detail, double bytes, int hours,
                          bool inUse = false) {
        CleanupItem one;
        one.kind = kind;
        one.path = QString::fromUtf8(path);
        one.detail = QString::fromUtf8(detail);
        one.bytes = qint64(bytes);
        one.modified = hours >= 0 ? now.addSecs(-3600 * hours) : QDateTime();
        one.inUse = inUse;
        return one;
    };
    CleanupList list;
    list.items = {item(Kind::Job, "6982521", "run k3f9, BERT classifier", 0, 1, true),
        item(Kind::Process, "slipway-probe agent --every 1", "since 12:03 on gpu01, run k3f9", 0,
            -1, true),
        item(Kind::Process, "tail -c +1 -F slurm-6982400.out", "since 09:41 on login1, run m2x7", 0,
            -1),
        item(Kind::RunFolder, "/scratch/demo/slipway/2026-11-20-bert-k3f9",
            "run k3f9, BERT classifier", 418e6, 1, true),
        item(Kind::RunFolder, "/scratch/demo/slipway/2026-11-19-matmul-scaling-m2x7",
            "run m2x7, Matmul scaling", 38e3, 26),
        item(Kind::RunFolder, "/scratch/demo/slipway/2026-11-12-nbody-a81c", "run a81c, N-body",
            1.2e6, 200),
        item(Kind::Image, "/scratch/demo/slipway/images/pytorch-24.10.sif", "used by 3 runs", 9.7e9,
            30, true),
        item(Kind::Image, "/scratch/demo/slipway/images/gromacs-2024.sif", "used by no run", 2.1e9,
            700),
        item(Kind::Probe, "/home/demo/.cache/slipway/1f0c9a72/slipway-probe", "slipway-probe 0.1.0",
            612e3, 30)};
    list.command = QStringLiteral(
        "find ~/.cache/slipway /scratch/demo/slipway -maxdepth 2 -printf '%p\\t%s\\t%T@\\n'\n"
        "squeue --me --noheader --format='%i %k'; pgrep -u \"$USER\" -af slipway");
    return list;
}

} // namespace slipway
