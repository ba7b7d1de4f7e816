// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fieldwords.h"

#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/wordcache.h"

#include <algorithm>

namespace slipway {

namespace {

template <size_t N> bool oneOf(std::string_view word, const std::string_view (&words)[N])
{
    return std::any_of(std::begin(words), std::end(words),
        [&](std::string_view known) { return equalsIgnoringCase(word, known); });
}

bool endsWithIgnoringCase(std::string_view text, std::string_view lowerCase)
{
    return text.size() >= lowerCase.size()
        && equalsIgnoringCase(text.substr(text.size() - lowerCase.size()), lowerCase);
}

bool isKnownMetric(std::string_view name)
{
    static constexpr std::string_view words[] = {"loss", "acc", "accuracy", "lr", "ppl",
        "perplexity", "bleu", "f1", "mae", "mse", "rmse", "auc", "reward", "return", "time", "data",
        "speed", "throughput", "acc@1", "acc@5", "top1", "top5", "error", "err", "dice", "iou",
        "map", "psnr", "ssim", "wer", "cer", "kl", "entropy", "energy", "temperature", "norm",
        "rate", "score"};
    if (oneOf(name, words))
        return true;
    static constexpr std::string_view tails[] = {"loss", "_acc", "accuracy", "_norm", "_ppl", "_lr",
        "_rate", "_score", "_per_second", "_time"};
    return std::any_of(std::begin(tails), std::end(tails),
        [&](std::string_view tail) { return endsWithIgnoringCase(name, tail); });
}

bool isQualifier(std::string_view word)
{
    static constexpr std::string_view words[] = {"train", "training", "test", "testing", "valid",
        "val", "validation", "dev", "eval", "evaluation", "avg", "average", "mean", "running",
        "total", "best"};
    return oneOf(word, words);
}

} // namespace

bool isEpochWord(std::string_view name)
{
    return equalsIgnoringCase(name, "epoch") || equalsIgnoringCase(name, "ep");
}

bool isCounterWord(std::string_view name)
{
    static constexpr std::string_view words[] = {"epoch", "ep", "step", "global_step",
        "global step", "train step", "training step", "iter", "iteration", "batch", "update"};
    if (oneOf(name, words))
        return true;
    const NameMeaning meaning = MetricNames::builtIn().meaning(name); // "batch_id"
    return meaning.kind == NameMeaning::Counter && meaning.use == NameMeaning::Anywhere
        && *meaning.x == QLatin1String("batch");
}

bool isMetricName(std::string_view name, bool assigned)
{
    const size_t space = name.rfind(' ');
    if (space == std::string_view::npos)
        return assigned || isKnownMetric(name);
    const std::string_view first = name.substr(0, name.find(' '));
    const std::string_view last = name.substr(space + 1);
    return isKnownMetric(last) || (assigned && isQualifier(first));
}

bool isBookkeeping(std::string_view name)
{
    static constexpr std::string_view words[] = {"batch_size", "batchsize", "batch size", "steps",
        "epochs", "iters", "iterations", "eta", "rank", "local_rank", "world_size", "gpu", "gpus",
        "from", "to", "seed", "port", "pid", "code", "exit_code", "line", "version", "v_num",
        "workers", "num_workers", "node", "nodes", "id", "size", "total", "samples", "device"};
    return oneOf(name, words);
}

const FieldWord& fieldWord(std::string_view name)
{
    thread_local WordCache<FieldWord> known;
    return known.find(name, [](std::string_view word) {
        return FieldWord{isCounterWord(word), isEpochWord(word), isMetricName(word, false),
            isMetricName(word, true), isBookkeeping(word)};
    });
}

bool isLogLevel(std::string_view word)
{
    if (!word.empty() && word.back() == ':')
        word.remove_suffix(1);
    static constexpr std::string_view words[] = {
        "info", "debug", "warning", "notice", "trace", "-", "|"};
    return oneOf(word, words);
}

bool isNonFinite(std::string_view rest)
{
    const char first = toLowerCase(rest.empty() ? ' ' : rest[0]);
    if (first != 'n' && first != 'i')
        return false;
    size_t end = 0;
    while (end < rest.size() && isWordCharacter(rest[end]))
        ++end;
    static constexpr std::string_view words[] = {"nan", "inf", "infinity"};
    return oneOf(rest.substr(0, end), words);
}

std::string_view takeUnit(std::string_view& rest)
{
    static constexpr std::string_view units[] = {"%", "s", "sec", "seconds", "ms", "us", "it/s",
        "s/it", "img/s", "imgs/s", "images/s", "samples/s", "samples/sec", "tokens/s", "tokens/sec",
        "tok/s", "examples/s", "steps/s", "MB", "GB", "MiB", "GiB", "MB/s", "GB/s", "W", "None"};
    std::string_view at = rest;
    skipSpaces(at);
    size_t end = 0;
    while (end < at.size() && (isLetter(at[end]) || at[end] == '/' || at[end] == '%'))
        ++end;
    if (end == 0)
        return {};
    const std::string_view word = at.substr(0, end);
    if (std::find(std::begin(units), std::end(units), word) == std::end(units))
        return {};
    // In "lr 0.1 s=3" it is a name, not a unit; directly after the number it can only be a unit.
    const std::string_view after = at.substr(end);
    if (at.size() != rest.size() && !after.empty() && after[0] == '=')
        return {};
    rest = after;
    return word == "None" ? std::string_view() : word;
}

} // namespace slipway
