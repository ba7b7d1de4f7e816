// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/catalogue.h"
#include "app/catalogue/ownrecipes.h"
#include "app/plan/plan.h"

#include <QCoroTask>

namespace slipway {

// What worked, kept as a recipe of one's own: the recipe of a launch with its values as defaults,
// and with the person's folder beside it.

/// What is kept, and under which name. A value.
struct KeepRequest {
    QString id;
    QString title;
    QString summary; ///< empty: that of the recipe
    LaunchSpec spec; ///< its project is the folder that is copied
    Recipe recipe;
    Site site;
    QString home; ///< the home folder on this computer, whose paths mean nothing elsewhere
    std::vector<PatternSpec> taught = {}; ///< numbers that it is to read, and draw, as well
};

/// The request for a launch, with the title of its recipe.
KeepRequest keepRequest(const Plan& plan);

/// The request for the launch of a run, with a number that its recipe is to read as well. Where
/// that is a recipe of the person's own, it has its id and names, so that it can be replaced.
KeepRequest teachRequest(const Plan& plan, const PatternSpec& pattern);

/// A word of a-z, 0-9 and - from a title: "My U-Net, 2nd try" → "my-u-net-2nd-try".
QString proposedRecipeId(const QString& title);

/// The recipe's bytes, and what is not in them.
struct KeptRecipe {
    QByteArray json;
    QStringList leftOut; ///< one sentence each
};

/// `original` is the recipe.json of the launch's recipe. Its JSON is kept as it is but for the
/// names, the defaults and the values of the site: those that hold only there (an account, a
/// partition, a file on the cluster) are values of that site. Pure.
Result<KeptRecipe> keptRecipe(const KeepRequest& request, const QByteArray& original);

/// Whether a file is of the kind that holds a password or key: ".env", "id_ed25519", "x.pem".
bool isCredentialsFile(const QString& path);

/// A recipe that is ready to be written.
struct RecipeDraft {
    KeptRecipe recipe;
    std::vector<RecipeFile> files;
    qint64 bytes = 0; ///< of the files
};

/// Reads the recipe's folder, and the person's by the rules of a launch: what .gitignore and
/// .slipwayignore name stays out, and so do large files and those of isCredentialsFile(). Blocks;
/// for a worker thread.
Result<RecipeDraft> prepareRecipe(const KeepRequest& request);

/// A recipe that was written: its folder, and what is not in it.
struct WrittenRecipe {
    QString folder;
    QStringList leftOut;
};

/// Prepares and writes a recipe, and has the catalogue read it.
QCoro::Task<Result<WrittenRecipe>> keepRecipe(
    Catalogue* catalogue, KeepRequest request, bool replaces);

} // namespace slipway
