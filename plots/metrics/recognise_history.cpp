// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/recognisers.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace slipway {

namespace {

/// Whether something like "[0.69, " or "[(0, 2.3" is on the line: most brackets are of loggers.
bool mayHaveList(std::string_view text)
{
    constexpr size_t longestNumber = 40;
    for (size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
        const std::string_view inside = text.substr(at + 1, longestNumber);
        const size_t first = std::min(inside.find_first_not_of(' '), inside.size());
        const size_t end = inside.find_first_of(", ]", first + 1);
        const bool goesOn = end != std::string_view::npos && inside[end] != ']';
        if (goesOn && std::string_view("0123456789-.(nt").find(inside[first]) != text.npos)
            return true;
    }
    return false;
}

/// "Training losses:", above a list.
bool isTitleOfList(std::string_view text)
{
    constexpr size_t longest = 80;
    return !text.empty() && text.size() <= longest && (text.back() == ':' || text.back() == '=')
        && std::none_of(text.begin(), text.end(), isDigit);
}

/// Reads what a program has kept of its run and prints at the end: "train losses: [0.69, 0.52, …]",
/// "{'loss': [0.69, …], 'val_loss': […]}", arrays of NumPy and MATLAB that go on over several
/// lines, "[(0, 2.303), (1, 2.314)]" with its own x. Only losses, accuracies and their kin: other
/// lists are as often settings. The name may stand on a line of its own above. A list that is
/// printed again must go on from the one before; where the numbers were printed as they came,
/// nothing is drawn twice.
class HistoryRecogniser : public Recogniser {
public:
    HistoryRecogniser()
        : m_cache(MetricNames::builtIn())
    {
    }
    LineSigns signs() const override
    {
        return {.last = ":=", .holds = "[", .fits = [](std::string_view text) {
                    return isTitleOfList(text) || mayHaveList(text);
                }};
    }
    bool isOpen() const override { return m_isOpen; }
    bool read(const LogLine& line, MetricSink& sink) override;
    void finish(MetricSink& sink) override;

private:
    struct Point {
        double x = 0, y = 0;

        bool operator==(const Point&) const = default;
    };
    struct List {
        QString series;
        QString unit;
        std::vector<Point> points;
        qint64 line = 0;
        bool isByEpoch = false; ///< its name says so
        bool isOfRun = false; ///< a loss, an accuracy
        bool isCut = false; ///< the line ended within it
        bool isOther = false; ///< printed again with other numbers: not the history of one run
    };
    static constexpr size_t fewest = 4;
    static constexpr size_t mostLists = 64, mostPoints = 16384;

    bool keepTitle(const LogLine& line);
    bool readLists(std::string_view text, qint64 line);
    bool nameList(std::string_view before, List& list);
    static bool readNumbers(std::string_view& rest, List& list);
    void keep(List&& list);

