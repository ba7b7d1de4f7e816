// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"

#include <QByteArrayView>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace slipway {

/// How the file of a metrics logger is written.
enum class RecordKind {
    EventFile, ///< TensorBoard
    Table, ///< CSV or tab-separated values with a header
    Json, ///< one object per line, or one document
    WandbRun, ///< Weights & Biases, the file of one run
    MlflowMetric, ///< MLflow's file store: one file for each metric
};

/// A file that a metrics logger writes: how it is read, and the lane of its curves.
struct RecordFile {
    RecordKind kind = RecordKind::Table;
    QString lane; ///< the folder or file within the run's folder that tells its curves apart
    QString metric = {}; ///< of MlflowMetric: its name

    bool operator==(const RecordFile&) const = default;
};

/// RecordReader converts the bytes of one file of a metrics logger into samples as they arrive, in
/// pieces of any size: a half-written record waits for its rest, and one that is malformed is
/// counted and left out. Memory is bounded whatever comes. Passive: no thread, clock or disk; its
/// owner feeds it.
class RecordReader {
public:
    virtual ~RecordReader() = default;
    virtual void feed(QByteArrayView bytes) = 0;
    /// The file is complete: a last line without a newline counts.
    virtual void finish() { }

    std::vector<Sample> takeSamples();
    /// Records that could not be read.
    qint64 broken() const { return m_broken; }
    /// What the file holds beside numbers: "images: samples/generated". Named, not drawn.
    const QStringList& notDrawn() const { return m_notDrawn; }

protected:
    void add(Sample sample);
    void noteBroken() { ++m_broken; }
    void noteNotDrawn(const QString& what);

private:
    std::vector<Sample> m_samples;
    QStringList m_notDrawn;
    qint64 m_broken = 0;
};

/// FramedReader is a RecordReader of a binary file, whose parts have lengths. It keeps what has
/// arrived until it is a whole part. Passive, like every reader.
class FramedReader : public RecordReader {
public:
    void feed(QByteArrayView bytes) final;

protected:
    /// Takes a part from the beginning of what is there. How many bytes; 0: it is not complete yet.
    virtual qsizetype takePart(QByteArrayView rest) = 0;
    /// Nothing of the file can be found any more.
    void lose();

private:
    QByteArray m_pending;
    bool m_lost = false;
};

std::unique_ptr<RecordReader> makeRecordReader(const RecordFile& file);

/// The parts of makeRecordReader(), by kind.
std::unique_ptr<RecordReader> makeEventFileReader(const QString& lane);
std::unique_ptr<RecordReader> makeTableReader(const QString& lane);
std::unique_ptr<RecordReader> makeJsonReader(const QString& lane);
std::unique_ptr<RecordReader> makeWandbReader(const QString& lane);
std::unique_ptr<RecordReader> makeMlflowReader(const QString& lane, const QString& metric);

} // namespace slipway
