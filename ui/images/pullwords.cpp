// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/pullwords.h"

#include "remote/base/tr.h"
#include "ui/images/imagewords.h"

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int longestValue = 200;

} // namespace

QString pullQuestion(const ImageInspection& image, const Plan& plan)
{
    return tr("Pull %1 to %2?")
        .arg(shownText(imageTitle(image.image.reference), 120), shownText(plan.site.name, 80));
}

QString pullWarning(const ImageInspection& image)
{
    const QString what = tr("A job on a compute node pulls it; nothing runs on the login node. If "
                            "you cancel the job, it leaves no half image.");
    return isTooLarge(image)
        ? tr("There is too little room: the download alone is larger than what is free.") % u' '
            % what
        : what;
}

QStringList pullLines(const ImageInspection& image, const Plan& plan)
{
    QStringList lines;
    // It can be copied, so without the places at which a label may break the line.
    const auto add = [&](const QString& name, QString value) {
        if (!value.remove(QChar(0x200b)).isEmpty()) {
            lines << tr("%1: %2").arg(name, shownText(value, longestValue).remove(QChar(0x200b)));
        }
    };
    add(tr("Image"), image.image.reference.text());
    add(tr("Partition"), plan.values.value(u"partition"_s));
    add(tr("Time limit"), plan.values.value(u"time"_s));
    add(tr("To download"), downloadLine(image.image));
    add(tr("Where to"), whereLine(image));
    return lines;
}

} // namespace slipway
