// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/dockerfile.h"
#include "app/project/stageconverter.h"
#include "remote/base/tr.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <tuple>

namespace slipway {

namespace {

/// Stages that begin with others repeat their instructions.
constexpr int mostRepeated = 4000;

Error invalidFrom(const DockerInstruction& one, const QString& what)
{
    return {ErrorKind::Invalid, tr("Line %1 of the Dockerfile: %2").arg(one.firstLine).arg(what),
        tr("Correct that line.")};
}

/// Reads FROM [--platform=…] IMAGE [AS NAME].
Result<DockerStage> readFrom(const DockerInstruction& one, DockerContext* context)
{
    static const QRegularExpression image(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._/:@-]*\\z"));
    static const QRegularExpression name(QStringLiteral("\\A[a-z][a-z0-9._-]*\\z"));
    const QStringList words = dockerWords(one.text(), context->escape);
    DockerStage stage;
    if (words.size() == 3 && words.at(1).compare(u"AS", Qt::CaseInsensitive) == 0)
        stage.name = words.at(2).toLower();
    if (words.size() != 1 && !name.match(stage.name).hasMatch())
        return invalidFrom(
            one, tr("FROM wants an image, and may name its stage: FROM IMAGE AS NAME."));
    DockerScope scope{context->globals, {}, context->escape};
    const DockerValue value = scope.expand(words.front());
    if (!scope.unknown.isEmpty())
        return invalidFrom(one,
            tr("the image depends on %1, which no ARG above it sets.")
                .arg(scope.unknown.values().constFirst().left(80)));
    if (!image.match(value.text()).hasMatch())
        return invalidFrom(one, tr("“%1” is not an image.").arg(value.text().left(200)));
    for (const QString& flag : one.flags)
        context->remark(one, RemarkSeverity::Note,
            tr("%1 is left out: Apptainer takes the image for the machine that builds.")
                .arg(flag.left(200)));
    stage.base = context->stageNamed(value.text(), int(context->stages.size()));
    bool isNumber = false;
    value.text().toInt(&isNumber);
    if (isNumber)
        stage.base = -1; // only COPY --from counts stages
    if (stage.base < 0)
        stage.image = value.text();
    return stage;
}

/// Finds the stages, and the ARGs above the first one.
Result<void> readStages(DockerContext* context)
{
    const std::vector<DockerInstruction>& all = *context->instructions;
    for (int i = 0; i < int(all.size()); ++i) {
        const DockerInstruction& one = all[size_t(i)];
        if (one.name == u"FROM") {
            Result<DockerStage> stage = readFrom(one, context);
            if (!stage.ok())
                return stage.error();
            stage->from = i;
            stage->first = stage->end = i + 1;
            stage->definitionName = stage->name.isEmpty()
                    || context->stageNamed(stage->name, int(context->stages.size())) >= 0
                ? QStringLiteral("Stage-%1").arg(context->stages.size())
                : stage->name;
            context->stages.push_back(std::move(*stage));
        } else if (!context->stages.empty()) {
            context->stages.back().end = i + 1;
        } else if (one.name == u"ARG") {
            DockerScope scope{context->globals, {}, context->escape};
            QStringList defined;
            defineArguments(one, &scope, *context->request, {}, &defined);
            // Declared without a value it is empty, as in Docker.
            for (const QString& word : dockerWords(one.text(), context->escape))
                if (!word.contains(u'=') && !scope.values.contains(word))
                    scope.values.insert(word, {});
            context->globals = scope.values;
            if (scope.isTooLong)
                return invalidFrom(one, tr("its variables stand for more than 32,768 characters."));
        } else {
            return invalidFrom(one, tr("%1 stands before the first FROM.").arg(one.name));
        }
    }
    if (context->stages.empty())
        return Error{ErrorKind::Invalid, tr("The Dockerfile has no FROM."),
            tr("Check that it is a Dockerfile.")};
    return {};
}

Result<int> targetStage(const DockerContext& context)
{
    const QString name = context.request->target;
    const int count = int(context.stages.size());
    const int stage = name.isEmpty() ? count - 1 : context.stageNamed(name, count);
    if (stage < 0)
        return Error{ErrorKind::NotFound, tr("The Dockerfile has no stage “%1”.").arg(name), {}};
    return stage;
}

/// The stages that the target needs, itself the last.
Result<std::vector<int>> neededStages(const DockerContext& context, int target)
{
    std::vector<bool> isNeeded(context.stages.size(), false);
    isNeeded[size_t(target)] = true;
    std::vector<int> needed;
    int repeated = 0;
    for (int i = target; i >= 0; --i) {
        if (!isNeeded[size_t(i)])
            continue;
        needed.insert(needed.begin(), i);
        for (int part = i; part >= 0; part = context.stages[size_t(part)].base) {
            const DockerStage& stage = context.stages[size_t(part)];
            repeated += 1 + stage.end - stage.first;
            if (repeated > mostRepeated)
                return Error{ErrorKind::Invalid,
                    tr("The stages of the Dockerfile repeat each other too often."),
                    tr("Convert a smaller part of it.")};
            if (stage.image == u"scratch")
                return Error{ErrorKind::Unsupported,
                    tr("Line %1 of the Dockerfile: Apptainer cannot build from nothing (FROM "
                       "scratch).")
                        .arg((*context.instructions)[size_t(stage.from)].firstLine),
                    tr("Begin with a small image, such as debian:bookworm-slim.")};
            for (int at = stage.first; at < stage.end; ++at) {
                const DockerInstruction& one = (*context.instructions)[size_t(at)];
                const int from = one.name == u"COPY"
                    ? context.stageNamed(one.flag(QStringLiteral("from")), part)
                    : -1;
                if (from >= 0)
                    isNeeded[size_t(from)] = true;
            }
        }
    }
    return needed;
}

void remarkStages(DockerContext* context, const std::vector<int>& needed, int target)
{
    std::vector<bool> isUsed(context->stages.size(), false);
    for (const int stage : needed)
        for (int part = stage; part >= 0; part = context->stages[size_t(part)].base) {
            isUsed[size_t(part)] = true;
            if (part != stage)
                context->remark(
                    (*context->instructions)[size_t(context->stages[size_t(stage)].from)],
                    RemarkSeverity::Note,
                    tr("Apptainer cannot begin with another stage: its instructions are "
                       "repeated."));
        }
    for (size_t i = 0; i < isUsed.size(); ++i)
        if (!isUsed[i])
            context->remark((*context->instructions)[size_t(context->stages[i].from)],
                RemarkSeverity::Note,
                int(i) > target ? tr("This stage comes after the target and is left out.")
                                : tr("No other stage needs this one, so it is left out."));
}

void sortRemarks(std::vector<ConversionRemark>* remarks)
{
    std::stable_sort(remarks->begin(), remarks->end(),
        [](const auto& a, const auto& b) { return a.line < b.line; });
    // An instruction that is repeated says the same again.
    QSet<std::pair<int, QString>> said;
    std::vector<ConversionRemark> unique;
    for (ConversionRemark& one : *remarks) {
        const std::pair<int, QString> key{one.line, one.sentence};
        if (said.contains(key))
            continue;
        said << key;
        unique.push_back(std::move(one));
    }
    *remarks = std::move(unique);
}

/// Every instruction with the ranges of the definition that come from it.
std::vector<ConvertedLines> linesOf(
    const std::vector<DockerInstruction>& instructions, const DefinitionText& definition)
{
    std::vector<ConvertedLines> lines;
    std::vector<bool> isThere(instructions.size(), false);
    const auto add = [&](size_t index, int first, int last) {
        const DockerInstruction& one = instructions[index];
        lines.push_back({one.name, one.firstLine, one.lastLine, first, last});
        isThere[index] = true;
    };
    for (const DefinitionText::Range& range : definition.ranges)
        add(size_t(range.instruction), range.first, range.last);
    for (size_t i = 0; i < instructions.size(); ++i)
        if (!isThere[i])
            add(i, 0, 0);
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
        return std::tie(a.firstLine, a.firstResult) < std::tie(b.firstLine, b.firstResult);
    });
    return lines;
}

} // namespace

