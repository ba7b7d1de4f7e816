// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fields.h"
#include "plots/metrics/lineprefix.h"
#include "plots/metrics/lineshapes.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/sentence.h"
#include "plots/metrics/tableheading.h"

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

/// What a number of the heading, or one before a row, says was measured with.
struct TableSize {
    double value = 0;
    const QString* name = nullptr; ///< none: the number alone
    QString label; ///< as printed
};

/// What a word says was measured.
struct TableQuantity {
    QString series; ///< empty: it does not say
    const MetricUnit* unit = nullptr;
    QString plainUnit; ///< of numbers without one
    QString lane; ///< "CPU" of "CPU time (s)"

    double factor() const { return unit && unit->factor > 0 ? unit->factor : 1; }
    QString unitName() const { return unit ? unit->unit : plainUnit; }
};

/// Reads tables whose heading has sizes in it: "Threads   1   2   4   8" above "Time (s)   9.1 4.7
/// 2.5   1.4", "Image size   720x480   1024x768", "threads\bodies | 100 | 1000" above "4 |
/// 0.07 s | 0.55 s", "Version | 1 thread | 2 threads". Rows that begin with words are a curve each,
/// by the sizes of the heading; rows that begin with numbers are a curve for each column. What was
/// measured is said by the row, by the units of its cells, or by a line above the table ("Times in
/// seconds:"). Passive; keeps one heading.
class CrossTableRecogniser : public Recogniser {
public:
    LineSigns signs() const override
    {
        static const std::vector<std::string> sizes = m_names.wordsOfSizes();
        LineSigns signs{.last = "0123456789|sSBKMGkmgb",
            .words = {"\\"},
            .names = {"n ", "n\t", "n,", "n:", "n=", "n|", "n/"}}; // a size that has no word
        signs.names.insert(signs.names.end(), sizes.begin(), sizes.end());
        signs.titles = {"time", "speedup", "efficiency", "flop", "bandwidth", "throughput"};
        return signs;
    }
    bool isOpen() const override { return !m_columns.empty(); }
    bool read(const LogLine& line, MetricSink& sink) override;

private:
    static constexpr size_t longestLine = 400;
    static constexpr size_t longestLabel = 40;
    static constexpr size_t leastSizes = 3; ///< in a heading
    static constexpr int mostMisfits = 2; ///< lines within a table that are no rows
    static constexpr int mostBlanks = 6; ///< empty ones
    static constexpr qint64 longestTitle = 4; ///< lines from a title to its table

    /// The sizes that a table is about; null: not said.
    struct Names {
        const QString* row = nullptr; ///< the one before its rows
        const QString* column = nullptr; ///< the one in its heading
        const QString* either = nullptr; ///< one of both, as its rows tell

        bool any() const { return row || column || either; }
    };

    bool splitRow(std::string_view text, size_t columns, std::string& label, table::Cells& cells);
    bool readHeading(std::string_view text);
    Names namesIn(std::string_view corner);
    std::optional<TableSize> sizeIn(std::string_view cell);
    const QString* sizeNamed(std::string_view words);
    /// A line of words that may stand above a table, and the way to compute that it names.
    struct Title {
        TableQuantity quantity; ///< without a series: it is none
        QString lane;
    };
    Title titleOf(std::string_view text);
    void keepTitle(const Title& title, qint64 line);
    TableQuantity quantityOf(std::string_view words);
    bool readRow(std::string_view text, const LogLine& line, MetricSink& sink);
    bool readSizedRow(const TableSize& size, const LogLine& line, MetricSink& sink);
    bool readNamedRow(std::string_view label, const LogLine& line, MetricSink& sink);
    void give(const LogLine& line, MetricSink& sink);

