// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/clustersurvey.h"
#include "remote/cluster/sections.h"
#include "remote/cluster/slurmcontext.h"

namespace slipway {

QByteArray surveyScript(SurveyPart part, const Sections& sections);
/// Adds the output of the script. What was not answered stays unknown.
void addSurvey(
    SurveyPart part, const QByteArray& output, const Sections& sections, ClusterSurvey* survey);

/// Runs one part of the survey. An error only when no query was possible.
QCoro::Task<Result<ClusterSurvey>> surveyCluster(
    std::shared_ptr<SlurmContext> side, SurveyPart part, ClusterSurvey soFar);

} // namespace slipway
