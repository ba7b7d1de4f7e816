// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/documents/documentcheck.h"

#include "app/catalogue/fields.h"
#include "app/explain/explain.h"
#include "app/plan/makeplan.h"
#include "plots/metrics/pipeline.h"
#include "remote/base/tr.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

template <typename Thing> const Thing* byId(const std::vector<Thing>& things, const QString& id)
{
    const auto found =
        std::find_if(things.begin(), things.end(), [&](const Thing& one) { return one.id == id; });
    return found == things.end() ? nullptr : &*found;
}

Result<QByteArray> content(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::Io, tr("%1 cannot be read: %2.").arg(path, file.errorString())};
    return file.readAll();
}

/// The lines of a text: continued ones joined, runs of blanks one.
QStringList joinedLines(QString text)
{
    static const QRegularExpression continued(QStringLiteral(R"(\\\n#?\s*)"));
    text.replace(continued, QStringLiteral(" "));
    QStringList lines;
    for (const QString& line : text.split(u'\n'))
        lines << line.simplified();
    return lines;
}

/// Whether the parts of `wanted` (between " … ") occur in one line, in this order.
bool stands(const QString& wanted, const QStringList& lines)
{
    const QStringList parts = wanted.simplified().split(QStringLiteral(" … "));
    return std::any_of(lines.begin(), lines.end(), [&](const QString& line) {
        qsizetype from = 0;
        for (const QString& part : parts) {
            const qsizetype at = line.indexOf(part, from);
            if (at < 0)
                return false;
            from = at + part.size();
        }
        return true;
    });
}

/// RowCheck runs the checks of a row. A value that lives as long as one check.
class RowCheck {
public:
    explicit RowCheck(const CheckGround& ground)
        : m_resources(ground.resources)
        , m_hints(ground.hints)
        , m_references(ground.references)
    {
    }

    void operator()(const ScriptCheck& check)
    {
        const Recipe* recipe = recipeOf(check.recipe);
        const Site* site = siteOf(check.site);
        if (!recipe || !site)
            return;
        if (check.runtimes.empty())
            return checkScript(check, *recipe, *site, {});
        for (RuntimeKind runtime : check.runtimes)
            checkScript(check, *recipe, *site, runtime);
    }

    void operator()(const FileCheck& check)
    {
        const Recipe* recipe = recipeOf(check.recipe);
        if (!recipe)
            return;
        const Result<QByteArray> bytes = content(recipe->folder + u'/' + check.file);
        if (!bytes.ok())
            return report(bytes.error().summary);
        checkLines(check.lines, check.without, joinedLines(QString::fromUtf8(*bytes)),
            check.recipe + u'/' + check.file);
    }

    void operator()(const SiteCheck& check)
    {
        const Site* site = siteOf(check.site);
        if (!site)
            return;
        const Result<QByteArray> bytes = content(site->file);
        if (!bytes.ok())
            return report(bytes.error().summary);
        const auto json = nlohmann::json::parse(bytes->begin(), bytes->end(), nullptr, false);
        for (auto it = check.facts.begin(); it != check.facts.end(); ++it) {
            const QStringList values = valuesAt(json, it.key().split(u'.'));
            if (!values.contains(it.value()))
                report(tr("site %1 has “%2” for %3, not “%4”")
                           .arg(check.site, values.join(u", "), it.key(), it.value()));
        }
    }

    void operator()(const OutputCheck& check)
    {
        QStringList recognisers;
        std::vector<PatternSpec> patterns;
        if (!check.recipe.isEmpty()) {
            const Recipe* recipe = recipeOf(check.recipe);
            if (!recipe)
                return;
            recognisers = recipe->recognisers;
            patterns = recipe->patterns;
        }
        MetricsPipeline pipeline(recognisers, patterns);
        pipeline.feed((check.log.join(u'\n') + u'\n').toUtf8());
        pipeline.finish();
        lookAtSamples(check, pipeline.takeSamples());
        const std::vector<MetricEvent> events = pipeline.takeEvents();
        for (const QString& wanted : check.events) {
            if (std::none_of(events.begin(), events.end(),
                    [&](const MetricEvent& event) { return event.text.contains(wanted); }))
                report(tr("no event contains “%1”").arg(wanted));
        }
    }

