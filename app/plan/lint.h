// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

#include <optional>
#include <vector>

namespace slipway {

/// Errors and warnings of a plan, errors first: each with its field, its reason and, where there is
/// one, the value that fixes it. Pure.
std::vector<Problem> lint(const Plan& plan, const std::optional<ClusterInfo>& cluster);

// The parts of lint, one file each.
void lintResources(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, std::vector<Problem>* problems);
void lintFields(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, std::vector<Problem>* problems);
void lintPlaceholders(const Plan& plan, std::vector<Problem>* problems);
void lintGpus(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, std::vector<Problem>* problems);
void lintSite(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, std::vector<Problem>* problems);
void lintImages(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, std::vector<Problem>* problems);
void lintPin(const Plan& plan, std::vector<Problem>* problems);
void lintCommands(const Plan& plan, std::vector<Problem>* problems);
void lintSecrets(const Plan& plan, std::vector<Problem>* problems);
/// The definition file and the image name of a build that a person chooses.
void lintBuildFiles(const Plan& plan, std::vector<Problem>* problems);
void lintLongWork(const Plan& plan, std::vector<Problem>* problems);
void lintRace(const Plan& plan, std::vector<Problem>* problems);
void lintRecipe(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, std::vector<Problem>* problems);

Problem errorIn(const QString& field, const QString& text, const QString& fix = {},
    std::optional<QString> fixValue = {});
Problem warningIn(const QString& field, const QString& text, const QString& fix = {},
    std::optional<QString> fixValue = {});

} // namespace slipway
