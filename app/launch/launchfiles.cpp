// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/plan.h"

#include <QDir>
#include <QFile>

namespace slipway {

namespace {

constexpr qint64 largestPayload = 16 * 1024 * 1024; // data belongs on the cluster, not in a recipe

Result<QByteArray> contentOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::Io, QStringLiteral("%1 cannot be read: %2.").arg(path, file.errorString())};
    if (file.size() > largestPayload)
        return Error{ErrorKind::Invalid, QStringLiteral("%1 is larger than 16 MiB.").arg(path),
            QStringLiteral("Put data on the cluster and give the recipe its path.")};
    return file.readAll();
}

} // namespace

Result<std::vector<LaunchFile>> launchFiles(const Plan& plan)
{
    std::vector<LaunchFile> files;
    const Result<QByteArray> helper = contentOf(QStringLiteral(":/slipway/job/slipway.sh"));
    if (!helper.ok())
        return helper.error();
    files.push_back({QStringLiteral("slipway.sh"), *helper});
    for (const QString& name : plan.recipe.files) {
        const Result<QByteArray> content = contentOf(QDir(plan.recipe.folder).filePath(name));
        if (!content.ok())
            return content.error();
        files.push_back({name, *content});
    }
    if (plan.spec.mode == LaunchMode::Batch) {
        files.push_back({QStringLiteral("job.sh"), renderScript(plan), 0700});
        return files;
    }
    files.push_back({QStringLiteral("env.sh"), renderEnvironment(plan)});
    for (const StepScript& step : renderStepScripts(plan))
        files.push_back({step.name, step.bytes, 0700});
    return files;
}

} // namespace slipway
