// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/arguments.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(arguments)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    static const std::vector<OptionSpec> options{
        {QStringLiteral("--site"), QStringLiteral("S"), {}, false, QStringLiteral("--cluster")},
        {QStringLiteral("--set"), QStringLiteral("K=V"), {}, true},
        {QStringLiteral("--json"), {}, {}}};
    const QStringList words = QString::fromUtf8(input).split(u'\n');
    for (const bool keepsRest : {false, true})
        if (const auto arguments = parseArguments(words, options, keepsRest);
            arguments.ok() && arguments->positional.size() + arguments->rest.size() > words.size())
            std::abort();
    (void)nearest(words.first().left(100), {QStringLiteral("--site"), QStringLiteral("--set")});
    return 0;
}
