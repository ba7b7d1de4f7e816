// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/resourcefiles.h"
#include "app/project/snapshot.h"
#include "app/runs/keeprecipe.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"
#include "remote/cluster/worker.h"

#include <QFileInfo>
#include <QPointer>
#include <QRegularExpression>

namespace slipway {

namespace {

constexpr qint64 mostRecipeBytes = qint64(1024) * 1024 * 1024; ///< a recipe is to be handed on
constexpr qsizetype mostLeftOutNamed = 50;

/// The recipe's own files lie beside recipe.json under the same names.
void addRecipeFiles(const Recipe& recipe, RecipeDraft* draft)
{
    for (const QString& name : recipe.files + recipe.templates) {
        const QFileInfo file(recipe.folder + u'/' + name);
        draft->files.push_back({name, file.absoluteFilePath(), file.isExecutable()});
        draft->bytes += file.size();
    }
}

std::optional<Error> addCode(const QString& project, RecipeDraft* draft)
{
    SnapshotRequest request;
    request.folder = project;
    const Result<Snapshot> snapshot = takeSnapshot(request);
    if (!snapshot.ok())
        return snapshot.error();
    if (snapshot->bytes() > mostRecipeBytes)
        return Error{ErrorKind::Invalid,
            tr("%1 has %2, which is too much for a recipe.")
                .arg(project, ByteCount(snapshot->bytes()).text()),
            tr("Write what a launch does not need into a file named .slipwayignore there.")};
    QStringList leftOut;
    int sent = 0;
    for (const SnapshotEntry& entry : snapshot->entries) {
        if (isCredentialsFile(entry.path)) {
            leftOut << tr("%1: files of this kind hold passwords or keys.").arg(entry.path);
            continue;
        }
        ++sent;
        const QString source =
            entry.linkTarget.isEmpty() ? snapshot->folder + u'/' + entry.path : QString();
        draft->files.push_back(
            {u"code/" + entry.path, source, entry.isExecutable, entry.linkTarget});
        draft->bytes += entry.bytes;
    }
    for (const SnapshotOmission& omission : snapshot->omissions)
        leftOut << omission.path + u": " + omission.reason;
    draft->recipe.leftOut += leftOut.mid(0, mostLeftOutNamed);
    if (leftOut.size() > mostLeftOutNamed)
        draft->recipe.leftOut << tr("and %1 more files").arg(leftOut.size() - mostLeftOutNamed);
    if (sent == 0)
        return Error{ErrorKind::NotFound, tr("%1 has no file to keep.").arg(project),
            tr("Look into its .gitignore and .slipwayignore.")};
    return {};
}

} // namespace

bool isCredentialsFile(const QString& path)
{
    static const QRegularExpression secret(
        QStringLiteral(R"(\A(?:\.env(?:\..*)?|\.netrc|\.git-credentials|\.pypirc|\.npmrc|)"
                       R"(\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|credentials(?:\.json)?|)"
                       R"(kaggle\.json|secrets?\.(?:env|json|ya?ml|toml|txt)|registry\.env|)"
                       R"(token|\.?hf_token|.*\.(?:pem|key|p12|pfx|kdbx|jks))\z)"),
        QRegularExpression::CaseInsensitiveOption);
    return secret.match(path.section(u'/', -1)).hasMatch();
}

Result<RecipeDraft> prepareRecipe(const KeepRequest& request)
{
    if (request.recipe.folder.isEmpty())
        return Error{ErrorKind::NotFound,
            tr("There is no recipe “%1” any more, so nothing can be kept of it.")
                .arg(request.spec.recipeId)};
    const auto original = resourceContent(request.recipe.folder + QStringLiteral("/recipe.json"));
    if (!original.ok())
        return original.error();
    const Result<KeptRecipe> kept = keptRecipe(request, *original);
    if (!kept.ok())
        return kept.error();
    RecipeDraft draft;
    draft.recipe = *kept;
    addRecipeFiles(request.recipe, &draft);
    if (request.recipe.ownFolder && !request.spec.project.isEmpty()) {
        if (const std::optional<Error> wrong = addCode(request.spec.project, &draft))
            return *wrong;
    }
    return draft;
}

QCoro::Task<Result<WrittenRecipe>> keepRecipe(
    Catalogue* catalogue, KeepRequest request, bool replaces)
{
    const Result<void> may = catalogue->mayKeepRecipe(request.id, replaces);
    if (!may.ok())
        co_return may.error();
    const QPointer<Catalogue> still(catalogue);
    const QString config = catalogue->ownFolder();
    const auto work = [request, config, replaces]() -> Result<WrittenRecipe> {
        const Result<RecipeDraft> draft = prepareRecipe(request);
        if (!draft.ok())
            return draft.error();
        const Result<QString> folder =
            saveOwnRecipe(config, request.id, draft->recipe.json, draft->files, replaces);
        if (!folder.ok())
            return folder.error();
        return WrittenRecipe{*folder, draft->recipe.leftOut};
    };
    const Result<WrittenRecipe> saved = co_await onWorker(work);
    if (still && saved.ok())
        still->readRecipesAgain();
    co_return saved;
}

} // namespace slipway