    void operator()(const ReferenceCheck& check)
    {
        const std::vector<ReferencePoint> points = published(check);
        for (const std::vector<double>& wanted : check.points) {
            const auto same = [](double a, double b) {
                return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
            };
            if (std::none_of(points.begin(), points.end(), [&](const ReferencePoint& point) {
                    return same(point.x, wanted[0]) && same(point.y, wanted[1]);
                }))
                report(
                    tr("“%1” has no point %2, %3").arg(check.label).arg(wanted[0]).arg(wanted[1]));
        }
    }

    void operator()(const HintCheck& check)
    {
        ExplainContext context;
        context.endedWell = false;
        context.gpus = 1;
        if (!check.runtime.isEmpty())
            context.facts.insert(QStringLiteral("runtime"), check.runtime);
        QStringList found;
        for (const Explanation& one :
            explain(m_hints, (check.log.join(u'\n') + u'\n').toUtf8(), context))
            found << one.id;
        if (!found.contains(check.hint))
            report(tr("the log is explained with “%1”, not with %2")
                       .arg(found.join(u", "), check.hint));
    }

    void operator()(const TeachingCheck& check)
    {
        const Recipe* recipe = recipeOf(check.recipe);
        if (!recipe)
            return;
        if (check.exercise) {
            const std::vector<Exercise> exercises = recipe->teaching.exercises();
            if (std::none_of(exercises.begin(), exercises.end(),
                    [&](const Exercise& one) { return one.text.contains(check.text); }))
                report(tr("%1 has no exercise “%2”").arg(check.recipe, check.text));
        } else if (!recipe->teaching.text().contains(check.text)) {
            report(tr("%1 does not teach “%2”").arg(check.recipe, check.text));
        }
    }

    QStringList collectProblems() { return std::move(m_findings); }

private:
    void report(const QString& text) { m_findings << text; }

    const Recipe* recipeOf(const QString& id)
    {
        const Recipe* recipe = byId(m_resources.recipes, id);
        if (!recipe)
            report(tr("there is no recipe %1").arg(id));
        return recipe;
    }

    const Site* siteOf(const QString& id)
    {
        const Site* site = byId(m_resources.sites, id);
        if (!site)
            report(tr("there is no site %1").arg(id));
        return site;
    }

    void checkLines(const QStringList& wanted, const QStringList& unwanted,
        const QStringList& lines, const QString& where)
    {
        for (const QString& line : wanted) {
            if (!stands(line, lines))
                report(tr("%1 lacks “%2”").arg(where, line));
        }
        for (const QString& line : unwanted) {
            if (stands(line, lines))
                report(tr("%1 has “%2”").arg(where, line));
        }
    }

    void checkScript(const ScriptCheck& check, const Recipe& recipe, Site site,
        std::optional<RuntimeKind> runtime)
    {
        QString where = tr("%1 at %2").arg(check.recipe, check.site);
        const std::vector<RuntimeKind> offered = offeredRuntimes(recipe, site);
        if (!recipeBelongs(recipe, site))
            return report(tr("%1: the recipe is not offered there").arg(where));
        QMap<QString, QString> values = check.values;
        if (runtime) {
            where = tr("%1 with %2").arg(where, runtimeName(*runtime));
            if (std::find(offered.begin(), offered.end(), *runtime) == offered.end())
                return report(tr("%1: that runtime is not offered").arg(where));
            if (offered.size() > 1)
                values.insert(QStringLiteral("runtime"), runtimeName(*runtime));
        }
        site.archived = false; // a retired site refuses every launch; the check treats it as active
        LaunchSpec spec = filledSpec(recipe, site, values);
        spec.mode = check.interactive ? LaunchMode::Interactive : LaunchMode::Batch;
        const Plan plan = makePlan(spec, recipe, site, {});
        checkLines(
            check.lines, check.without, joinedLines(QString::fromUtf8(renderScript(plan))), where);
        for (auto it = check.fields.begin(); it != check.fields.end(); ++it) {
            if (!plan.values.contains(it.key()))
                report(tr("%1: there is no field %2").arg(where, it.key()));
            else if (plan.values.value(it.key()) != it.value())
                report(tr("%1: %2 is “%3”, not “%4”")
                           .arg(where, it.key(), plan.values.value(it.key()), it.value()));
        }
        lookAtProblems(check, plan, where);
    }

