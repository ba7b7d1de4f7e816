// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/recognisers.h"

#include "plots/metrics/barelines.h"
#include "plots/metrics/blocklines.h"
#include "plots/metrics/columntable.h"
#include "plots/metrics/fieldsamples.h"
#include "plots/metrics/gridtable.h"
#include "plots/metrics/heldlines.h"
#include "plots/metrics/launchcommand.h"
#include "plots/metrics/learntlines.h"
#include "plots/metrics/linemeaning.h"
#include "plots/metrics/lineprefix.h"
#include "plots/metrics/metricrows.h"
#include "plots/metrics/parametersweeps.h"
#include "plots/metrics/ranklabel.h"
#include "plots/metrics/readpairs.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/translation.h"
#include "plots/metrics/turnlanes.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace slipway {

namespace {

constexpr size_t longestStatement = 8192;
constexpr int mostStrayWords = 12; ///< more of them make prose

/// "Client1 Train => Acc: 63.6", "Agent 2: reward 0.5": which of several printed the line.
QString memberIn(std::string_view text)
{
    static constexpr std::string_view members[] = {"client", "agent", "worker", "learner", "party",
        "site", "silo", "replica", "chain", "walker", "player"};
    skipSpaces(text);
    size_t end = 0;
    while (end < text.size() && isLetter(text[end]))
        ++end;
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    for (const std::string_view between : {" ", "_", "-", "#"})
        skip(text, between);
    const bool isNumbered = !word.empty() && !text.empty() && isDigit(text[0]);
    const auto number = isNumbered && isOneOf(word, members) ? takeWholeCount(text) : std::nullopt;
    if (!number || text.empty() || std::string_view(" :]),").find(text[0]) == text.npos)
        return {}; // "Client 1/10"
    return labelText(word).toLower() + QStringLiteral(" %1").arg(*number);
}

/// Reads what no other recogniser claims, by the grammar of all programs: a prefix, names with
/// numbers or columns below their names, counters, units. What a name means is in
/// metric-names.json; a number that has no meaning, or only stands once in the log, is not plotted.
class NameValueRecogniser : public Recogniser {
public:
    NameValueRecogniser()
        : m_names(MetricNames::builtIn())
        , m_cache(m_names)
    {
    }

    bool read(const LogLine& line, MetricSink& sink) override
    {
        if (sink.placeX() != m_placeLeft)
            m_set = nullptr; // a line that another recogniser read says that the program went on
        if (line.rank >= 0) {
            m_labelsRise = m_labelsRise && line.rank > m_lastLabel;
            m_lastLabel = line.rank;
        }
        const bool isRead = readTranslated(line, sink);
        m_placeLeft = sink.placeX();
        return isRead;
    }

    bool readTranslated(const LogLine& line, MetricSink& sink)
    {
        const bool mayBeForeign =
            line.shape ? line.shape->traits.mayBeForeign : Translation::mayApply(line.text);
        if (!mayBeForeign || line.text.size() > longestStatement
            || !Translation::builtIn().apply(line.text, m_translated))
            return readLine(line, sink);
        LogLine translated = line;
        translated.text = m_translated;
        translated.shape = nullptr; // it is that of the line as it was printed
        return readLine(translated, sink);
    }

    bool readLine(const LogLine& line, MetricSink& sink)
    {
        if (line.number == m_repeatedAt)
            return true;
        if (const auto learnt = readLearnt(line, sink))
            return *learnt;
        std::string_view text = line.text;
        if (readCommand(text))
            return false;
        if (text.size() > longestStatement || text.find("|####") != std::string_view::npos)
            return false; // bars of downloads belong to nobody
        if (takeDrawnBar(text))
            text = m_unbarred;
        else if (text.find("[=") != std::string_view::npos)
            return false;
        if (const size_t bar = barAt(text); bar != std::string_view::npos) {
            if (line.progress)
                return true; // the row is printed again, up to the end of its bar
            text = beforeBar(text.substr(0, bar));
        }
        if (!hasDigit(text) && !mayBeNan(text)) {
            const std::string_view words = wordsOf(text);
            m_bare.nameWords(words, m_named);
            if (text.size() == line.text.size())
                m_learnt.learnWords(line, words, m_cache);
            keepHeading(words, table::headingFormOf(words), GridTable::mayBeHeading(words),
                MetricRows::formOf(words), line);
            return false;
        }
        LinePrefix prefix = peelPrefix(text);
        const bool isTimedRow = m_table.beginsWithTime(text.size() != prefix.text.size());
        if (isTimedRow)
            prefix = {text};
        if (takesName(line, prefix.text))
            return readNamed(line, sink);
        m_text = prefix.text;
        m_dated = prefix.dated;
        const int rank = prefix.rank >= 0 ? prefix.rank : line.rank;
        if (m_metricRows.isOpen() && readMetricRow(prefix.text, line, rank, sink))
            return true;
        const bool mayBeRow = looksLikeRow(prefix.text);
        const ColumnTable::RowForm form =
            mayBeRow ? ColumnTable::formOf(prefix.text) : ColumnTable::RowForm();
        if (mayBeRow && !m_isNoRow && readRow(form, line, rank, sink))
            return true;
        readPairs(prefix.text, m_names, m_pairs);
        m_reading = BlockLines::readingOf(prefix.text, m_pairs, m_cache);
        const bool isLabel = takeLabel(line);
        if (takeTurn(sink))
            return true;
        m_meaning.isLearnable = true;
        m_meaning.counting = 0;
        const bool isRead = (m_pairs.count > 0 || m_pairs.position.done >= 0)
            && m_pairs.strayWords <= mostStrayWords;
        const bool meant = isRead && readMeaning(m_pairs, m_cache, m_names, m_meaning);
        if (!m_isLearnt && !isLabel && !isTimedRow && text.size() == line.text.size()
            && m_meaning.isLearnable)
            m_learnt.learn(
                line, prefix, m_pairs, meant ? &m_meaning : nullptr, m_meaning.counting, m_reading);
        if (isRead && m_meaning.isOfSettings)
            m_parameters.note(m_meaning);
        const int named = rankIn(rank);
        const bool isSwept = m_meaning.firstNumber || (!meant && m_meaning.isOwnSweep);
        if (isRead && isSwept && sink.placeName().isEmpty()) {
            m_blocks.readSwept(
                m_pairs, m_cache, line, rankLane(named), m_meaning.firstNumber, m_parameters, sink);
            return true;
        }
        const bool given = meant && give(line, isLabel ? -1 : named, sink);
        readOwn(line, named, given, sink);
        if (given)
            return true;
        const ColumnTable::HeadingForm heading = table::headingFormOf(prefix.text);
        if (GridTable::mayRead(form))
            return readGrid(prefix.text, heading, line, rank, sink);
        keepHeading(prefix.text, heading, form.numbers == 0 && GridTable::mayBeHeading(prefix.text),
            MetricRows::formOf(prefix.text), line);
        return false;
    }

    void finish(MetricSink& sink) override
    {
        if (sink.placeName().isEmpty()) {
            for (Sample& sample : m_lonely)
                sink.add(std::move(sample));
        }
        m_lonely.clear();
        flushEvaluation(sink);
        m_parameters.finish(sink);
        giveLabelled(sink);
        m_turns.finish(sink);
        m_held.finish(sink);
        m_blocks.finish(sink);
    }

private:
    static bool hasDigit(std::string_view text)
    {
        return std::any_of(text.begin(), text.end(), isDigit);
    }

    /// "$ ./matmul 512": what is printed below was measured with these numbers.
    bool readCommand(std::string_view text)
    {
        const std::vector<CommandNumber> numbers = commandNumbers(text);
        for (const CommandNumber& number : numbers)
            m_parameters.note(number.name, number.value);
        m_hasCommand = m_hasCommand || !numbers.empty();
        return !numbers.empty();
    }

    /// A heading without what a logger prints before it: "INFO:  STEP  TIME". "trace" may be the
    /// name of a column.
    static std::string_view wordsOf(std::string_view text)
    {
        const std::string_view words = peelPrefix(text).text;
        const std::string_view prefix = text.substr(0, text.size() - words.size());
        return prefix.find_first_of(":]") == std::string_view::npos ? text : words;
    }

    static bool mayBeNan(std::string_view text)
    {
        return text.find("nan") != std::string_view::npos;
    }

    /// What is left of a bar in some logs: "640: 100% 3/3 [00:05<00:00,  1.75s/it]".
    static bool isCounted(std::string_view behind)
    {
        return skip(behind, " ") && takeWholeCount(behind) && skip(behind, "/")
            && takeWholeCount(behind) && skip(behind, " [") && behind.find('<') < 12;
    }

