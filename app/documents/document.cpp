// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/documents/document.h"

#include "app/catalogue/jsonfields.h"
#include "app/catalogue/names.h"
#include "remote/base/tr.h"

#include <QSet>

namespace slipway {

namespace {

using RowKind = DocumentRow::Kind;
using RowHow = DocumentRow::How;

constexpr std::pair<const char*, RowKind> rowKinds[] = {{"command", RowKind::Command},
    {"script", RowKind::Script}, {"setting", RowKind::Setting}, {"number", RowKind::Number},
    {"output", RowKind::Output}, {"exercise", RowKind::Exercise}, {"advice", RowKind::Advice},
    {"fact", RowKind::Fact}};

ScriptCheck readScriptCheck(JsonFields& fields)
{
    ScriptCheck check;
    check.recipe = fields.text("recipe", true);
    check.site = fields.text("site", true);
    for (const QString& name : fields.texts("runtimes")) {
        if (const std::optional<RuntimeKind> runtime = runtimeNamed(name))
            check.runtimes.push_back(*runtime);
        else
            fields.report("runtimes", tr("“%1” is not a container runtime.").arg(name));
    }
    check.interactive = fields.flag("interactive");
    check.values = fields.textMap("values");
    check.lines = fields.texts("lines");
    check.without = fields.texts("without");
    check.fields = fields.textMap("fields");
    fields.object("problem", [&check](JsonFields& problem) {
        check.problemField = problem.text("field");
        check.problemText = problem.text("says", true);
    });
    check.clean = fields.flag("clean");
    if (check.lines.isEmpty() && check.without.isEmpty() && check.fields.isEmpty()
        && check.problemText.isEmpty() && !check.clean)
        fields.report("lines", tr("nothing is expected of the script."));
    return check;
}

FileCheck readFileCheck(JsonFields& fields)
{
    FileCheck check{fields.text("recipe", true), fields.text("file", true), fields.texts("lines"),
        fields.texts("without")};
    if (check.lines.isEmpty() && check.without.isEmpty())
        fields.report("lines", tr("nothing is expected of the file."));
    return check;
}

SiteCheck readSiteCheck(JsonFields& fields)
{
    SiteCheck check{fields.text("site", true), fields.textMap("facts")};
    if (check.facts.isEmpty())
        fields.report("facts", tr("nothing is expected of the site."));
    return check;
}

OutputCheck readOutputCheck(JsonFields& fields)
{
    OutputCheck check;
    check.log = fields.texts("log");
    check.recipe = fields.text("recipe");
    check.events = fields.texts("events");
    fields.object("series", [&check](JsonFields& series) {
        for (const QString& name : series.keys())
            check.series[name] = series.numbers(name.toUtf8().constData());
    });
    if (check.series.empty() && check.events.isEmpty())
        fields.report("series", tr("nothing is expected to be read."));
    return check;
}

ReferenceCheck readReferenceCheck(JsonFields& fields)
{
    ReferenceCheck check{
        fields.text("recipe"), fields.text("reference", true), fields.numberRows("points", 2)};
    if (check.points.empty())
        fields.report("points", tr("no point is expected."));
    return check;
}

TeachingCheck readTeachingCheck(JsonFields& fields, bool exercise)
{
    return {fields.text("recipe", true), fields.text(exercise ? "exercise" : "teaches", true),
        exercise};
}

DocumentCheck readCheck(JsonFields& fields)
{
    if (fields.has("file"))
        return readFileCheck(fields);
    if (fields.has("hint"))
        return HintCheck{fields.texts("log"), fields.text("hint", true), fields.text("runtime")};
    if (fields.has("log"))
        return readOutputCheck(fields);
    if (fields.has("facts"))
        return readSiteCheck(fields);
    if (fields.has("reference"))
        return readReferenceCheck(fields);
    if (fields.has("teaches") || fields.has("exercise"))
        return readTeachingCheck(fields, fields.has("exercise"));
    return readScriptCheck(fields);
}

/// A row without an explanation must have a check.
void readHow(JsonFields& fields, DocumentRow* row)
{
    const QString differs = fields.text("differs"), absent = fields.text("absent");
    if (!differs.isEmpty() && !absent.isEmpty())
        fields.report("absent", tr("expected one of differs and absent."));
    row->how = !absent.isEmpty() ? RowHow::Absent
        : !differs.isEmpty()     ? RowHow::Differs
                                 : RowHow::Exact;
    row->why = differs + absent;
    fields.objects("checks", [row](JsonFields& check) { row->checks.push_back(readCheck(check)); });
    if (row->checks.empty() && row->how != RowHow::Absent)
        fields.report("checks", tr("no check covers “%1”, and no reason is given.").arg(row->id));
}

DocumentRow readRow(JsonFields& fields)
{
    DocumentRow row;
    row.id = fields.text("id", true);
    if (!isIdentifier(row.id))
        fields.report("id", tr("expected a word of a-z, 0-9 and -."));
    row.place = fields.text("place", true);
    row.what = fields.text("what", true);
    const QString kind = fields.text("kind", true);
    bool known = false;
    for (const auto& [name, value] : rowKinds) {
        if (kind == QLatin1String(name)) {
            row.kind = value;
            known = true;
        }
    }
    if (!known)
        fields.report("kind", tr("“%1” is not a kind of row.").arg(kind));
    row.workflow = fields.text("workflow");
    readHow(fields, &row);
    return row;
}

QString placeOf(const ScriptCheck& check)
{
    return tr("%1 at %2").arg(check.recipe, check.site);
}
QString placeOf(const FileCheck& check)
{
    return check.recipe + u'/' + check.file;
}
QString placeOf(const SiteCheck& check)
{
    return tr("site %1").arg(check.site);
}
QString placeOf(const OutputCheck& check)
{
    return check.recipe.isEmpty() ? tr("recognisers") : check.recipe;
}
QString placeOf(const ReferenceCheck& check)
{
    return check.recipe.isEmpty() ? tr("references") : check.recipe;
}
QString placeOf(const HintCheck& check)
{
    return tr("hint %1").arg(check.hint);
}
QString placeOf(const TeachingCheck& check)
{
    return check.recipe;
}

} // namespace

QString rowKindName(DocumentRow::Kind kind)
{
    for (const auto& [name, value] : rowKinds) {
        if (value == kind)
            return QLatin1String(name);
    }
    return {};
}

QString rowHowName(DocumentRow::How how)
{
    switch (how) {
    case RowHow::Exact:
        return QStringLiteral("exact");
    case RowHow::Differs:
        return QStringLiteral("differs");
    case RowHow::Absent:
        break;
    }
    return QStringLiteral("absent");
}

QStringList rowPlaces(const DocumentRow& row)
{
    QStringList places;
    for (const DocumentCheck& check : row.checks)
        places << std::visit([](const auto& one) { return placeOf(one); }, check);
    places.removeDuplicates();
    return places;
}

Result<Document> parseDocument(const QByteArray& json, const QString& file)
{
    Result<JsonFile> parsed = JsonFile::parse(json, file);
    if (!parsed.ok())
        return parsed.error();
    JsonFields fields(&*parsed, parsed->root(), {});
    Document document;
    document.id = fields.text("id", true);
    if (!isIdentifier(document.id))
        fields.report("id", tr("expected a word of a-z, 0-9 and -."));
    document.title = fields.text("title", true);
    QSet<QString> workflows, ids;
    fields.objects("workflows", [&](JsonFields& workflow) {
        document.workflows.push_back(
            {workflow.text("id", true), workflow.text("title", true), document.title});
        workflows.insert(document.workflows.back().id);
    });
    fields.objects("rows", [&](JsonFields& row) {
        document.rows.push_back(readRow(row));
        const DocumentRow& last = document.rows.back();
        if (ids.contains(last.id))
            row.report("id", tr("“%1” is given twice.").arg(last.id));
        if (!last.workflow.isEmpty() && !workflows.contains(last.workflow))
            row.report(
                "workflow", tr("“%1” is not a workflow of this document.").arg(last.workflow));
        ids.insert(last.id);
    });
    fields.finish();
    if (!parsed->clean())
        return parsed->error();
    return document;
}

} // namespace slipway
