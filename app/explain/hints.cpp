// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/hints.h"

#include "app/catalogue/jsonfields.h"
#include "remote/base/tr.h"

#include <QFile>

#include <array>

namespace slipway {

namespace {

constexpr std::array changeNames{"double", "set", "add", "choose", "append"};
constexpr qint64 largestHintsFile = 1024 * 1024;

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
        {QStringLiteral("event"), HintMatch::Event}};
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

Hint readHint(JsonFields& fields)
{
    Hint hint;
    hint.id = fields.text("id", true);
    hint.title = fields.text("title", true);
    hint.namedTitle = fields.text("named_title");
    hint.cause = fields.text("cause", true);
    hint.remedy = fields.text("remedy", true);
    hint.severity = fields.word("severity", Explanation::Severity::Fault,
        {{"fault", Explanation::Severity::Fault}, {"note", Explanation::Severity::Note}});
    hint.weak = fields.flag("weak");
    hint.gpu = fields.flag("gpu");
    hint.onlyAfterFailure = fields.flag("only_after_failure");
    hint.endsWell = fields.flag("ends_well");
    hint.yieldsTo = fields.texts("yields_to");
    hint.remedies = fields.textMap("remedies");
    hint.facts = fields.textMap("facts");
    fields.object("fix", [&hint](JsonFields& fix) {
        FieldChange change;
        change.field = fix.text("field", true);
        change.value = fix.text("value");
        const QString name = fix.text("change", true);
        if (const auto kind = changeOf(name))
            change.kind = *kind;
        else
            fix.report("change",
                tr("“%1” is not known; expected one of: double, set, add, choose, append.")
                    .arg(name));
        hint.change = change;
    });
    fields.objects(
        "match", [&hint](JsonFields& match) { hint.matches.push_back(readMatch(match)); });
    if (hint.matches.empty())
        fields.report("match", tr("missing; expected at least one text or regex."));
    return hint;
}

} // namespace

QString changeName(FieldChange::Kind kind)
{
    return QString::fromLatin1(changeNames[size_t(kind)]);
}

std::optional<FieldChange::Kind> changeOf(const QString& name)
{
    for (size_t i = 0; i < changeNames.size(); ++i)
        if (name == QLatin1String(changeNames[i]))
            return FieldChange::Kind(i);
    return {};
}

QString severityName(Explanation::Severity severity)
{
    return severity == Explanation::Severity::Note ? QStringLiteral("note")
                                                   : QStringLiteral("fault");
}

HintBook::HintBook(std::vector<Hint> hints)
    : m_hints(std::move(hints))
{
    for (size_t h = 0; h < m_hints.size(); ++h) {
        for (const HintMatch& match : m_hints[h].matches) {
            const int number = int(m_matches.size());
            m_matches.push_back({int(h), &match});
            if (!(match.where & (HintMatch::Log | HintMatch::Submit)))
                continue;
            if (match.after.isEmpty())
                addAnchors(
                    match.regex ? match.anchors : QStringList{match.text}, Role::Main, number);
            addAnchors(match.after, Role::After, number);
            addAnchors(match.also, Role::Also, number);
            addAnchors(match.unless, Role::Unless, number);
        }
    }
    m_scan = AnchorScan(m_anchors);
}

void HintBook::addAnchors(const QStringList& texts, Role::Kind kind, int match)
{
    for (const QString& text : texts) {
        m_anchors.push_back(text.toStdString());
        m_roles.push_back({kind, match});
    }
}

FieldChange filledIn(
    const FieldChange& change, const QString& evidence, const QMap<QString, QString>& facts)
{
    static const QRegularExpression placeholder(QStringLiteral("\\{([a-z_]+)\\}"));
    static const QRegularExpression path(QStringLiteral("(?<![\\w/])(/[\\w.+-][\\w.+/-]*)"));
    FieldChange filled = change;
    for (auto match = placeholder.match(filled.value); match.hasMatch();
         match = placeholder.match(filled.value)) {
        QString value = facts.value(match.captured(1));
        if (match.captured(1) == u"folder") {
            const QString named = path.match(evidence).captured(1);
            const QString folder = named.left(named.lastIndexOf(u'/'));
            value = folder.isEmpty() ? named : folder; // of /data itself
        }
        if (value.isEmpty() || value.contains(u'{'))
            return {change.field, FieldChange::Kind::Choose, {}};
        filled.value.replace(match.captured(0), value);
    }
    return filled;
}

Result<std::vector<Hint>> parseHints(const QByteArray& bytes, const QString& name)
{
    Result<JsonFile> file = JsonFile::parse(bytes, name);
    if (!file.ok())
        return file.error();
    JsonFields fields(&*file, file->root(), {});
    std::vector<Hint> hints;
    fields.text("$schema");
    fields.objects("hints", [&hints](JsonFields& hint) { hints.push_back(readHint(hint)); });
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
