// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/linevalue.h"

#include "plots/metrics/scan.h"

#include <cmath>

namespace slipway {

namespace {

constexpr size_t longestUnit = 24;

bool isUnitPart(char c)
{
    return isOfKind(c, bytekind::letter | bytekind::beyond) || c == '/' || c == '%';
}

/// "tensor(0.5, device='cuda:0')", "array(0.5, dtype=float32)", "np.float64(0.5)", "param(0.5)"
bool skipWrapper(std::string_view& at)
{
    if (at.empty()
        || (at[0] != 't' && at[0] != 'n' && at[0] != 'a' && at[0] != 'A' && at[0] != 'D'
            && at[0] != 'p'))
        return false;
    return skip(at, "tf.Tensor(") || skip(at, "tensor(") || skip(at, "array(")
        || skip(at, "np.float64(") || skip(at, "np.float32(") || skip(at, "DeviceArray(")
        || skip(at, "Array(") || skip(at, "param(");
}

bool skipWrapperEnd(std::string_view& at)
{
    const size_t shape = at.substr(0, 160).find("=()");
    const size_t close =
        at.substr(0, 200).find(')', shape == std::string_view::npos ? 0 : shape + 3);
    if (close == std::string_view::npos)
        return false;
    at.remove_prefix(close + 1);
    return true;
}

/// "1,241" and "24,800.5": up to three digits, then groups of three; "1,234,56" is a list.
std::optional<double> takeGrouped(std::string_view& rest)
{
    std::string_view at = rest;
    const bool minus = skip(at, "-");
    size_t digits = 0;
    while (digits < at.size() && digits < 4 && isDigit(at[digits]))
        ++digits;
    if (digits == 0 || digits > 3 || digits == at.size() || at[digits] != ',')
        return {};
    double value = *wholeCount(at.substr(0, digits));
    at.remove_prefix(digits);
    int groups = 0;
    while (at.size() >= 4 && at[0] == ',' && isDigit(at[1]) && isDigit(at[2]) && isDigit(at[3])
        && (at.size() == 4 || !isDigit(at[4]))) {
        value = value * 1000 + *wholeCount(at.substr(1, 3));
        at.remove_prefix(4);
        ++groups;
    }
    if (groups == 0 || groups > 5 || (at.size() > 1 && at[0] == ',' && isDigit(at[1])))
        return {};
    if (at.size() > 1 && at[0] == '.' && isDigit(at[1])) {
        const auto fraction = takeNumber(at);
        value += fraction.value_or(0);
    }
    rest = at;
    return minus ? -value : value;
}

/// "epoch=0/micro_step=34/global_step=34"
bool isNextName(std::string_view at)
{
    size_t end = 1;
    while (end < at.size() && end < 40 && (isLetter(at[end]) || at[end] == '_'))
        ++end;
    return at[0] == '/' && end > 1 && end < at.size() && at[end] == '=';
}

bool endsValue(std::string_view at)
{
    return at.empty() || isNextName(at)
        || !(isWordCharacter(at[0]) || static_cast<unsigned char>(at[0]) >= 0x80 || at[0] == '/'
            || at[0] == '*' || at[0] == '=' || at[0] == '(');
}

/// What may stand in parentheses behind a number: its running mean, or the percentage.
void takeMean(std::string_view& rest, LinePair& pair)
{
    std::string_view at = rest;
    skipSpaces(at);
    if (!skip(at, "("))
        return;
    skipSpaces(at);
    const auto mean = takeNumber(at);
    if (!mean)
        return;
    skip(at, "s");
    const bool share = skip(at, "%");
    skipSpaces(at);
    if (!skip(at, ")"))
        return;
    if (!share || (pair.total == 0 && !pair.unit)) { // "1.35GiB(1.42%)" is no mean
        pair.mean = *mean;
        pair.hasMean = true;
    }
    rest = at;
}

/// "D loss: 1.5 G loss: 3.0", "D loss 1.5 G loss 3.0": what looks like a unit begins the next name.
bool isLetterOfName(std::string_view unit, const MetricNames& names)
{
    constexpr std::string_view prefixes = "kKMGT";
    if (unit.size() < 2 || prefixes.find(unit[0]) == std::string_view::npos || unit[1] != ' ')
        return false;
    unit.remove_prefix(2);
    size_t end = 0;
    while (end < unit.size() && isLetter(unit[end]))
        ++end;
    const std::string_view word = unit.substr(0, end);
    unit.remove_prefix(end);
    skipSpaces(unit);
    if (end > 1 && (unit.starts_with(':') || unit.starts_with('=') || unit.starts_with("->")))
        return true;
    // "used 3 G free 5 G"
    const NameMeaning meaning = end > 1 ? names.meaning(word) : NameMeaning();
    return meaning.quantity
        && (meaning.quantity->kind == QLatin1String("loss")
            || meaning.quantity->kind == QLatin1String("accuracy"));
}

} // namespace

bool isFraction(std::string_view number)
{
    return number.find('.') < number.size() - 1 // "Generation: 0. Mean": a full stop
        || number.find("e-") != std::string_view::npos;
}

/// "0.7053912f0", "6.521e-03f": the mark of a number of single precision, behind which Julia has
/// the exponent.
void takeFloatMark(std::string_view number, std::string_view& at, double& value)
{
    if (at.empty() || at[0] != 'f' || number.find('.') == std::string_view::npos)
        return;
    std::string_view behind = at.substr(1);
    const bool minus = skip(behind, "-");
    const auto exponent = takeWholeCount(behind);
    if (!exponent && minus)
        return;
    if (!behind.empty() && isWordCharacter(behind[0]))
        return;
    if (exponent && *exponent < 400)
        value *= std::pow(10.0, minus ? -*exponent : *exponent);
    at = behind;
}

std::optional<double> takeWrappedNumber(std::string_view& rest)
{
    std::string_view at = rest;
    const bool wrapped = skipWrapper(at);
    const bool isStrong = !wrapped && skip(at, "**"); // of Markdown
    const bool isList = wrapped && skip(at, "["); // "tensor([0.4321])"
    const char open = at.empty() ? '\0' : at[0]; // "<1.57>" as well
    const char quote = open == '\'' || open == '"' ? open : open == '<' ? '>' : '\0';
    if (quote)
        at.remove_prefix(1);
    const std::string_view from = at;
    auto value = takeNumber(at);
    if (value)
        takeFloatMark(from.substr(0, from.size() - at.size()), at, *value);
    if (!value || (isList && !skip(at, "]")) || (wrapped && !skipWrapperEnd(at))
        || (isStrong && !skip(at, "**")) || (quote && !skip(at, std::string_view(&quote, 1))))
        return {};
    rest = at;
    return value;
}

/// "Time=1.609454     s GB/s=0.6": a unit of time in a column of its own.
void takeTimeApart(std::string_view& rest, const MetricNames& names, LinePair& pair)
{
    std::string_view at = rest;
    skipSpaces(at);
    const MetricUnit* const unit = takeMetricUnit(at, names);
    if (!unit || unit->quantity || unit->unit != QLatin1String("s")
        || !(at.empty() || (at[0] == ' ' && at.substr(1, 1) != "=")))
        return;
    pair.unit = unit;
    rest = at;
}

/// "-1.3544+0.0009j": the real part counts.
std::optional<double> takeComplex(std::string_view& rest)
{
    constexpr size_t longest = 48;
    const size_t end = rest.substr(0, longest).find('j');
    if (end == std::string_view::npos || end < 3
        || (end + 1 < rest.size() && isWordCharacter(rest[end + 1])))
        return {};
    const std::string_view number = rest.substr(0, end);
    size_t sign = number.find_last_of("+-");
    if (sign != std::string_view::npos && sign > 1 && (number[sign - 1] | 0x20) == 'e')
        sign = number.find_last_of("+-", sign - 1); // "1.5-2.0e-03j"
    if (sign == std::string_view::npos || sign == 0 || !wholeNumber(number.substr(sign + 1)))
        return {};
    const auto real = wholeNumber(number.substr(0, sign));
    if (real)
        rest.remove_prefix(end + 1);
    return real;
}

/// "3.02974±0.00998", "-68.4 ±0.1E+03", "143.40 +/- 11.30", "0.85 [0.81, 0.88]"
void skipSpread(std::string_view& rest)
{
    std::string_view at = rest;
    if (skip(at, " [")) {
        const std::string_view from = at;
        if (!takeNumber(at) || !isFraction(from.substr(0, from.size() - at.size()))
            || !skip(at, ", ") || !takeNumber(at) || !skip(at, "]"))
            return;
        rest = at;
        return;
    }
    const bool isSpread =
        skip(at, "±") || skip(at, " ± ") || skip(at, " ±") || skip(at, " +/- ") || skip(at, " +- ");
    if (!isSpread || !takeNumber(at))
        return;
    skip(at, "%");
    rest = at;
}

/// "17.1d", "234.9km/s", "25.68M☉": a unit that nobody knows.
bool skipOwnUnit(std::string_view& rest)
{
    constexpr size_t longest = 8;
    size_t end = 0;
    while (
        end < rest.size() && (isLetter(rest[end]) || rest[end] == '/' || (rest[end] & 0x80) != 0))
        ++end;
    const bool isShort = end <= 3 && rest[0] >= 'a'; // "101.002At iteration 2200" lacks its space
    const bool isUnit = end > 0 && end <= longest && isLetter(rest[0])
        && (end == rest.size() || rest[end] == ',' || rest[end] == ';'
            || (rest[end] == ' ' && isShort));
    if (isUnit)
        rest.remove_prefix(end);
    return isUnit;
}

size_t behindParenthesis(std::string_view text)
{
    constexpr size_t longest = 64;
    int depth = 0; // "(G(z))"
    for (size_t i = 0; i < std::min(text.size(), longest); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth <= 0)
            return i + 1;
    }
    return std::string_view::npos;
}