    /// " ━━━╸────": a bar of lines, at whose beginning nothing is done.
    static bool beginsLine(std::string_view behind)
    {
        static constexpr std::string_view lines[] = {" ━", " ─", " ╸"};
        return std::any_of(std::begin(lines), std::end(lines),
            [behind](std::string_view line) { return behind.starts_with(line); });
    }

    /// Where a bar begins that ends a row: "640: 100%|███", "640: 100% ━━━".
    static size_t barAt(std::string_view text)
    {
        const size_t percent = text.find('%');
        if (percent == std::string_view::npos)
            return percent;
        const std::string_view behind = text.substr(percent + 1);
        const bool isWhole = percent < 4 || text.substr(percent - 4, 4).find('.') == text.npos;
        const bool isDrawn = behind.starts_with('|') && behind.find('|', 1) != text.npos && isWhole;
        const bool bar = isDrawn || beginsLine(behind) || isCounted(behind);
        return bar ? percent : std::string_view::npos;
    }

    /// "1/50 [>------] - Loss: 3.058", "Training [===    ] 8.5% 5000/58874 | loss=3.91": a bar
    /// before what was measured. Those of Keras belong to its recogniser, which was asked before.
    bool takeDrawnBar(std::string_view text)
    {
        constexpr size_t shortestBar = 6;
        const size_t open = std::min(text.find("[="), text.find("[>"));
        if (open == std::string_view::npos)
            return false;
        const size_t close = text.find_first_not_of("=>- ", open + 1);
        if (close == std::string_view::npos || text[close] != ']' || close - open < shortestBar)
            return false;
        m_unbarred.assign(text.substr(0, open)).append(text.substr(close + 1));
        return true;
    }

    /// "640: 100" → "640"
    static std::string_view beforeBar(std::string_view text)
    {
        while (!text.empty() && (isDigit(text.back()) || isSpace(text.back())))
            text.remove_suffix(1);
        if (text.ends_with(':'))
            text.remove_suffix(1);
        return text;
    }

    bool readMetricRow(std::string_view text, const LogLine& line, int rank, MetricSink& sink)
    {
        size_t form = 0;
        if (!m_metricRows.read(text, m_cache, m_made, form) || sink.placeName().isEmpty())
            return false;
        for (Sample& sample : m_made) {
            QString lane = rankLane(rank);
            addToLane(lane, sample.lane);
            sample.lane = lane;
            sample.x = m_place.atEnd(sink.placeX());
            sample.xName = sink.placeName();
            sample.line = line.number;
            sample.place = line.end - 1;
        }
        m_held.take(form, HeldLines::Proof::Block, m_made, sink);
        return true;
    }

    /// `isOfGrid`: GridTable::mayBeHeading() holds, and no number is on the line.
    void keepHeading(std::string_view text, const ColumnTable::HeadingForm& form, bool isOfGrid,
        MetricRows::Form rows, const LogLine& line)
    {
        if (form.repeatsNext)
            m_repeatedAt = line.number + 1;
        const bool isOther = line.rank >= 0 && m_headingRank >= 0 && line.rank != m_headingRank;
        if (isOther && !form.hasGap)
            return; // words of another process between a heading and its rows
        m_table.keep(text, form);
        m_metricRows.keep(text, rows, m_cache);
        if (form.mayBe) {
            m_headingRank = line.rank;
            const bool isWhole = text.data() == line.text.data();
            m_headingIndent = isWhole ? text.find_first_not_of(' ') : 0;
        }
        if (isOfGrid)
            m_grid.keep(text, line.number);
    }

    /// Whether the number of the line got a name, and the line has not got it yet.
    bool takesName(const LogLine& line, std::string_view text)
    {
        return line.text.data() != m_named.data() && m_bare.name(text, m_named);
    }

    /// The same for a line of a form that is known.
    bool takesName(const LearntLine& learnt)
    {
        return learnt.isWords ? m_bare.nameWords(m_text, m_named)
                              : m_bare.name(m_text, learnt.mayBeBare, m_named);
    }

    /// The line under the name that m_bare gave it.
    bool readNamed(const LogLine& line, MetricSink& sink)
    {
        LogLine named = line;
        named.text = m_named;
        named.shape = nullptr;
        return readLine(named, sink);
    }

    std::optional<bool> readLearnt(const LogLine& line, MetricSink& sink);
    bool readRow(const ColumnTable::RowForm& form, const LogLine& line, int rank, MetricSink& sink);
    std::string_view belowHeading(const LogLine& line);
    bool readGrid(std::string_view text, const ColumnTable::HeadingForm& form, const LogLine& line,
        int rank, MetricSink& sink);
    bool give(const LogLine& line, int rank, MetricSink& sink);
    void giveRow(const LogLine& line, int rank, MetricSink& sink);
    /// Where the row of a table is, and what its columns say beside the measurements.
    struct RowPlace {
        LineCounters counters;
        std::optional<double> size; ///< what is measured by size, or by time
        QString sizeName;
        bool isTimed = false; ///< the size is the time of the first column
        bool isScaling = false; ///< the size is how many threads, nodes or GPUs worked
        bool isByFirst = false; ///< the size is in the first column: "64 kB", "Compute iters"
        bool isSimulated = false; ///< a column has the temperature: these are no iterations
        SweepSizes sizes; ///< all of them
        double device = -1; ///< the rows of several take turns
        size_t metrics = 0;
        size_t form = 7; ///< equal for rows of the same columns
        double x = 0;
        QString xName;

        bool isCounted() const { return counters.any() || size; }
        /// "N  serial  openmp": by a size, and of nothing that is known.
        bool isOfOwnNames() const { return size && sizes.count > 0 && metrics == 0; }
        bool isSweep() const { return size && sizes.count > 1 && !counters.any() && !isTimed; }
        /// Its steps begin again with each problem, or with each step around them.
        bool isOfSolver() const
        {
            return counters.step && !counters.epoch && !size && !isSimulated;
        }
    };
    RowPlace placeInRow(bool isPlaced);
    const QString* countName(const QString& name);
    void leaveLoneRow();
    bool placeRow(RowPlace& place, const LogLine& line, int rank, MetricSink& sink);
    QString laneOfRow(const RowPlace& place, int rank);
    /// "size  cpu_ms  gpu_ms": by a size, and all that was made has a unit.
    bool isSureSweep(const RowPlace& place) const
    {
        return place.isOfOwnNames()
            && std::all_of(m_made.begin(), m_made.end(),
                [](const Sample& sample) { return !sample.unit.isEmpty(); });
    }
    bool isKnownRow(std::string_view text);
    Sample sampleInRow(size_t i, const RowPlace& place) const;
    bool isRated() const;
    bool isSweptByFirst() const;
    bool isRepeated(size_t form, double x);
    void addRun(QString& lane, size_t form, double x);
    double solverBase(const RowPlace& place, double x);
    bool takeLabel(const LogLine& line);
    bool risesAbove(int label);
    int rankIn(int rank) const;
    bool announcesEvaluation() const;
    bool isExactPlace() const;
    bool giveAtCounter(const LogLine& line, int rank, MetricSink& sink);
    bool giveAtSize(const LogLine& line, int rank, MetricSink& sink);
    bool isPlaced(const MetricSink& sink) const;
    void makeHere(const LogLine& line, int rank, const MetricSink& sink);
    SweepSizes parametersInRow();
    bool giveRowOfParameters(const RowPlace& place, const QString& lane, MetricSink& sink);
    bool giveRowBelowCommand(const RowPlace& place, const QString& lane, MetricSink& sink);
    bool giveBelowSettings(const LogLine& line, int rank, MetricSink& sink);
    bool giveAtLabel(const LogLine& line, MetricSink& sink);
    void giveLabelled(MetricSink& sink);
    void holdLine(HeldLines::Proof proof, const LogLine& line, MetricSink& sink);
    bool giveAtParameter(const LogLine& line, int rank, MetricSink& sink);
    bool isTitleOfRate(std::string_view text) const;
    bool isAlone() const;
    bool isBareList() const;
    bool giveAtPlace(const LogLine& line, int rank, MetricSink& sink);
    bool takeTurn(MetricSink& sink);
    /// `given`: what is known of the line was read already, at the place where the program is.
    void readOwn(const LogLine& line, int rank, bool given, MetricSink& sink)
    {
        constexpr int mostWords = 3;
        if (given && m_meaning.counters.any()) {
            if (m_meaning.count > 0 && m_pairs.count > m_meaning.count + 1
                && m_pairs.strayWords <= mostWords)
                m_blocks.readBesideCounter(m_pairs, m_cache, line,
                    {sink.placeX(), sink.placeName(), rankLane(rank)}, m_meaning, sink);
            return;
        }
        if (m_reading == BlockLines::Reading::None || (given && m_pairs.count < 2))
            return;
        BlockLines::Place place{m_place.atEnd(sink.placeX()), sink.placeName(), rankLane(rank)};
        addToLane(place.lane, labelText(m_pairs.about, 40));
        if (m_reading != BlockLines::Reading::Repeated)
            m_blocks.read(m_pairs, m_cache, line, place, given ? &m_meaning : nullptr, m_reading,
                m_parameters, sink);
        else if (!given)
            m_blocks.readRepeated(m_pairs, m_cache, line, place, m_parameters, sink);
    }
    void make(double x, const QString& xName, const LogLine& line, int rank);
    void numberSame(Sample& sample) const;
    QString laneOfRun();
    void agreeOnPercent();
    void keepLonely();
    void flushEvaluation(MetricSink& sink);
    void replaceEvaluation(MetricSink& sink);

