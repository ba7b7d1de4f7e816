// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/fairstreams.h"

#include <algorithm>

namespace slipway {

namespace {

size_t runningOf(const std::vector<SharedStream>& streams, quint64 program)
{
    return size_t(std::count_if(streams.begin(), streams.end(), [program](const auto& one) {
        return one.program == program && !one.waits && !one.isKept;
    }));
}

} // namespace

std::optional<size_t> streamToEnd(
    const std::vector<SharedStream>& streams, std::chrono::milliseconds now)
{
    const auto waitsLong = [now](const SharedStream& one) {
        return one.waits && !one.isKept && now - one.since >= streamPatience;
    };
    const auto waiting = std::find_if(streams.begin(), streams.end(), waitsLong);
    if (waiting == streams.end())
        return {};
    const size_t has = runningOf(streams, waiting->program);
    std::optional<size_t> chosen;
    size_t most = has;
    for (size_t i = 0; i < streams.size(); ++i) {
        const SharedStream& one = streams[i];
        if (one.waits)
            continue;
        if (one.isKept)
            return i;
        const size_t count = runningOf(streams, one.program);
        if (count <= has || count < most || now - one.since < streamPatience)
            continue;
        if (count > most || !chosen || one.since < streams[*chosen].since)
            chosen = i;
        most = count;
    }
    return chosen;
}

} // namespace slipway