    const MetricNames& m_names = MetricNames::builtIn();
    NameCache m_cache{m_names};
    std::vector<SentencePart> m_parts;
    std::vector<TableSize> m_columns; ///< of the open table
    Names m_sizes;
    bool m_isBordered = false;
    int m_misfits = 0, m_blanks = 0;
    ShapeMemory<Title> m_titles; ///< of lines without digits
    TableQuantity m_title; ///< of what stands above
    QString m_titleLane; ///< the way to compute that it names
    qint64 m_titleLine = 0;
    std::vector<std::pair<size_t, double>> m_values; ///< of the row: by column
    bool m_areCounts = false; ///< all of them are whole
    const MetricUnit* m_unit = nullptr; ///< behind its numbers, which are in base units
    std::vector<Sample> m_made;
};

/// "**16.57**" of a document
std::string_view plainCell(std::string_view cell)
{
    if (cell.size() > 4 && cell.starts_with("**") && cell.ends_with("**"))
        return trimmed(cell.substr(2, cell.size() - 4));
    return cell;
}

/// What numbers with this unit measure, as far as it tells.
TableQuantity quantityOfUnit(const MetricUnit* unit)
{
    if (unit && unit->unit == QLatin1String("s"))
        return {QStringLiteral("time"), unit, {}, {}};
    return {unit && unit->quantity ? unit->quantity->id : QString(), unit, {}, {}};
}

bool isTimeWord(std::string_view word)
{
    return isOneOf(word, {"time", "times"});
}

/// "CPU time" → "CPU"
QString withoutTime(std::string_view words)
{
    const size_t space = words.rfind(' ');
    if (isTimeWord(words.substr(space + 1)))
        words = space == std::string_view::npos ? std::string_view() : words.substr(0, space);
    return labelText(words);
}

/// "threads", "Number of threads:", "thread"; null: it names no size.
const QString* CrossTableRecogniser::sizeNamed(std::string_view words)
{
    while (!words.empty() && (words.back() == ':' || words.back() == '='))
        words.remove_suffix(1);
    words = trimmed(words);
    if (words.empty() || words.size() > longestLabel)
        return nullptr;
    if (const NameMeaning& meaning = m_cache.find(words); meaning.isSize())
        return meaning.x;
    const NameMeaning& many = m_cache.find(std::string(words) + 's'); // "thread", "1 process"
    return many.isSize() && words.size() > 2 ? many.x : nullptr;
}

/// "1024", "16K", "512 MB", "720x480", "4 threads", "N=100"
std::optional<TableSize> CrossTableRecogniser::sizeIn(std::string_view cell)
{
    TableSize size{.label = labelText(cell, longestLabel)};
    std::string_view rest = cell;
    if (const auto width = takeWholeCount(rest); width && (skip(rest, "x") || skip(rest, " x "))) {
        const auto height = takeWholeCount(rest);
        if (!height || !rest.empty())
            return {};
        size.value = *width == *height ? *width : *width * *height;
        return size;
    }
    if (cell.size() > longestLabel || !splitSentence(cell, m_names, m_parts))
        return {};
    std::string words;
    const SentencePart* number = nullptr;
    for (const SentencePart& part : m_parts) {
        if (part.value && number)
            return {};
        if (part.value)
            number = &part;
        else
            words.append(words.empty() ? "" : " ").append(part.text);
    }
    const bool isBytes = number && number->unit && number->unit->unit == QLatin1String("B");
    if (!number || !number->isCount || number->isFactor || (number->unit && !isBytes))
        return {};
    size.value = *number->value * number->multiple * (isBytes ? number->unit->factor : 1);
    if (!words.empty() && !(size.name = sizeNamed(words)))
        return {};
    return size;
}

/// "threads\bodies", "Threads", "Size (MB)"
CrossTableRecogniser::Names CrossTableRecogniser::namesIn(std::string_view corner)
{
    const size_t open = table::parenthesisAt(corner);
    if (open != std::string_view::npos && open > 0)
        corner = trimmed(corner.substr(0, open));
    const size_t between = corner.find_first_of("\\/");
    if (between == std::string_view::npos)
        return {.either = sizeNamed(corner)};
    return {.row = sizeNamed(trimmed(corner.substr(0, between))),
        .column = sizeNamed(trimmed(corner.substr(between + 1)))};
}

