// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runregistry.h"

#include "app/plan/arrayscript.h"
#include "app/plan/launchfacts.h"
#include "app/plan/stepimages.h"
#include "app/runs/relaunch.h"
#include "app/runs/runbegin.h"
#include "app/runs/runjson.h"
#include "app/runs/runstory.h"
#include "remote/base/tr.h"
#include "remote/slurm/arraytasks.h"

#include <QJsonObject>
#include <QRandomGenerator>
#include <QUuid>

#include <algorithm>

namespace slipway {

namespace {

/// What the registry said of the job's image, if it was asked.
QString registryDigestOf(const RunContext& context, const Plan& plan)
{
    const std::vector<PlanImage> images = planImages(plan);
    if (images.empty() || !images.front().reference || images.front().reference->isFile())
        return {};
    const ImageReference& image = *images.front().reference;
    if (!image.digest.isEmpty())
        return image.digest;
    return context.registryDigest ? context.registryDigest(plan.spec.siteId, image) : QString();
}

Error cannotLock(const QString& folder)
{
    return Error{ErrorKind::Io, tr("A new run cannot be kept in %1.").arg(folder),
        tr("Check that the folder can be written, and that the disk is not full.")};
}

/// A launch that no program drives any more: what was stored of it last is not what is known now.
Run asFound(Run run, const QString& localFolder)
{
    const bool isOpen = !run.job.isValid() && run.phase <= RunPhase::Submitting;
    if (isOpen && LocalRun(localFolder).lock())
        run.sentence = tr("It is not known whether the job was submitted: the program that "
                          "launched it was ended. Slipway will check at the next login.");
    return run;
}

} // namespace

RunRegistry::RunRegistry(RunContext context)
    : m_context(std::move(context))
    , m_store(m_context.dataFolder + u"/runs.sqlite")
{
}

RunRegistry::~RunRegistry()
{
    qDeleteAll(std::exchange(m_handles, {}));
}

std::vector<Error> RunRegistry::open()
{
    std::vector<Error> errors;
    const auto opened = m_store.open();
    if (!opened.ok())
        errors.push_back(opened.error());
    if (m_store.setAside())
        errors.push_back(*m_store.setAside());
    const auto runs = m_store.load();
    if (!runs.ok())
        return errors;
    for (const Run& run : *runs) {
        if (isTerminal(run.phase))
            m_ended.insert(run.id, run);
        else
            add(asFound(run, m_context.localFolder(run.id)));
    }
    return errors;
}

std::vector<Run> RunRegistry::all() const
{
    // Pointers are sorted: a run is large, and there may be thousands.
    std::vector<const Run*> order;
    order.reserve(size_t(m_handles.size() + m_ended.size()));
    for (const RunHandle* handle : m_handles)
        order.push_back(&handle->run());
    for (const Run& run : m_ended)
        order.push_back(&run);
    std::sort(order.begin(), order.end(), [](const Run* a, const Run* b) {
        return a->created != b->created ? a->created > b->created : a->id < b->id;
    });
    std::vector<Run> runs;
    runs.reserve(order.size());
    for (const Run* run : order)
        runs.push_back(*run);
    return runs;
}

int RunRegistry::activeCount() const
{
    // A run without a handle has ended.
    return int(std::count_if(m_handles.cbegin(), m_handles.cend(),
        [](const RunHandle* handle) { return !isTerminal(handle->run().phase); }));
}

std::optional<Run> RunRegistry::run(const QString& id) const
{
    if (const RunHandle* const handle = existing(id))
        return handle->run();
    const auto found = m_ended.constFind(id);
    return found == m_ended.cend() ? std::nullopt : std::optional(*found);
}

RunHandle* RunRegistry::handle(const QString& id)
{
    if (RunHandle* const known = existing(id))
        return known;
    if (!m_ended.contains(id))
        return nullptr;
    emit reopened(id);
    return add(m_ended.take(id));
}

RunHandle* RunRegistry::withTag(const QString& tag)
{
    const auto ended = std::find_if(
        m_ended.cbegin(), m_ended.cend(), [&tag](const Run& run) { return run.tag == tag; });
    if (ended != m_ended.cend())
        return handle(ended->id);
    const auto known = std::find_if(m_handles.cbegin(), m_handles.cend(),
        [&tag](const RunHandle* handle) { return handle->run().tag == tag; });
    return known == m_handles.cend() ? nullptr : *known;
}

RunHandle* RunRegistry::add(const Run& run)
{
    const Recipe* const recipe = m_context.catalogue->recipe(run.spec.recipeId);
    auto* const handle = new RunHandle(run, m_context.localFolder(run.id), &m_store,
        recipe ? recipe->results : QStringList(), this);
    handle->useSecrets(m_context.secrets);
    handle->useImageBytes(m_context.imageBytes);
    handle->setReading(m_context.reading(run));
    if (!isTerminal(run.phase))
        handle->explainWith(m_context.hints, explainContext(run, m_context.plan(run.spec)));
    if (auto created = m_created.extract(run.id))
        handle->takeLock(created.mapped());
    m_handles.insert(run.id, handle);
    const QString id = run.id;
    connect(handle, &RunHandle::changed, this, [this, id] { emit changed(id); });
    connect(handle, &RunHandle::readingChosen, this, [this, id] { readAgain(id); });
    connect(handle, &RunHandle::logGrew, this, [this, id] { emit logGrew(id); });
    connect(handle, &RunHandle::reportGrew, this, [this, id] { emit reportGrew(id); });
    return handle;
}

QString RunRegistry::freeId() const
{
    // Short, for typing: without letters that look like digits.
    const QString letters = QStringLiteral("abcdefghkmnpqrstuvwxyz");
    const QString digits = QStringLiteral("23456789");
    auto* const random = QRandomGenerator::global();
    for (;;) {
        QString id;
        for (int i = 0; i < 4; ++i) {
            const QString& set = i % 2 ? digits : letters;
            id += set.at(random->bounded(int(set.size())));
        }
        if (!m_handles.contains(id) && !m_ended.contains(id))
            return id;
    }
}

Result<Run> RunRegistry::create(const Plan& plan, const ArrayPlace& place)
{
    Run run;
    const bool isTask = place.task >= 0;
    run.tag = isTask ? taskTag(place.tag, place.task)
                     : QUuid::createUuid().toString(QUuid::WithoutBraces);
    run.arrayTask = place.task;
    run.spec = plan.spec;
    run.title = plan.recipe.title;
    run.created = QDateTime::currentDateTime();
    run.sentence = tr("Being prepared.");
    run.stages = plannedStages(plan);
    run.registryDigest = registryDigestOf(m_context, plan);
    // Another program may take the same id in the same second.
    Result<void> kept;
    for (int i = 0; i < 3; ++i) {
        run.id = freeId();
        if (isTask)
            run.folder = (place.folder.isEmpty() ? runFolderPath(place.scratch, run) : place.folder)
                + u'/' + taskFolder(place.task);
        LocalRun local(m_context.localFolder(run.id));
        kept = local.lock() ? m_store.insert(run) : Result<void>(cannotLock(local.folder()));
        if (!kept.ok())
            continue;
        local.keepFacts(factsToJson(plan, m_context.sessions->clusterInfo(plan.spec.siteId)));
        m_created.insert_or_assign(run.id, std::move(local));
        return run;
    }
    return kept.error();
}

void RunRegistry::abandon(const Run& run, const Error& why)
{
    Run ended = run;
    ended.phase = RunPhase::Failed;
    ended.ended = QDateTime::currentDateTime();
    ended.sentence = tr("Nothing was submitted: %1").arg(why.summary);
    Q_UNUSED(m_store.save(ended).ok()) // what cannot be written is queued
    m_created.erase(run.id); // with its lock
    m_ended.insert(run.id, ended);
    emit appeared(run.id);
}

void RunRegistry::noteFetched(const QString& id, const QString& folder)
{
    Q_UNUSED(m_store.noteFetched(id, folder).ok())
    if (RunHandle* const still = handle(id))
        still->setFetchedTo(folder);
}

Result<void> RunRegistry::setLabels(const QString& id, const RunLabels& labels)
{
    const auto noted = m_store.noteLabels(id, labels);
    if (!noted.ok())
        return noted;
    if (RunHandle* const known = existing(id)) {
        known->setLabels(labels);
    } else if (m_ended.contains(id)) {
        m_ended[id].labels = labels;
        emit changed(id);
    }
    return {};
}

Result<void> RunRegistry::readWith(const QString& id, const QString& recipeId)
{
    const auto known = run(id);
    if (!known)
        return Error{ErrorKind::NotFound, tr("There is no run %1.").arg(id)};
    RunLabels labels = known->labels;
    labels.readWith = recipeId == known->spec.recipeId ? QString() : recipeId;
    handle(id); // of an ended run too: it renews what is kept of it
    if (labels != known->labels)
        return setLabels(id, labels);
    readAgain(id); // the recipe may have changed
    return {};
}

void RunRegistry::readAgain(const QString& id)
{
    RunHandle* const known = handle(id);
    const RunReading reading = m_context.reading(known->run());
    if (known->reading() == reading)
        return;
    known->readAgain(reading);
    emit readingChanged(id);
}

void RunRegistry::reloadIfChanged()
{
    if (m_store.changed())
        reload();
}

void RunRegistry::reload()
{
    const auto runs = m_store.loadChanged();
    if (!runs.ok())
        return;
    for (const Run& kept : *runs) {
        const auto known = run(kept.id);
        if (!known) {
            if (isTerminal(kept.phase))
                m_ended.insert(kept.id, kept);
            else
                add(kept);
            emit appeared(kept.id);
        } else if (runToJson(*known) == runToJson(kept)) {
            continue;
        } else if (isTerminal(kept.phase) && m_ended.contains(kept.id)) {
            m_ended.insert(kept.id, kept); // it is only a row of the list here
            emit changed(kept.id);
        } else {
            handle(kept.id)->onStored(kept);
        }
    }
}

void RunRegistry::drop(const QString& id)
{
    if (RunHandle* const handle = m_handles.take(id)) {
        m_ended.insert(id, handle->run());
        handle->disconnect(this);
        handle->deleteLater(); // one of its tasks may still be ending
    }
}

} // namespace slipway

#include "moc_runregistry.cpp"
