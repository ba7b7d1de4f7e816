// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explanation.h"
#include "plots/metrics/sample.h"
#include "plots/metrics/seriesstore.h"

#include <QObject>
#include <QStringList>

#include <vector>

namespace slipway {

/// RunFeed is the live side of one run: the lines of its log and the series that were read from
/// them. Lives on the GUI (or main) thread; owned by the Engine. Lines are plain text: controls
/// removed, never markup. Appends come in batches, at most some thirty a second.
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
    /// Known failures in what was read so far.
    virtual std::vector<Explanation> explanations() const { return {}; }
    /// Where in lines() the log's line of that number stands; -1: not any more, or not yet. (A
    /// divider is a line here and none of the log.)
    virtual qsizetype indexOfLine(qint64 number) const;
    /// Bytes of log seen; and whether the end was reached.
    virtual qint64 bytes() const = 0;
    virtual bool live() const = 0;

signals:
    void linesAppended(int count);
    void samplesAppended();
    /// The log began again (a requeue): a divider line was added.
    void restarted();
    void liveChanged(bool live);
};

inline qsizetype RunFeed::indexOfLine(qint64 number) const
{
    const qint64 index = number - firstLine();
    return index >= 0 && index < lines().size() ? qsizetype(index) : -1;
}

} // namespace slipway
