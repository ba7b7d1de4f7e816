// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/base/result.h"

#include <QDate>

namespace slipway {

/// RunQuery is a search in the list of runs: terms that must all hold. A value.
struct RunQuery {
    enum class Kind { Word, State, Site, Recipe, Tag, Number, Before, After };
    enum class Comparison { Less, AtMost, Equal, AtLeast, Greater };
    struct Term {
        Kind kind = Kind::Word;
        bool negated = false; ///< "-tag:old"
        QString text; ///< in lower case: the word, site, recipe, tag, or the name of a number
        std::vector<RunPhase> phases = {}; ///< State
        Comparison comparison = Comparison::Equal; ///< Number
        QString value = {}; ///< Number: as it was typed
        std::optional<double> number = {}; ///< Number: none where the value is text
        QDate day = {}; ///< Before, After
    };
    std::vector<Term> terms;

    bool isEmpty() const { return terms.empty(); }
};

/// Parses words, "several words", is:failed, site:kestrel, recipe:, tag:, before: and after: a day,
/// and loss<0.3; a "-" before a term excludes. The days "monday" and "yesterday" count back from
/// `today`. An error says which term is wrong and what is expected. Pure.
Result<RunQuery> parseRunQuery(const QString& text, const QDate& today);

/// Whether a run is found. `siteName` is how its site is displayed. A number is the last value of a
/// curve, or a field of the launch that differs from its default.
bool matches(const RunQuery& query, const Run& run, const QString& siteName);

/// The terms in one sentence, for tool tips and --help.
QString runQueryHelp();

} // namespace slipway