bool isWrapped(std::string_view text)
{
    return skipWrapper(text);
}

const MetricUnit* takeMetricUnit(std::string_view& rest, const MetricNames& names)
{
    size_t end = 0;
    while (end < rest.size() && end < longestUnit && isUnitPart(rest[end]))
        ++end;
    if (end == 1 && rest.starts_with("A.U."))
        end = 4;
    if (end == 0)
        return nullptr;
    std::string_view behind = rest.substr(end);
    if (behind.starts_with(" per ")) {
        size_t of = 5;
        while (of < behind.size() && of < longestUnit && isLetter(behind[of]))
            ++of;
        const std::string joined =
            std::string(rest.substr(0, end)) + '/' + std::string(behind.substr(5, of - 5));
        if (const MetricUnit* unit = names.unit(joined)) {
            rest = behind.substr(of);
            return unit;
        }
    }
    const MetricUnit* unit = names.unit(rest.substr(0, end));
    std::string_view next = behind; // "2680.11 err/s 1.00" and "0.5 min 0.3" have it for a name
    skipSpaces(next);
    skip(next, "-");
    const bool isBeforeNumber = !next.empty() && isDigit(next[0]);
    if (!unit && !isBeforeNumber)
        unit = names.rate(rest.substr(0, end));
    if (isBeforeNumber && rest.substr(0, end) == "min")
        return nullptr;
    // In "lr 0.1 s=3" and "samples/sec: 32" it is a name.
    if (!unit
        || (!behind.empty()
            && (behind[0] == '=' || isDigit(behind[0]) || behind[0] == '_'
                || (behind[0] == ':' && behind.size() > 1 && !isWordCharacter(behind[1])))))
        return nullptr;
    rest = behind;
    return unit;
}

