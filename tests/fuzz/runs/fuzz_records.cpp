// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/measurement.h"
#include "app/node/nodereport.h"
#include "app/node/nodesample.h"
#include "app/runs/pullprogress.h"
#include "app/runs/runjson.h"
#include "app/runs/runstory.h"
#include "plots/metrics/logtimes.h"
#include "tests/fuzz/target.h"

#include <QJsonDocument>

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(records)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const auto marks = parseMarks(input);
    std::vector<RunStage> stages;
    applyMarks(stages, marks);
    (void)logBeginning(marks, {}, false);
    (void)imageDigestOf(marks);
    (void)applyPulls(stages, readPulls(input));
    (void)nodeReportText(readNodeReport(input));
    if (const auto sample = readNodeSample(input))
        (void)samplesOf(*sample, 0);
    (void)readRace(input, QStringLiteral("a1b2"));
    LogTimes times;
    if (times.read(input) > input.size())
        std::abort();
    const auto run = runFromJson(QJsonDocument::fromJson(input).object());
    if (run.ok() && !runFromJson(runToJson(*run)).ok())
        std::abort();
    return 0;
}
