// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/logpass.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

/// The first byte says how the rest is cut into chunks; both ways must be explained alike, and
/// nothing is learnt in one of them. The rest is taken for a refusal and for a hints file as well:
/// neither may do harm.
SLIPWAY_FUZZ_TARGET(explain)
{
    static const auto book = [] {
        std::vector<Error> errors;
        return loadHints(QStringLiteral(SLIPWAY_SOURCE_DIR "/resources"), {}, &errors);
    }();
    if (book->hints().empty())
        std::abort();
    if (size < 2)
        return 0;
    const QByteArrayView log(data + 1, qsizetype(size - 1));
    LogPass pieces(book);
    pieces.learnNothing();
    const qsizetype step = 1 + data[0];
    for (qsizetype at = 0; at < log.size(); at += step)
        pieces.feed(log.sliced(at, std::min(step, log.size() - at)));
    pieces.finish();
    LogPass whole(book);
    whole.feed(log);
    whole.finish();
    ExplainContext context;
    context.refusal = QString::fromUtf8(log);
    context.state = context.reason = context.refusal.left(20);
    const auto explanations = whole.result(context);
    if (explanations != pieces.result(context) || explanations.size() > book->hints().size())
        std::abort();
    for (const Explanation& one : explanations)
        if (one.evidence.size() > Explainer::longestEvidence + 2)
            std::abort();
    Q_UNUSED(parseHints(log.toByteArray(), QStringLiteral("hints.json")).ok())
    return 0;
}
