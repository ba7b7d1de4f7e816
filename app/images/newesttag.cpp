// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/newesttag.h"

#include "app/images/tagchoice.h"
#include "remote/base/tr.h"

#include <QPointer>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype mostLookedAt = 6; ///< registries count questions

} // namespace

QString NewestTag::words() const
{
    if (image)
        return tr("%1 is the newest tag that runs on %2. %3")
            .arg(image->tag, partition, sentence.simplified().left(300))
            .trimmed();
    if (lookedAt.isEmpty())
        return tr("The repository has no tag of this kind with a version.");
    return tr("None of the newest tags is known to run here: %1.")
        .arg(lookedAt.join(QStringLiteral(", ")));
}

const PartitionVerdict* verdictThatRuns(
    const std::vector<PartitionVerdict>& verdicts, const QString& partition)
{
    const bool anyGpu = std::any_of(verdicts.begin(), verdicts.end(),
        [](const PartitionVerdict& one) { return !one.isCpuOnly; });
    const auto found =
        std::find_if(verdicts.begin(), verdicts.end(), [&](const PartitionVerdict& one) {
            const bool meant =
                partition.isEmpty() ? !(anyGpu && one.isCpuOnly) : one.partition == partition;
            return meant && one.verdict == Verdict::Ok;
        });
    return found == verdicts.end() ? nullptr : &*found;
}

QCoro::Task<Result<NewestTag>> newestThatRuns(ImageInspector* inspector, QString siteId,
    ImageReference image, QString partition, std::optional<RegistryLogin> login)
{
    const QPointer<ImageInspector> asks(inspector);
    const auto list = co_await asks->tags(siteId, image, login);
    if (!list.ok())
        co_return list.error();
    NewestTag newest;
    newest.allTags = list->complete;
    const QStringList tags = newestTags(list->tags, image.tag, mostLookedAt);
    for (const QString& tag : tags) {
        if (!asks)
            break;
        ImageReference candidate = image;
        candidate.tag = tag;
        candidate.digest.clear();
        newest.lookedAt << tag;
        const auto found = co_await asks->inspect(siteId, candidate, login);
        if (!found.ok())
            continue; // a rate limit, or a tag that is no image: another may do
        const PartitionVerdict* const runs = verdictThatRuns(found->verdicts, partition);
        if (runs) {
            newest.image = candidate;
            newest.partition = runs->partition;
            newest.sentence = runs->sentence;
            break;
        }
    }
    co_return newest;
}

} // namespace slipway
