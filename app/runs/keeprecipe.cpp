// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/keeprecipe.h"

#include "app/catalogue/fields.h"
#include "app/catalogue/names.h"
#include "app/catalogue/recipefile.h"
#include "plots/metrics/chartspec.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestRecipeId = 40, longestRecipeTitle = 80, longestRecipeSummary = 160;

/// One line without control and invisible characters.
QString plainLine(const QString& text, qsizetype longest)
{
    QString line = text;
    for (QChar& c : line) {
        if ((!c.isPrint() && !c.isSurrogate()) || c.category() == QChar::Other_Format)
            c = u' ';
    }
    return line.simplified().left(longest).trimmed();
}

/// Whether a value seems to contain a password or token itself. A variable that holds one is fine.
bool looksSecret(const QString& value)
{
    static const QRegularExpression assigned(
        QStringLiteral(R"((?i)(?:(?:\b|_)(?:%1)["']?\s*[=:]|--(?:[a-z0-9]+-)*(?:%1)\s)\s*)"
                       R"(["']?(?![\s"'$-])\S{6,})")
            .arg(QStringLiteral("token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key|"
                                "credentials?")));
    static const QRegularExpression known(QStringLiteral(
        R"(\b(?:hf_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})"
        R"(|nvapi-[\w-]{16,}|sk-[\w-]{20,}|AKIA[0-9A-Z]{16}|xox[abpr]-[\w-]{10,})\b)"
        R"(|://[^/\s:@$]+:[^/\s@$]+@|-----BEGIN )"));
    return assigned.match(value).hasMatch() || known.match(value).hasMatch();
}

