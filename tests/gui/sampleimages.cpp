// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "sampleimages.h"

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mebibyte = 1024 * 1024;

QString digestOf(QChar digit)
{
    return u"sha256:"_s % QString(64, digit);
}

ImageDescription sampleDescription()
{
    ImageDescription image;
    image.reference = {u"docker"_s, u"nvcr.io"_s, u"nvidia/pytorch"_s, u"25.09-py3"_s, {}, {}};
    image.digest = digestOf(u'4');
    image.manifestDigest = digestOf(u'5');
    image.platform = {u"linux"_s, u"amd64"_s, {}};
    image.platforms = {image.platform, {u"linux"_s, u"arm64"_s, {}}};
    const char* const made[] = {"RUN /nvidia/build-scripts/installCUDA.sh",
        "RUN pip install --no-cache-dir /tmp/pip/torch*.whl", "ADD rootfs.tar.gz / # buildkit"};
    const qint64 sizes[] = {3900, 2200, 1100};
    for (int i = 0; i < 61; ++i) {
        const bool large = i < 3;
        image.layers.push_back({digestOf(u'6'), (large ? sizes[i] : 30) * mebibyte,
            large ? QString::fromLatin1(made[i]) : u"ENV PYTHONIOENCODING=utf-8"_s});
    }
    image.created = QDateTime({2025, 9, 12}, {8, 0}, Qt::UTC);
    image.environment = {{u"CUDA_VERSION"_s, u"13.0.1"_s}};
    image.entrypoint = QStringList{u"/opt/nvidia/nvidia_entrypoint.sh"_s};
    return image;
}

} // namespace

ImageInspection sampleInspection()
{
    ImageInspection one;
    one.siteId = u"kestrel"_s;
    one.image = sampleDescription();
    one.cuda = {u"13.0.1"_s, u"cuda>=9.0"_s, false};
    one.frameworks = {u"PyTorch 2.9.0a0"_s, u"Python 3.12"_s};
    const QString rule = u"a new major version of CUDA needs a driver of its own series"_s;
    const QString source = u"CUDA Compatibility, NVIDIA"_s;
    one.verdicts = {
        {u"gpu-b200"_s, u"8 × B200, driver 580.82.07"_s, Verdict::Ok, false,
            u"CUDA 13.0 needs driver 580 or newer; the driver here is 580.82.07."_s, rule, source},
        {u"gpu-h100"_s, u"4 × H100 80 GB, driver 550.54.15"_s, Verdict::Fail, false,
            u"CUDA 13.0 needs driver 580 or newer; the driver here is 550.54.15."_s, rule, source},
        {u"shared"_s, u"no GPU"_s, Verdict::Ok, true, u"It starts, and finds no GPU."_s,
            u"the partition has no GPU"_s, {}},
        {u"debug"_s, u"GPUs unknown"_s, Verdict::Unknown, false,
            u"The driver there is not known. Connect to find out."_s, {}, {}}};
    one.askedFrom = u"this computer"_s;
    one.command = u"curl -s https://nvcr.io/v2/nvidia/pytorch/manifests/25.09-py3"_s;
    one.folder = u"/scratch/mira/slipway/images"_s;
    one.freeBytes = qint64(3100) * 1024 * mebibyte;
    return one;
}

ImageList sampleImageList()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QString folder = u"/scratch/mira/slipway/images/"_s;
    ImageList list;
    list.folder = folder.chopped(1);
    list.images = {
        {folder % u"lightning-24.sif"_s, u"lightning.def"_s, {}, 6200 * mebibyte, now.addDays(-2),
            now.addDays(-1), QDate::currentDate().addDays(26), {u"k3f9"_s, u"m2x7"_s}, false},
        {folder % u"pytorch_2.4.1.sif"_s, u"docker://pytorch/pytorch:2.4.1"_s, digestOf(u'7'),
            3400 * mebibyte, now.addDays(-3), now.addSecs(-300), QDate::currentDate().addDays(27),
            {u"a81c"_s}, true},
        {folder % u"mpi-base_1.sif"_s, u"docker://debian:12"_s, digestOf(u'8'), 400 * mebibyte,
            now.addDays(-24), now.addDays(-14), QDate::currentDate().addDays(3), {}, false},
        {folder % u"old.sif"_s, {}, {}, 90 * mebibyte, now.addDays(-90), {}, {}, {}, false}};
    list.caches = {{u"apptainer"_s, u"/home/mira/.apptainer/cache"_s, 4100 * mebibyte},
        {u"enroot"_s, u"/scratch/mira/enroot/cache"_s, 0}};
    list.freeBytes = qint64(3100) * 1024 * mebibyte;
    list.command = u"find /scratch/mira/slipway/images -type f"_s;
    return list;
}

} // namespace slipway