bool takeInBrackets(std::string_view& rest, char close, LinePosition& out)
{
    std::string_view at = rest;
    skipSpaces(at);
    const auto done = takeNumber(at);
    if (!done || !(*done >= 0) || *done > 1e15)
        return false;
    skipSpaces(at);
    double total = 0, last = *done;
    if (skip(at, "/") || skip(at, "of ") || skip(at, "| ")) {
        skipSpaces(at);
        const auto number = takeNumber(at);
        if (!number || !(*number >= 0))
            return false;
        total = *number;
        skipSpaces(at);
        if (at.starts_with('(')) {
            const size_t end = behindParenthesis(at);
            if (end == std::string_view::npos)
                return false;
            out.isShare = true;
            at.remove_prefix(end);
        }
    } else if (skip(at, "-")) { // "Minibatch[  11-  20, 0.07%]": up to the last of a range
        skipSpaces(at);
        const auto number = takeNumber(at);
        if (!number || !(*number > *done) || *number > 1e15)
            return false;
        last = *number;
        skipSpaces(at);
        if (skip(at, ",")) {
            skipSpaces(at);
            if (!takeNumber(at) || !skip(at, "%"))
                return false;
        }
    }
    skipSpaces(at);
    if (at.empty() || at[0] != close)
        return false;
    at.remove_prefix(1);
    out.done = last;
    out.total = total;
    rest = at;
    return true;
}

