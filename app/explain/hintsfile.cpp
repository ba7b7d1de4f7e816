// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/jsonfields.h"
#include "app/explain/hints.h"
#include "remote/base/tr.h"

#include <QFile>
#include <QSet>

namespace slipway {

namespace {

constexpr qint64 largestHintsFile = 1024 * 1024;
using Tables = QMap<QString, QMap<QString, HintRow>>;

void requireAnchors(JsonFields& fields, const char* key, const QStringList& texts)
{
    for (const QString& text : texts)
        if (text.size() < qsizetype(AnchorScan::shortest))
            fields.report(key,
                tr("“%1” is too short to search for; at least %2 characters are required.")
                    .arg(text)
                    .arg(AnchorScan::shortest));
}

int readWhere(JsonFields& fields)
{
    const QMap<QString, int> words{{QStringLiteral("log"), HintMatch::Log},
        {QStringLiteral("submit"), HintMatch::Submit},
        {QStringLiteral("reason"), HintMatch::Reason}, {QStringLiteral("state"), HintMatch::State},
        {QStringLiteral("event"), HintMatch::Event}, {QStringLiteral("exit"), HintMatch::Exit}};
    int where = 0;
    for (const QString& word : fields.texts("where")) {
        if (!words.contains(word))
            fields.report("where",
                tr("“%1” is not known; expected one of: %2.").arg(word, words.keys().join(u", ")));
        where |= words.value(word);
    }
    return where == 0 ? int(HintMatch::Log) : where;
}

HintMatch readMatch(JsonFields& fields)
{
    HintMatch match;
    match.where = readWhere(fields);
    match.text = fields.text("text");
    match.anchors = fields.texts("anchors");
    match.times = std::max(1, fields.count("times", 1));
    match.after = fields.texts("after");
    match.within = std::max(1, fields.count("within", 1));
    match.also = fields.texts("also");
    match.unless = fields.texts("unless");
    if (const QString pattern = fields.text("regex"); !pattern.isEmpty()) {
        match.regex = QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption);
        if (!match.regex->isValid())
            fields.report("regex", match.regex->errorString());
        match.regex->optimize();
    }
    if (match.text.isEmpty() == !match.regex)
        fields.report("text", tr("expected either a text or a regex."));
    const bool inText = match.where & (HintMatch::Log | HintMatch::Submit);
    if (inText && match.regex && match.after.isEmpty() && match.anchors.isEmpty())
        fields.report(
            "anchors", tr("missing; a regex needs a text that occurs in every line it matches."));
    if (inText && !match.regex && match.after.isEmpty())
        requireAnchors(fields, "text", {match.text});
    for (const auto& [key, texts] :
        {std::pair("anchors", match.anchors), std::pair("after", match.after),
            std::pair("also", match.also), std::pair("unless", match.unless)})
        requireAnchors(fields, key, texts);
    return match;
}

FieldChange readChange(JsonFields& fix)
{
    FieldChange change;
    change.field = fix.text("field", true);
    change.value = fix.text("value");
    const QString name = fix.text("change", true);
    if (const auto kind = changeOf(name))
        change.kind = *kind;
    else
        fix.report("change",
            tr("“%1” is not known; expected one of: double, set, add, choose, append, halve.")
                .arg(name));
    return change;
}

/// The tables that hints refer to: what a number or a word of a message stands for.
Tables readTables(JsonFields& fields)
{
    Tables tables;
    fields.objects("tables", [&tables](JsonFields& table) {
        QMap<QString, HintRow>& rows = tables[table.text("id", true)];
        table.objects("rows", [&rows](JsonFields& one) {
            HintRow row{
                one.text("title", true), one.text("cause", true), one.text("remedy", true), {}};
            one.object("fix", [&row](JsonFields& fix) { row.change = readChange(fix); });
            for (const QString& name : one.texts("names"))
                rows.insert(name.toLower(), row);
        });
    });
    return tables;
}

Explanation::Certainty readCertainty(JsonFields& fields)
{
    return fields.word("certainty", Explanation::Certainty::Sure,
        {{"sure", Explanation::Certainty::Sure}, {"likely", Explanation::Certainty::Likely},
            {"possible", Explanation::Certainty::Possible}});
}

void readConditions(JsonFields& fields, Hint& hint)
{
    for (const QString& condition : fields.texts("when")) {
        const QString fact = condition.section(u'=', 0, 0);
        if (fact.isEmpty() || !condition.contains(u'='))
            fields.report("when", tr("“%1” is not of the form fact=value.").arg(condition));
        hint.when[fact].append(condition.section(u'=', 1));
    }
}

Hint readHint(JsonFields& fields, const Tables& tables)
{
    Hint hint;
    hint.id = fields.text("id", true);
    hint.name = fields.text("name");
    hint.title = fields.text("title", true);
    hint.namedTitle = fields.text("named_title");
    hint.cause = fields.text("cause", true);
    hint.remedy = fields.text("remedy", true);
    hint.severity = fields.word("severity", Explanation::Severity::Fault,
        {{"fault", Explanation::Severity::Fault}, {"note", Explanation::Severity::Note}});
    hint.certainty = readCertainty(fields);
    hint.weak = fields.flag("weak");
    hint.general = fields.flag("general");
    hint.gpu = fields.flag("gpu");
    hint.consequence = fields.flag("consequence");
    hint.onlyAfterFailure = fields.flag("only_after_failure");
    hint.endsWell = fields.flag("ends_well");
    hint.yieldsTo = fields.texts("yields_to");
    hint.remedies = fields.textMap("remedies");
    hint.facts = fields.textMap("facts");
    fields.objects("details", [&hint](JsonFields& detail) {
        hint.details.push_back({QRegularExpression(detail.text("regex", true),
                                    QRegularExpression::CaseInsensitiveOption),
            detail.text("text", true)});
        if (!hint.details.back().regex.isValid())
            detail.report("regex", hint.details.back().regex.errorString());
    });
    hint.shown = fields.texts("shows");
    readConditions(fields, hint);
    if (const QString table = fields.text("table"); !table.isEmpty()) {
        if (!tables.contains(table))
            fields.report("table", tr("there is no table “%1”.").arg(table));
        hint.rows = tables.value(table);
    }
    fields.object("fix", [&hint](JsonFields& fix) { hint.change = readChange(fix); });
    fields.objects(
        "or_fix", [&hint](JsonFields& fix) { hint.alternatives.push_back(readChange(fix)); });
    fields.objects(
        "match", [&hint](JsonFields& match) { hint.matches.push_back(readMatch(match)); });
    if (hint.matches.empty())
        fields.report("match", tr("missing; expected at least one text or regex."));
    return hint;
}

} // namespace

