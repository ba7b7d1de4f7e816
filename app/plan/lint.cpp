// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/lint.h"

#include "remote/slurm/jobspec.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace slipway {

Problem errorIn(
    const QString& field, const QString& text, const QString& fix, std::optional<QString> fixValue)
{
    return {Problem::Severity::Error, field, text, fix, std::move(fixValue)};
}

Problem warningIn(
    const QString& field, const QString& text, const QString& fix, std::optional<QString> fixValue)
{
    return {Problem::Severity::Warning, field, text, fix, std::move(fixValue)};
}

std::vector<Problem> lint(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    std::vector<Problem> problems;
    lintResources(plan, cluster, &problems);
    lintFields(plan, cluster, &problems);
    lintPlaceholders(plan, &problems);
    lintGpus(plan, cluster, &problems);
    lintSite(plan, cluster, &problems);
    lintImages(plan, cluster, &problems);
    lintPin(plan, &problems);
    lintCommands(plan, &problems);
    lintSecrets(plan, &problems);
    lintBuildFiles(plan, &problems);
    lintLongWork(plan, &problems);
    lintRace(plan, &problems);
    lintRecipe(plan, cluster, &problems);
    const auto isError = [](const Problem& problem) {
        return problem.severity == Problem::Severity::Error;
    };
    // A character that the Slurm options do not accept and that no rule above has reported.
    const Result<QStringList> options = jobOptions(plan.job, plan.site.gpuRequest);
    if (!options.ok() && std::none_of(problems.begin(), problems.end(), isError))
        problems.push_back(errorIn({}, options.error().summary, options.error().remedy));
    std::vector<Problem> sorted;
    std::copy_if(problems.begin(), problems.end(), std::back_inserter(sorted), isError);
    std::copy_if(
        problems.begin(), problems.end(), std::back_inserter(sorted), std::not_fn(isError));
    return sorted;
}

} // namespace slipway
