// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/grouptitles.h"
#include "plots/metrics/lineassembler.h"
#include "plots/metrics/linefilter.h"
#include "plots/metrics/sample.h"
#include "plots/metrics/varyingnames.h"

#include <QSet>
#include <QStringList>

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace slipway {

/// The progress that a program reports: step 112 of 160.
struct MetricProgress {
    QString name; ///< "step", "epoch"
    double done = 0;
    double total = 0;

    bool operator==(const MetricProgress&) const = default;
};

/// MetricSink collects what the recognisers find. Slipway's own programs print structured lines in
/// addition to a table; once such a line has set a series, values of that name from the table are
/// duplicates and are dropped, and so are other events of a kind that it has sent. Those that came
/// before the first such line are dropped by the SeriesStore.
class MetricSink {
public:
    void add(Sample&& sample);
    void add(const Sample& sample) { add(Sample(sample)); }
    void add(MetricEvent event);
    void setProgress(const QString& name, double done, double total);
    void finish() { m_varying.finish(samples); } ///< the log has ended

    /// Where the program is, by its last number or by a line that only counts: lines that print no
    /// counter of their own are drawn there. The name is empty as long as nothing is known.
    void setPlace(double x, const QString& name);
    double placeX() const { return m_placeX; }
    const QString& placeName() const { return m_placeName; }

    /// What the recogniser that accepts a line leaves of it: read like a line of its own.
    void setRest(std::string_view text) { m_rest = text; }
    std::string_view takeRest() { return std::exchange(m_rest, {}); }

    /// How often a recogniser found something: a line that changes nothing may be a title.
    unsigned findings() const { return m_findings; }
    GroupTitles& titles() { return m_titles; }

    void setSource(SampleSource source) { m_source = source; } ///< of the current recogniser

    std::vector<Sample> samples;
    std::vector<MetricEvent> events;
    std::optional<MetricProgress> progress;

private:
    VaryingNames m_varying;
    GroupTitles m_titles;
    unsigned m_findings = 0;
    SampleSource m_source = SampleSource::Output;
    double m_placeX = 0;
    QString m_placeName;
    std::array<QString, 4> m_placeNames; ///< the last ones
    size_t m_oldestName = 0; ///< in it
    QString m_noPlaceName; ///< the last name that is no place
    std::string_view m_rest;
    QSet<QString> m_ownSeries;
    uint64_t m_ownSizes = 0; ///< of their names, a bit for each: most others differ in it
    QSet<QString> m_ownEvents;
};

/// Recogniser reads the numbers of one family of output. It must be certain: a number with an
/// unclear meaning is not plotted. Passive; one object reads one log from start to end.
class Recogniser {
public:
    virtual ~Recogniser() = default;
    /// What distinguishes its lines from others before they are read. While isOpen(), it reads
    /// lines without these signs as well.
    virtual LineSigns signs() const { return {}; }
    /// Whether it has begun something that any line may continue or end.
    virtual bool isOpen() const { return false; }
    /// True when the line belongs to this family; later recognisers then do not get it.
    virtual bool read(const LogLine& line, MetricSink& sink) = 0;
    /// The log has ended.
    virtual void finish(MetricSink&) { }
};

/// The names of all recognisers, in the order in which they are tried.
QStringList recogniserNames();
/// For a MetricsPipeline that has patterns alone: no recogniser has this name.
QStringList noRecognisers();
/// Null when the name is unknown.
std::unique_ptr<Recogniser> makeRecogniser(const QString& name);

/// "" for rank 0 and for a line without a label, else "rank 3": ranks that print the same series
/// are separate lanes, not one curve that jumps.
QString rankLane(int rank);
/// "rank 3" and "GPU 1" are "rank 3, GPU 1"; an empty part adds nothing.
void addToLane(QString& lane, const QString& part);

/// "Model saved to ==> ./model.pt", "Scaling plot saved as 'scaling_plot.png'": a file that the
/// program reports to have written.
std::optional<MetricEvent> readArtifact(const LogLine& line);

} // namespace slipway
