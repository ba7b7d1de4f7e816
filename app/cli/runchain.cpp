// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/runchain.h"

#include "app/plan/longwork.h"
#include "app/runs/continuing.h"
#include "remote/base/tr.h"

namespace slipway {

std::optional<int> chainLength(Context& context, const LaunchSpec& spec)
{
    constexpr int most = 100;
    if (!context.arguments.has("--times"))
        return 1;
    const QString text = context.arguments.value("--times");
    bool isNumber = false;
    const int times = text.toInt(&isNumber);
    if (!isNumber || times < 1 || times > most) {
        context.misused(tr("--times takes a number from 1 to %1, not “%2”.").arg(most).arg(text));
        return {};
    }
    if (times > 1 && (context.arguments.has("--sweep") || context.arguments.has("--interactive"))) {
        context.misused(tr("--times is for one batch job after the other, without --sweep and "
                           "without --interactive."));
        return {};
    }
    if (times > 1 && !keepsCheckpoints(context.engine().runs()->plan(spec))) {
        context.misused(
            tr("--times needs a checkpoint folder: without one each job would begin again."),
            tr("Add --set checkpoints=DIR, the folder into which the program saves its state."));
        return {};
    }
    return times;
}

QCoro::Task<Result<QStringList>> submitNext(Context& context, QString runId, int count)
{
    Runs* const runs = context.engine().runs();
    QStringList ids;
    QString before = runId;
    for (int i = 0; i < count; ++i) {
        const Run run = *runs->run(before);
        const Recipe* const recipe = context.engine().catalogue()->recipe(run.spec.recipeId);
        const Result<LaunchSpec> spec =
            continuingSpec(run, recipe, context.engine().catalogue()->site(run.spec.siteId));
        if (!spec.ok())
            co_return spec.error();
        const Result<QString> id = co_await runs->launch(*spec);
        if (!id.ok()) {
            context.out.note(tr("%1 of %2 further jobs were submitted. They stay submitted.")
                                 .arg(ids.size())
                                 .arg(count));
            co_return id.error();
        }
        before = *id;
        ids << before;
    }
    co_return ids;
}

} // namespace slipway
