// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArrayView>

#include <optional>
#include <vector>

namespace slipway {

/// LogTimes says when each byte of a log was written, from what the job's script notes beside it:
/// "SIZE SECONDS" for each second in which the log grew, with its size and the time (since 1970) of
/// its last byte. The script looks once a second, after hours less often, so a time is late by that
/// at most. Passive: no thread, clock or disk.
class LogTimes {
public:
    static constexpr size_t mostEntries = 1'000'000; ///< more than a year's; the rest is ignored

    /// Reads whole lines and returns how many bytes they are: what follows is to be given again.
    /// Lines that are none of these, or would lead back, are left out.
    qsizetype read(QByteArrayView text);
    /// When the byte at this place was written; none: not known, or not yet.
    std::optional<qint64> at(qint64 place) const;
    /// The time of the last entry; none: there are no entries.
    std::optional<qint64> last() const;

private:
    struct Entry {
        qint64 size;
        qint64 time;
    };
    void readLine(QByteArrayView line);

    std::vector<Entry> m_entries; ///< by rising size
};

} // namespace slipway
