// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/definitiontemplates.h"

#include "app/catalogue/jsonfields.h"
#include "app/catalogue/names.h"
#include "app/catalogue/resourcefiles.h"
#include "app/catalogue/resourceloader.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

DefinitionTemplate readTemplate(JsonFields& fields)
{
    DefinitionTemplate one;
    one.file = fields.text("file", true);
    one.title = fields.text("title", true);
    one.purpose = fields.text("purpose", true);
    one.source = fields.text("source", true);
    one.sources = fields.texts("sources");
    if (!isInnerPath(one.file) || one.file.contains(u'/') || !one.file.endsWith(u".def"))
        fields.report("file", tr("expected the name of a file beside the index: nbody.def."));
    return one;
}

} // namespace

QString DefinitionTemplate::name() const
{
    return file.left(file.lastIndexOf(u'.'));
}

Result<std::vector<DefinitionTemplate>> loadDefinitionTemplates(const QString& resources)
{
    const QString folder = (resources.isEmpty() ? resourceFolder() : resources) + u"/definitions/";
    const QString index = folder + QStringLiteral("index.json");
    const Result<QByteArray> bytes = resourceContent(index);
    if (!bytes.ok())
        return bytes.error();
    Result<JsonFile> parsed = JsonFile::parse(*bytes, index);
    if (!parsed.ok())
        return parsed.error();
    std::vector<DefinitionTemplate> templates;
    JsonFields fields(&*parsed, parsed->root(), {});
    fields.text("$schema");
    fields.objects(
        "definitions", [&templates](JsonFields& one) { templates.push_back(readTemplate(one)); });
    fields.finish();
    if (!parsed->clean())
        return parsed->error();
    for (DefinitionTemplate& one : templates) {
        const Result<QByteArray> text = resourceContent(folder + one.file);
        if (!text.ok())
            return text.error();
        one.text = QString::fromUtf8(*text);
    }
    return templates;
}

} // namespace slipway
