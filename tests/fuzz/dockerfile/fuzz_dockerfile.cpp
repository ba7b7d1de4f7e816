// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/definitionfile.h"
#include "app/project/dockerfile.h"
#include "app/project/dockerwords.h"
#include "tests/fuzz/target.h"

#include <QSet>

#include <cstdlib>

using namespace slipway;

/// Whatever a Dockerfile holds, only Slipway begins sections, no control character comes through
/// and nothing reads as a build argument of Apptainer.
SLIPWAY_FUZZ_TARGET(dockerfile)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const auto conversion = convertDockerfile(input);
    if (!conversion.ok()) {
        if (conversion.error().summary.isEmpty())
            std::abort();
        return 0;
    }
    static const QSet<QString> heads{QStringLiteral("%files"), QStringLiteral("%post"),
        QStringLiteral("%environment"), QStringLiteral("%labels"), QStringLiteral("%runscript")};
    const QStringList lines = conversion->definition.split(u'\n');
    for (const QString& line : lines) {
        const bool isHead =
            line.startsWith(u"Bootstrap: docker") || heads.contains(line.section(u' ', 0, 0));
        if (beginsSection(line) && !isHead)
            std::abort();
        for (const QChar c : line)
            if (c != u'\t' && c.category() == QChar::Other_Control)
                std::abort();
    }
    if (conversion->definition.contains(u"{{"))
        std::abort();
    for (const ConvertedLines& one : conversion->lines)
        if (one.firstLine < 1 || one.lastLine < one.firstLine || one.lastResult < one.firstResult
            || one.lastResult >= lines.size())
            std::abort();
    return 0;
}
