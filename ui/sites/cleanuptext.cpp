// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/cleanuptext.h"

#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

QString cleanupKindName(CleanupItem::Kind kind)
{
    switch (kind) {
    case CleanupItem::Kind::Probe:
        return tr("Probe");
    case CleanupItem::Kind::RunFolder:
        return tr("Run folders");
    case CleanupItem::Kind::Image:
        return tr("Images");
    case CleanupItem::Kind::Checkpoints:
        return tr("Checkpoints");
    case CleanupItem::Kind::Process:
        return tr("Processes");
    case CleanupItem::Kind::Job:
        break;
    }
    return tr("Jobs");
}

bool isSlipwayFile(CleanupItem::Kind kind)
{
    return kind != CleanupItem::Kind::Process && kind != CleanupItem::Kind::Job;
}

QString cleanupName(const CleanupItem& item)
{
    return item.kind == CleanupItem::Kind::Job ? tr("job %1").arg(item.path) : item.path;
}

QString cleanupSize(qint64 bytes)
{
    return bytes > 0 ? ByteCount(bytes).text() : QString();
}

QString cleanupCount(qsizetype count)
{
    return counted(count, tr("1 item"), tr("%1 items"));
}

QString cleanupLine(const CleanupItem& item)
{
    const QString size = cleanupSize(item.bytes);
    const QString name = item.kind == CleanupItem::Kind::Process ? tr("process %1").arg(item.path)
                                                                 : cleanupName(item);
    return size.isEmpty() ? name : tr("%1 (%2)").arg(name, size);
}

QString removalWords(const CleanupList& asked, const CleanupList& left)
{
    const qsizetype removed =
        std::max<qsizetype>(0, qsizetype(asked.items.size()) - qsizetype(left.items.size()));
    const QString done = tr("%1 removed").arg(removed);
    if (left.items.empty()) {
        return done;
    }
    QStringList reasons;
    for (const CleanupItem& item : left.items) {
        if (!item.detail.isEmpty() && !reasons.contains(item.detail)) {
            reasons << item.detail;
        }
    }
    const QString words = tr("%1, %2 left").arg(done).arg(left.items.size());
    return reasons.isEmpty() ? words : tr("%1: %2").arg(words, reasons.mid(0, 3).join(u"; "_s));
}

} // namespace slipway
