// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/keptrecords.h"
#include "plots/records/recordedtwice.h"
#include "plots/records/recordfile.h"

#include <QDateTime>
#include <QSet>

#include <memory>
#include <vector>

namespace slipway {

/// RecordFeed reads the local copies of a run's metrics files as they grow, another program's
/// included, and gives each number once: a file that was written anew is read from its beginning,
/// what it repeats is left out, and so is what the log has as well (recordedTwice()). Lives on the
/// GUI (or main) thread; owned by what reads the run's log.
class RecordFeed {
public:
    explicit RecordFeed(QString runFolder);

    struct Given {
        std::vector<Sample> samples;
        bool atEnd = true; ///< everything that is there was read
        bool renewed = false; ///< other curves belong to the log now: what was given before goes
    };
    qint64 bytes() const; ///< of all files, as far as they were read
    /// There is more to read. Cheap.
    bool grew() const;
    /// Reads one slice of each file. `printed`: the curves of the log so far.
    Given read(const std::vector<CurveId>& printed);
    /// The run has ended: last lines without a newline count.
    std::vector<Sample> finish();
    /// What was given is forgotten, and everything is read again.
    void again();

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
    bool changesWhatIsGiven(const std::vector<Sample>& fresh, const std::vector<CurveId>& printed);
    void noteCurves(const std::vector<Sample>& samples);
    void leaveOutTwice(std::vector<Sample>& samples) const;

    QString m_folder;
    std::vector<KeptRecords::File> m_files;
    std::vector<Open> m_open; ///< by the same index
    QDateTime m_indexed; ///< when the index that was read was written
    qint64 m_indexSize = -1;
    std::vector<CurveId> m_printed; ///< as m_twice was decided from
    std::vector<CurveId> m_recorded; ///< all curves of the files
    QSet<CurveKey> m_known; ///< of those
    QSet<CurveKey> m_twice; ///< of those, the ones that are left out
    int m_renewals = 0;
};

} // namespace slipway