Result<std::vector<Hint>> parseHints(const QByteArray& bytes, const QString& name)
{
    Result<JsonFile> file = JsonFile::parse(bytes, name);
    if (!file.ok())
        return file.error();
    JsonFields fields(&*file, file->root(), {});
    std::vector<Hint> hints;
    fields.text("$schema");
    const Tables tables = readTables(fields);
    fields.objects("hints", [&](JsonFields& hint) { hints.push_back(readHint(hint, tables)); });
    fields.finish();
    if (!file->clean())
        return file->error();
    return hints;
}

std::shared_ptr<const HintBook> loadHints(
    const QString& builtInFolder, const QString& ownFolder, std::vector<Error>* errors)
{
    std::vector<Hint> all;
    for (const QString& folder : {ownFolder, builtInFolder}) {
        QFile file(folder + QStringLiteral("/hints.json"));
        if (folder.isEmpty() || !file.exists())
            continue;
        if (!file.open(QIODevice::ReadOnly)) {
            errors->push_back({ErrorKind::Io,
                tr("%1 cannot be read: %2.").arg(file.fileName(), file.errorString())});
            continue;
        }
        const auto hints = parseHints(file.read(largestHintsFile + 1), file.fileName());
        if (!hints.ok()) {
            errors->push_back(hints.error());
            continue;
        }
        all.insert(all.end(), hints->begin(), hints->end());
    }
    return std::make_shared<HintBook>(std::move(all));
}

} // namespace slipway
