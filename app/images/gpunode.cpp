// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/gpunode.h"

#include <QRegularExpression>

namespace slipway {

GpuKind gpuKindOf(const QString& name)
{
    static const auto expression = [](const char* pattern) {
        return QRegularExpression(
            QString::fromLatin1(pattern), QRegularExpression::CaseInsensitiveOption);
    };
    // GeForce by its numbers as well: RTX 3090, but not RTX 5000 or RTX A6000.
    static const QRegularExpression geForce =
        expression(R"(geforce|\btitan|gtx|rtx[ _-]*[2-5]0[5-9]0)");
    static const QRegularExpression workstation = expression("quadro|rtx");
    static const QRegularExpression dataCenter = expression(
        R"(\b(?:tesla|a(?:2|10g?|16|30|40|100|800)|h(?:20|100|200|800)|l(?:4|20|40s?)|v100s?)"
        R"(|p(?:4|40|100)|[km](?:20|40|60|80)x?|t4|g?b(?:100|200|300)|gh200)(?![0-9a-z]))");
    QString rest = QString(name).replace(u'_', u' ');
    const bool isGeForce = rest.contains(geForce);
    rest.remove(geForce);
    const bool isWorkstation = !isGeForce && rest.contains(workstation);
    const bool isDataCenter = !isWorkstation && rest.contains(dataCenter);
    if (isGeForce && isDataCenter)
        return GpuKind::Unknown;
    if (isGeForce)
        return GpuKind::GeForce;
    if (isWorkstation)
        return GpuKind::Workstation;
    return isDataCenter ? GpuKind::DataCenter : GpuKind::Unknown;
}

} // namespace slipway
