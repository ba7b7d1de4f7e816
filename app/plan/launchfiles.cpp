// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/plan.h"

#include "remote/base/tr.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>

namespace slipway {

namespace {

constexpr qint64 largestPayload = 16 * 1024 * 1024; // data belongs on the cluster, not in a recipe

Result<QByteArray> payloadContent(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::Io, tr("%1 cannot be read: %2.").arg(path, file.errorString())};
    if (file.size() > largestPayload)
        return Error{ErrorKind::Invalid, tr("%1 is larger than 16 MiB.").arg(path),
            tr("Put data on the cluster and give the recipe its path.")};
    return file.readAll();
}

/// A template with the values of the plan's fields. For an image, {{key.bootstrap}} and
/// {{key.from}} are the values for the header of a definition file.
QByteArray filledTemplate(const QByteArray& content, const Plan& plan)
{
    QString text = QString::fromUtf8(content);
    for (auto it = plan.values.begin(); it != plan.values.end(); ++it) {
        text.replace(u"{{" + it.key() + u"}}", it.value());
        const Result<ImageReference> image = ImageReference::parse(it.value().trimmed());
        if (!image.ok())
            continue;
        QString from = image->text();
        if (!image->isFile())
            from = from.section(QStringLiteral("://"), 1);
        text.replace(u"{{" + it.key() + u".bootstrap}}",
            image->isFile() ? QStringLiteral("localimage") : image->scheme);
        text.replace(u"{{" + it.key() + u".from}}", from);
    }
    return text.toUtf8();
}

/// slipway.sh with the checksums of the other files in its folder, as sha256sum --check reads them.
LaunchFile helperFor(QByteArray helper, const std::vector<LaunchFile>& others)
{
    QByteArray sums;
    for (const LaunchFile& file : others)
        sums += sumOf(file.bytes) + "  " + file.name.toUtf8() + '\n';
    helper.replace("{sums}", sums.trimmed());
    return {QStringLiteral("slipway.sh"), helper};
}

/// A script that sources `file`, with that file's checksum.
QByteArray comparing(QByteArray script, const LaunchFile& file)
{
    return script.replace(sumPlaceholder(file.name).toUtf8(), sumOf(file.bytes));
}

} // namespace

QByteArray sumOf(const QByteArray& bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

Result<std::vector<LaunchFile>> launchFiles(const Plan& plan)
{
    std::vector<LaunchFile> files;
    for (const QString& name : plan.recipe.files) {
        const Result<QByteArray> content = payloadContent(QDir(plan.recipe.folder).filePath(name));
        if (!content.ok())
            return content.error();
        files.push_back({name, *content});
    }
    for (const QString& name : plan.recipe.templates) {
        const Result<QByteArray> content = payloadContent(QDir(plan.recipe.folder).filePath(name));
        if (!content.ok())
            return content.error();
        files.push_back({name, filledTemplate(*content, plan)});
    }
    const Result<QByteArray> content = payloadContent(QStringLiteral(":/slipway/job/slipway.sh"));
    if (!content.ok())
        return content.error();
    const LaunchFile helper = helperFor(*content, files);
    files.insert(files.begin(), helper);
    if (plan.spec.mode == LaunchMode::Batch) {
        files.push_back({QStringLiteral("job.sh"), comparing(renderScript(plan), helper), 0700});
        return files;
    }
    const LaunchFile environment{
        QStringLiteral("env.sh"), comparing(renderEnvironment(plan), helper)};
    files.push_back(environment);
    for (const StepScript& step : renderStepScripts(plan))
        files.push_back({step.name, comparing(step.bytes, environment), 0700});
    if (const auto keeper = renderOverlayKeeper(plan))
        files.push_back({keeper->name, keeper->bytes, 0700});
    return files;
}

} // namespace slipway