/// Splits a line into what stands before the columns, and these. `columns`: how many there are; 0:
/// as many as there are numbers at its end.
bool CrossTableRecogniser::splitRow(
    std::string_view text, size_t columns, std::string& label, table::Cells& cells)
{
    table::Cells all;
    const bool isBordered = table::isBordered(text);
    size_t count = isBordered ? table::borderedCells(text, all) : 0;
    if (!isBordered) {
        const char separator = text.find('\t') != std::string_view::npos ? '\t'
            : text.find(',') != std::string_view::npos                   ? ','
                                                                         : ' ';
        count = separator == ' ' ? table::spacedCells(text, 2, all)
                                 : table::separatedCells(text, separator, all);
        while (count > 0 && all[count - 1].empty())
            --count; // a tab at the end
        if (separator == ' ' && (columns > 0 ? count != columns + 1 : count <= leastSizes))
            count = table::spacedCells(text, 1, all);
    }
    size_t first = columns > 0 && columns < count ? count - columns : 1;
    if (columns == 0 && !isBordered) { // "Problem size 100 200 400"
        while (first < count && !table::isNumberLike(all[first]))
            ++first;
    }
    if (count <= first || (isBordered && first != 1) || count - first > all.size())
        return false;
    label.clear();
    for (size_t i = 0; i < first; ++i)
        label.append(label.empty() || all[i].empty() ? "" : " ").append(plainCell(all[i]));
    for (size_t i = first; i < count; ++i)
        cells[i - first] = plainCell(all[i]);
    return columns == 0 || count - first == columns;
}

/// Sizes that rise or fall, below one of which nobody knows what it counts.
bool CrossTableRecogniser::readHeading(std::string_view text)
{
    std::string corner;
    table::Cells cells{};
    if (!splitRow(text, 0, corner, cells) || corner.size() > longestLabel)
        return false;
    std::vector<TableSize> sizes;
    for (size_t i = 0; i < cells.size() && !cells[i].empty(); ++i) {
        auto size = sizeIn(cells[i]);
        if (!size || size->value <= 0)
            return false;
        sizes.push_back(std::move(*size));
    }
    const auto isNotAbove = [](const TableSize& a, const TableSize& b) {
        return a.value >= b.value;
    };
    const auto isNotBelow = [](const TableSize& a, const TableSize& b) {
        return a.value <= b.value;
    };
    const bool isMonotone =
        std::adjacent_find(sizes.begin(), sizes.end(), isNotAbove) == sizes.end()
        || std::adjacent_find(sizes.begin(), sizes.end(), isNotBelow) == sizes.end();
    if (sizes.size() < leastSizes || !isMonotone)
        return false;
    const QString* name = sizes[0].name;
    const bool isNamed = name
        && std::all_of(sizes.begin(), sizes.end(),
            [name](const TableSize& size) { return size.name && *size.name == *name; });
    Names names = namesIn(corner);
    if (!names.any() && !isNamed)
        return false;
    if (isNamed) {
        names.column = name;
        names.row = names.row ? names.row : std::exchange(names.either, nullptr);
    }
    m_sizes = names;
    m_columns = std::move(sizes);
    m_isBordered = table::isBordered(text);
    m_misfits = m_blanks = 0;
    return true;
}

/// "Time (s)", "CPU time (s)", "speedup", "GFLOP/s"
TableQuantity CrossTableRecogniser::quantityOf(std::string_view words)
{
    words = trimmed(words);
    while (!words.empty() && words.back() == ':')
        words.remove_suffix(1);
    const size_t open = table::parenthesisAt(words);
    const MetricUnit* unit = nullptr;
    if (open != std::string_view::npos) {
        unit = m_names.unit(words.substr(open + 1, words.size() - open - 2));
        words = trimmed(words.substr(0, open));
    }
    if (const MetricUnit* named = words.size() > 1 ? m_names.unit(words) : nullptr)
        return quantityOfUnit(unit ? unit : named);
    const NameMeaning& meaning = m_cache.find(words);
    const bool isTime = isTimeWord(words);
    if (!isTime && meaning.kind == NameMeaning::Metric && meaning.quantity
        && !(unit && unit->unit == QLatin1String("s")))
        return {meaning.series, unit ? unit : meaning.unit, meaning.quantity->unit, {}};
    TableQuantity quantity = quantityOfUnit(unit);
    if (isTime)
        quantity.series = QStringLiteral("time");
    quantity.lane = withoutTime(words);
    return quantity;
}

