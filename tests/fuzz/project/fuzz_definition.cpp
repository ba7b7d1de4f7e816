// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/definitionkeeper.h"
#include "app/project/definitionlint.h"
#include "app/project/uploadplan.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(definition)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const QString text = QString::fromUtf8(input);
    const auto lines = text.count(u'\n') + 1;
    const auto nothingExists = [](const QString&) { return false; };
    for (const DefinitionProblem& problem : lintDefinition(text, nothingExists))
        if (problem.text.isEmpty() || problem.line < 0 || problem.line > lines)
            std::abort();
    const QString name = definitionName(text.left(300));
    if (name.contains(u'/') || name == u"." || name == u"..")
        std::abort();
    (void)readMissing(UploadPlan(), input);
    return 0;
}