    void lookAtProblems(const ScriptCheck& check, const Plan& plan, const QString& where)
    {
        bool reported = check.problemText.isEmpty();
        for (const Problem& problem : plan.problems) {
            const bool meant = !check.problemText.isEmpty()
                && problem.text.contains(check.problemText)
                && (check.problemField.isEmpty() || check.problemField == problem.field);
            reported = reported || meant;
            if (!meant && (check.clean || problem.severity == Problem::Severity::Error))
                report(tr("%1: lint reports on %2: %3").arg(where, problem.field, problem.text));
        }
        if (!reported)
            report(tr("%1: lint does not report “%2”").arg(where, check.problemText));
    }

    void lookAtSamples(const OutputCheck& check, const std::vector<Sample>& samples)
    {
        for (const auto& [series, wanted] : check.series) {
            std::vector<double> found;
            for (const Sample& sample : samples) {
                if (sample.series == series)
                    found.push_back(sample.y);
            }
            const bool same = std::equal(
                wanted.begin(), wanted.end(), found.begin(), found.end(), [](double a, double b) {
                    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
                });
            QStringList words;
            for (double value : found)
                words << QString::number(value, 'g', 10);
            if (!same)
                report(tr("the series %1 was read as: %2")
                           .arg(series,
                               words.isEmpty() ? QStringLiteral("nothing") : words.join(u", ")));
        }
    }

    std::vector<ReferencePoint> published(const ReferenceCheck& check)
    {
        std::vector<ReferencePoint> points;
        const auto take = [&](const ReferenceSeries& curve) {
            if (curve.label == check.label)
                points.insert(points.end(), curve.points.begin(), curve.points.end());
        };
        if (check.recipe.isEmpty()) {
            for (const PublishedResult& result : m_references.results)
                take(result.curve);
        } else if (const Recipe* recipe = recipeOf(check.recipe)) {
            for (const ChartSpec& chart : recipe->charts)
                std::for_each(chart.references.begin(), chart.references.end(), take);
        }
        return points;
    }

    /// The value at a path: one text, or the words of a list. An object in a list is found by its
    /// name.
    static QStringList valuesAt(const nlohmann::json& json, const QStringList& path)
    {
        if (!path.isEmpty() && json.is_object()) {
            const auto found = json.find(path.first().toStdString());
            return found == json.end() ? QStringList() : valuesAt(*found, path.mid(1));
        }
        QStringList values;
        if (json.is_array()) {
            for (const nlohmann::json& item : json) {
                if (path.isEmpty())
                    values << valuesAt(item, {});
                else if (item.is_object()
                    && item.value("name", item.value("host", "")) == path.first().toStdString())
                    values << valuesAt(item, path.mid(1));
            }
            return values;
        }
        if (path.isEmpty() && json.is_string())
            return {QString::fromStdString(json.get<std::string>())};
        return path.isEmpty() ? QStringList{QString::fromStdString(json.dump())} : values;
    }

    const Resources& m_resources;
    std::shared_ptr<const HintBook> m_hints;
    const RaceReferences& m_references;
    QStringList m_findings;
};

} // namespace

QStringList rowProblems(const DocumentRow& row, const CheckGround& ground)
{
    RowCheck check(ground);
    for (const DocumentCheck& one : row.checks)
        std::visit(check, one);
    return check.collectProblems();
}

} // namespace slipway