bool hasPath(const QString& value, const QString& folder)
{
    if (folder.size() < 2)
        return false;
    const QRegularExpression there(QRegularExpression::escape(QDir::cleanPath(folder))
        + QStringLiteral(R"((?:[/\s"':,;]|\z))"));
    return there.match(value).hasMatch();
}

/// Fields whose values name something of one cluster.
bool holdsAtOneSite(const QString& key)
{
    static const QStringList keys{QStringLiteral("account"), QStringLiteral("partition"),
        QStringLiteral("qos"), QStringLiteral("reservation"), QStringLiteral("constraint"),
        QStringLiteral("gpu_type"), QStringLiteral("cache"), QStringLiteral("runtime"),
        QStringLiteral("modules"), QStringLiteral("binds")};
    return keys.contains(key);
}

/// A path on the cluster: "/scratch/ada/x.sif".
bool isPathThere(const Parameter& field, const QString& value)
{
    using Type = Parameter::Type;
    if (field.type == Type::Folders)
        return true;
    const bool isPath = field.type == Type::Image || field.type == Type::Path;
    return isPath && isPathExpression(value.trimmed());
}

/// RecipeKeeper turns one launch and the JSON of its recipe into the JSON of another one. For one
/// use, on any thread.
class RecipeKeeper {
public:
    RecipeKeeper(const KeepRequest& request, QJsonObject root)
        : m_request(request)
        , m_root(std::move(root))
        , m_sites(m_root.value(u"site_values").toObject())
        , m_resources(m_root.value(u"resources").toObject())
    {
    }

    KeptRecipe keep()
    {
        nameIt();
        keepSiteValues();
        const auto& values = m_request.spec.values;
        for (auto it = values.begin(); it != values.end(); ++it)
            keepValue(it.key(), it.value());
        clearDoubles();
        for (const PatternSpec& pattern : m_request.taught)
            teach(pattern);
        put("resources", m_resources);
        put("site_values", m_sites);
        if (!m_request.spec.editedScript.isEmpty())
            m_leftOut << tr("The changes in the script itself are not kept.");
        return {QJsonDocument(m_root).toJson(), m_leftOut};
    }

private:
    void put(const char* key, const QJsonObject& object)
    {
        if (object.isEmpty())
            m_root.remove(QLatin1String(key));
        else
            m_root.insert(QLatin1String(key), object);
    }

    void nameIt()
    {
        // They are about the original: its place in the gallery, in the documents and in tests.
        for (const char* key : {"$schema", "order", "workflows", "demo"})
            m_root.remove(QLatin1String(key));
        m_root.insert(QStringLiteral("id"), m_request.id);
        m_root.insert(QStringLiteral("title"), plainLine(m_request.title, longestRecipeTitle));
        m_root.insert(QStringLiteral("group"), tr("Your own"));
        const QString summary = plainLine(m_request.summary, longestRecipeSummary);
        if (!summary.isEmpty())
            m_root.insert(QStringLiteral("summary"), summary);
        if (m_request.recipe.ownFolder && !m_request.spec.project.isEmpty())
            m_root.insert(QStringLiteral("code"), QStringLiteral("code"));
        else
            m_root.remove(QStringLiteral("code"));
    }

    /// What the site file says of the original it does not say of the new recipe.
    void keepSiteValues()
    {
        const auto ofSite = m_request.site.recipeValues.value(m_request.recipe.id);
        for (auto it = ofSite.begin(); it != ofSite.end(); ++it)
            setAtSite(it.key(), it.value());
    }

    void setAtSite(const QString& key, const QString& value)
    {
        QJsonObject here = m_sites.value(m_request.site.id).toObject();
        here.insert(key, value);
        m_sites.insert(m_request.site.id, here);
    }

    bool hasSiteValue(const QString& key) const
    {
        return m_sites.value(m_request.site.id).toObject().contains(key)
            || m_request.site.recipeValues.value(QStringLiteral("*")).contains(key);
    }

    void keepValue(const QString& key, const QString& value)
    {
        const auto& fields = m_request.recipe.parameters;
        const auto field = std::find_if(
            fields.begin(), fields.end(), [&key](const Parameter& one) { return one.key == key; });
        const bool isResource = resourceKeys().contains(key);
        if (field == fields.end() && !isResource)
            return;
        const QString label = field == fields.end() ? key : field->label;
        const bool atSite = holdsAtOneSite(key) || (!isResource && isPathThere(*field, value));
        if (looksSecret(value))
            return leave(tr("The value of “%1” looks like a password or token.").arg(label));
        if (hasPath(value, m_request.spec.project) || (!atSite && hasPath(value, m_request.home)))
            return leave(tr("The value of “%1” has a path of this computer.").arg(label));
        // There is one value at other sites and at this one, unless this one has its own.
        if (atSite || hasSiteValue(key))
            setAtSite(key, value);
        if (atSite)
            return;
        if (isResource)
            m_resources.insert(key, value);
        else
            setDefault(key, value);
    }

    void leave(const QString& why) { m_leftOut << tr("%1 It is not kept.").arg(why); }

    void setDefault(const QString& key, const QString& value)
    {
        QJsonArray parameters = m_root.value(u"parameters").toArray();
        for (qsizetype i = 0; i < parameters.size(); ++i) {
            QJsonObject one = parameters.at(i).toObject();
            if (one.value(u"key").toString() != key)
                continue;
            one.insert(QStringLiteral("value"), value);
            parameters.replace(i, one);
        }
        m_root.insert(QStringLiteral("parameters"), parameters);
    }

    /// Defaults of the original that would go before the values that were entered.
    void clearDoubles()
    {
        const auto& values = m_request.spec.values;
        QJsonObject byGpus = m_root.value(u"by_gpus").toObject();
        for (const QString& gpus : byGpus.keys()) {
            QJsonObject entry = byGpus.value(gpus).toObject();
            for (const QString& key : entry.keys()) {
                if (values.contains(key))
                    entry.remove(key);
            }
            if (entry.isEmpty())
                byGpus.remove(gpus);
            else
                byGpus.insert(gpus, entry);
        }
        put("by_gpus", byGpus);
        const QString each = QStringLiteral("memory_per_cpu"), node = QStringLiteral("memory");
        if (!values.value(node).trimmed().isEmpty() && !values.contains(each))
            m_resources.remove(each);
    }

    /// A pattern goes before those that are there, and a chart is added where none shows its
    /// series.
    void teach(const PatternSpec& pattern)
    {
        const QString patterns = QStringLiteral("patterns"), charts = QStringLiteral("charts");
        QJsonArray all = m_root.value(patterns).toArray();
        const QJsonObject object = patternToJson(pattern);
        if (!all.contains(object))
            all.prepend(object);
        m_root.insert(patterns, all);
        const auto& known = m_request.recipe.charts;
        QStringList names = QRegularExpression(pattern.match).namedCaptureGroups();
        names.removeAll(QString());
        for (const QString& series : std::as_const(names)) {
            const auto shows = [&series](const ChartSpec& one) { return chartShows(one, series); };
            if (series == pattern.x || series == pattern.lane
                || std::any_of(known.begin(), known.end(), shows))
                continue;
            QJsonArray list = m_root.value(charts).toArray();
            list.append(QJsonObject{{QStringLiteral("id"), series},
                {QStringLiteral("title"), series}, {QStringLiteral("series"), series},
                {QStringLiteral("x"), QJsonObject{{QStringLiteral("name"), pattern.x}}},
                {QStringLiteral("y"),
                    QJsonObject{{QStringLiteral("name"), series},
                        {QStringLiteral("unit"), pattern.units.value(series)}}}});
            m_root.insert(charts, list);
        }
    }

    const KeepRequest& m_request;
    QJsonObject m_root, m_sites, m_resources;
    QStringList m_leftOut;
};

} // namespace

KeepRequest keepRequest(const Plan& plan)
{
    KeepRequest request;
    request.title = plan.recipe.title;
    request.id = proposedRecipeId(request.title);
    request.spec = plan.spec;
    request.recipe = plan.recipe;
    request.site = plan.site;
    request.home = QDir::homePath();
    return request;
}

KeepRequest teachRequest(const Plan& plan, const PatternSpec& pattern)
{
    KeepRequest request = keepRequest(plan);
    if (plan.recipe.own) {
        request.id = plan.recipe.id;
        request.summary = plan.recipe.summary;
    }
    request.taught = {pattern};
    return request;
}

QString proposedRecipeId(const QString& title)
{
    static const QRegularExpression others(QStringLiteral("[^a-z0-9]+"));
    static const QRegularExpression ends(QStringLiteral("\\A-+|-+\\z"));
    QString id = title.normalized(QString::NormalizationForm_KD).toLower();
    id.remove(QRegularExpression(QStringLiteral("\\p{Mn}+"))); // an accent is no separator
    id.replace(others, QStringLiteral("-")).remove(ends);
    id = id.left(longestRecipeId).remove(ends);
    return isIdentifier(id) ? id : QStringLiteral("my-recipe");
}

Result<KeptRecipe> keptRecipe(const KeepRequest& request, const QByteArray& original)
{
    if (!isIdentifier(request.id) || request.id.size() > longestRecipeId)
        return Error{ErrorKind::Invalid, tr("“%1” is not an id.").arg(request.id.left(60)),
            tr("An id is a word of a-z, 0-9 and -, of at most %1 characters.")
                .arg(longestRecipeId)};
    if (plainLine(request.title, longestRecipeTitle).isEmpty())
        return Error{ErrorKind::Invalid, tr("A recipe needs a title.")};
    const QJsonDocument document = QJsonDocument::fromJson(original);
    if (!document.isObject())
        return Error{ErrorKind::Invalid,
            tr("The recipe of this launch, %1, cannot be read.").arg(request.spec.recipeId)};
    const KeptRecipe kept = RecipeKeeper(request, document.object()).keep();
    const Result<Recipe> readAgain = parseRecipe(kept.json, request.id);
    if (!readAgain.ok())
        return Error{ErrorKind::Invalid,
            tr("The values of this launch make no recipe: %1").arg(readAgain.error().summary),
            tr("Correct them in the form, and keep that.")};
    return kept;
}

} // namespace slipway
