// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/imageconvert.h"

#include "app/cli/image.h"
#include "app/project/definitionkeeper.h"
#include "remote/base/tr.h"

#include <QFile>
#include <QJsonArray>
#include <QSaveFile>

#include <unistd.h>

namespace slipway {

namespace {

constexpr qint64 mostRead = 1024 * 1024 + 1; ///< one more than a Dockerfile may have

/// Conversion asks which sources of COPY are folders: those beside the Dockerfile.
ConversionRequest requestFor(const QString& name)
{
    ConversionRequest request;
    if (name != u"-")
        request.isFolder = folderLookup(name);
    return request;
}

Result<QByteArray> readAll(const QString& name)
{
    QFile file(name);
    const bool opened = name == u"-" ? file.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered)
                                     : file.open(QIODevice::ReadOnly);
    if (!opened)
        return Error{ErrorKind::Io, tr("%1 cannot be read: %2.").arg(name, file.errorString()),
            tr("Check the path.")};
    QByteArray bytes;
    while (bytes.size() < mostRead) {
        const QByteArray some = file.read(mostRead - bytes.size());
        if (some.isEmpty())
            break;
        bytes += some;
    }
    return bytes;
}

/// A pipe gets it as it is; a terminal nothing that it would take for a command.
void printDefinition(Context& context, QString definition)
{
    if (!isatty(STDOUT_FILENO))
        return context.out.raw(definition.toUtf8());
    if (definition.endsWith(u'\n'))
        definition.chop(1);
    for (const QString& line : definition.split(u'\n'))
        context.out.line(terminalText(line));
}

} // namespace

Result<Conversion> convertDockerfileAt(const QString& name)
{
    const Result<QByteArray> text = readAll(name);
    if (!text.ok())
        return text.error();
    return convertDockerfile(*text, requestFor(name));
}

Result<void> writeDefinition(const QString& path, const QByteArray& text, bool mayReplace)
{
    QFile former(path);
    if (!mayReplace && former.exists()) {
        if (!former.open(QIODevice::ReadOnly) || former.read(text.size() + 1) != text)
            return Error{ErrorKind::Refused, tr("%1 exists and has other content.").arg(path),
                tr("Choose another file, or replace it with --yes.")};
        return {};
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return Error{ErrorKind::Io, tr("%1 cannot be written: %2.").arg(path, file.errorString()),
            tr("Choose another file.")};
    return {};
}

void printConversion(Context& context, const Conversion& conversion)
{
    QJsonArray remarks;
    for (const ConversionRemark& remark : conversion.remarks)
        remarks.append(QJsonObject{{QStringLiteral("line"), remark.line},
            {QStringLiteral("instruction"), remark.instruction},
            {QStringLiteral("sentence"), remark.sentence},
            {QStringLiteral("lost"), remark.severity == RemarkSeverity::Lost}});
    context.out.object({{QStringLiteral("definition"), conversion.definition},
        {QStringLiteral("remarks"), remarks}});
}

void printRemarks(Context& context, const Conversion& conversion)
{
    for (const ConversionRemark& remark : conversion.remarks) {
        const QString form = remark.severity == RemarkSeverity::Lost
            ? tr("line %1, %2, not converted: %3")
            : tr("line %1, %2: %3");
        context.out.note(form.arg(remark.line).arg(remark.instruction, remark.sentence));
    }
}

QCoro::Task<ExitCode> convertImage(Context& context)
{
    if (context.arguments.positional.size() != 1)
        co_return context.misused(tr("“image convert” takes one Dockerfile."));
    const QString name = dockerfileOf(context.arguments.positional.value(0));
    const Result<Conversion> conversion = convertDockerfileAt(name);
    if (!conversion.ok())
        co_return context.fail(conversion.error());
    const QByteArray definition = conversion->definition.toUtf8();
    if (context.arguments.has("--output")) {
        const Result<void> written = writeDefinition(
            context.arguments.value("--output"), definition, context.arguments.has("--yes"));
        if (!written.ok())
            co_return context.fail(written.error());
    }
    if (context.out.json) {
        printConversion(context, *conversion);
    } else {
        if (!context.arguments.has("--output"))
            printDefinition(context, conversion->definition);
        printRemarks(context, *conversion);
    }
    co_return conversion->hasLosses() ? ExitCode::Failed : ExitCode::Done;
}

} // namespace slipway
