// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fields.h"

#include "plots/metrics/scan.h"
#include "plots/metrics/wordcache.h"

#include <cmath>
#include <string>

namespace slipway {

namespace {

/// Lower case, with one underscore for each run of characters other than letters, digits or "@".
std::string plainName(std::string_view name)
{
    std::string out;
    for (size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c == '\'' && name.substr(i).starts_with("'s "))
            ++i; // "training's auc"
        else if (isLetter(c) || isDigit(c) || c == '@')
            out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
        else if (isGreek(name.substr(i)))
            out.append(name, i++, 2);
        else if (!out.empty() && out.back() != '_')
            out.push_back('_');
    }
    while (!out.empty() && out.back() == '_')
        out.pop_back();
    return out;
}

void replacePrefix(std::string& name, std::string_view from, std::string_view to)
{
    if (name.starts_with(from))
        name.replace(0, from.size(), to);
}

/// One spelling for words that programs spell in different ways.
std::string oneSpelling(std::string name)
{
    replacePrefix(name, "training_", "train_");
    replacePrefix(name, "validation_", "valid_");
    replacePrefix(name, "val_", "valid_");
    replacePrefix(name, "testing_", "test_");
    replacePrefix(name, "avg_", "average_");
    if (name == "train" || name == "test")
        name += "_value"; // numbers that only their data sets name
    else if (name == "val" || name == "valid" || name == "validation")
        name = "valid_value";
    else if (name == "acc")
        name = "accuracy";
    else if (name.ends_with("_acc"))
        name += "uracy";
    else if (name == "with_value") // "Trial 42 finished with value: 0.934"
        name = "value";
    else if (name == "learning_rate" || name == "learningrate")
        name = "lr";
    return name;
}

} // namespace

QString seriesName(std::string_view name)
{
    thread_local WordCache<QString> known;
    return known.find(name,
        [](std::string_view word) { return QString::fromStdString(oneSpelling(plainName(word))); });
}

QString seriesUnit(const QString& series, const NamedNumber& number)
{
    static const QString percent = QStringLiteral("%");
    if (number.unit == "%")
        return percent;
    if (!number.unit.empty())
        return labelText(number.unit);
    if (!(number.value > 1 && number.value <= 100))
        return {};
    // "Acc@1", "prec@5": of the first so many guesses.
    const bool accuracy = series.endsWith(QLatin1String("accuracy"))
        || (series.contains(u'@')
            && (series.contains(QLatin1String("acc@")) || series.contains(QLatin1String("prec@"))));
    return accuracy ? percent : QString();
}

} // namespace slipway
