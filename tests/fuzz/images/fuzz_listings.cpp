// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagefolder.h"
#include "app/images/imagestorescan.h"
#include "app/images/packagescan.h"
#include "app/runs/datafolders.h"
#include "app/sessions/cleanupscan.h"
#include "app/sessions/demolines.h"
#include "app/sessions/folderlist.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(listings)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    if (auto images = readImageList(input, ImageScan()); images.ok()) {
        readPackages(input, ImageScan(), &*images);
        (void)readRemovedImages(input, images->images.size());
    }
    (void)readQuota(input);
    (void)readClearedCaches(input, {});
    (void)parseImageFolder(input);
    (void)readCleanupList(input, {QStringLiteral("/scratch/me/slipway"), {}, {}, {}, {}});
    if (readFolderNames(input).size() > mostFolderNames)
        std::abort();
    if (readDataStates(input, 3).size() != 3)
        std::abort();
    QByteArray lines = input;
    (void)takeDemoLines(lines);
    (void)readDemoConnection(input, QStringLiteral("connection.json"));
    return 0;
}
