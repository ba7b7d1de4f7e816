// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/guestwords.h"

#include "remote/base/quantities.h"
#include "remote/base/tr.h"
#include "ui/parts/words.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

QString guestKindName(GuestItem::Kind kind)
{
    switch (kind) {
    case GuestItem::Kind::Probe:
        return tr("Probe");
    case GuestItem::Kind::RunFolder:
        return tr("Run folders");
    case GuestItem::Kind::Image:
        return tr("Images");
    case GuestItem::Kind::Process:
        return tr("Processes");
    case GuestItem::Kind::Job:
        break;
    }
    return tr("Jobs");
}

bool isGuestFile(GuestItem::Kind kind)
{
    return kind != GuestItem::Kind::Process && kind != GuestItem::Kind::Job;
}

QString guestName(const GuestItem& item)
{
    return item.kind == GuestItem::Kind::Job ? tr("job %1").arg(item.path) : item.path;
}

QString guestSize(qint64 bytes)
{
    return bytes > 0 ? ByteCount(bytes).text() : QString();
}

QString guestCount(qsizetype count)
{
    return counted(count, tr("1 thing"), tr("%1 things"));
}

QString guestLine(const GuestItem& item)
{
    const QString size = guestSize(item.bytes);
    const QString name = item.kind == GuestItem::Kind::Process ? tr("process %1").arg(item.path) : guestName(item);
    return size.isEmpty() ? name : tr("%1 (%2)").arg(name, size);
}

QString removalWords(const GuestList& asked, const GuestList& left)
{
    const qsizetype removed = std::max<qsizetype>(0, qsizetype(asked.items.size()) - qsizetype(left.items.size()));
    const QString done = tr("%1 removed").arg(removed);
    if (left.items.empty()) {
        return done;
    }
    QStringList reasons;
    for (const GuestItem& item : left.items) {
        if (!item.detail.isEmpty() && !reasons.contains(item.detail)) {
            reasons << item.detail;
        }
    }
    const QString words = tr("%1, %2 left").arg(done).arg(left.items.size());
    return reasons.isEmpty() ? words : tr("%1: %2").arg(words, reasons.mid(0, 3).join(u"; "_s));
}

} // namespace slipway