bool hasFallingRange(std::string_view text)
{
    static constexpr ByteSet brackets("[(");
    for (size_t at = brackets.firstIn(text); at != text.npos; at = brackets.firstIn(text, at + 1)) {
        std::string_view rest = text.substr(at + 1);
        skipSpaces(rest);
        const auto first = takeNumber(rest);
        skipSpaces(rest);
        if (!first || !skip(rest, "-"))
            continue;
        skipSpaces(rest);
        if (const auto last = takeNumber(rest); last && !(*last > *first))
            return true;
    }
    return false;
}

/// The unit of a part of a duration: "h", "hours"; -1: none.
int takeDurationUnit(std::string_view& at)
{
    static constexpr std::string_view units[] = {"day", "hour", "minute", "second", "msec"};
    size_t letters = 0;
    while (letters < at.size() && letters < 8 && isLetter(at[letters]))
        ++letters;
    std::string_view word = at.substr(0, letters);
    if (word.size() > 4 && word.ends_with('s'))
        word.remove_suffix(1);
    for (int i = 0; i < 5; ++i) {
        const std::string_view unit = units[i];
        const bool isShort = letters == 1 || word == "min" || word == "sec";
        if (word == unit || (isShort && i < 4 && unit.starts_with(word))) {
            at.remove_prefix(letters);
            return i;
        }
    }
    return -1;
}

/// "3,312" of "0m3,312s", as the shell prints it in many languages.
std::optional<double> takeCommaDecimal(std::string_view& rest)
{
    constexpr size_t digits = 3;
    std::string_view at = rest;
    const auto whole = takeWholeCount(at);
    if (!whole || at.size() <= digits + 1 || at[0] != ',' || at[digits + 1] != 's')
        return {};
    const auto part = wholeCount(at.substr(1, digits));
    if (part)
        rest = at.substr(digits + 1);
    return part ? std::optional(*whole + *part / 1000) : std::nullopt;
}

std::optional<double> takeDuration(std::string_view& rest)
{
    static constexpr double seconds[] = {86400, 3600, 60, 1, 0.001};
    std::string_view at = rest;
    double sum = 0;
    int parts = 0;
    for (int last = -1; last < 4;) { // a day stands before an hour
        std::string_view part = at;
        if (parts > 0) {
            skip(part, ",");
            skipSpaces(part);
            skip(part, "and ");
        }
        if (part.empty() || !isDigit(part[0]))
            break;
        auto value = parts > 0 ? takeCommaDecimal(part) : std::nullopt;
        if (!value)
            value = takeNumber(part);
        skip(part, " ");
        const int unit = value ? takeDurationUnit(part) : -1;
        if (unit <= last)
            break;
        sum += *value * seconds[unit];
        last = unit;
        ++parts;
        at = part;
    }
    if (parts < 2)
        return {};
    rest = at;
    return sum;
}

/// Whether a first part of a duration may stand before this: "h 5m", " minutes and 3 seconds".
bool mayBeDuration(std::string_view behind)
{
    if (behind.starts_with(' '))
        behind.remove_prefix(1);
    return !behind.empty()
        && (behind[0] == 'd' || behind[0] == 'h' || behind[0] == 'm' || behind.starts_with("sec "));
}

