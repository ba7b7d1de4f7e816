// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace slipway {

/// What is measured, as metric-names.json has it: a loss, an accuracy, a time per step.
struct MetricQuantity {
    QString id;
    QString kind; ///< "loss", "throughput", "simulation"
    QString unit; ///< where none is printed; empty: unknown
    std::optional<bool> higherIsBetter;
    bool weak = false; ///< an everyday word: a number without a counter is not a measurement
};

/// A unit as programs write it, and the base unit in which its numbers are drawn.
struct MetricUnit {
    QString unit;
    double factor = 1;
    const MetricQuantity* quantity = nullptr; ///< measured by a number that has only this unit
};

/// What one printed name means. The pointers are into the MetricNames that gave it.
struct NameMeaning {
    enum Kind { Unknown, Counter, Setting, Metric };
    /// Of a counter: on a line of its own, above a table, in front of a line or a row.
    enum Use { Anywhere, Alone, Column, First };
    Kind kind = Unknown;
    Use use = Anywhere;
    const MetricQuantity* quantity = nullptr; ///< of a metric
    const QString* x = nullptr; ///< of a counter: "step", "epoch"
    const QString* set = nullptr; ///< the data set that the name contains: "train", "valid"
    const MetricUnit* unit = nullptr; ///< the name ends with it: "step_time_ms"
    bool isResult = false; ///< of a benchmark, printed once
    QString series; ///< of a metric and of what is unknown

    /// A counter of what does not go on by itself: threads, bytes.
    bool isSize() const { return kind == Counter && (use == Column || use == First); }
};

/// MetricNames holds what the words of programs mean: which count, which are settings and which
/// are measurements. A value, constant after parse(); the one of this program is compiled in from
/// resources/metric-names.json.
class MetricNames {
public:
    MetricNames() = default;
    MetricNames(MetricNames&&) noexcept = default; // what was found points into it
    MetricNames& operator=(MetricNames&&) noexcept = default;

    static Result<MetricNames> parse(const QByteArray& json);
    static const MetricNames& builtIn();

