// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/catalogue.h"
#include "app/explain/hintsource.h"
#include "app/plan/plan.h"
#include "app/runs/run.h"
#include "app/runs/runreading.h"
#include "app/secrets/secretstore.h"
#include "app/sessions/sessions.h"

#include <functional>
#include <memory>

namespace slipway {

/// RunContext is shared by the parts of Runs. A value; the objects it points to outlive them.
struct RunContext {
    Catalogue* catalogue = nullptr;
    Sessions* sessions = nullptr;
    std::shared_ptr<HintSource> hints;
    QString dataFolder; ///< ~/.local/share/slipway: runs.sqlite, runs/<id>/
    SecretStore* secrets = nullptr; ///< null: a launch that names secrets is refused
    /// The compressed sizes that registries told, by the text of the image.
    std::shared_ptr<QMap<QString, qint64>> imageBytes = {};
    /// The digest that the registry of a site's image has named; empty: not known. None: nobody
    /// asks registries.
    std::function<QString(const QString& siteId, const ImageReference& image)> registryDigest = {};

    /// The plan of a launch, with the known facts of the cluster. Pure, except that it checks for
    /// slipway-probe. A site or recipe that does not exist is a problem in the plan.
    Plan plan(const LaunchSpec& spec) const;
    /// How the log of a run is read: as its recipe says, or another that the user chose.
    RunReading reading(const Run& run) const;
    QString localFolder(const QString& runId) const { return dataFolder + u"/runs/" + runId; }
};

} // namespace slipway
