// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/agentmessages.h"
#include "tests/fuzz/target.h"

#include <QtEndian>

#include <algorithm>
#include <cstdlib>

using namespace slipway;

namespace {

/// The keys of a list that is whole and as long as it says, or the end.
QList<QByteArray> keysOf(const QByteArray& answer)
{
    if (answer.size() < 5 || answer[0] != identitiesAnswer)
        std::abort();
    QList<QByteArray> keys;
    qsizetype at = 5;
    while (at < answer.size()) {
        const auto key = takeString(answer, at);
        if (!key || !takeString(answer, at) || at > answer.size())
            std::abort();
        keys << *key;
    }
    if (keys.size() != qFromBigEndian<quint32>(answer.constData() + 1))
        std::abort();
    return keys;
}

} // namespace

SLIPWAY_FUZZ_TARGET(agentmessages)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    static const QList<QByteArray> configured{QByteArray::fromBase64(
        "AAAAC3NzaC1lZDI1NTE5AAAAIEsj8mNbz26wGLM8agSe95poGqSrcpFHl8K5icddN7hW")};
    const auto isConfigured = [](const QByteArray& key) { return configured.contains(key); };
    const QByteArray few = filteredIdentities(input, configured, true);
    const QList<QByteArray> fewKeys = keysOf(few);
    if (!std::all_of(fewKeys.begin(), fewKeys.end(), isConfigured))
        std::abort();
    const QByteArray all = filteredIdentities(input, configured, false);
    const QList<QByteArray> allKeys = keysOf(all);
    if (!std::is_partitioned(allKeys.begin(), allKeys.end(), isConfigured)
        || allKeys.mid(0, fewKeys.size()) != fewKeys
        || filteredIdentities(all, configured, true) != few
        || all.size() > std::max<qsizetype>(input.size(), 5))
        std::abort();
    if (wantsTouch(input) && !input.contains("sk-"))
        std::abort();
    return 0;
}