bool Conversion::hasLosses() const
{
    return std::any_of(remarks.begin(), remarks.end(),
        [](const auto& remark) { return remark.severity == RemarkSeverity::Lost; });
}

Result<Conversion> convertDockerfile(const QByteArray& text, const ConversionRequest& request)
{
    const Result<DockerSource> source = readDockerInstructions(text);
    if (!source.ok())
        return source.error();
    DockerContext context;
    context.request = &request;
    context.instructions = &source->instructions;
    context.escape = source->escape;
    if (const Result<void> read = readStages(&context); !read.ok())
        return read.error();
    const Result<int> target = targetStage(context);
    if (!target.ok())
        return target.error();
    const Result<std::vector<int>> needed = neededStages(context, *target);
    if (!needed.ok())
        return needed.error();
    remarkStages(&context, *needed, *target);
    std::vector<DefinitionStage> stages;
    for (const int stage : *needed) {
        stages.push_back(StageConverter(&context, stage, stage == *target).convert());
        if (needed->size() > 1)
            stages.back().name = context.stages[size_t(stage)].definitionName;
        if (context.error)
            return *context.error;
    }
    const DefinitionText definition = definitionText(stages);
    if (definition.hasLongSection)
        context.remark(source->instructions.back(), RemarkSeverity::Lost,
            tr("A section of the definition is longer than the 64 KiB that Apptainer reads."));
    sortRemarks(&context.remarks);
    return Conversion{definition.text, context.remarks, linesOf(source->instructions, definition)};
}

} // namespace slipway
