// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "curves.h"
#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

/// One log in the print format of each family of programs, and the series that it must give: name
/// and lane, the name of x, the number of points, the last point and the unit.
class TestFamilies : public QObject {
    Q_OBJECT

private slots:
    void family_givesItsSeries_data();
    void family_givesItsSeries();
};

void TestFamilies::family_givesItsSeries_data()
{
    QTest::addColumn<QStringList>("series");
    const auto row = [](const char* family, const QStringList& series) {
        QTest::newRow(family) << series;
    };
    row("accelerate", lines({"accuracy @ epoch, 2: 1:0.78", "f1 @ epoch, 2: 1:0.85"}));
    row("clu",
        lines({"lr @ iteration, 2: 200:0.1", "train_accuracy @ iteration, 2: 200:0.6",
            "train_loss @ iteration, 2: 200:1.3"}));
    row("cp2k",
        lines({"time @ step, 5: 5:1.9 s", "convergence @ step, 5: 5:0.710032",
            "total_energy @ step, 5: 5:-31.0021", "change @ step, 5: 5:-0.791"}));
    row("deepspeed",
        lines(
            {"runningavgsamplespersec @ step, 2: 20:104.3", "currsamplespersec @ step, 2: 20:103.2",
                "memallocated @ step, 2: 20:1.2e+09 B", "maxmemallocated @ step, 2: 20:3.4e+09 B",
                "skipped @ step, 2: 20:0", "lr @ step, 2: 20:0.002", "loss @ step, 2: 20:1.1345",
                "iter_time @ step, 2: 20:0.502 s", "samples_sec @ step, 2: 20:33.1 samples/s"}));
    row("detectron2",
        lines({"total_loss @ iteration, 2: 39:1.134", "loss_cls @ iteration, 2: 39:0.467",
            "loss_box_reg @ iteration, 2: 39:0.3", "loss_rpn_cls @ iteration, 2: 39:0.1",
            "time @ iteration, 2: 39:0.3012 s", "last_time @ iteration, 2: 39:0.3111 s",
            "data_time @ iteration, 2: 39:0.0123 s", "last_data_time @ iteration, 2: 39:0.0021 s",
            "lr @ iteration, 2: 39:0.00079962", "max_mem @ iteration, 2: 39:3.012e+09 B"}));
    row("estimator", lines({"loss @ step, 3: 200:0.4123", "global_step_sec @ step, 2: 100:288.1"}));
    row("fastai",
        lines({"train_loss @ epoch, 2: 1:0.212345", "valid_loss @ epoch, 2: 1:0.083456",
            "accuracy @ epoch, 2: 1:0.971234", "time @ epoch, 2: 1:12 s"}));
    row("flax",
        lines({"train_loss @ epoch, 2: 2:0.1", "train_accuracy @ epoch, 2: 2:95.1 %",
            "test_loss @ epoch, 2: 2:0.08", "test_accuracy @ epoch, 2: 2:98.1 %"}));
    row("gromacs",
        lines({"bond @ step, 2: 5000:1100", "angle @ step, 2: 5000:2500",
            "proper_dih @ step, 2: 5000:40", "ryckaert_bell @ step, 2: 5000:1800",
            "lj_14 @ step, 2: 5000:1150", "coulomb_14 @ step, 2: 5000:13000",
            "lj_sr @ step, 2: 5000:80000", "coulomb_sr @ step, 2: 5000:-580000",
            "coul_recip @ step, 2: 5000:2500", "potential @ step, 2: 5000:-480000",
            "kinetic_en @ step, 2: 5000:81000", "total_energy @ step, 2: 5000:-400000",
            "conserved_en @ step, 2: 5000:-400000", "temperature @ step, 2: 5000:300 K",
            "pressure @ step, 2: 5000:12 bar", "performance @ step, 1: 5000:18.012 ns/day"}));
    row("hf-trainer-rounded",
        lines({"loss @ epoch, 5: 0.02:2.2", "grad_norm @ epoch, 5: 0.02:1.1",
            "lr @ epoch, 5: 0.02:4.6e-05"}));
    row("hpcg", lines({"flops @ line, 1: 1:1.23456e+10 FLOP/s"}));
    row("hpl",
        lines({"time/WR11C2R4 @ n, 1: 29184:45.67 s",
            "gflops/WR11C2R4 @ n, 1: 29184:3.6284e+11 FLOP/s"}));
    row("lammps",
        lines({"temp @ step, 4: 300:1.65106", "e_pair @ step, 4: 300:-4.75679",
            "e_mol @ step, 4: 300:0", "toteng @ step, 4: 300:-2.28082",
            "press @ step, 4: 300:5.82087", "performance @ step, 1: 100:86400 tau/day",
            "throughput @ step, 1: 100:200 timesteps/s"}));
    row("lightgbm",
        lines({"train_binary_logloss @ iteration, 2: 20:0.4", "valid_1_auc @ iteration, 2: 20:0.92",
            "train_auc @ iteration, 2: 20:0.922345"}));
    row("lightning-results",
        lines({"rate/Testing DataLoader 0 @ step, 1: 40:31.2 it/s",
            "test_accuracy/DataLoader 0 @ step, 1: 40:0.9512",
            "test_accuracy/DataLoader 1 @ step, 1: 40:0.9023",
            "test_loss/DataLoader 0 @ step, 1: 40:0.162242",
            "test_loss/DataLoader 1 @ step, 1: 40:0.2872", "valid_accuracy @ step, 1: 40:0.9487",
            "valid_loss @ step, 1: 40:0.171305"}));
    row("llama-cpp",
        lines({"tokens_per_second/sample @ line, 1: 2:8103.73 tokens/s",
            "tokens_per_second/prompt eval @ line, 1: 3:81 tokens/s",
            "tokens_per_second/eval @ line, 1: 4:21.67 tokens/s",
            "t_s/llama 7B mostly Q4_0, pp 512 @ line, 1: 8:2345.12 tokens/s",
            "t_s/llama 7B mostly Q4_0, tg 128 @ line, 1: 9:120.12 tokens/s"}));
    row("maxtext",
        lines({"seconds @ step, 2: 4:1.1 s", "tflop_s_device @ step, 2: 4:1.011e+14 FLOP/s",
            "tokens_s_device @ step, 2: 4:1254.5 tokens/s", "loss @ step, 2: 4:9"}));
    row("megatron",
        lines({"elapsed_time_per_iteration @ iteration, 2: 200:0.5014 s",
            "lr @ iteration, 2: 200:3e-06", "lm_loss @ iteration, 2: 200:8.51456",
            "loss_scale @ iteration, 2: 200:1", "grad_norm @ iteration, 2: 200:1.345",
            "number_of_skipped_iterations @ iteration, 2: 200:0",
            "number_of_nan_iterations @ iteration, 2: 200:0",
            "throughput_per_gpu @ iteration, 1: 200:4.321e+14 FLOP/s",
            "valid_lm_loss_value @ iteration, 1: 200:3.2",
            "valid_lm_loss_ppl @ iteration, 1: 200:24"}));
    row("mllog", lines({"eval_accuracy @ epoch, 2: 8:0.742"}));
    row("mmengine",
        lines({"lr @ step, 3: 975:0.01", "time @ step, 3: 975:0.3123 s",
            "data_time @ step, 3: 975:0.0201 s", "memory @ step, 3: 975:3000",
            "train_loss @ step, 3: 975:0.9345", "train_loss_cls @ step, 3: 975:0.2256",
            "valid_coco_bbox_map @ step, 1: 100:0.365",
            "valid_coco_bbox_map_50 @ step, 1: 100:0.556",
            "valid_data_time @ step, 1: 100:0.0021 s", "valid_time @ step, 1: 100:0.081 s"}));
    row("namd",
        lines({"bond @ step, 2: 100:4100", "angle @ step, 2: 100:11000",
            "dihed @ step, 2: 100:5000", "imprp @ step, 2: 100:300", "elect @ step, 2: 100:-337000",
            "vdw @ step, 2: 100:20000", "boundary @ step, 2: 100:0", "misc @ step, 2: 100:0",
            "kinetic @ step, 2: 100:57000", "total_energy @ step, 2: 100:-238100",
            "temp @ step, 2: 100:298", "potential @ step, 2: 100:-296000",
            "total3 @ step, 2: 100:-238000", "tempavg @ step, 2: 100:297",
            "pressure @ step, 2: 100:-110", "gpressure @ step, 2: 100:-90",
            "volume @ step, 2: 100:921491", "pressavg @ step, 2: 100:-100",
            "gpressavg @ step, 2: 100:-90"}));
    row("nanogpt",
        lines({"train_loss @ step, 1: 0:10.9818", "valid_loss @ step, 1: 0:10.9763",
            "loss @ iteration, 2: 10:9.4", "time @ iteration, 2: 10:0.1351 s",
            "mfu @ iteration, 2: 10:41.2 %"}));
    row("nvbandwidth",
        lines({"bandwidth/host_to_device_memcpy_ce, row 0 @ column, 2: 1:5.562e+10 B/s",
            "bandwidth/device_to_device_memcpy_read_ce, row 0 @ column, 1: 1:2.7612e+11 B/s",
            "bandwidth/device_to_device_memcpy_read_ce, row 1 @ column, 1: 0:2.7614e+11 B/s"}));
    row("openfoam",
        lines({"courant_number_mean @ time, 2: 0.01:0.0976825",
            "courant_number_max @ time, 2: 0.01:0.585607",
            "initial_residual/Ux @ time, 2: 0.01:0.160686",
            "final_residual/Ux @ time, 2: 0.01:6.83031e-06",
            "initial_residual/Uy @ time, 2: 0.01:0.260828",
            "final_residual/Uy @ time, 2: 0.01:9.65939e-06",
            "initial_residual/p @ time, 2: 0.01:0.428925",
            "final_residual/p @ time, 2: 0.01:0.0103739", "sum_local @ time, 2: 0.01:0.000110788",
            "cumulative @ time, 2: 0.01:-6.72498e-20", "global @ time, 2: 0.01:3.77194e-19"}));
    row("osu",
        lines({"bandwidth @ size, 3: 4:9.25e+06 B/s", "average_latency @ size, 2: 8:5.32e-06 s"}));
    row("pytorch-imagenet",
        lines({"time @ step, 3: 5006:12.254", "data @ step, 3: 5006:9.1",
            "train_loss @ step, 3: 5006:5", "acc@1 @ step, 3: 5006:4.39 %",
            "acc@5 @ step, 3: 5006:9.78 %", "test_time @ step, 2: 5006:8.4 s",
            "test_loss @ step, 2: 5006:4.9", "test_acc@1 @ step, 2: 5006:13.91 %",
            "test_acc@5 @ step, 2: 5006:21.456 %"}));
    row("pytorch-mnist",
        lines({"train_loss @ epoch, 5: 1.0106667:0.1", "test_loss @ epoch, 2: 2:0.0412",
            "test_accuracy @ epoch, 2: 2:98.67 %"}));
    row("quantum-espresso",
        lines({"total_energy @ iteration, 2: 2:-15.7941 Ry",
            "estimated_scf_accuracy @ iteration, 2: 2:0.0023011 Ry"}));
    row("stable-baselines3",
        lines(
            {"rollout_ep_len_mean @ step, 3: 6144:36.7", "rollout_ep_rew_mean @ step, 3: 6144:36.7",
                "time_fps @ step, 3: 6144:1201", "train_approx_kl @ step, 2: 6144:0.0104201",
                "train_clip_fraction @ step, 2: 6144:0.0714",
                "train_entropy_loss @ step, 2: 6144:-0.662",
                "train_explained_variance @ step, 2: 6144:0.0871",
                "train_learning_rate @ step, 2: 6144:0.0003", "train_loss @ step, 2: 6144:11.9",
                "train_policy_gradient_loss @ step, 2: 6144:-0.0184",
                "train_value_loss @ step, 2: 6144:38.2"}));
    row("stream",
        lines({"best_rate/Copy @ line, 1: 5:1.23456e+10 B/s",
            "average_time/Copy @ line, 1: 5:0.012345 s", "min_time/Copy @ line, 1: 5:0.012 s",
            "max_time/Copy @ line, 1: 5:0.013 s", "best_rate/Scale @ line, 1: 6:1.22456e+10 B/s",
            "average_time/Scale @ line, 1: 6:0.012345 s", "min_time/Scale @ line, 1: 6:0.012 s",
            "max_time/Scale @ line, 1: 6:0.013 s", "best_rate/Add @ line, 1: 7:1.33456e+10 B/s",
            "average_time/Add @ line, 1: 7:0.018345 s", "min_time/Add @ line, 1: 7:0.018 s",
            "max_time/Add @ line, 1: 7:0.019 s", "best_rate/Triad @ line, 1: 8:1.34456e+10 B/s",
            "average_time/Triad @ line, 1: 8:0.018345 s", "min_time/Triad @ line, 1: 8:0.018 s",
            "max_time/Triad @ line, 1: 8:0.019 s"}));
    row("timm",
        lines({"train_loss @ epoch, 3: 1:6.132", "time @ epoch, 3: 1:5.123 s",
            "throughput @ epoch, 3: 1:200 1/s", "lr @ epoch, 3: 1:2e-05",
            "data @ epoch, 3: 1:1.234 s", "test_time @ epoch, 1: 1:0.2 s",
            "test_loss @ epoch, 1: 1:6.2", "test_acc@1 @ epoch, 1: 1:1.9 %",
            "test_acc@5 @ epoch, 1: 1:5.9 %"}));
    row("torchtune-bar", lines({"rate @ step, 3: 3:0.487805 it/s", "loss @ step, 3: 3:1.3843"}));
    row("torchtune-log",
        lines({"loss @ step, 2: 2:1.13", "lr @ step, 2: 2:2e-05",
            "tokens_per_second_per_gpu @ step, 2: 2:1244.5",
            "peak_memory_active @ step, 2: 2:10.2"}));
    row("ultralytics",
        lines({"gpu_mem @ epoch, 2: 2:6.72e+09 B", "box_loss @ epoch, 2: 2:1.023",
            "cls_loss @ epoch, 2: 2:2.145", "dfl_loss @ epoch, 2: 2:1.134",
            "precision/all @ epoch, 2: 2:0.655", "recall/all @ epoch, 2: 2:0.547",
            "map50/all @ epoch, 2: 2:0.615", "map50_95/all @ epoch, 2: 2:0.456"}));
    row("vasp",
        lines({"e/DAV @ iteration, 4: 4:-37.1621", "de/DAV @ iteration, 4: 4:0.11967",
            "d_eps/DAV @ iteration, 4: 4:-0.041817", "ncg/DAV @ iteration, 4: 4:2664",
            "rms/DAV @ iteration, 4: 4:0.521", "rms_c/DAV @ iteration, 2: 4:0.337",
            "f @ iteration, 3: 3:-37.2148", "e0 @ iteration, 3: 3:-37.2115",
            "d_e @ iteration, 3: 3:-0.001059", "e/RMM @ iteration, 1: 5:-37.2112",
            "de/RMM @ iteration, 1: 5:-0.049102", "d_eps/RMM @ iteration, 1: 5:-0.07112",
            "ncg/RMM @ iteration, 1: 5:2412", "rms/RMM @ iteration, 1: 5:0.311",
            "rms_c/RMM @ iteration, 1: 5:0.0902"}));
    row("vllm",
        lines({"average_prompt_throughput @ line, 4: 4:143.4 tokens/s",
            "average_generation_throughput @ line, 4: 4:254.5 tokens/s", "running @ line, 4: 4:14",
            "swapped @ line, 3: 4:0", "pending @ line, 3: 4:0",
            "gpu_kv_cache_usage @ line, 4: 4:14.3 %", "cpu_kv_cache_usage @ line, 3: 4:0 %",
            "waiting @ line, 1: 3:0", "prefix_cache_hit_rate @ line, 1: 3:1 %"}));
    row("wrf",
        lines({"write_time/domain 1 @ time, 1: 0:1.20311 s",
            "step_time/domain 1 @ time, 4: 180:1.50112 s",
            "step_time/domain 2 @ time, 3: 180:0.22884 s"}));
    row("xgboost",
        lines({"train_rmse @ iteration, 3: 2:0.312345", "eval_rmse @ iteration, 3: 2:0.412345"}));
}

void TestFamilies::family_givesItsSeries()
{
    QFETCH(QStringList, series);
    series.sort(); // a program's own names come once they vary
    const QByteArray log = readLog(
        QStringLiteral("family-%1-synthetic.txt").arg(QLatin1String(QTest::currentDataTag())));
    QVERIFY(!log.isEmpty());
    QStringList read = curvesOf(log);
    read.sort();
    QCOMPARE(read, series);
}

SLIPWAY_TEST(TestFamilies, metrics_families)
#include "tst_families.moc"
