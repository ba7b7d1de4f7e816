// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/keptrecords.h"
#include "plots/records/recordfile.h"

#include <QDateTime>
#include <QSet>

#include <memory>
#include <vector>

namespace slipway {

/// RecordFeed reads the local copies of a run's metrics files as they grow, another program's
/// included, and gives each number once: a file that was written anew is read from its beginning,
/// and what it repeats is left out. Lives on the GUI (or main) thread; a FileFeed owns one.
class RecordFeed {
public:
    explicit RecordFeed(QString runFolder);

    /// There is more to read. Cheap.
    bool grew() const;
    /// Reads one slice of each file. True: everything that is there was read.
    bool read(std::vector<Sample>& samples);
    /// The run has ended: last lines without a newline count.
    void finish(std::vector<Sample>& samples);
    /// What was given is forgotten, and everything is read again.
    void again() { m_open.clear(); }

private:
    struct Open {
        std::unique_ptr<RecordReader> reader;
        int rewrites = 0;
        qint64 offset = 0;
        QSet<size_t> given; ///< hashes of the numbers, so that none comes twice
    };
    void look();
    static void takeFresh(Open& open, std::vector<Sample>& samples);
    static Open opened(const KeptRecords::File& file);

    QString m_folder;
    std::vector<KeptRecords::File> m_files;
    std::vector<Open> m_open; ///< by the same index
    QDateTime m_indexed; ///< when the index that was read was written
    qint64 m_indexSize = -1;
};

} // namespace slipway
