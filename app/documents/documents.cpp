// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/documents/documents.h"

#include "app/catalogue/resourcefiles.h"

#include <QDir>

namespace slipway {

namespace {

void readDocuments(const QString& folder, Documents* documents)
{
    const QDir dir(folder + QStringLiteral("/documents"));
    for (const QString& name : dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        const Result<QByteArray> json = resourceContent(dir.filePath(name));
        const Result<Document> document =
            json.ok() ? parseDocument(*json, dir.filePath(name)) : Result<Document>(json.error());
        if (document.ok())
            putById(*document, &documents->documents);
        else
            documents->errors.push_back(document.error());
    }
}

} // namespace

std::vector<Workflow> Documents::workflows() const
{
    std::vector<Workflow> all;
    for (const Document& document : documents)
        all.insert(all.end(), document.workflows.begin(), document.workflows.end());
    return all;
}

Documents loadDocuments(const QString& builtInFolder, const QString& ownFolder)
{
    Documents documents;
    for (const QString& folder : {builtInFolder, ownFolder}) {
        if (!folder.isEmpty())
            readDocuments(folder, &documents);
    }
    return documents;
}

} // namespace slipway
