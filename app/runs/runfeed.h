// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explanation.h"
#include "app/runs/logsource.h"
#include "app/runs/progresspace.h"
#include "plots/metrics/sample.h"
#include "plots/metrics/seriesstore.h"

#include <QDateTime>
#include <QObject>
#include <QStringList>

#include <vector>

namespace slipway {

/// RunFeed is the live side of one run: the lines of its log and the series read from them. Lives
/// on the GUI (or main) thread; RunFeeds owns it. Lines are plain text: control characters removed,
/// never markup. Lines are appended in batches, at most about thirty per second.
class RunFeed : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Complete lines so far; the first may be numbered above 1 when a very long log was trimmed
    /// here.
    virtual qint64 firstLine() const = 0;
    virtual const QStringList& lines() const = 0;
    virtual const SeriesStore& series() const = 0;
    virtual const std::vector<MetricEvent>& events() const = 0;
    /// Known failures in the part that was read so far.
    virtual std::vector<Explanation> explanations() const { return {}; }
    /// How far the program says it is; none: it prints no progress.
    virtual std::optional<RunProgress> progress() const { return {}; }
    /// Whether everything that is on this computer was read.
    virtual bool isCaughtUp() const { return true; }
    /// The index in lines() of a line of the log by its number; -1: removed or not read yet. (A
    /// divider is a line here but not in the log.)
    virtual qsizetype indexOfLine(qint64 number) const;
    /// The number in the log of the line at that index; a divider has that of the line before it.
    virtual qint64 numberAt(qsizetype index) const { return firstLine() + index; }
    /// The local copy of the log, which has the lines that were trimmed here; by default none.
    virtual LogSource source() const { return {}; }
    /// A place in the local copy at or before that line, as near as is known.
    virtual LogPlace placeBefore([[maybe_unused]] qint64 number) const { return {}; }
    /// The lines that may begin a stage, in order.
    virtual const std::vector<LogHeader>& headers() const;
    /// Bytes of the log read so far; and whether the end was reached.
    virtual qint64 bytes() const = 0;
    virtual bool live() const = 0;
    /// When the log last grew on this computer; invalid: unknown.
    virtual QDateTime grewAt() const { return {}; }

signals:
    void linesAppended(int count);
    void samplesAppended();
    /// The log was restarted (a requeue): a divider line was added.
    void restarted();
    void liveChanged(bool live);
};

inline const std::vector<LogHeader>& RunFeed::headers() const
{
    static const std::vector<LogHeader> none;
    return none;
}

inline qsizetype RunFeed::indexOfLine(qint64 number) const
{
    const qint64 index = number - firstLine();
    return index >= 0 && index < lines().size() ? qsizetype(index) : -1;
}

} // namespace slipway
