// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/launchlists.h"
#include "app/plan/longwork.h"
#include "app/runs/runquery.h"
#include "remote/base/quantities.h"
#include "remote/shell/connector.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(fields)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const QString text = QString::fromUtf8(input);
    (void)parseModules(text);
    (void)parseDataFolders(text);
    if (const auto binds = parseBinds(text); binds.ok())
        for (const Bind& bind : *binds)
            if (bind.source.contains(u'\n') || bind.destination.contains(u'\n'))
                std::abort();
    if (const auto variables = parseEnvironment(text); variables.ok())
        (void)environmentText(*variables);
    (void)parseEndSignal(text);
    (void)checkpointName(text);
    (void)parseRunQuery(text, QDate(2026, 11, 24));
    if (const auto time = WallTime::parse(text);
        time.ok() && WallTime::parse(time->slurmText()).value() != *time)
        std::abort();
    if (const auto memory = MemorySize::parse(text); memory.ok() && memory->mebibytes() < 0)
        std::abort();
    if (const auto target = targetFromText(text); target.ok() && target->host.isEmpty())
        std::abort();
    return 0;
}
