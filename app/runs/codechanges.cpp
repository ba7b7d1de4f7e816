// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/codechanges.h"

#include "app/runs/runs.h"

namespace slipway {

CodeQuestion codeQuestion(const Runs& runs, const LaunchSpec& spec)
{
    CodeQuestion question;
    question.request.folder = spec.project;
    question.request.wanted = spec.largeFiles;
    for (const Run& run : runs.all()) { // newest first
        const bool same = run.spec.project == spec.project && run.spec.siteId == spec.siteId;
        if (!same && !question.request.hashFile.isEmpty())
            continue;
        const std::optional<RunFiles> files = runs.files(run.id);
        if (files && question.request.hashFile.isEmpty()) // the hashes are beside any run
            question.request.hashFile = codeHashFile(files->localFolder(), spec.project);
        if (files && same && !spec.project.isEmpty())
            question.before << files->localFolder();
    }
    return question;
}

std::optional<CodeRecord> newestCode(const QStringList& localFolders)
{
    for (const QString& folder : localFolders) {
        CodeRecord code = keptCode(folder);
        if (code.files > 0)
            return code;
    }
    return std::nullopt;
}

Result<CodeChanges> readCodeChanges(const CodeQuestion& question)
{
    Result<Snapshot> snapshot = takeSnapshot(question.request);
    if (!snapshot.ok())
        return snapshot.error();
    CodeChanges changes;
    changes.snapshot = *std::move(snapshot);
    if (const std::optional<CodeRecord> before = newestCode(question.before))
        changes.difference = compareSnapshots(before->entries, changes.snapshot.entries);
    return changes;
}

} // namespace slipway
