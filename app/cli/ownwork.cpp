// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/ownwork.h"

#include "app/runs/codechanges.h"
#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/cluster/worker.h"

#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype mostNames = 5; ///< of files, in one line of text

/// A line of the proposal as the launch takes it: another value has another reason.
ProposalLine settledLine(
    ProposalLine line, const Proposal& proposal, const LaunchSpec& spec, const QStringList& set)
{
    const QString key = proposalField(line.key);
    if (set.contains(key)) {
        line.value = spec.values.value(key);
        line.reason = tr("set on the command line");
    } else if (proposal.values.contains(line.key) && !spec.values.contains(key)) {
        line.reason = tr("not used: the site file has a value of its own");
    }
    return line;
}

QJsonObject proposalObject(
    const Proposal& proposal, const LaunchSpec& spec, const std::vector<ProposalLine>& lines)
{
    QJsonObject values;
    for (auto it = spec.values.begin(); it != spec.values.end(); ++it)
        values.insert(it.key(), it.value());
    QJsonArray rows;
    for (const ProposalLine& line : lines)
        rows.append(
            QJsonObject{{QStringLiteral("key"), line.key}, {QStringLiteral("label"), line.label},
                {QStringLiteral("value"), line.value}, {QStringLiteral("reason"), line.reason}});
    return {{QStringLiteral("folder"), proposal.folder},
        {QStringLiteral("program"), proposal.program}, {QStringLiteral("values"), values},
        {QStringLiteral("lines"), rows},
        {QStringLiteral("secrets"), QJsonArray::fromStringList(proposal.secrets)},
        {QStringLiteral("questions"), QJsonArray::fromStringList(proposal.questions)}};
}

/// "train.py, model.py and 3 more"
QString namesText(const QStringList& names)
{
    const QString first = names.mid(0, mostNames).join(QStringLiteral(", "));
    return names.size() <= mostNames
        ? first
        : tr("%1 and %2 more").arg(first).arg(names.size() - mostNames);
}

void printOmissions(Context& context, const Snapshot& snapshot)
{
    qsizetype shown = 0;
    for (const SnapshotOmission& one : snapshot.omissions) {
        if (++shown > mostNames) {
            context.out.note(
                tr("… and %1 more.").arg(qsizetype(snapshot.omissions.size()) - mostNames));
            return;
        }
        context.out.note(terminalText(
            tr("Not sent: %1 (%2): %3").arg(one.path, ByteCount(one.bytes).text(), one.reason)));
        if (one.isLarge)
            context.out.note(terminalText(
                tr("  With --send %1 it is sent.").arg(QString::fromUtf8(shellQuoted(one.path)))));
    }
}

void printDifference(Context& context, const SnapshotDifference& difference)
{
    if (difference.isEmpty())
        return context.out.note(tr("Nothing has changed since its last run here."));
    context.out.note(tr("Since its last run here:"));
    const std::pair<QString, QStringList> kinds[] = {{tr("changed"), difference.changed},
        {tr("added"), difference.added}, {tr("removed"), difference.removed}};
    for (const auto& [kind, names] : kinds) {
        if (!names.isEmpty())
            context.out.note(terminalText(QStringLiteral("  %1: %2").arg(kind, namesText(names))));
    }
}

/// The first of the files to send that the folder does not have; empty: it has all.
QString missingLargeFile(const Snapshot& snapshot, const QStringList& files)
{
    for (const QString& file : files) {
        if (std::none_of(snapshot.entries.begin(), snapshot.entries.end(),
                [&file](const SnapshotEntry& entry) { return entry.path == file; }))
            return file;
    }
    return {};
}

QJsonObject codeObject(
    const Snapshot& snapshot, const std::optional<SnapshotDifference>& difference)
{
    QJsonArray left;
    for (const SnapshotOmission& one : snapshot.omissions)
        left.append(QJsonObject{{QStringLiteral("path"), one.path},
            {QStringLiteral("bytes"), double(one.bytes)}, {QStringLiteral("reason"), one.reason}});
    QJsonObject object{{QStringLiteral("folder"), snapshot.folder},
        {QStringLiteral("files"), int(snapshot.entries.size())},
        {QStringLiteral("bytes"), double(snapshot.bytes())}, {QStringLiteral("omissions"), left}};
    if (difference)
        object.insert(QStringLiteral("since_last_run"),
            QJsonObject{
                {QStringLiteral("changed"), QJsonArray::fromStringList(difference->changed)},
                {QStringLiteral("added"), QJsonArray::fromStringList(difference->added)},
                {QStringLiteral("removed"), QJsonArray::fromStringList(difference->removed)},
                {QStringLiteral("bytes"), double(difference->bytes)}});
    return object;
}

} // namespace

