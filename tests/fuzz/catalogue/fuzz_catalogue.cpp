// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipefile.h"
#include "app/catalogue/site.h"
#include "app/compare/references.h"
#include "app/documents/document.h"
#include "app/explain/hints.h"
#include "app/project/owncodetable.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

namespace {

/// What is wrong with a file is said in a sentence, whatever it holds.
template <typename T> void hold(const Result<T>& result)
{
    if (!result.ok() && result.error().summary.isEmpty())
        std::abort();
}

} // namespace

SLIPWAY_FUZZ_TARGET(catalogue)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const QString file = QStringLiteral("file.json");
    hold(parseSite(input, file));
    hold(parseRecipe(input, QStringLiteral("/nowhere")));
    hold(parseDocument(input, file));
    hold(parseRaceReferences(input, file));
    hold(parseHints(input, file));
    hold(parseOwnCodeTable(input, file));
    return 0;
}