bool takeValue(std::string_view& rest, const MetricNames& names, LinePair& pair)
{
    std::string_view at = rest;
    if (skip(at, "[")) {
        LinePosition position;
        if (takeInBrackets(at, ']', position)) {
            pair.value = position.done;
            pair.total = position.total;
            rest = at;
            return true;
        }
        const auto first = takeNumber(at); // "[0.001, 0.001]": one for each group of parameters
        const size_t close = at.substr(0, 400).find(']');
        if (!first || close == std::string_view::npos || !at.starts_with(','))
            return false;
        pair.value = *first;
        rest = at.substr(close + 1);
        return true;
    }
    if (at.starts_with('(')) { // "Batch(100/1879)"
        LinePosition position;
        std::string_view inside = at.substr(1);
        if (const auto value = takeNumber(inside); value && skip(inside, ",)")) {
            pair.value = *value; // "(1.000e-04,)"
            rest = inside;
            return true;
        }
        inside = at.substr(1);
        if (!takeInBrackets(inside, ')', position) || !(position.total > 0))
            return false;
        pair.value = position.done;
        pair.total = position.total;
        rest = inside;
        return true;
    }
    auto value = takeComplex(at);
    if (!value)
        value = takeWrappedNumber(at);
    if (!value)
        value = takeGrouped(at);
    if (!value && (at.starts_with("nan") || at.starts_with("inf"))) { // "nanms"
        std::string_view unit = at.substr(3);
        if (takeMetricUnit(unit, names)) {
            value = at[0] == 'n' ? std::nan("") : INFINITY;
            at.remove_prefix(3);
        }
    }
    if (!value)
        return false;
    if (mayBeDuration(at)) {
        std::string_view whole = rest;
        if (const auto duration = takeDuration(whole)) {
            pair.value = *duration;
            pair.unit = names.unit("s");
            rest = whole;
            return true;
        }
    }
    pair.value = *value;
    std::string_view behind = at;
    skipSpaces(behind);
    if (behind.size() > 1 && behind[0] == '/' && (isDigit(behind[1]) || behind[1] == ' ')) {
        behind.remove_prefix(1);
        skipSpaces(behind);
        const auto total = takeNumber(behind);
        if (total && *total >= 0) {
            pair.total = *total;
            at = behind;
        }
        // "At iteration 2109/2400/2500": three counts, and none of them is the total.
        if (total && skip(behind, "/") && takeNumber(behind)) {
            pair.total = 0;
            at = behind;
        }
    }
    if (behind.starts_with("of ") && pair.value == std::floor(pair.value)) { // "Epoch 1 of 10"
        behind.remove_prefix(3);
        const auto total = takeWholeCount(behind);
        if (total && endsValue(behind)) {
            pair.total = *total;
            at = behind;
        }
    }
    if (!at.empty()
        && (isUnitPart(at[0]) || (at[0] == ' ' && at.size() > 1 && isUnitPart(at[1])))) {
        std::string_view unit = at;
        skip(unit, " ");
        if (!(at[0] == ' ' && isLetterOfName(unit, names)))
            pair.unit = takeMetricUnit(unit, names);
        if (!pair.unit && (at.starts_with("s: ") || at.starts_with("ms: "))) { // "in 24.0s: loss=…"
            unit = at.substr(at.find(':'));
            pair.unit = names.unit(at.substr(0, at.find(':')));
        }
        if (pair.unit)
            at = unit;
    } else if (at.starts_with("  ")) {
        takeTimeApart(at, names, pair);
    } else if (at.starts_with('(') && at.size() > 2 && isLetter(at[1])) { // "t=0.0444(s)"
        std::string_view unit = at.substr(1);
        pair.unit = takeMetricUnit(unit, names);
        if (pair.unit && skip(unit, ")"))
            at = unit;
        else
            pair.unit = nullptr;
    }
    const char mark = at.empty() ? '\0' : at[0]; // "Speedup: 100.4x", "0.3512*": the best so far
    if ((mark == 'x' || mark == '*')
        && (at.size() == 1 || !(isWordCharacter(at[1]) || at[1] == '*')))
        at.remove_prefix(1);
    skipSpread(at);
    const bool sharable = pair.unit || pair.total > 0; // "100/3161(3.2%)"
    const bool isMeanBehind = at.starts_with('(') // "8.1234(9.2111)"
        && (sharable || isFraction(rest.substr(0, rest.size() - at.size())));
    if (pair.assigned && !pair.unit && isFraction(rest.substr(0, rest.size() - at.size())))
        pair.hasOwnUnit = skipOwnUnit(at);
    if (!endsValue(at) && !isMeanBehind)
        return false;
    takeMean(at, pair);
    if (!endsValue(at) && !sharable)
        return false;
    rest = at;
    return true;
}

} // namespace slipway