    NameCache m_cache;
    std::vector<List> m_lists; ///< each of another series
    std::string m_title; ///< the last line that a sign for its list ends
    qint64 m_titleAt = 0;
    List m_open; ///< what the next line goes on with
    bool m_isOpen = false;
    std::vector<List> m_read; ///< on the line that is being read
};

/// "losses" → "loss", "accuracies" → "accuracy", "train_accs" → "train_acc"
std::string singularOf(std::string_view name)
{
    std::string out;
    while (!name.empty()) {
        const size_t end = std::min(name.find_first_of("_ -/."), name.size());
        std::string_view word = name.substr(0, end);
        if (word.size() > 5 && word.ends_with("ies"))
            out.append(word.substr(0, word.size() - 3)).append("y");
        else if (word.ends_with("sses"))
            out.append(word.substr(0, word.size() - 2));
        else if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss"))
            out.append(word.substr(0, word.size() - 1));
        else
            out.append(word);
        name.remove_prefix(end);
        if (!name.empty()) {
            out += name[0];
            name.remove_prefix(1);
        }
    }
    return out;
}

/// The words or the quoted key before a list, without the sign between them.
std::string_view nameBefore(std::string_view text)
{
    constexpr size_t longest = 40;
    const size_t sign = text.find_last_not_of(":= ");
    text = text.substr(0, sign == std::string_view::npos ? 0 : sign + 1);
    if (text.size() > 2 && (text.back() == '\'' || text.back() == '"')) {
        const size_t open = text.rfind(text.back(), text.size() - 2);
        return open == std::string_view::npos ? std::string_view()
                                              : text.substr(open + 1, text.size() - open - 2);
    }
    size_t begin = text.size();
    while (begin > 0 && (isWordCharacter(text[begin - 1]) || text[begin - 1] == ' '))
        --begin;
    const std::string_view name = trimmed(text.substr(begin));
    return name.size() <= longest ? name : std::string_view();
}

/// "losses: array(" → "losses: "
std::string_view withoutWrapper(std::string_view before)
{
    for (const std::string_view wrapper : {"array(", "tensor("}) {
        if (before.ends_with(wrapper))
            before.remove_suffix(wrapper.size());
    }
    return before.ends_with("np.") ? before.substr(0, before.size() - 3) : before;
}

/// Whether nothing else with a number stands before a list: no "step 1 loss: [".
bool isNamedAlone(std::string_view before)
{
    const std::string_view name = nameBefore(before);
    const auto digits = [](std::string_view text) {
        return std::count_if(text.begin(), text.end(), isDigit);
    };
    for (std::string_view rest = name; !rest.empty();) {
        if (wholeCount(takeWord(rest)))
            return false;
    }
    return !name.empty() && digits(name) == digits(before);
}

/// Losses, accuracies, errors and rewards: of a training, or of what it was tried on.
bool isOfRun(const NameMeaning& meaning)
{
    static constexpr const char* kinds[] = {"loss", "accuracy", "perplexity", "error", "reward"};
    return meaning.kind == NameMeaning::Metric && meaning.quantity && !meaning.quantity->weak
        && std::any_of(std::begin(kinds), std::end(kinds),
            [&](const char* kind) { return meaning.quantity->kind == QLatin1String(kind); });
}

bool HistoryRecogniser::nameList(std::string_view before, List& list)
{
    std::string_view written = nameBefore(before);
    for (const std::string_view ending : {" per epoch", " by epoch", " over epochs"}) {
        list.isByEpoch = list.isByEpoch || written.ends_with(ending);
        if (written.ends_with(ending))
            written.remove_suffix(ending.size());
    }
    for (const std::string_view ending :
        {"_history", " history", "_hist", "_list", " list", "_values", " values"}) {
        if (written.ends_with(ending))
            written.remove_suffix(ending.size());
    }
    const std::string name = singularOf(written);
    if (name.empty())
        return false;
    const NameMeaning& whole = m_cache.find(name);
    list.series = whole.series;
    bool isKnown = isOfRun(whole);
    if (isKnown && whole.quantity)
        list.unit = whole.quantity->unit;
    // "losses_centralized": one of the words says what it is.
    std::string_view words = name;
    for (int i = 0; !isKnown && !words.empty() && i < 4; ++i) {
        const size_t end = std::min(words.find_first_of("_ "), words.size());
        isKnown = end > 2 && isOfRun(m_cache.find(std::string(words.substr(0, end))));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return isKnown;
}

/// Up to the bracket that closes the list, or to the end of the line. False: something else is in
/// it.
bool HistoryRecogniser::readNumbers(std::string_view& rest, List& list)
{
    const auto skipBetween = [&rest] {
        while (!rest.empty() && (isSpace(rest[0]) || rest[0] == ','))
            rest.remove_prefix(1);
    };
    for (skipBetween(); !rest.empty(); skipBetween()) {
        if (skip(rest, "]")) {
            list.isCut = false;
            return true;
        }
        Point point{double(list.points.size()) + 1, 0};
        const bool isPair = skip(rest, "(");
        if (isPair) {
            const auto x = takeNumber(rest);
            if (!x || !skip(rest, ", "))
                return false;
            point.x = *x;
        }
        const auto y = takeWrappedNumber(rest);
        if (!y || (isPair && !skip(rest, ")"))
            || (!rest.empty() && std::string_view(" \t,]").find(rest[0]) == std::string_view::npos)
            || list.points.size() == mostPoints)
            return false;
        point.y = *y;
        list.points.push_back(point);
    }
    list.isCut = true;
    return true;
}

/// Whether there is nothing on the line but lists and their names; they are in m_read then.
bool HistoryRecogniser::readLists(std::string_view text, qint64 line)
{
    for (size_t open = text.find('['); open != std::string_view::npos; open = text.find('[')) {
        List list;
        list.line = line;
        std::string_view before = withoutWrapper(text.substr(0, open));
        if (m_read.empty() && trimmed(before).empty() && m_titleAt + 1 == line)
            before = m_title; // "Training losses:" above "[0.9, 0.7, 0.5, 0.4]"
        std::string_view rest = text.substr(open + 1);
        list.isOfRun = nameList(before, list);
        if (m_read.size() == mostLists || !isNamedAlone(before) || !readNumbers(rest, list)
            || list.points.size() < fewest)
            return false;
        m_read.push_back(std::move(list));
        text = rest;
    }
    return std::any_of(m_read.begin(), m_read.end(), [](const List& list) { return list.isOfRun; })
        && std::none_of(text.begin(), text.end(), isDigit);
}

void HistoryRecogniser::keep(List&& list)
{
    if (!list.isOfRun)
        return; // the learning rate beside the loss
    const auto known = std::find_if(m_lists.begin(), m_lists.end(),
        [&list](const List& each) { return each.series == list.series; });
    if (known == m_lists.end()) {
        if (m_lists.size() < mostLists)
            m_lists.push_back(std::move(list));
        return;
    }
    const bool goesOn = list.points.size() >= known->points.size()
        && std::equal(known->points.begin(), known->points.end(), list.points.begin());
    known->isOther = known->isOther || !goesOn;
    if (goesOn)
        std::swap(known->points, list.points);
}

bool HistoryRecogniser::keepTitle(const LogLine& line)
{
    const std::string_view text = trimmed(line.text);
    if (!isTitleOfList(text))
        return false;
    m_title.assign(peelPrefix(text).text);
    m_titleAt = line.number;
    return true;
}

bool HistoryRecogniser::read(const LogLine& line, MetricSink&)
{
    std::string_view text = line.text;
    if (!m_isOpen && keepTitle(line))
        return false;
    if (!m_isOpen && !mayHaveList(text))
        return false;
    if (!m_isOpen)
        text = peelPrefix(text).text;
    m_read.clear();
    if (std::exchange(m_isOpen, false)) {
        if (!readNumbers(text, m_open))
            return false;
        m_read.push_back(std::exchange(m_open, {}));
        if (!m_read.back().isCut && text.find('[') != std::string_view::npos) {
            List first = std::move(m_read.back());
            m_read.clear();
            if (!readLists(text, line.number))
                m_read.clear();
            m_read.insert(m_read.begin(), std::move(first));
        }
    } else if (!readLists(text, line.number)) {
        return false;
    }
    if (m_read.back().isCut) {
        m_open = std::move(m_read.back());
        m_read.pop_back();
        m_isOpen = true;
    }
    for (List& list : m_read)
        keep(std::move(list));
    return true;
}

void HistoryRecogniser::finish(MetricSink& sink)
{
    if (!sink.placeName().isEmpty())
        return; // the numbers were printed as they came
    for (const List& list : m_lists) {
        const bool isRising = std::is_sorted(list.points.begin(), list.points.end(),
            [](const Point& a, const Point& b) { return a.x < b.x; });
        const bool varies = std::any_of(list.points.begin(), list.points.end(),
            [&list](const Point& point) { return point.y != list.points.front().y; });
        if (list.isOther || !isRising || !varies)
            continue;
        for (const Point& point : list.points) {
            Sample sample;
            sample.series = list.series;
            sample.unit = list.unit;
            sample.x = point.x;
            sample.xName = list.isByEpoch ? QStringLiteral("epoch") : QStringLiteral("n");
            sample.y = point.y;
            sample.line = list.line;
            sink.add(std::move(sample));
        }
    }
    m_lists.clear();
}

} // namespace

std::unique_ptr<Recogniser> makeHistoryRecogniser()
{
    return std::make_unique<HistoryRecogniser>();
}

} // namespace slipway
