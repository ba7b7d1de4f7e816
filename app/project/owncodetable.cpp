// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/owncodetable.h"

#include "app/catalogue/jsonfields.h"
#include "remote/base/tr.h"

#include <QFile>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 largestOwnCodeTable = 1024 * 1024;

CodeImage readCodeImage(JsonFields& fields)
{
    CodeImage image;
    image.id = fields.text("id", true);
    image.name = fields.text("name", true);
    image.image = fields.text("image", true);
    image.modules = fields.texts("modules");
    image.languages = fields.texts("languages");
    image.brings = fields.textMap("brings");
    image.python = fields.text("python");
    image.lacks = fields.texts("lacks");
    image.takesGpu = fields.flag("takes_gpu");
    if (!image.image.contains(u"://"))
        fields.report("image", tr("expected docker://…, or another address of a registry."));
    if (image.modules.isEmpty() && image.languages.isEmpty())
        fields.report("modules", tr("missing; expected modules or languages."));
    return image;
}

} // namespace

const CodeImage* OwnCodeTable::forLanguage(const QString& language) const
{
    const auto it = std::find_if(images.begin(), images.end(),
        [&language](const CodeImage& one) { return one.languages.contains(language); });
    return it == images.end() ? nullptr : &*it;
}

Result<OwnCodeTable> parseOwnCodeTable(const QByteArray& json, const QString& file)
{
    Result<JsonFile> parsed = JsonFile::parse(json, file);
    if (!parsed.ok())
        return parsed.error();
    OwnCodeTable table;
    JsonFields fields(&*parsed, parsed->root(), {});
    fields.text("$schema");
    fields.objects("images", [&](JsonFields& one) { table.images.push_back(readCodeImage(one)); });
    fields.objects("secrets", [&](JsonFields& one) {
        table.secrets.push_back(
            {one.text("variable", true), one.texts("modules"), one.text("why", true)});
    });
    table.packageOf = fields.textMap("package_of");
    table.standardModules = fields.texts("standard_modules");
    table.gpuModules = fields.texts("gpu_modules");
    fields.finish();
    if (!parsed->clean())
        return parsed->error();
    return table;
}

Result<OwnCodeTable> loadOwnCodeTable(const QString& resourcesFolder)
{
    QFile file(resourcesFolder + QStringLiteral("/own-code.json"));
    if (!file.open(QIODevice::ReadOnly))
        return Error{
            ErrorKind::Io, tr("%1 cannot be read: %2.").arg(file.fileName(), file.errorString())};
    return parseOwnCodeTable(file.read(largestOwnCodeTable + 1), file.fileName());
}

} // namespace slipway