/// A line of words above the table: "GPU times (ms):".
CrossTableRecogniser::Title CrossTableRecogniser::titleOf(std::string_view text)
{
    constexpr size_t mostWords = 8;
    TableQuantity found = quantityOf(text);
    QString lane;
    std::string_view rest = text;
    bool isBehindIn = false; // "Times in ms"
    for (size_t i = 0; i < mostWords; ++i) {
        std::string_view word = takeWord(rest);
        while (!word.empty() && !isWordCharacter(word.back()) && word.back() != ')')
            word.remove_suffix(1);
        if (word.empty() && rest.empty())
            break;
        const bool isInBrackets = word.size() > 2 && word.front() == '(' && word.back() == ')';
        if (isInBrackets)
            word = word.substr(1, word.size() - 2);
        const bool isUnit = isInBrackets || isBehindIn;
        isBehindIn = word == "in";
        const TableQuantity said = isUnit || word.size() > 3 ? quantityOf(word) : TableQuantity();
        if (found.series.isEmpty() || (found.series == said.series && !found.unit))
            found = said.series.isEmpty() ? found : said;
        if (m_names.isImplementation(word))
            addToLane(lane, labelText(word));
    }
    return {found, lane};
}

void CrossTableRecogniser::keepTitle(const Title& title, qint64 line)
{
    if (title.quantity.series.isEmpty())
        return;
    m_title = title.quantity;
    m_titleLane = title.lane;
    m_titleLine = line;
}

/// The samples of a row, whose series and x are set.
void CrossTableRecogniser::give(const LogLine& line, MetricSink& sink)
{
    for (Sample& sample : m_made) {
        QString lane = rankLane(line.rank);
        addToLane(lane, m_titleLane);
        addToLane(lane, sample.lane);
        sample.lane = lane;
        sample.line = line.number;
        sample.place = line.end - 1;
        sink.add(std::move(sample));
    }
    m_made.clear();
}

/// "4 | 0.07 s | 0.55 s": a point of each column.
bool CrossTableRecogniser::readSizedRow(
    const TableSize& size, const LogLine& line, MetricSink& sink)
{
    const TableQuantity quantity = m_unit ? quantityOfUnit(m_unit) : m_title;
    const QString* const name = size.name ? size.name : m_sizes.row ? m_sizes.row : m_sizes.either;
    if (quantity.series.isEmpty() || !name)
        return false;
    for (const auto& [column, value] : m_values) {
        const TableSize& of = m_columns[column];
        Sample sample;
        sample.series = quantity.series;
        sample.unit = quantity.unitName();
        sample.lane = m_sizes.column && !of.name ? *m_sizes.column + u' ' + of.label : of.label;
        sample.x = size.value;
        sample.xName = *name;
        sample.y = m_unit ? value : value * quantity.factor();
        m_made.push_back(std::move(sample));
    }
    give(line, sink);
    return true;
}

