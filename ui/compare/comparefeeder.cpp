// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparefeeder.h"

#include "ui/parts/words.h"

#include <QTimer>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int readInterval = 500; ///< ms
constexpr int leastReads = 4; ///< before a run counts as one without results
constexpr int mostCandidates = 4; ///< runs whose logs are read when the page opens empty

/// "ghcr.io/…/pytorch@sha256:7c1f…" as "sha256:7c1f…"; any other image by its last part.
QString shortImage(const QString& image)
{
    const qsizetype digest = image.indexOf(u"sha256:"_s);
    if (digest >= 0) {
        return image.mid(digest, 7 + 12) % u"…"_s;
    }
    return image.section(u'/', -1);
}

std::vector<ReferenceSeries> referencesOf(const Recipe* recipe)
{
    std::vector<ReferenceSeries> list;
    for (const ChartSpec& chart : recipe ? recipe->charts : std::vector<ChartSpec>()) {
        for (ReferenceSeries reference : chart.references) {
            reference.series = reference.series.isEmpty() ? chart.series : reference.series;
            list.push_back(std::move(reference));
        }
    }
    return list;
}

} // namespace

CompareFeeder::CompareFeeder(Engine* engine, CompareModel* model, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_model(model)
{
    if (!engine) {
        return;
    }
    connect(m_model, &CompareModel::changed, this, &CompareFeeder::holdFeeds);
    m_model->setPublished(engine->raceReferences());
    connect(engine->catalogue(), &Catalogue::changed, this,
        [this] { m_model->setPublished(m_engine->raceReferences()); });
    connect(engine->runs(), &Runs::raceChanged, this, &CompareFeeder::scheduleUpdate);
    connect(engine->runs(), &Runs::runChanged, this, &CompareFeeder::scheduleUpdate);
}

std::optional<ComparedRun> CompareFeeder::comparedRun(const QString& runId) const
{
    const auto run = m_engine ? m_engine->runs()->run(runId) : std::nullopt;
    if (!run) {
        return {};
    }
    ComparedRun compared;
    compared.id = runId;
    compared.title = runTitle(*run);
    // As recorded at launch: site files and recipes may have changed since.
    const LaunchFacts facts = m_engine->runs()->launchFacts(runId);
    compared.site = facts.siteName.value_or(run->spec.siteId);
    compared.image = facts.image ? shortImage(*facts.image) : tr("unknown");
    compared.when = run->started.isValid() ? run->started : run->created;
    compared.live = !isTerminal(run->phase);
    compared.file = m_engine->runs()->race(runId);
    compared.references = referencesOf(m_engine->catalogue()->recipe(run->spec.recipeId));
    return compared;
}

void CompareFeeder::setRuns(const QStringList& runIds)
{
    m_model->clear();
    emit noted({});
    addRuns(runIds);
}

void CompareFeeder::addRuns(const QStringList& runIds)
{
    for (const QString& id : runIds) {
        if (const auto run = comparedRun(id)) {
            m_model->putRun(*run);
            m_unread << id;
        }
    }
    emit noted({});
    m_reads = 0;
    removeEmpty();
}

void CompareFeeder::removeEmpty()
{
    const bool early = ++m_reads < leastReads;
    QStringList without, unread;
    for (const QString& id : std::exchange(m_unread, {})) {
        const auto run = m_model->holds(id) ? comparedRun(id) : std::nullopt;
        if (!run || run->live || !run->file.points.empty() || !run->file.absent.empty()) {
            continue; // a running job may still measure something
        }
        const auto kept = m_engine->runs()->run(id);
        const RunFeed* feed = m_engine->runs()->feed(id);
        if (kept && feed && (early || feed->bytes() < kept->logBytes)) {
            unread << id; // its log is still being read
        } else {
            if (!feed || feed->series().empty()) { // else its curves can be compared
                without << run->title % u", "_s % run->id;
            }
            m_model->removeRun(id);
        }
    }
    if (!without.isEmpty()) {
        emit noted(
            tr("Not added, because there is nothing to compare: %1.").arg(without.join(u"; "_s)));
    }
    m_unread = unread;
    if (!unread.isEmpty()) {
        QTimer::singleShot(readInterval, this, &CompareFeeder::removeEmpty);
    }
}

void CompareFeeder::showNewest()
{
    if (!m_engine || !m_model->runs().empty()) {
        return;
    }
    m_candidates.clear();
    for (const Run& run : m_engine->runs()->all()) {
        const Recipe* recipe = m_engine->catalogue()->recipe(run.spec.recipeId);
        if (recipe && recipe->lanes.size() > 1 && m_candidates.size() < mostCandidates) {
            m_candidates << run.id;
        }
    }
    QTimer::singleShot(0, this, &CompareFeeder::readCandidate);
}

void CompareFeeder::readCandidate()
{
    if (m_candidates.isEmpty() || !m_model->runs().empty()) {
        return;
    }
    const auto run = comparedRun(m_candidates.takeFirst());
    if (run && (run->live || !run->file.points.empty())) {
        m_model->putRun(*run);
    } else {
        // One per turn of the event loop, because each opens a log.
        QTimer::singleShot(0, this, &CompareFeeder::readCandidate);
    }
}

void CompareFeeder::scheduleUpdate(const QString& runId)
{
    if (!m_model->holds(runId)) {
        return;
    }
    if (m_stale.isEmpty()) {
        // A job prints in bursts; one read after each burst is enough.
        QTimer::singleShot(100, this, &CompareFeeder::updateStale);
    }
    m_stale.insert(runId);
}

void CompareFeeder::updateStale()
{
    for (const QString& id : std::exchange(m_stale, {})) {
        if (const auto run = m_model->holds(id) ? comparedRun(id) : std::nullopt) {
            m_model->putRun(*run);
        }
    }
}

void CompareFeeder::holdFeeds()
{
    QHash<QString, std::shared_ptr<RunFeed>> held;
    for (const ComparedRun& run : m_model->runs()) {
        if (m_engine) {
            held.insert(run.id, m_engine->runs()->holdFeed(run.id));
        }
    }
    m_feeds = held;
}

} // namespace slipway

#include "moc_comparefeeder.cpp"
