// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/records/recordreader.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace slipway {

inline bool isSame(const Sample& one, const Sample& other)
{
    return one.series == other.series && one.lane == other.lane && one.xName == other.xName
        && std::memcmp(&one.y, &other.y, sizeof one.y) == 0
        && std::memcmp(&one.x, &other.x, sizeof one.x) == 0;
}

inline void readBothWays(RecordKind kind, const unsigned char* data, std::size_t size)
{
    if (size < 2)
        return;
    const QByteArrayView bytes(data + 1, qsizetype(size - 1));
    const RecordFile file{kind, QStringLiteral("lane"), QStringLiteral("loss")};
    const auto whole = makeRecordReader(file), pieces = makeRecordReader(file);
    whole->feed(bytes);
    whole->finish();
    const qsizetype step = 1 + data[0];
    for (qsizetype at = 0; at < bytes.size(); at += step)
        pieces->feed(bytes.sliced(at, std::min(step, bytes.size() - at)));
    pieces->finish();
    const auto samples = whole->takeSamples(), again = pieces->takeSamples();
    if (!std::equal(samples.begin(), samples.end(), again.begin(), again.end(), isSame)
        || whole->broken() != pieces->broken() || whole->notDrawn() != pieces->notDrawn())
        std::abort();
}

} // namespace slipway
