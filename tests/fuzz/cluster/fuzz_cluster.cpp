// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/clustersurvey.h"
#include "remote/cluster/discovering.h"
#include "remote/cluster/runfolder.h"
#include "remote/cluster/stepping.h"
#include "remote/cluster/submissionlock.h"
#include "remote/cluster/submitting.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

namespace {

void readAnswers(const QByteArray& input)
{
    if (const auto answer = parseSubmitAnswer(input); answer.ok() && answer->host.size() > 256)
        std::abort();
    (void)parseSubmissionState(input);
    (void)parseStepState(input);
    const auto exit = parseExit(input);
    if (exit.ok() && exit->restarts < 0)
        std::abort();
    if (isSafeRelativeName(QString::fromUtf8(input)) && input.contains(".."))
        for (const QByteArray& part : input.split('/'))
            if (part == "..")
                std::abort();
}

void readSurvey(const QByteArray& input)
{
    (void)parseArchitectures(input);
    (void)parseRuntimes(input);
    runtimeModule(parseRuntimeModules(input), QStringLiteral("apptainer"));
    (void)parseScratch(input);
    (void)parseQuotas(input);
}

} // namespace

SLIPWAY_FUZZ_TARGET(cluster)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    static const QByteArray nonce = "0123456789abcdef0123456789abcdef";
    static const auto separators = Separators::of(nonce);
    (void)parseDiscovery(input, Sections(nonce), separators);
    readAnswers(input);
    readSurvey(input);
    return 0;
}
