// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QtGlobal>

#include <optional>
#include <vector>

namespace slipway {

/// Bytes of a file, from `begin` up to but not including `end`.
struct FileRange {
    qint64 begin = 0;
    qint64 end = 0;
    qint64 size() const { return end - begin; }
    bool operator==(const FileRange&) const = default;
};

/// FileGaps is which bytes of a file have not arrived, while several streams bring them. A plain
/// value; any thread.
class FileGaps {
public:
    FileGaps() = default;
    /// All of a file of that size is missing.
    explicit FileGaps(qint64 size);

    qint64 missing() const;
    bool isEmpty() const { return m_gaps.empty(); }
    const std::vector<FileRange>& gaps() const { return m_gaps; }
    /// These bytes have arrived; those that had before do not count again.
    void fill(FileRange range);
    /// The first missing bytes that none of the `taken` ranges covers, at most `most` of them;
    /// none: all are there or taken.
    std::optional<FileRange> next(const std::vector<FileRange>& taken, qint64 most) const;

    /// "0-100,300-400". Parsing refuses what is not in order or lies outside of `size`.
    QByteArray toText() const;
    static std::optional<FileGaps> fromText(const QByteArray& text, qint64 size);

private:
    std::vector<FileRange> m_gaps; ///< in order, apart from each other, none empty
};

} // namespace slipway