    NameMeaning meaning(std::string_view printed) const;
    /// Null for a word that is no unit.
    const MetricUnit* unit(std::string_view written) const;
    /// "Images/s", "rows/s": that of whatever was counted each second; null for anything else.
    const MetricUnit* rate(std::string_view written) const;
    /// The data set that a word names ("Validation" → "valid"); null when it names none.
    const QString* set(std::string_view word) const;
    /// "p50", "mean": alone behind a measurement it is of that.
    bool isStatistic(std::string_view word) const;
    /// "n_clusters", "num_layers": how many there are of something that has no meaning here.
    bool isNumberOf(std::string_view printed) const;
    /// "Operation", "kernel": what it names is one of several that are compared.
    bool isVariant(std::string_view printed) const;
    /// "cpu", "OpenMP": a device or a way to compute.
    bool isImplementation(std::string_view word) const;
    /// "Saving", "done": what a program says of its own work, and not of what follows.
    bool isReport(std::string_view word) const;
    /// "dropout", "nMax": whether a program may try out several values of this setting.
    bool isParameter(std::string_view printed) const;
    /// Those of the axes of what does not go on by itself.
    std::vector<QString> sizeNames() const;
    /// What a line with a size holds one of, in lower case, letter case apart.
    std::vector<std::string> wordsOfSizes() const;
    /// What a line that names a variant holds one of: "kernel:", "cuda".
    std::vector<std::string> titlesOfVariants() const;

private:
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const
        {
            return std::hash<std::string_view>()(text);
        }
    };
    /// Words with what they mean. Most that are looked for are not in it: the first letter and the
    /// length say so without a hash.
    template <typename Value> class Map {
    public:
        void emplace(std::string word, Value value)
        {
            if (!word.empty())
                lengths(word) |= bit(word.size());
            m_words.emplace(std::move(word), std::move(value));
        }
        const Value* find(std::string_view word) const
        {
            if (word.empty() || (lengths(word) & bit(word.size())) == 0)
                return nullptr;
            const auto found = m_words.find(word);
            return found == m_words.end() ? nullptr : &found->second;
        }
        bool contains(std::string_view word) const { return find(word) != nullptr; }
        auto begin() const { return m_words.begin(); }
        auto end() const { return m_words.end(); }

    private:
        static uint64_t bit(size_t length) { return uint64_t(1) << std::min<size_t>(length, 63); }
        uint64_t& lengths(std::string_view word)
        {
            return m_lengths[static_cast<unsigned char>(word[0])];
        }
        uint64_t lengths(std::string_view word) const
        {
            return m_lengths[static_cast<unsigned char>(word[0])];
        }

        std::unordered_map<std::string, Value, Hash, std::equal_to<>> m_words;
        std::array<uint64_t, 256> m_lengths{}; ///< by the first byte; a bit for each length
    };
    struct CounterWord {
        size_t x = 0;
        NameMeaning::Use use = NameMeaning::Anywhere;
    };

    static const size_t* findWord(const Map<size_t>& words, std::string_view word);
    std::optional<Error> read(const QJsonObject& file);
    std::optional<Error> readUnits(const QJsonObject& file);
    void readUnitOf(std::string_view printed, std::string_view plain, NameMeaning& meaning) const;
    const MetricUnit* rateOf(std::string_view plain) const;
    const MetricUnit* knownRate(std::string_view written) const;
    NameMeaning meaningOf(std::string_view words) const;
    const CounterWord* counterOf(std::string_view words) const;
    const CounterWord* sizeOf(std::string_view words) const;
    const MetricQuantity* quantityOf(std::string_view words) const;
    const MetricQuantity* quantityAt(std::string_view plain) const;
    const MetricQuantity* byEnd(std::string_view words) const;
    const MetricQuantity* byBegin(std::string_view words) const;
    std::string_view withoutSets(std::string_view words, const QString** set) const;
    std::string_view withoutQualifiers(std::string_view words, const QString** set) const;

    std::vector<MetricQuantity> m_quantities;
    std::vector<QString> m_counterNames;
    std::vector<QString> m_setNames;
    std::vector<MetricUnit> m_unitList;
    Map<CounterWord> m_counters;
    Map<size_t> m_counts; ///< words before the name of a size: "number of"
    Map<size_t> m_implementations;
    struct Report {
        std::string text; ///< in lower case
        bool isBeginning = false;
    };
    std::array<std::vector<Report>, 32> m_reports; ///< by the first letter
    Map<size_t> m_parameters; ///< settings that may be an axis: "dropout"
    Map<size_t> m_variants; ///< what names one of several that are compared: "kernel"
    Map<size_t> m_sets, m_means, m_statistics, m_settings, m_results, m_units;
    Map<size_t> m_names, m_ends, m_begins; ///< to the quantity
};

/// Whether this name of an axis is one of what does not go on by itself: "threads", "size".
bool isSizeName(const QString& name);

/// NameCache remembers what the names of one log mean: a program repeats a few names on each line.
/// A malicious one does not, hence the limit. One for each reader.
class NameCache {
public:
    static constexpr size_t mostEntries = 1024;

    explicit NameCache(const MetricNames& names);
    /// Valid for the next `mostEntries` names that are looked for: longer than a line is read.
    const NameMeaning& find(std::string_view printed);
    const MetricNames& names() const { return m_names; }

private:
    struct Entry {
        std::string name;
        NameMeaning meaning;
    };

    static constexpr size_t entriesOfHash = 4;

    const MetricNames& m_names;
    /// By hash; a later name takes the place of an earlier one.
    std::vector<std::unique_ptr<Entry>> m_entries;
    std::vector<size_t> m_hashes; ///< of the entries
    std::vector<std::unique_ptr<Entry>> m_replaced; ///< the last ones
    size_t m_oldest = 0; ///< the place in it that is overwritten next
    NameMeaning m_unknown;
};

} // namespace slipway