/// "Time (s)   9.1   4.7   2.5", "Seq   9.63   21.58   64.49": a curve.
bool CrossTableRecogniser::readNamedRow(
    std::string_view label, const LogLine& line, MetricSink& sink)
{
    const QString* const name = m_sizes.column ? m_sizes.column : m_sizes.either;
    TableQuantity quantity = quantityOf(label);
    const NameMeaning& meaning = m_cache.find(label);
    const bool isSetting =
        meaning.kind == NameMeaning::Counter || meaning.kind == NameMeaning::Setting;
    if (!name || (quantity.series.isEmpty() && isSetting))
        return quantity.series.isEmpty() && isSetting; // "Iterations   100   100   100"
    QString lane = quantity.lane;
    if (quantity.series.isEmpty()) {
        lane = labelText(label, longestLabel);
        quantity = m_unit ? quantityOfUnit(m_unit) : m_title;
    }
    const bool isOwn = quantity.series.isEmpty();
    if (isOwn && m_areCounts)
        return true; // "Layers   2   4   8": a setting
    for (const auto& [column, value] : m_values) {
        Sample sample;
        sample.series = isOwn ? seriesName(label) : quantity.series;
        sample.isOwnName = isOwn;
        sample.lane = isOwn ? QString() : lane;
        sample.unit = quantity.unitName();
        sample.x = m_columns[column].value;
        sample.xName = *name;
        sample.y = m_unit ? value : value * quantity.factor();
        if (sample.series.isEmpty())
            return false;
        m_made.push_back(std::move(sample));
    }
    give(line, sink);
    return true;
}

/// False: it is no row of the open table.
bool CrossTableRecogniser::readRow(std::string_view text, const LogLine& line, MetricSink& sink)
{
    std::string label;
    table::Cells cells{};
    if (table::isBordered(text) != m_isBordered || !splitRow(text, m_columns.size(), label, cells)
        || label.empty() || label.size() > longestLabel)
        return false;
    m_values.clear();
    m_made.clear();
    m_areCounts = true;
    m_unit = nullptr;
    for (size_t i = 0; i < m_columns.size(); ++i) {
        constexpr size_t longestWord = 4; // "OOM", "n/a": it has no result
        const bool isWord = std::none_of(cells[i].begin(), cells[i].end(), isDigit);
        if (isWord && (cells[i].size() <= longestWord || table::isVoid(cells[i])))
            continue;
        const auto value = table::cellValue(cells[i], m_names);
        if (!value)
            return false;
        m_unit = m_unit ? m_unit : table::unitOfCell(cells[i], m_names);
        m_areCounts = m_areCounts && wholeCount(cells[i]);
        m_values.emplace_back(i, *value);
    }
    if (m_values.size() < 2)
        return false;
    const auto size = sizeIn(label);
    return size ? readSizedRow(*size, line, sink) : readNamedRow(label, line, sink);
}

bool CrossTableRecogniser::read(const LogLine& line, MetricSink& sink)
{
    if (line.progress)
        return false;
    if (const Title* const known = m_columns.empty() ? m_titles.find(line.shape) : nullptr) {
        keepTitle(*known, line.number);
        return false;
    }
    const std::string_view text = trimmed(peelPrefix(line.text).text);
    if (text.size() > longestLine)
        return false;
    const bool hasDigits = std::any_of(text.begin(), text.end(), isDigit);
    if (hasDigits && readHeading(text)) {
        if (m_titleLine + longestTitle < line.number) {
            m_title = {};
            m_titleLane.clear();
        }
        return false;
    }
    if (!m_columns.empty()) {
        if (hasDigits && readRow(text, line, sink)) {
            m_misfits = m_blanks = 0;
            return true;
        }
        const bool isBlank = text.find_first_not_of("-=+|: \t") == std::string_view::npos;
        if (isBlank ? ++m_blanks > mostBlanks : ++m_misfits > mostMisfits)
            m_columns.clear();
    }
    constexpr size_t longest = 80;
    if (hasDigits || text.size() > longest)
        return false;
    const Title title = titleOf(text);
    keepTitle(title, line.number);
    if (std::none_of(line.text.begin(), line.text.end(), isDigit))
        m_titles.learn(line.shape, [&] { return std::make_unique<Title>(title); });
    return false;
}

} // namespace

std::unique_ptr<Recogniser> makeCrossTableRecogniser()
{
    return std::make_unique<CrossTableRecogniser>();
}

} // namespace slipway
