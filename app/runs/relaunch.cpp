// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/relaunch.h"

#include "app/explain/sitefacts.h"
#include "app/plan/launchlists.h"

#include <algorithm>

namespace slipway {

namespace {

using ChangeKind = FieldChange::Kind;

/// Twice a value of this type, or the value plus `more`; none when it is not an amount.
std::optional<QString> raised(
    Parameter::Type type, const QString& value, const std::optional<QString>& more)
{
    if (type == Parameter::Type::Memory) {
        const auto now = MemorySize::parse(value), plus = MemorySize::parse(more.value_or(value));
        if (!now.ok() || !plus.ok() || now->mebibytes() == 0) // zero means all memory of the node
            return {};
        return MemorySize(now->mebibytes() + plus->mebibytes()).slurmText();
    }
    if (type == Parameter::Type::WallTime) {
        const auto now = WallTime::parse(value), plus = WallTime::parse(more.value_or(value));
        if (!now.ok() || !plus.ok() || now->isUnlimited() || plus->isUnlimited())
            return {};
        return WallTime(now->seconds() + plus->seconds()).slurmText();
    }
    bool isNumber = false, isMore = false;
    const qlonglong now = value.toLongLong(&isNumber),
                    plus = more.value_or(value).toLongLong(&isMore);
    constexpr qlonglong most = 1'000'000'000;
    if (!isNumber || !isMore || now < 0 || now > most || plus < 0 || plus > most)
        return {};
    return QString::number(now + plus);
}

/// Half of a count, at least 1; none when it cannot be halved.
std::optional<QString> halved(const QString& value)
{
    bool isNumber = false;
    const qlonglong now = value.toLongLong(&isNumber);
    return isNumber && now > 1 ? std::optional(QString::number(now / 2)) : std::nullopt;
}

std::optional<QString> changedValue(
    const FieldChange& change, const Parameter& field, const QString& value)
{
    switch (change.kind) {
    case ChangeKind::Set:
        return change.value;
    case ChangeKind::Double:
        return value.isEmpty() ? change.value : raised(field.type, value, std::nullopt);
    case ChangeKind::Add:
        return value.isEmpty() ? change.value : raised(field.type, value, change.value);
    case ChangeKind::Append:
        return appendedList(field.key, value, change.value);
    case ChangeKind::Halve:
        return halved(value);
    case ChangeKind::Choose:
        break;
    }
    return {};
}

} // namespace

ExplainContext explainContext(const Run& run, const Plan& plan)
{
    ExplainContext context;
    if (run.phase == RunPhase::Done || run.phase == RunPhase::Failed)
        context.endedWell = run.phase == RunPhase::Done;
    context.facts = siteFacts(plan.site);
    context.facts.insert(QStringLiteral("modules"), plan.modules.join(u' '));
    QStringList binds;
    for (const Bind& bind : plan.binds)
        binds << bind.source;
    context.facts.insert(QStringLiteral("binds"), binds.join(QStringLiteral(", ")));
    bool isNumber = false;
    // Without such a field GPUs come with the node.
    if (const int gpus = plan.values.value(QStringLiteral("gpus")).toInt(&isNumber); isNumber)
        context.gpus = gpus;
    return context;
}

std::optional<RelaunchOffer> relaunchOffer(const FieldChange& change, const Plan& plan)
{
    QString key = change.field;
    // Slurm accepts memory per node or per CPU, never both.
    if (key == u"memory"
        && !plan.values.value(QStringLiteral("memory_per_cpu")).trimmed().isEmpty())
        key = QStringLiteral("memory_per_cpu");
    const auto field = std::find_if(plan.fields.begin(), plan.fields.end(),
        [&](const Parameter& one) { return one.key == key; });
    if (field == plan.fields.end())
        return {};
    RelaunchOffer offer{field->key, field->label, {}};
    if (change.kind == ChangeKind::Choose)
        return offer;
    offer.value = changedValue(change, *field, plan.values.value(field->key));
    if (!offer.value || *offer.value == plan.values.value(field->key))
        return {};
    return offer;
}

std::vector<RelaunchOffer> relaunchOffers(const Explanation& explanation, const Plan& plan)
{
    std::vector<RelaunchOffer> offers;
    std::vector<FieldChange> changes = explanation.alternatives;
    if (explanation.change)
        changes.insert(changes.begin(), *explanation.change);
    for (const FieldChange& change : changes) {
        auto offer = relaunchOffer(change, plan);
        const bool known = offer && std::any_of(offers.begin(), offers.end(), [&](const auto& one) {
            return one.field == offer->field;
        });
        if (offer && !known)
            offers.push_back(std::move(*offer));
    }
    return offers;
}

QByteArray scriptOf(Plan plan, const QString& tag)
{
    plan.tag = tag;
    if (plan.spec.mode == LaunchMode::Batch)
        return renderScript(plan);
    QByteArray text;
    for (const StepScript& step : renderStepScripts(plan))
        text += "# " + step.name.toUtf8() + '\n' + step.bytes + '\n';
    return text;
}

} // namespace slipway
