// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/lineassembler.h"
#include "plots/metrics/sample.h"

#include <QSet>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace slipway {

/// How far a program says that it has come: step 112 of 160.
struct MetricProgress {
    QString name; ///< "step", "epoch"
    double done = 0;
    double total = 0;

    bool operator==(const MetricProgress&) const = default;
};

/// Who says what a recogniser reads.
enum class SampleSource {
    Output, ///< the program's output, as people read it
    Recipe, ///< a pattern of the recipe: what it names is meant
    Program ///< lines that the program prints for us
};

/// MetricSink collects what the recognisers find. A program of ours prints its own lines beside its
/// table for people; once it has told a series itself, what others read off the table under that
/// name is a double and is dropped, and so are their events of a kind that it sent itself.
class MetricSink {
public:
    void add(Sample sample);
    void add(MetricEvent event);
    void setProgress(const QString& name, double done, double total);

    void setSource(SampleSource source) { m_source = source; } ///< of the recogniser that reads now

    std::vector<Sample> samples;
    std::vector<MetricEvent> events;
    std::optional<MetricProgress> progress;

private:
    SampleSource m_source = SampleSource::Output;
    QSet<QString> m_ownSeries;
    QSet<QString> m_ownEvents;
};

/// Recogniser knows one family of output and draws its numbers from it. It must be sure: a number
/// that it does not understand is not drawn. Passive; one object reads one log from start to end.
class Recogniser {
public:
    virtual ~Recogniser() = default;
    /// True when the line was of this family; the recognisers after it are not asked then.
    virtual bool read(const LogLine& line, MetricSink& sink) = 0;
    /// The log has ended.
    virtual void finish(MetricSink&) { }
};

/// The names of all recognisers, in the order in which they are asked.
QStringList recogniserNames();
/// Null when the name is not known.
std::unique_ptr<Recogniser> makeRecogniser(const QString& name);

/// "" for rank 0 and for a line without a label, else "rank 3": ranks that print the same series
/// are competitors, not one curve that jumps.
QString rankLane(int rank);

/// "Model saved to ==> ./model.pt", "Scaling plot saved as 'scaling_plot.png'": a file that the
/// program says it wrote.
std::optional<MetricEvent> readArtifact(const LogLine& line);

} // namespace slipway
