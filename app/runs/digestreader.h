// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/logpass.h"
#include "app/runs/recordfeed.h"
#include "app/runs/runrecord.h"

#include <QFile>
#include <QTimer>

#include <memory>

namespace slipway {

/// DigestReader keeps the digest of a running run up to date: it reads the local log and the files
/// beside it as they grow, one slice per turn of the event loop, and now and then stores the last
/// values with the run.
/// Lives on the GUI (or main) thread; RunHandle owns one while this program drives the run.
class DigestReader : public QObject {
    Q_OBJECT

public:
    explicit DigestReader(std::shared_ptr<RunRecord> record);

private:
    void readSlice();
    bool readLog();
    bool readRecords();
    void note();

    std::shared_ptr<RunRecord> m_record;
    LogPass m_pass;
    DigestBuilder m_builder;
    RecordFeed m_records;
    QFile m_file;
    qint64 m_read = 0;
    size_t m_restartsSeen = 0;
    bool m_fresh = false; ///< there are samples that were not stored
    QTimer m_slices;
    QTimer m_notes;
};

} // namespace slipway