    const MetricNames& m_names;
    NameCache m_cache;
    ColumnTable m_table;
    GridTable m_grid;
    MetricRows m_metricRows;
    std::vector<GridTable::Row> m_rows; ///< of the grid
    const std::vector<ColumnTable::Column>* m_columns = nullptr; ///< of the row
    ColumnTable::Row m_row;
    LinePairs m_pairs;
    LineMeaning m_meaning;
    LearntLines m_learnt;
    bool m_isLearnt = false; ///< the line is of a form that is not to be learnt again
    BlockLines::Reading m_reading = BlockLines::Reading::None; ///< of the line
    bool m_isNoRow = false; ///< it is known not to be a row of m_table
    std::string_view m_text; ///< the line without its prefix
    std::string m_unbarred; ///< the line without a bar in it
    std::string m_translated; ///< the line in English
    BareLines m_bare;
    std::string m_named; ///< the line with a name for its number
    std::string m_padded; ///< the same below a heading that leaves room for the prefix
    bool m_dated = false; ///< a logger printed the line
    int m_label = -1; ///< that the line before had
    double m_turn = -1; ///< which of several the lines are about; -1: nothing says that
    qint64 m_repeatedAt = 0; ///< the line that has once more what an earlier one had
    int m_headingRank = -1; ///< of the line that may be a heading
    size_t m_headingIndent = 0; ///< spaces before it
    size_t m_measured = 0; ///< the form of lines that count, with what is measured there
    std::optional<double> m_firstRun; ///< of several trainings, one after the other
    RunPlace m_place;
    struct LoneRow {
        RunPlace before; ///< where the program was
        size_t form = 0;
    };
    std::optional<LoneRow> m_loneRow; ///< so far, of a table that is not known
    HeldLines m_held;
    TurnLanes m_turns{m_names, m_held};
    BlockLines m_blocks;
    LineFields m_fields;
    struct TableRuns {
        int count = 0;
        double lastX = 0;
        double base = 0; ///< steps of the tables before this one
    };
    static constexpr size_t mostTables = 64;
    std::deque<QString> m_countNames; ///< of columns, "n_clusters"; they stay where they are
    std::unordered_map<size_t, SizeSweep> m_rowSweeps; ///< by the form of rows with several sizes
    size_t m_sweepTable = 0; ///< which of the tables with several sizes
    int m_rowsOfTable = 0; ///< of that one, so far
    std::unordered_map<size_t, SizeSweep> m_sizes; ///< by the form of lines that begin with a size
    ParameterSweeps m_parameters;
    bool m_hasCommand = false; ///< with numbers, which m_parameters has
    std::string m_below; ///< the line that was last held by m_parameters, below settings
    std::unordered_map<size_t, RunPlace> m_monitors; ///< by what a solver within another measures
    std::unordered_map<size_t, TableRuns> m_tableRuns; ///< by the form of their columns
    const QString* m_set = nullptr; ///< that of the lines before, if they were of an evaluation
    int m_lastLabel = -1; ///< of a rank, as far as anybody knows
    bool m_labelsRise = true; ///< each is larger than the one before
    struct Labelled {
        size_t form = 0;
        std::string text;
        HeldLines::Proof proof;
        std::vector<Sample> samples;
    };
    std::vector<Labelled> m_labelled; ///< lines of ranks, until it is known whether they are some
    double m_placeLeft = 0; ///< where the program was after the last line that came here
    std::vector<Sample> m_made; ///< of the line that is being read
    std::unordered_set<size_t> m_rowsGiven; ///< of tables by time: the hashes of their texts
    std::vector<Sample> m_lonely; ///< of an evaluation by batches before there was any training
    std::vector<Sample> m_evaluation; ///< of the last line of an evaluation that goes on
};

/// As read(), for a line of a form that is known; none: it is not.
std::optional<bool> NameValueRecogniser::readLearnt(const LogLine& line, MetricSink& sink)
{
    const LearntLine* const learnt = m_learnt.find(line);
    m_isLearnt = m_isNoRow = false;
    if (!learnt)
        return {};
    m_text = line.text.substr(line.text.size() - learnt->prefix.text.size());
    if (takesName(*learnt))
        return readNamed(line, sink);
    if (learnt->isWords) {
        keepHeading(m_text, learnt->heading, learnt->mayBeHeading, learnt->rows, line);
        return false;
    }
    m_isLearnt = (line.mayCount && line.rank >= 0)
        || m_table.beginsWithTime(m_text.size() != line.text.size());
    if (m_isLearnt)
        return {};
    const int rank = learnt->prefix.rank >= 0 ? learnt->prefix.rank : line.rank;
    if (m_metricRows.isOpen() && readMetricRow(m_text, line, rank, sink))
        return true;
    m_isLearnt = learnt->looksLikeRow && m_table.mayRead(m_text, learnt->row);
    if (m_isLearnt && readRow(learnt->row, line, rank, sink))
        return true;
    m_isNoRow = true;
    if (!learnt->read(line.text, m_names, m_pairs, m_meaning))
        return {};
    m_dated = learnt->prefix.dated;
    const int named = rankIn(rank);
    m_reading = learnt->reading;
    const bool given = learnt->hasMeaning && give(line, named, sink);
    readOwn(line, named, given, sink);
    if (given)
        return true;
    if (GridTable::mayRead(learnt->row))
        return readGrid(m_text, learnt->heading, line, rank, sink);
    keepHeading(m_text, learnt->heading, learnt->mayBeHeading && learnt->row.numbers == 0,
        learnt->rows, line);
    return false;
}

/// Whether m_text is a row of the table that is open, or opens another one. What looks like the
/// number of a rank counts where the heading has none.
bool NameValueRecogniser::readRow(
    const ColumnTable::RowForm& form, const LogLine& line, int rank, MetricSink& sink)
{
    if (line.mayCount && line.rank >= 0 && m_headingRank < 0
        && m_table.readCounted(line.rank, m_text, m_cache, m_names, m_row)) {
        m_columns = &m_table.columns();
        giveRow(line, -1, sink);
        return true;
    }
    // Asked of each line, so that the first one of its form is no other row than the next.
    if (!m_table.mayRead(m_text, form)
        || !m_table.read(belowHeading(line), m_cache, m_names, m_row))
        return false;
    m_columns = &m_table.columns();
    giveRow(line, rank, sink);
    return true;
}

/// m_text where it stands on its line, if the heading leaves room for what was peeled off: a time
/// that no column is for.
std::string_view NameValueRecogniser::belowHeading(const LogLine& line)
{
    const size_t peeled = line.text.size() - m_text.size();
    if (peeled == 0 || m_text.data() != line.text.data() + peeled)
        return m_text;
    const size_t end = line.text.substr(0, peeled).find_last_not_of(' ');
    if (end == std::string_view::npos || end >= m_headingIndent)
        return m_text;
    m_padded.assign(peeled, ' ').append(m_text);
    return m_padded;
}

/// What nothing else reads: a row among others like it, or a heading.
bool NameValueRecogniser::readGrid(std::string_view text, const ColumnTable::HeadingForm& form,
    const LogLine& line, int rank, MetricSink& sink)
{
    m_rows.clear();
    if (!m_grid.read(text, line.number, line.end, m_cache, m_names, m_rows)) {
        m_table.keep(text, form);
        return false;
    }
    m_columns = &m_grid.columns();
    for (const GridTable::Row& row : m_rows) {
        LogLine of = line;
        of.number = row.line;
        of.end = row.end;
        m_row = row.cells;
        m_row.lane = row.label;
        giveRow(of, rank, sink);
    }
    return true;
}

void NameValueRecogniser::make(double x, const QString& xName, const LogLine& line, int rank)
{
    m_made.clear();
    QString lane = rankLane(rank);
    addToLane(lane, labelText(m_pairs.about, 40));
    addToLane(lane, memberIn(m_text));
    addToLane(lane, laneOfRun());
    if (m_meaning.sizes.count > 0)
        addToLane(lane, labelText(m_pairs.label, 40));
    for (size_t i = 0; i < m_meaning.count; ++i) {
        Sample sample = sampleOf(m_meaning.metrics[i], m_meaning);
        if (sample.series.isEmpty())
            continue;
        const std::string_view name = m_meaning.metrics[i].pair->name;
        const bool again = std::any_of(m_made.begin(), m_made.end(),
            [&](const Sample& made) { return made.series == sample.series; });
        if (again && !name.empty())
            sample.series = seriesName(name); // "time 4.5s, total time 31.3s"
        if (!name.empty())
            numberSame(sample); // "client 0 loss: 0.6, client 1 loss: 0.5"
        sample.lane = lane;
        sample.x = x;
        sample.xName = xName;
        sample.line = line.number;
        sample.place = line.end - 1;
        m_made.push_back(std::move(sample));
    }
    agreeOnPercent();
}

/// A curve has one value at each x: of several measurements of one name in a line, the second is
/// "loss_2".
void NameValueRecogniser::numberSame(Sample& sample) const
{
    int same = 0;
    for (const Sample& made : m_made)
        same += made.series == sample.series
            || (same > 0 && made.series == sample.series + u'_' + QString::number(same + 1));
    if (same > 0)
        sample.series += u'_' + QString::number(same + 1);
}

/// "Run: 02, Epoch: 01, Loss: 2.4", "Fold 2/5 …": a training that begins anew is another curve.
/// That of the first number needs no name.
QString NameValueRecogniser::laneOfRun()
{
    static constexpr std::string_view words[] = {"run", "fold", "level", "trial"};
    const bool isOfTraining = m_meaning.counters.epoch // "Run 2: 0.5 s" is a measurement of many
        || (m_meaning.counters.step && m_meaning.counters.step->name != "trial");
    for (size_t i = 0; isOfTraining && i < m_pairs.count; ++i) {
        const LinePair& pair = m_pairs.pairs[i];
        const auto* const word = std::find_if(std::begin(words), std::end(words),
            [&pair](std::string_view each) { return equalsIgnoringCase(pair.name, each); });
        if (word == std::end(words) || pair.isFraction || !mayCount(pair.value))
            continue;
        if (!m_firstRun)
            m_firstRun = pair.value;
        return pair.value == *m_firstRun ? QString()
                                         : labelText(*word) + QStringLiteral(" %1").arg(pair.value);
    }
    return {};
}

/// "Acc@1: 0.102 Acc@5: 1.734": both are percentages, though the first alone does not look like
/// one.
void NameValueRecogniser::agreeOnPercent()
{
    static const QString percent = QStringLiteral("%");
    const auto isTop = [](const Sample& sample) { return sample.series.contains(u'@'); };
    if (std::none_of(m_made.begin(), m_made.end(),
            [&](const Sample& sample) { return sample.unit == percent && isTop(sample); }))
        return;
    for (Sample& sample : m_made) {
        if (isTop(sample))
            sample.unit = percent;
    }
}

void NameValueRecogniser::flushEvaluation(MetricSink& sink)
{
    for (Sample& sample : m_evaluation)
        sink.add(std::move(sample));
    m_evaluation.clear();
}

/// A log of nothing but an evaluation: its own batches are what counts, which the end shows.
void NameValueRecogniser::keepLonely()
{
    static const QString step = QStringLiteral("step");
    constexpr size_t most = 4096;
    for (Sample& sample : m_evaluation) {
        sample.x = m_meaning.position.done;
        sample.xName = step;
        if (m_lonely.size() < most)
            m_lonely.push_back(std::move(sample));
    }
    m_evaluation.clear();
}

/// The result of an evaluation is printed below its lines: it counts, and not their last mean.
void NameValueRecogniser::replaceEvaluation(MetricSink& sink)
{
    for (const Sample& made : m_made)
        std::erase_if(m_evaluation, [&](const Sample& held) { return held.series == made.series; });
    flushEvaluation(sink);
}

/// "[10] train-rmse:0.5 eval-rmse:0.6", "34:     learn: 0.9  test: 0.8": the number that may label
/// a rank counts, when what follows is of several data sets and nothing else counts.
bool NameValueRecogniser::takeLabel(const LogLine& line)
{
    if (!line.mayCount || line.rank < 0 || m_pairs.position.done >= 0 || m_pairs.count < 2)
        return false;
    if (risesAbove(line.rank)) {
        m_pairs.position.done = line.rank;
        m_pairs.position.leads = true;
        return true;
    }
    for (size_t i = 0; i < m_pairs.count; ++i) {
        const LinePair& pair = m_pairs.pairs[i];
        const size_t end = pair.name.find_first_of("-_ ");
        if (i < 2 && (!pair.assigned || !m_names.set(pair.name.substr(0, end))))
            return false;
        if (m_cache.find(pair.name).kind == NameMeaning::Counter)
            return false;
    }
    m_pairs.position.done = line.rank;
    m_pairs.position.leads = true;
    return true;
}

/// "3073: done 3 games, mean reward -20.000, speed 574.24 f/s": a number that is larger from line
/// to line, and than a rank is, before fractions and rates.
bool NameValueRecogniser::risesAbove(int label)
{
    const bool rises = label > std::max(m_label, mostRanks);
    m_label = label;
    size_t measured = 0;
    for (size_t i = 0; i < m_pairs.count; ++i) {
        measured += m_pairs.pairs[i].isFraction || m_pairs.pairs[i].unit ? 1 : 0;
        if (m_cache.find(m_pairs.pairs[i].name).kind == NameMeaning::Counter)
            return false;
    }
    return rises && measured >= 2;
}

/// "Attempt 1/10 (100 reps):": which of several the next lines are about.
bool NameValueRecogniser::takeTurn(MetricSink& sink)
{
    constexpr size_t mostNumbers = 2;
    const LinePair& turn = m_pairs.pairs[0];
    const std::string_view text = trimmed(m_text);
    if (m_pairs.count == 0 || m_pairs.count > mostNumbers || !text.ends_with(':')
        || m_pairs.strayWords > 0 || turn.assigned || turn.isBehind || turn.total <= 0
        || !(turn.value >= 0 && turn.value <= turn.total) || turn.name.data() != text.data()
        || !std::all_of(turn.name.begin(), turn.name.end(), isLetter)
        || m_cache.find(turn.name).kind != NameMeaning::Unknown || m_names.set(turn.name))
        return false;
    static const QString step = QStringLiteral("step");
    m_turn = turn.value;
    sink.setPlace(m_turn, step);
    sink.setProgress(step, m_turn, turn.total);
    return true;
}

bool NameValueRecogniser::give(const LogLine& line, int rank, MetricSink& sink)
{
    const bool isTurn = m_turn == sink.placeX() && sink.placeName() == QLatin1String("step");
    const bool isPlacedByOther = m_pairs.pairs[0].unit && !sink.placeName().isEmpty()
        && sink.placeName() != QLatin1String("time");
    if (m_meaning.isTime && (isTurn || isPlacedByOther)) {
        m_meaning.isTime = false; // "Time: 3.93" below "Attempt 1/10:" is how long that took
        m_meaning.metrics[m_meaning.count++] = {m_pairs.pairs.data(),
            m_cache.find("elapsed").quantity, &m_cache.find("run time").series};
        m_meaning.isStrong = m_meaning.isOutput = true;
    }
    if (m_meaning.isTime) {
        sink.setPlace(m_meaning.time, QStringLiteral("time"));
        return true;
    }
    if (!m_meaning.counters.any() && !m_meaning.set)
        m_meaning.set = m_set; // " *   Acc@1 8.910" below the lines of an evaluation
    else
        m_set = m_meaning.isEvaluation() ? m_meaning.set : nullptr;
    if (!m_meaning.isEvaluation())
        flushEvaluation(sink);
    if (!m_meaning.counters.any() && isTitleOfRate(line.text)) {
        m_parameters.note(m_meaning);
        return false;
    }
    if (rank == line.rank && giveAtLabel(line, sink))
        return true;
    if (!m_meaning.counters.any() && m_meaning.sizes.count > 0 && giveAtSize(line, rank, sink))
        return true;
    if (m_meaning.parameterCount > 0 && giveAtParameter(line, rank, sink))
        return true;
    if (!m_meaning.counters.any() && m_meaning.count > 0 && m_meaning.parameterCount == 0
        && m_meaning.sizes.count == 0 && giveBelowSettings(line, rank, sink))
        return true;
    if (!m_meaning.counters.any())
        return m_meaning.count > 0 && giveAtPlace(line, rank, sink);
    if (m_meaning.count > 0)
        return giveAtCounter(line, rank, sink);
    if (m_pairs.position.leads && m_pairs.position.total == 0 && m_pairs.strayWords == 0) {
        const RunPlace::Place here = m_place.open(m_meaning.counters, rank);
        sink.setPlace(here.x, here.name);
        m_blocks.readCounted(m_pairs, m_cache, line, {here.x, here.name, rankLane(rank)}, sink);
        return true;
    }
    const bool isExpression = m_pairs.count > 0
        && m_pairs.pairs[m_pairs.count - 1].name.starts_with('('); // "(B r, r) = 0.29"
    if (!isExpression && readFields(m_text, m_fields)) { // of a program's own names
        LineCounters counters{m_fields};
        LogLine labelled = line;
        labelled.rank = rank;
        giveFields(m_fields, m_place.read(counters, rank), labelled, seriesName, sink, true);
        return true;
    }
    const bool isExact = isExactPlace();
    if ((m_pairs.strayWords > 2 && !announcesEvaluation() && !isExact)
        || (!isExact && (m_meaning.isEvaluation() || (m_meaning.isPartial && m_pairs.count > 1))))
        return false;
    // "Step 2" is a heading of a document; "Step 2/10" is where a program is.
    const auto& step = m_meaning.counters.step;
    const bool measures = m_pairs.count > 1
        && (m_pairs.pairs[1].isFraction || m_meaning.form == m_measured // "at t=0.0156", "at t=5"
            || (m_pairs.pairs[1].assigned && equalsIgnoringCase(m_pairs.pairs[1].name, "t")));
    if (measures)
        m_measured = m_meaning.form;
    const bool isNamed = // "current step: 2", "Generation 2"
        m_meaning.stepPair && !equalsIgnoringCase(m_meaning.stepPair->name, "step");
    if (!m_meaning.counters.epoch && step && step->name == "step" && step->total == 0 && !m_dated
        && !isNamed && !measures) {
        const bool isFirst =
            sink.placeName().isEmpty() || sink.placeName() == QLatin1String("step");
        if (isFirst && m_blocks.isFarOn(step->done)) {
            const RunPlace::Place place = m_place.open(m_meaning.counters, rank);
            sink.setPlace(place.x, place.name);
        }
        m_blocks.noteStep(step->done);
        return false;
    }
    // "PIMPLE: iteration 2" below "Time = 0.5": a solver repeats what it does at that time.
    if (!m_meaning.counters.epoch && step && step->total == 0 && !m_pairs.subject.empty()
        && sink.placeName() == QLatin1String("time"))
        return true;
    const RunPlace::Place place = m_place.open(m_meaning.counters, rank);
    sink.setPlace(place.x, place.name);
    if (m_pairs.strayWords == 0) {
        sink.setProgress(place.name, place.x, place.total);
        m_blocks.readCounted(m_pairs, m_cache, line, {place.x, place.name, rankLane(rank)}, sink);
    }
    return true;
}

/// "Evaluation on dev at Epoch 1/20. Step:400/8000:", "Validation at step 3", "Evaluating epoch 3":
/// of the training, and no place within the evaluation.
bool NameValueRecogniser::isExactPlace() const
{
    constexpr int mostWords = 4, fewWords = 1;
    const LineCounters& counters = m_meaning.counters;
    if (counters.epoch && counters.epoch->total > 0)
        return m_pairs.strayWords <= mostWords;
    const LinePair& pair = m_pairs.pairs[0];
    if (m_pairs.count != 1 || m_pairs.position.done >= 0 || m_meaning.position.done >= 0
        || m_pairs.strayWords > fewWords)
        return false;
    const std::string_view before = pair.name.substr(0, pair.name.rfind(' '));
    return counters.epoch.has_value() || before.ends_with(" at") || before.ends_with(" after");
}

/// "Iteration 3000, Testing net (#0)": where the program is when it evaluates.
bool NameValueRecogniser::announcesEvaluation() const
{
    constexpr int mostWords = 4;
    const bool leads = m_pairs.count == 1 && m_pairs.subject.empty()
        && (m_meaning.stepPair == m_pairs.pairs.data()
            || m_meaning.epochPair == m_pairs.pairs.data());
    std::string_view words = m_text;
    const std::string_view counter = takeWord(words);
    if (!leads || m_pairs.strayWords > mostWords || equalsIgnoringCase(counter, "step"))
        return false;
    const std::string_view number = takeWord(words);
    return number.ends_with(',') && m_names.set(takeWord(words)) != nullptr;
}

/// "TRAIN Batch 4/800 loss 12.6 lr 0.0003 rank 2": who printed the line, where its label does not
/// say that.
int NameValueRecogniser::rankIn(int rank) const
{
    for (size_t i = 0; rank < 0 && i < m_pairs.count; ++i) {
        const LinePair& pair = m_pairs.pairs[i];
        if (pair.total == 0 && pair.value >= 0 && pair.value < mostRanks
            && pair.value == std::floor(pair.value)
            && (equalsIgnoringCase(pair.name, "rank")
                || equalsIgnoringCase(pair.name, "local_rank")))
            return static_cast<int>(pair.value);
    }
    return rank;
}

bool NameValueRecogniser::giveAtCounter(const LogLine& line, int rank, MetricSink& sink)
{
    leaveLoneRow();
    constexpr size_t mostMonitors = 16;
    const bool isOwn = m_pairs.isMonitor
        && (m_monitors.size() < mostMonitors || m_monitors.contains(m_meaning.form));
    const RunPlace::Place place = isOwn ? m_monitors[m_meaning.form].open(m_meaning.counters, rank)
                                        : m_place.read(m_meaning.counters, rank);
    make(place.x, place.name, line, rank);
    for (Sample& sample : m_made)
        sample.isOfEpoch = place.isOfEpoch;
    if (m_meaning.isStrict && m_meaning.isEvaluation() && m_meaning.position.total > 0) {
        m_evaluation = m_made;
        if (m_meaning.position.done >= m_meaning.position.total)
            flushEvaluation(sink);
    } else if (m_meaning.isStrict) {
        holdLine(HeldLines::Proof::Certain, line, sink);
    } else {
        const bool evaluates = (m_meaning.isEvaluation() || m_meaning.ownSet) && m_meaning.isStrong
            && m_meaning.count >= 2 && m_pairs.strayWords <= 4;
        holdLine(evaluates ? HeldLines::Proof::Evaluation : HeldLines::Proof::Counter, line, sink);
    }
    sink.setPlace(place.x, place.name);
    sink.setProgress(place.name, place.x, place.total);
    return true;
}

/// "Matrix size: 1024, CPU time: 1234.5 ms", each line of a larger size than the one before.
bool NameValueRecogniser::giveAtSize(const LogLine& line, int rank, MetricSink& sink)
{
    constexpr size_t mostForms = 64;
    constexpr SizeSweep::Rules rules{.lines = 3, .ofOneSize = 1, .isStrict = true};
    size_t key = m_meaning.form * 31 + std::hash<std::string_view>()(m_pairs.label);
    for (size_t i = 0; i < m_meaning.sizes.count; ++i)
        key = key * 31 + qHash(*m_meaning.sizes.all[i].name);
    if (m_meaning.count == 0 || m_meaning.isResult
        || (m_sizes.size() >= mostForms && !m_sizes.contains(key)))
        return false;
    SizeSweep& sweep = m_sizes.try_emplace(key, rules).first->second;
    make(static_cast<double>(line.number), QStringLiteral("line"), line, rank);
    switch (sweep.add(m_meaning.sizes, m_made)) {
    case SizeSweep::Found::Held:
        return true;
    case SizeSweep::Found::Placed:
        for (Sample& sample : m_made)
            sink.add(std::move(sample));
        m_made.clear();
        return true;
    case SizeSweep::Found::None: // a size that stands still is a setting
        std::erase_if(m_made, [&line](const Sample& sample) { return sample.line == line.number; });
        holdLine(HeldLines::Proof::Place, line, sink);
        break;
    }
    return false;
}

/// "100: loss 0.69", "[200] loss: 0.65": what looks like the number of a rank counts where each
/// line of the log has a larger one than the line before.
bool NameValueRecogniser::giveAtLabel(const LogLine& line, MetricSink& sink)
{
    constexpr size_t mostHeld = 64;
    const bool mayBe = m_labelsRise && line.rank >= 0 && m_meaning.count > 0
        && !m_meaning.counters.any() && m_meaning.sizes.count == 0 && m_meaning.position.done < 0
        && sink.placeName().isEmpty() && m_labelled.size() < mostHeld;
    if (mayBe) {
        make(static_cast<double>(line.number), QStringLiteral("line"), line, line.rank);
        const HeldLines::Proof proof =
            isAlone() ? HeldLines::Proof::Alone : HeldLines::Proof::Place;
        const bool isDrawn =
            proof == HeldLines::Proof::Alone || (m_meaning.isStrong && m_meaning.isOutput);
        if (isDrawn && !m_made.empty())
            m_labelled.push_back({m_meaning.form, std::string(line.text), proof, m_made});
        for (Sample& sample : m_made)
            sample.lane.clear();
        if (m_parameters.addBehind(m_meaning.form, line.rank, m_made, sink)) {
            if (m_parameters.isProven(m_meaning.form))
                m_labelled.clear();
            return true;
        }
        if (!m_labelled.empty() && m_labelled.back().samples.front().line == line.number)
            m_labelled.pop_back();
    }
    giveLabelled(sink);
    return false;
}

/// The lines that were held are of ranks after all.
void NameValueRecogniser::giveLabelled(MetricSink& sink)
{
    for (Labelled& held : m_labelled)
        m_turns.take(held.form, held.text, held.proof, held.samples, sink);
    m_labelled.clear();
}

/// A line that counts and has nothing else on it goes out at once, and waits for no other.
void NameValueRecogniser::holdLine(HeldLines::Proof proof, const LogLine& line, MetricSink& sink)
{
    const bool isSure =
        proof == HeldLines::Proof::Certain && (m_pairs.subject.empty() || m_meaning.set != nullptr);
    if (isSure) {
        if (!m_made.empty())
            m_turns.pass(m_made.front(), sink);
        m_held.take(m_meaning.form, proof, m_made, sink);
    } else {
        m_turns.take(m_meaning.form, line.text, proof, m_made, sink);
    }
}

/// "C: 0.1, accuracy: 0.93", each line with another value of what a program tries out.
bool NameValueRecogniser::giveAtParameter(const LogLine& line, int rank, MetricSink& sink)
{
    const size_t known = m_meaning.count;
    if (!m_meaning.parameters[0]->assigned && !memberIn(m_text).isEmpty())
        return false; // "Worker 3 loss: 0.5": each has a curve of its own
    // Drawn only beside a parameter: "T = 1.2  magnetization = 0.9"
    const auto* const others = m_meaning.others.data();
    const size_t count = std::min(m_meaning.otherCount, m_meaning.metrics.size() - known);
    std::copy_n(others, count, m_meaning.metrics.begin() + known);
    m_meaning.count += count;
    makeHere(line, rank, sink);
    const bool isGiven = m_parameters.add(m_text, m_meaning, m_made, sink);
    m_meaning.count = known;
    std::erase_if(m_made, [&](const Sample& sample) {
        return std::any_of(others, others + count,
            [&sample](const LineMetric& other) { return *other.series == sample.series; });
    });
    if (!isGiven && m_meaning.isStrong && m_meaning.isOutput)
        holdLine(HeldLines::Proof::Place, line, sink);
    return isGiven;
}

/// "energy = -2.86" below "nMax = 3, lMax = 0"
bool NameValueRecogniser::giveBelowSettings(const LogLine& line, int rank, MetricSink& sink)
{
    constexpr int mostWords = 4;
    const bool alone = !isPlaced(sink) && isAlone();
    const bool isResult = m_meaning.isResult; // printed once, unless commands follow each other
    if (!sink.placeName().isEmpty() || (isResult && !m_hasCommand) || m_meaning.isTime
        || m_meaning.position.done >= 0 || m_pairs.strayWords > mostWords
        || !(alone || isBareList() || (m_meaning.isStrong && (m_meaning.isOutput || m_dated))))
        return false;
    makeHere(line, rank, sink);
    const auto kind = ParameterSweeps::Below::Measurement;
    if (isResult ? m_parameters.addRowBelow(m_meaning.form, m_made, sink)
                 : m_parameters.addBelow(m_meaning.form, kind, m_made, sink)) {
        m_below.assign(line.text);
        return true;
    }
    std::erase_if(m_made, [&line](const Sample& sample) { return sample.line == line.number; });
    LogLine before = line;
    before.text = m_below; // of the only one that was held, or of the last of several
    holdLine(alone ? HeldLines::Proof::Alone : HeldLines::Proof::Place, before, sink);
    return false;
}

/// "===== Experiment 2 (learning rate = 0.001) =====", "Training with batch size=128, lr=0.01":
/// above what comes of it.
bool NameValueRecogniser::isTitleOfRate(std::string_view text) const
{
    text = trimmed(text);
    const bool isFramed = text.size() > 4
        && ((text.starts_with("==") && text.ends_with("=="))
            || (text.starts_with("--") && text.ends_with("--")));
    const auto end = m_meaning.metrics.begin() + static_cast<std::ptrdiff_t>(m_meaning.count);
    const bool isOfSettings = m_meaning.sizes.count > 0 || m_meaning.parameterCount > 0;
    return (isFramed || isOfSettings) && m_meaning.count > 0
        && std::all_of(m_meaning.metrics.begin(), end, [](const LineMetric& metric) {
               return metric.quantity && metric.quantity->kind == QLatin1String("learning_rate");
           });
}

/// "loss: 0.6931": all that many a small program prints. "acc = 0" is code.
bool NameValueRecogniser::isAlone() const
{
    const LinePair& pair = m_pairs.pairs[0];
    const LineMetric& metric = m_meaning.metrics[0];
    return m_pairs.count == 1 && m_meaning.count == 1 && m_pairs.strayWords == 0
        && m_meaning.position.done < 0 && metric.quantity && (!metric.quantity->weak || metric.set)
        && pair.isFraction && pair.total == 0 && (!pair.isQuoted || !pair.group.empty())
        && !pair.unit && !m_dated && !m_meaning.isResult;
}

/// "loss 0.69 acc 0.51" below "Epoch 3": nothing else is on the line.
bool NameValueRecogniser::isBareList() const
{
    const auto* const begin = m_pairs.pairs.begin();
    return m_meaning.count > 1 && m_meaning.count == m_pairs.count && m_pairs.strayWords == 0
        && std::all_of(begin, begin + m_pairs.count, [](const LinePair& pair) {
               return pair.isFraction && pair.total == 0 && !pair.isQuoted;
           });
}

/// As make(), where the program is; if nothing says that, by the line.
void NameValueRecogniser::makeHere(const LogLine& line, int rank, const MetricSink& sink)
{
    // Iterations go on where a solver begins the next problem; those of a training are another run.
    if (isPlaced(sink))
        make(m_place.atEnd(sink.placeX()) - (isOfModel(m_meaning) ? m_place.solved(rank) : 0),
            sink.placeName(), line, rank);
    else
        make(static_cast<double>(line.number), QStringLiteral("line"), line, rank);
}

/// Which of the clients is at work says nothing of where the server is.
bool NameValueRecogniser::isPlaced(const MetricSink& sink) const
{
    return !sink.placeName().isEmpty() && memberIn(m_text).isEmpty();
}

/// A line without a counter: of an evaluation, or of a program that counts on other lines.
bool NameValueRecogniser::giveAtPlace(const LogLine& line, int rank, MetricSink& sink)
{
    const bool placed = isPlaced(sink);
    if (m_reading == BlockLines::Reading::OfBlock
        && m_blocks.isPlace(sink.placeX(), sink.placeName()))
        return false; // it is read there
    if (!placed && isAlone()) {
        make(static_cast<double>(line.number), QStringLiteral("line"), line, rank);
        holdLine(HeldLines::Proof::Alone, line, sink);
        return true;
    }
    const bool evaluates = m_meaning.isEvaluation() || m_meaning.ownSet;
    const bool byBatches = m_meaning.isEvaluation() && m_meaning.position.total > 0;
    const bool namesSet = m_meaning.set || (m_meaning.count > 0 && m_meaning.metrics[0].set);
    const bool isBare = placed && isBareList();
    if (!m_meaning.isStrong && !(placed && (evaluates || namesSet)) && !byBatches && !isBare
        && !m_meaning.isResult)
        return false;
    if (!placed && !m_meaning.isOutput && !m_dated && !m_meaning.isResult)
        return false; // "acc = 0": code, as far as anybody knows
    if (m_pairs.strayWords > 4)
        return false;
    makeHere(line, rank, sink);
    if (m_meaning.position.total > 0) {
        m_evaluation = m_made;
        if (placed && m_meaning.position.done >= m_meaning.position.total)
            flushEvaluation(sink);
        else if (!placed)
            keepLonely();
        return true;
    }
    replaceEvaluation(sink);
    const bool result = m_meaning.isResult || (placed && evaluates && m_meaning.isStrict);
    holdLine(result ? HeldLines::Proof::Result : HeldLines::Proof::Place, line, sink);
    return true;
}

/// A table that begins again with a heading and an earlier x is of another run.
void NameValueRecogniser::addRun(QString& lane, size_t form, double x)
{
    if (m_tableRuns.size() >= mostTables && !m_tableRuns.contains(form))
        return;
    TableRuns& runs = m_tableRuns[form];
    if (m_row.isFirst) {
        runs.count += runs.count == 0 || x < runs.lastX ? 1 : 0;
        runs.lastX = x;
    }
    runs.lastX = std::max(runs.lastX, x);
    if (runs.count > 1)
        addToLane(lane, QStringLiteral("run %1").arg(runs.count));
}

/// A solver's table that begins again goes on behind the one before.
double NameValueRecogniser::solverBase(const RowPlace& place, double x)
{
    const size_t form = m_row.isTitled ? place.form * 31 + qHash(m_row.lane) : place.form;
    if (m_tableRuns.size() >= mostTables && !m_tableRuns.contains(form))
        return 0;
    TableRuns& runs = m_tableRuns[form];
    if (m_row.isFirst && runs.count > 0 && x < runs.lastX)
        runs.base += runs.lastX + (x == 0 ? 1 : 0);
    runs.count = 1;
    runs.lastX = x;
    return runs.base;
}

/// The same heading once more where the program still is: averages at the end.
bool NameValueRecogniser::isRepeated(size_t form, double x)
{
    if (!m_row.isFirst || (m_tableRuns.size() >= mostTables && !m_tableRuns.contains(form)))
        return false;
    TableRuns& runs = m_tableRuns[form];
    const bool repeated = runs.count > 0 && runs.lastX == x;
    runs.count = 1;
    runs.lastX = x;
    return repeated;
}

/// The same name for as long as the log is read; of too many, one that stands for the others.
const QString* NameValueRecogniser::countName(const QString& name)
{
    constexpr size_t mostCounts = 64;
    const auto known = std::find_if(m_countNames.begin(), m_countNames.end(),
        [&name](const QString& other) { return isSameText(other, name); });
    if (known != m_countNames.end())
        return &*known;
    if (m_countNames.size() >= mostCounts)
        return &m_countNames.back();
    m_countNames.push_back(name);
    return &m_countNames.back();
}

/// What counts in the columns of a row, and what else they are about. `isPlaced`: lines above say
/// where the program is, so that a size further on in the row is one of its results.
NameValueRecogniser::RowPlace NameValueRecogniser::placeInRow(bool isPlaced)
{
    RowPlace place;
    const auto& columns = *m_columns;
    for (size_t i = 0; i < columns.size(); ++i) {
        const NameMeaning& meaning = columns[i].meaning;
        const std::optional<double>& value = m_row.values[i];
        const bool isCounter = int(i) == m_row.counter;
        if (columns[i].isDevice && value && *value == std::floor(*value))
            place.device = *value; // "n,cpu,gpu" has times there
        place.metrics +=
            meaning.kind == NameMeaning::Metric || columns[i].unit || m_row.counter >= 0 ? 1 : 0;
        place.form = place.form * 31 + qHash(meaning.series);
        if (meaning.isSize() && value && *value >= 0 && *value == std::floor(*value))
            place.sizes.set(meaning.x, *value);
        if (columns[i].isCount && value && *value >= 0 && *value == std::floor(*value)) {
            const QString* name = countName(meaning.series);
            place.sizes.set(name, *value);
            if (i == 0) {
                place.size = value;
                place.sizeName = *name;
            }
        }
        place.isSimulated = place.isSimulated || meaning.series == QLatin1String("temp")
            || (meaning.quantity && meaning.quantity->id == QLatin1String("temperature"));
        const bool counts = m_row.counter >= 0 ? isCounter : meaning.kind == NameMeaning::Counter;
        if (!counts || !value || !(*value >= 0))
            continue;
        if (isCounter && m_row.isByTime) {
            place.size = value;
            place.sizeName = QStringLiteral("time");
            place.isTimed = true;
            continue;
        }
        if (isCounter && m_row.isSwept) {
            place.size = value;
            place.sizeName = *countName(meaning.series);
            continue;
        }
        bool isFirst = true; // behind the names of what is compared
        for (size_t before = 0; before < i; ++before)
            isFirst = isFirst && (!m_row.values[before] || columns[before].isVariant);
        if (isFirst && meaning.use == NameMeaning::First && meaning.kind == NameMeaning::Counter) {
            place.isScaling = true;
            place.size = value;
            place.sizeName = *meaning.x;
        } else if (isCounter && (meaning.isSize() || columns[i].isCount)) { // "N  serial  openmp"
            place.size = value;
            place.sizeName = columns[i].isCount ? meaning.series : *meaning.x;
        } else if ((m_row.isTagged && i == 0) || isCounter)
            place.counters.step =
                Counter{meaning.use == NameMeaning::Column ? "iteration" : "step", *value, 0};
        else if (place.size)
            continue; // "Size … Iterations": what is measured by size is only repeated
        else if (meaning.use == NameMeaning::Column
            && (i == 0 || (!place.counters.any() && !isPlaced))) {
            place.size = value;
            place.sizeName = *meaning.x;
        } else if (*meaning.x == QLatin1String("epoch"))
            place.counters.epoch = Counter{"epoch", *value, 0};
        else if (meaning.use == NameMeaning::Anywhere && !place.counters.step)
            place.counters.step = Counter{"step", *value, 0};
    }
    // "64 kB   1587ms   2515.0 GB/s"
    if (!place.isCounted() && !columns.empty() && m_row.values[0] && columns[0].isUnitOfCells
        && columns[0].unit->unit == QLatin1String("B")) {
        place.isByFirst = true;
        place.size = m_row.values[0];
        place.sizeName = QStringLiteral("size");
    }
    // "Compute iters, GFLOPS, GB/sec": rates by a whole number that has no other meaning
    if (!place.isCounted() && !columns.empty() && m_row.values[0] && isSweptByFirst()) {
        place.isByFirst = true;
        place.size = m_row.values[0];
        place.sizeName = *countName(columns[0].meaning.series);
    }
    // "time | node | left": nothing counts, and the rows say when they were printed.
    if (!place.isCounted() && !columns.empty() && m_row.values[0]
        && columns[0].meaning.kind == NameMeaning::Counter
        && columns[0].meaning.use == NameMeaning::Alone) {
        place.isTimed = true;
        place.size = m_row.values[0];
        place.sizeName = QStringLiteral("time");
    }
    return place;
}

/// Whether the first column has whole numbers under a name that nobody knows, and at least two of
/// the others are rates.
bool NameValueRecogniser::isSweptByFirst() const
{
    constexpr int leastRates = 2;
    const auto& columns = *m_columns;
    const ColumnTable::Column& first = columns[0];
    const auto isRate = [](const ColumnTable::Column& column) {
        const MetricUnit* const unit = column.unit ? column.unit : column.meaning.unit;
        return unit && unit->quantity;
    };
    return first.meaning.kind == NameMeaning::Unknown && !first.unit
        && !first.meaning.series.isEmpty() && !first.isVariant && *m_row.values[0] >= 0
        && *m_row.values[0] == std::floor(*m_row.values[0])
        && std::count_if(columns.begin(), columns.end(), isRate) >= leastRates;
}

/// A single row below words that nobody knows is no table, and says nothing of where the program
/// is: "# Electrons   Trace(P)" above "224   224.000".
void NameValueRecogniser::leaveLoneRow()
{
    if (m_loneRow)
        m_place = std::exchange(m_loneRow, {})->before;
}

/// Finds the x of a row; false: it repeats another one.
bool NameValueRecogniser::placeRow(RowPlace& place, const LogLine& line, int rank, MetricSink& sink)
{
    if (m_loneRow && (m_row.isFirst || place.form != m_loneRow->form))
        leaveLoneRow();
    m_loneRow.reset();
    if (m_row.isFirst && m_row.counter >= 0)
        m_loneRow = {m_place, place.form};
    place.x = static_cast<double>(line.number);
    place.xName = QStringLiteral("line");
    if (place.counters.any()) {
        const bool restarts =
            (m_row.isWorded || m_row.counter >= 0) && place.counters.step && !place.isSimulated;
        const RunPlace::Place here =
            restarts ? m_place.open(place.counters, rank) : m_place.read(place.counters, rank);
        place.x = here.x + (!restarts && place.isOfSolver() ? solverBase(place, here.x) : 0);
        place.xName = here.name;
        sink.setPlace(place.x, place.xName);
    } else if (place.size) {
        place.x = *place.size;
        place.xName = place.sizeName;
    } else if (!sink.placeName().isEmpty()) {
        place.x = sink.placeX();
        place.xName = sink.placeName();
        return !isRepeated(place.form, place.x);
    }
    return true;
}

QString NameValueRecogniser::laneOfRow(const RowPlace& place, int rank)
{
    QString lane = rankLane(rank);
    addToLane(lane, labelText(m_row.lane, 60));
    if (place.device >= 0 && lane.isEmpty())
        lane = QStringLiteral("gpu %1").arg(place.device);
    if (place.isCounted() && !place.isOfSolver())
        addRun(lane, m_row.isTitled ? place.form * 31 + qHash(lane) : place.form, place.x);
    return lane;
}

/// The measurement in a column of the row; its series is empty when there is none. Lane, x and line
/// are left.
Sample NameValueRecogniser::sampleInRow(size_t i, const RowPlace& place) const
{
    const ColumnTable::Column& column = (*m_columns)[i];
    const NameMeaning& meaning = column.meaning;
    if (!m_row.values[i] || int(i) == m_row.counter || (place.isByFirst && i == 0)
        || (column.isCount && place.size))
        return {};
    Sample sample;
    const bool isOfHeading = column.unit && !column.isUnitOfCells
        && column.unit->unit == QLatin1String("s"); // "Time(ms)"
    const bool isTime = meaning.kind == NameMeaning::Counter && meaning.use == NameMeaning::Alone
        && !(place.isTimed && i == 0)
        && ((place.isCounted() && (place.metrics > 1 || place.size))
            || (isOfHeading && !m_row.lane.empty()));
    if (isTime) { // "time" beside an epoch, or of what the row is named after
        sample.series = column.isRenamed ? meaning.series : QStringLiteral("time");
        sample.y = *m_row.values[i] * (isOfHeading ? column.unit->factor : 1);
        sample.unit = QStringLiteral("s");
        return sample;
    }
    const MetricUnit* const unit = column.unit ? column.unit : meaning.unit;
    const bool byUnit = meaning.kind != NameMeaning::Metric && unit && unit->quantity;
    const bool isCounted =
        place.counters.any() || place.isOfOwnNames() || (place.size && m_row.counter >= 0);
    const bool named = meaning.kind == NameMeaning::Metric
        || ((isCounted || place.isTimed || place.isByFirst || place.isScaling
                || (place.size && !byUnit
                    && (unit || *m_row.values[i] != std::floor(*m_row.values[i])))
                || (m_row.isBordered && unit && unit->unit == QLatin1String("s") && isRated()))
            && meaning.kind == NameMeaning::Unknown
            && !meaning.series.isEmpty()); // a program's own name beside known ones
    const bool isSum = meaning.kind == NameMeaning::Setting && !meaning.series.isEmpty()
        && isCounted && *m_row.values[i] != std::floor(*m_row.values[i]);
    if (!named && !byUnit && !isSum)
        return {};
    // "S_PP t/s" beside "S_TG t/s"
    const bool own = named || isSum
        || ((!column.unit || column.isUnitOfCells || column.isRenamed)
            && !meaning.series.isEmpty());
    sample.series = own ? meaning.series : unit->quantity->id;
    sample.isOwnName = (meaning.kind == NameMeaning::Unknown && !byUnit) || isSum;
    sample.y = *m_row.values[i] * (unit && !column.isUnitOfCells ? unit->factor : 1);
    sample.unit = unit ? unit->unit : meaning.quantity ? meaning.quantity->unit : QString();
    if (sample.unit.isEmpty())
        sample.unit = seriesUnit(sample.series, NamedNumber{{}, sample.y, {}});
    return sample;
}

/// Whether a column is headed by a rate: "t/s".
bool NameValueRecogniser::isRated() const
{
    const auto& columns = *m_columns;
    return std::any_of(columns.begin(), columns.end(), [](const ColumnTable::Column& column) {
        const bool byName = column.meaning.kind != NameMeaning::Metric && column.meaning.unit
            && column.meaning.unit->quantity;
        return column.unit ? column.unit->quantity && !column.isUnitOfCells : byName;
    });
}

/// What a program tries out, in the columns before those that are measured: "C  gamma  accuracy".
SweepSizes NameValueRecogniser::parametersInRow()
{
    SweepSizes parameters;
    const auto& columns = *m_columns;
    for (size_t i = 0; i < columns.size(); ++i) {
        const NameMeaning& meaning = columns[i].meaning;
        const bool isSize = meaning.isSize() && i > 0; // "Write_Fraction,Thread_Count,Throughput"
        const bool isParameter = isSize
            || ((meaning.kind == NameMeaning::Unknown || meaning.kind == NameMeaning::Setting)
                && !columns[i].unit && !meaning.unit && !meaning.series.isEmpty());
        if (!isParameter || !m_row.values[i])
            return meaning.kind == NameMeaning::Metric ? parameters : SweepSizes();
        parameters.set(isSize ? meaning.x : countName(meaning.series), *m_row.values[i]);
    }
    return {};
}

/// Rows by what is tried out are given to m_parameters.
bool NameValueRecogniser::giveRowOfParameters(
    const RowPlace& place, const QString& lane, MetricSink& sink)
{
    if (place.isCounted() || m_row.counter >= 0 || !sink.placeName().isEmpty() || m_made.empty())
        return false;
    const SweepSizes parameters = parametersInRow();
    const size_t form = place.form * 31 + qHash(lane);
    if (parameters.count == 0)
        return false;
    const bool isGiven = m_parameters.addRow(form, parameters, m_made, sink);
    return isGiven || (place.metrics == 1 && !m_row.isBordered); // too little to go by
}

/// "$ ./bench 512" above the rows of a table, which name what is compared.
bool NameValueRecogniser::giveRowBelowCommand(
    const RowPlace& place, const QString& lane, MetricSink& sink)
{
    const bool mayBe = m_hasCommand && !place.isCounted() && m_row.counter < 0
        && sink.placeName().isEmpty() && !m_made.empty() && !m_row.lane.empty();
    return mayBe && m_parameters.addRowBelow(place.form * 31 + qHash(lane), m_made, sink);
}

/// Some programs print the whole table again, with one row more each time.
bool NameValueRecogniser::isKnownRow(std::string_view text)
{
    constexpr size_t mostRows = 8192;
    if (m_rowsGiven.size() >= mostRows)
        m_rowsGiven.clear();
    return !m_rowsGiven.insert(std::hash<std::string_view>()(text)).second;
}

void NameValueRecogniser::giveRow(const LogLine& line, int rank, MetricSink& sink)
{
    RowPlace place = placeInRow(!sink.placeName().isEmpty());
    if (!placeRow(place, line, rank, sink))
        return;
    // "| iter | target |", "Timestep T U P Time"
    const bool isOwn = place.metrics == 0 && !place.isOfOwnNames();
    constexpr size_t fewColumns = 4;
    const bool isTimed = m_row.isBordered && place.isTimed; // "| time | T_inj | T_pro |"
    if (isTimed && isKnownRow(line.text))
        return;
    if (isOwn && !isTimed
        && !((m_row.isBordered || m_columns->size() >= fewColumns) && place.counters.any()))
        return;
    const QString lane = laneOfRow(place, rank);
    m_made.clear();
    for (size_t i = 0; i < m_columns->size(); ++i) {
        Sample sample = sampleInRow(i, place);
        if (sample.series.isEmpty())
            continue;
        numberSame(sample);
        sample.lane = lane;
        sample.x = place.x;
        sample.xName = place.xName;
        sample.line = line.number;
        sample.place = line.end - 1;
        m_made.push_back(std::move(sample));
    }
    if (giveRowOfParameters(place, lane, sink) || giveRowBelowCommand(place, lane, sink))
        return;
    // "time  seconds  calls": of a profile, whose rows fall. Times of a log rise.
    const bool isOfProfile = place.isTimed && !m_row.isByTime && !m_row.isBordered;
    // A drawn table of a document has rows as well; a log has one for each step.
    if (place.isSweep()) {
        // A heading above each row is of one table.
        constexpr int fewRows = 2;
        if (m_row.isFirst && std::exchange(m_rowsOfTable, 0) >= fewRows)
            ++m_sweepTable;
        ++m_rowsOfTable;
        const size_t form = (place.form * 31 + qHash(lane)) * 31 + m_sweepTable;
        if (m_rowSweeps.size() >= mostTables && !m_rowSweeps.contains(form))
            return;
        constexpr SizeSweep::Rules rules{.lines = 2, .ofOneSize = 8};
        m_rowSweeps.try_emplace(form, rules).first->second.add(place.sizes, m_made);
    } else if ((m_row.counter >= 0 && !m_row.isByTime) || isOwn || isOfProfile
        || (place.isOfOwnNames()
            && std::any_of(m_made.begin(), m_made.end(),
                [](const Sample& sample) { return sample.isOwnName; })))
        m_held.take(place.size && !m_row.lane.empty() ? place.form * 31 + qHash(lane) : place.form,
            isSureSweep(place) ? HeldLines::Proof::Counter : HeldLines::Proof::Table, m_made, sink);
    else if (m_row.isBordered) {
        // The rows of several data sets take turns, or those of what is compared.
        const bool isOwnForm = m_names.set(m_row.lane)
            || (!m_row.lane.empty() && (place.size || !sink.placeName().isEmpty()));
        m_held.take(isOwnForm ? place.form * 31 + qHash(lane) : place.form,
            isRated() ? HeldLines::Proof::Counter : HeldLines::Proof::Place, m_made, sink);
    }
    for (Sample& sample : m_made)
        sink.add(std::move(sample));
    m_made.clear();
}

} // namespace

std::unique_ptr<Recogniser> makeNameValueRecogniser()
{
    return std::make_unique<NameValueRecogniser>();
}

} // namespace slipway
