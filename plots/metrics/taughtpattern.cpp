// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/taughtpattern.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/fieldwords.h"
#include "plots/metrics/lineprefix.h"
#include "plots/metrics/ranklabel.h"
#include "plots/metrics/scan.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>
#include <vector>

namespace slipway {

namespace {

constexpr qsizetype longestTaught = 4096; ///< bytes; a pattern is not asked about longer lines
constexpr qsizetype mostWordsBefore = 160; ///< characters before what is captured
constexpr qsizetype mostNumbersBefore = 16;
constexpr qsizetype longestCapture = 32; ///< characters, of PCRE's names

// In one way only: with more, a line of many numbers that ends otherwise would cost too much.
constexpr QLatin1String plainNumber(R"((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)");
constexpr QLatin1String anyNumber(
    R"([-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[nN]a[nN]|[iI]nf))");
// "1,234.5" and "0x1f", which nothing here reads
constexpr QLatin1String oddNumber(R"(\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|0[xX][0-9A-Fa-f]+)");

/// What \s means to an expression, which knows no other blanks.
bool isBlank(QChar c)
{
    return c == u' ' || c == u'\t';
}

bool isSign(QChar c)
{
    return !isBlank(c) && !c.isLetterOrNumber() && c != u'_';
}

/// A number of the line, in characters.
struct Token {
    qsizetype begin = 0;
    qsizetype end = 0;
    bool isOdd = false; ///< with separators, or hexadecimal
};

/// Numbers that stand by themselves: “top5” and “v1.2.3” are words.
std::vector<Token> numbersOf(const QString& line)
{
    static const QRegularExpression form(
        QStringLiteral(R"((?<![\w.])[-+]?(?:(?<odd>%1)|%2(?![\w.]*\.\d))|(?<=[\])}:=])[-+]?%2)")
            .arg(oddNumber, plainNumber));
    std::vector<Token> tokens;
    for (auto it = form.globalMatch(line); it.hasNext();) {
        const auto match = it.next();
        tokens.push_back(
            {match.capturedStart(), match.capturedEnd(), match.hasCaptured(QStringLiteral("odd"))});
    }
    return tokens;
}

/// The name before a number: its last words, without the signs between them and it.
QString nameBefore(const QString& line, qsizetype from, const Token& number)
{
    static const QRegularExpression name(QStringLiteral(
        R"(([A-Za-z_][\w./@%-]*(?: [A-Za-z_][\w./@%-]*){0,2})[\s"'\])]*[:=#]?[\s"'\[(]*\z)"));
    const auto match = name.match(line.mid(from, number.begin - from));
    return match.captured(1);
}

/// A name as a capture may have it.
QString captureName(const QString& name, const QString& otherwise)
{
    QString capture = seriesName(name.toStdString());
    for (QChar& c : capture) {
        if (c.unicode() >= 128 || !(c.isLetterOrNumber() || c == u'_'))
            c = u'_';
    }
    while (capture.startsWith(u'_') || (!capture.isEmpty() && capture.at(0).isDigit()))
        capture.remove(0, 1);
    capture.truncate(longestCapture);
    return capture.isEmpty() ? otherwise : capture;
}

/// Where the text of the program begins, behind what loggers and launchers wrote.
qsizetype textBegin(const QString& line)
{
    const std::string bytes = line.toStdString();
    std::string_view text = bytes;
    takeRankLabel(text);
    text = peelPrefix(text).text;
    const auto skipped = static_cast<qsizetype>(bytes.size() - text.size());
    return QString::fromUtf8(bytes.data(), skipped).size();
}

/// Literal text of the line, in which blanks may be of any number; behind a sign there may be none,
/// as in "[ 10/500]" and "[100/500]".
QString literal(const QString& text, bool afterWord)
{
    QString expression, words;
    bool isGap = false;
    const auto flush = [&] {
        expression += QRegularExpression::escape(words);
        words.clear();
    };
    for (const QChar c : text) {
        if (!isBlank(c)) {
            words += c;
            afterWord = c.isLetterOrNumber() || c == u'_';
        } else if (!isGap) {
            flush();
            expression += afterWord ? QStringLiteral("\\s+") : QStringLiteral("\\s*");
        }
        isGap = isBlank(c);
    }
    flush();
    return expression;
}

/// TaughtLine is the line with the marked number and the counter that is its x; lives for one call.
struct TaughtLine {
    const QString& line;
    std::vector<Token> numbers;
    size_t marked = 0;
    std::optional<size_t> counter;
    qsizetype begin = 0; ///< of the program's own text

    QString nameOf(size_t number) const
    {
        const qsizetype from = std::max(begin, number > 0 ? numbers[number - 1].end : qsizetype(0));
        return nameBefore(line, std::min(from, numbers[number].begin), numbers[number]);
    }

    /// A step, iteration or batch counts more than an epoch.
    void findCounter()
    {
        bool isEpoch = true;
        for (size_t i = 0; i < numbers.size(); ++i) {
            if (i == marked || numbers[i].isOdd || numbers[i].begin < begin)
                continue;
            const std::string name = nameOf(i).toStdString();
            const size_t space = name.find_last_of(' ');
            const std::string_view last =
                std::string_view(name).substr(space == std::string::npos ? 0 : space + 1);
            if (last.empty() || !isCounterWord(last)
                || (counter && (!isEpoch || isEpochWord(last))))
                continue;
            counter = i;
            isEpoch = isEpochWord(last);
        }
    }

    /// What the pattern begins with, and from where on it has the words of the line.
    std::pair<QString, qsizetype> start(size_t first) const
    {
        const qsizetype number = numbers[first].begin;
        const auto numbersFrom = [&](qsizetype from) {
            return std::count_if(numbers.begin(), numbers.begin() + qsizetype(first),
                [from](const Token& one) { return one.begin >= from; });
        };
        if (number - begin <= mostWordsBefore && numbersFrom(begin) <= mostNumbersBefore)
            // A line's beginning is a word's; within the line one begins behind a blank or a sign.
            return {begin == 0 ? QStringLiteral("^") : QStringLiteral("(?<!\\w)"), begin};
        // Of a line with more in front of it, the words are counted.
        qsizetype from = number;
        while (from > 0 && !isBlank(line.at(from - 1)) && number - from < mostWordsBefore)
            --from;
        if (from > 0 && !isBlank(line.at(from - 1)))
            return {QString(), from};
        qsizetype words = 0;
        for (qsizetype i = 0; i < from; ++i)
            words += !isBlank(line.at(i)) && (i == 0 || isBlank(line.at(i - 1))) ? 1 : 0;
        return {QStringLiteral("^\\s*(?:\\S+\\s+){%1}").arg(words), from};
    }

    QString expression(const QString& series, const QString& x) const
    {
        const size_t first = counter ? std::min(marked, *counter) : marked;
        const size_t last = counter ? std::max(marked, *counter) : marked;
        auto [text, from] = start(first);
        for (size_t i = 0; i <= last; ++i) {
            if (numbers[i].begin < from)
                continue;
            const bool afterWord = from > 0 && !isBlank(line.at(from - 1));
            text += literal(line.mid(from, numbers[i].begin - from), afterWord);
            if (numbers[i].begin > from && isSign(line.at(numbers[i].begin - 1)))
                text += QStringLiteral("\\s*"); // “[100/500]” is “[ 10/500]” on another line
            const QString name = i == marked ? series : counter && i == *counter ? x : QString();
            text += numbers[i].isOdd ? QStringLiteral("[-+\\w.,]+")
                : name.isEmpty()     ? QString(anyNumber)
                                     : QStringLiteral("(?<%1>%2)").arg(name, anyNumber);
            from = numbers[i].end;
        }
        return text;
    }
};

} // namespace

Result<TaughtNumber> taughtNumber(const QString& line, qsizetype begin, qsizetype length)
{
    if (line.toUtf8().size() > longestTaught)
        return Error{ErrorKind::Invalid,
            tr("The line is longer than the %1 bytes that a pattern reads.").arg(longestTaught)};
    const QString clean = QString::fromUtf8(line.toUtf8()); // half a character is none
    TaughtLine taught{clean, numbersOf(clean), 0, {}, textBegin(clean)};
    std::vector<size_t> touched;
    for (size_t i = 0; i < taught.numbers.size(); ++i) {
        const Token& one = taught.numbers[i];
        const qsizetype end = begin + std::max<qsizetype>(0, length);
        if (length > 0 ? one.begin < end && begin < one.end
                       : one.begin <= begin && begin <= one.end)
            touched.push_back(i);
    }
    if (touched.size() != 1)
        return Error{ErrorKind::Invalid,
            touched.empty() ? tr("There is no number in what is marked.")
                            : tr("More than one number is marked."),
            tr("Mark one number of the line.")};
    taught.marked = touched.front();
    if (taught.numbers[taught.marked].isOdd)
        return Error{ErrorKind::Unsupported,
            tr("Numbers with separators between thousands, or hexadecimal ones, are not read."),
            tr("Let the program print it without them.")};
    if (taught.numbers[taught.marked].begin < taught.begin)
        taught.begin = 0; // of what a logger wrote
    taught.findCounter();
    TaughtNumber result;
    result.series = captureName(taught.nameOf(taught.marked), QStringLiteral("value"));
    if (taught.counter)
        result.x =
            captureName(taught.nameOf(*taught.counter).section(u' ', -1), QStringLiteral("step"));
    if (result.x == result.series)
        result.x = result.series.left(longestCapture - 2) + QStringLiteral("_x");
    const std::string behind = clean.mid(taught.numbers[taught.marked].end).toStdString();
    std::string_view rest = behind;
    result.unit = QString::fromStdString(std::string(takeUnit(rest)));
    result.pattern.match = taught.expression(result.series, result.x);
    result.pattern.x = result.x;
    if (!result.unit.isEmpty())
        result.pattern.units.insert(result.series, result.unit);
    if (const QString problem = patternProblem(result.pattern); !problem.isEmpty())
        return Error{ErrorKind::Invalid,
            tr("No pattern can be made of this line: %1.").arg(problem),
            tr("Mark the number in another line.")};
    return result;
}

} // namespace slipway
