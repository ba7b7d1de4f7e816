// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/clustersurvey.h"
#include "remote/cluster/sections.h"
#include "remote/cluster/slurmcontext.h"

namespace slipway {

QByteArray surveyScript(SurveyPart part, const Sections& sections);
/// Adds what the script printed. What was not answered stays unknown.
void addSurvey(
    SurveyPart part, const QByteArray& output, const Sections& sections, ClusterSurvey* survey);

/// Asks one part. An error only when nothing could be asked.
QCoro::Task<Result<ClusterSurvey>> surveyCluster(
    std::shared_ptr<SlurmContext> side, SurveyPart part, ClusterSurvey soFar);

} // namespace slipway
