// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/imagecheck.h"

#include "app/cli/jsonobjects.h"
#include "app/cli/problems.h"
#include "app/plan/planfacts.h"
#include "remote/base/tr.h"

#include <QDeadlineTimer>
#include <QJsonArray>

#include <algorithm>

namespace slipway {

namespace {

constexpr std::chrono::milliseconds mostWait{4000}; ///< for all images together

/// Nothing is said of a file: the job looks for it.
bool isWorthALine(const CheckedImage& one)
{
    return one.answer.state != ImageAnswer::State::File;
}

QString imageLine(const CheckedImage& one)
{
    const QString late =
        tr("Unknown: the registry did not answer in %1 seconds.").arg(mostWait.count() / 1000);
    const bool isLate = one.answer.state == ImageAnswer::State::Asking;
    return tr("Image %1: %2").arg(one.image.image.text(), isLate ? late : one.state.sentence);
}

Problem imageProblem(const CheckedImage& one)
{
    Problem problem;
    problem.severity = one.state.isCertain ? Problem::Severity::Error : Problem::Severity::Warning;
    problem.field = one.image.field;
    problem.text = imageLine(one);
    if (!one.state.instead.isEmpty()) {
        problem.fix = tr("Use %1").arg(one.state.instead.first());
        problem.fixValue = one.state.instead.first();
    }
    return problem;
}

} // namespace

QCoro::Task<std::vector<CheckedImage>> checkImages(Context& context, LaunchSpec spec)
{
    const Plan plan = context.engine().runs()->plan(spec);
    const auto cluster = context.engine().sessions()->clusterInfo(spec.siteId);
    const bool hasGpu = jobHasGpu(plan, cluster);
    std::vector<LaunchImage> images = launchImages(plan);
    if (plan.values.value(QStringLiteral("pin")) == u"true") {
        // What was pinned before is asked for by its digest: the tag may be gone by now.
        for (LaunchImage& one : images) {
            const QString pinned = spec.pins.value(one.image.text());
            if (isDigest(pinned))
                one.image.digest = pinned;
        }
    }
    ImageCheck* const check = context.engine().imageCheck();
    for (const LaunchImage& image : images)
        check->ask(spec.siteId, image.image); // all at once
    const QDeadlineTimer end(mostWait);
    std::vector<CheckedImage> checked;
    for (const LaunchImage& image : images) {
        const std::chrono::milliseconds left(std::max<qint64>(1, end.remainingTime()));
        const ImageAnswer answer = co_await check->asked(spec.siteId, image.image, left);
        checked.push_back({image, answer, judgeForLaunch(answer, plan.job.partition, hasGpu)});
    }
    co_return checked;
}

QJsonArray imageCheckObjects(const std::vector<CheckedImage>& images)
{
    QJsonArray objects;
    for (const CheckedImage& one : images) {
        const auto& found = one.answer.inspection;
        objects.append(QJsonObject{{QStringLiteral("field"), one.image.field},
            {QStringLiteral("image"), one.image.image.text()},
            {QStringLiteral("registry"), imageStateName(one.answer.state)},
            {QStringLiteral("standing"), imageStandingName(one.state.standing)},
            {QStringLiteral("sentence"), one.state.sentence},
            {QStringLiteral("digest"), textOrNull(one.answer.digest())},
            {QStringLiteral("kept_since"), textOrNull(one.answer.keptSince)},
            {QStringLiteral("bytes"),
                found ? QJsonValue(found->image.compressedBytes()) : QJsonValue()},
            {QStringLiteral("instead"), QJsonArray::fromStringList(one.state.instead)}});
    }
    return objects;
}

void noteImages(Context& context, const std::vector<CheckedImage>& images)
{
    for (const CheckedImage& one : images) {
        if (isWorthALine(one) && !context.out.json)
            context.out.note(terminalText(imageLine(one)));
    }
}

void printImages(Context& context, const std::vector<CheckedImage>& images)
{
    if (context.out.json)
        return context.out.object({{QStringLiteral("image_check"), imageCheckObjects(images)}});
    for (const CheckedImage& one : images) {
        const bool isProblem = one.state.standing == ImageStanding::Error
            || one.state.standing == ImageStanding::Warning;
        if (isProblem)
            printProblem(context, imageProblem(one));
        else if (isWorthALine(one))
            context.out.line(terminalText(imageLine(one)));
    }
}

std::optional<Error> imageRefusal(const std::vector<CheckedImage>& images)
{
    for (const CheckedImage& one : images) {
        if (!one.state.isCertain)
            continue;
        const QString better = one.state.instead.isEmpty()
            ? tr("Choose another image.")
            : tr("Use it: --set %1=%2.").arg(one.image.field, one.state.instead.first());
        return Error{ErrorKind::Invalid,
            tr("This launch would fail; nothing was sent. %1").arg(imageLine(one)),
            tr("%1 If you know better, add --no-image-check.").arg(better)};
    }
    return {};
}

} // namespace slipway
