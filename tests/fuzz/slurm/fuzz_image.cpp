// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/container/runtime.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(image)
{
    const auto input =
        QByteArray::fromRawData(reinterpret_cast<const char*>(data), qsizetype(size));
    const auto image = ImageReference::parse(QString::fromUtf8(input));
    if (!image.ok())
        return 0;
    const auto again = ImageReference::parse(image->text());
    if (!again.ok() || again->text() != image->text())
        std::abort();
    containerPull(RuntimeKind::Enroot, *image, QStringLiteral("f"), true);
    imageFileName(RuntimeKind::Apptainer, *image);
    return 0;
}