bool isOwnWork(Context& context)
{
    const QString word = context.arguments.positional.value(0);
    if (word.isEmpty() || context.engine().catalogue()->recipe(word))
        return false;
    return word.contains(u'/') || QFileInfo::exists(word);
}

std::optional<Proposal> readOwnWork(Context& context)
{
    const QString path = QFileInfo(context.arguments.positional.value(0)).absoluteFilePath();
    const Result<Proposal> proposal = readProject(path, context.arguments.rest);
    if (proposal.ok())
        return *proposal;
    context.fail(proposal.error());
    return {};
}

void applyProposal(
    const Proposal& proposal, const Recipe& recipe, const Site& site, LaunchSpec* spec)
{
    spec->project = proposal.folder;
    spec->values.insert(proposedValues(proposal, recipe, site, *spec));
}

void printProposal(
    Context& context, const Proposal& proposal, const LaunchSpec& spec, const QStringList& set)
{
    std::vector<ProposalLine> lines;
    for (const ProposalLine& line : proposal.lines)
        lines.push_back(settledLine(line, proposal, spec, set));
    if (context.out.json)
        return context.out.object(
            {{QStringLiteral("proposal"), proposalObject(proposal, spec, lines)}});
    context.out.note(terminalText(tr("From %1:").arg(proposal.folder)));
    int labels = 0, values = 0;
    constexpr int widest = 44; // a longer value moves its reason to the right
    for (const ProposalLine& line : lines) {
        labels = std::max(labels, terminalWidth(line.label));
        values = std::max(values, std::min(widest, terminalWidth(line.value)));
    }
    for (const ProposalLine& line : lines)
        context.out.note(terminalText(QStringLiteral("  %1  %2  %3")
                                          .arg(line.label.leftJustified(labels),
                                              line.value.leftJustified(values), line.reason)));
    if (!proposal.secrets.isEmpty())
        context.out.note(terminalText(
            tr("It seems to read from the environment: %1. “slipway-cli secret set %2” keeps a "
               "value in the keychain; --secret %2 gives it to the program.")
                .arg(proposal.secrets.join(QStringLiteral(", ")), proposal.secrets.front())));
    for (const QString& question : proposal.questions)
        context.out.note(terminalText(tr("warning: %1").arg(question)));
}

QCoro::Task<Result<void>> printChanges(Context& context, LaunchSpec spec)
{
    CodeQuestion question = codeQuestion(*context.engine().runs(), spec);
    question.request.hashFile =
        codeHashFile(EnginePaths::standard().data + QStringLiteral("/runs/x"), spec.project);
    const auto read = [question] { return readCodeChanges(question); };
    const Result<CodeChanges> changes = co_await onWorker(read);
    if (!changes.ok())
        co_return changes.error();
    const Snapshot& snapshot = changes->snapshot;
    if (const QString missing = missingLargeFile(snapshot, spec.largeFiles); !missing.isEmpty())
        co_return Error{ErrorKind::Usage,
            tr("--send %1: %2 has no such file to send.").arg(missing, spec.project),
            tr("Give its path within the folder, and look into .gitignore and .slipwayignore.")};
    const std::optional<SnapshotDifference>& difference = changes->difference;
    if (context.out.json) {
        context.out.object({{QStringLiteral("code"), codeObject(snapshot, difference)}});
        co_return Result<void>();
    }
    context.out.note(terminalText(counted(qint64(snapshot.entries.size()),
        tr("The folder has 1 file to send, %2."), tr("The folder has %1 files to send, %2."))
                                      .arg(ByteCount(snapshot.bytes()).text())));
    printOmissions(context, snapshot);
    if (difference)
        printDifference(context, *difference);
    co_return Result<void>();
}

std::unique_ptr<QObject> showUpload(Context& context, const LaunchSpec& spec)
{
    if (spec.project.isEmpty())
        return nullptr;
    auto watcher = std::make_unique<QObject>();
    Runs* const runs = context.engine().runs();
    QObject::connect(runs, &Runs::runChanged, watcher.get(),
        [runs, &context, project = spec.project](const QString& id) {
            const std::optional<Run> run = runs->run(id);
            if (run && run->phase == RunPhase::Preparing && run->spec.project == project)
                context.out.progress(terminalText(run->sentence));
        });
    return watcher;
}

} // namespace slipway
